"""Keeps `resources/translations/*.ts` in step with what the window says.

    python packaging/translations.py            writes new texts into every language, unfinished
    python packaging/translations.py --check    lists what a language lacks; exit code 1 if so
    python packaging/translations.py --add fr   begins a language
    python packaging/translations.py --take de.json   also takes words from a table, text to text

Qt's own lupdate would read the same calls, but it knows neither our `tr()` outside of widgets nor
the settings and errors that the layers below declare. One line is one text, so that two people who
add some do not meet. A line says which class says it (Qt's context): one English word may be two
elsewhere."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
SOURCE = "en"
HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="{language}" sourcelanguage="en">
"""
# How many forms a number has; where a language is not here, it has two.
FORMS = {"ar": 6, "pl": 3, "ru": 3, "uk": 3, "be": 3, "hr": 3, "sr": 3, "cs": 3, "he": 3} | (
    dict.fromkeys(("ja", "zh", "ko", "vi", "th", "id", "tr", "hu"), 1)
)


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text as Qt looks it up; with a number in it, it has several forms."""

    context: str
    source: str
    comment: str = ""
    counted: bool = False


Said = dict[Text, tuple[str, ...]]


def texts() -> dict[Text, str]:
    """Every text the window says, and the file that says it."""
    found: dict[Text, str] = {}
    for path in sorted((ROOT / "ui").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for text in Reader(ast.parse(path.read_text(encoding="utf-8"))).texts:
            found.setdefault(text, place)
    for source in settings():
        found.setdefault(Text("settings", source), "app/settings.py")
    for source in next_steps():
        found.setdefault(Text("clients", source), "app/connect/mcp_clients.py")
    for source in json.loads((FOLDER / "errors.json").read_text("utf-8")):
        found.setdefault(Text("errors", source), "errors.json")
    return found


# Only agents and the command line meet what these raise.
UNSEEN = (
    *("app/api", "app/cli", "app/mcp", "app/memory", "app/learning/channels.py"),
    *("app/access/caller_scope.py", "app/access/owner_token.py", "app/markdown/notes.py"),
    *("app/rules/policy.py", "app/rules/layers.py", "app/rules/turns.py", "app/recall/search.py"),
    *("app/learning/conversations.py", "app/learning/writers", "app/rules/visibility.py"),
    *("app/blocks", "app/markdown/importers/lists.py", "app/sync"),
)


def errors() -> dict[str, str]:
    """The sentences of errors that the window may show, with `{0}` for what an f-string fills in;
    and the files that raise them."""
    found: dict[str, str] = {}
    for path in sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "store").rglob("*.py")]):
        place = path.relative_to(ROOT).as_posix()
        if place.startswith(UNSEEN):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = node.exc if isinstance(node, ast.Raise) else _returned_error(node)
            if isinstance(made, ast.Call) and made.args:
                text = _template(made.args[0])
                if text[:1].isupper() or text.startswith("{0} "):
                    found.setdefault(text, place)
    return found | reasons()


ERRORS = frozenset(
    node.name
    for path in ("store/errors.py", "app/errors.py")
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    if isinstance(node, ast.ClassDef)
)


def _returned_error(node: ast.AST) -> ast.expr | None:
    """Some are made by a function, and raised by whoever asked it."""
    made = node.value if isinstance(node, ast.Return) else None
    return made if isinstance(made, ast.Call) and ast.unparse(made.func) in ERRORS else None


REASONS = {  # what says in words why something is so
    "app/recall/search.py": ("_why", "_of_then"),
    "app/proof/checks.py": ("judge", "_judge_asked", "_ahead", "_other_cause", "Checks"),
}


def reasons() -> dict[str, str]:
    """What else the layers below say for people: why a memory was found, what a file is."""
    found: dict[str, str] = {}
    for place, names in REASONS.items():
        for function in ast.parse((ROOT / place).read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef | ast.ClassDef) and function.name in names:
                said = [_template(node) for node in _sentences(function)]
                found |= {text: place for text in said if len(text.split()) > 1}
    for path in sorted((ROOT / "app/markdown/importers").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "label":
                found |= dict.fromkeys(filter(None, [_literal(node.value)]), path.name)
    return found


def _sentences(function: ast.FunctionDef | ast.ClassDef) -> Iterator[ast.expr]:
    """What it returns, last in a tuple, gathers, or names as a cause; a docstring is neither."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            ways = node.value
            ways = ways.elts[-1] if isinstance(ways, ast.Tuple) else ways
            yield from (ways.body, ways.orelse) if isinstance(ways, ast.IfExp) else (ways,)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".append"):
            yield from node.args
        elif isinstance(node, ast.keyword) and node.arg == "cause":
            yield node.value


def _template(node: ast.expr) -> str:
    if not isinstance(node, ast.JoinedStr):
        return _literal(node)
    parts, number = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{number}}}")
            number += 1
    return "".join(parts)


def write_patterns() -> None:
    """The sentences by which the window knows an error again; no `.qm` lists what it holds."""
    lines = json.dumps(sorted(errors()), ensure_ascii=False, indent=0)
    (FOLDER / "errors.json").write_text(f"{lines}\n", encoding="utf-8")


def next_steps() -> Iterator[str]:
    """What to do in a client once it is set up."""
    from app.connect.mcp_clients import CLIENTS

    yield from (client.next_step for client in CLIENTS.values() if client.next_step)


def settings() -> Iterator[str]:
    """What the declarations of the settings say: sections, labels, helps, choices."""
    sys.path.insert(0, str(ROOT))
    from app.settings import SETTINGS

    for setting in SETTINGS:
        yield from (setting.section, setting.label, setting.help, *setting.choices)


class Reader(ast.NodeVisitor):
    """The literals in `self.tr("…")`, `tr("…")`, `counted("…", n)`, `translate("Context", "…")`."""

    def __init__(self, tree: ast.Module) -> None:
        self._class = ""
        self._own = _own_context(tree)
        self.texts: list[Text] = []
        self.visit(tree)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self._class = self._class, node.name
        self.generic_visit(node)
        self._class = outer

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        said = [_literal(one) for one in node.args]
        match node.func:
            case ast.Attribute(attr="tr") if said and said[0]:
                self.texts.append(Text(self._class, *filter(None, said[:2])))
            case ast.Name(id="tr") if said and said[0]:
                self.texts.append(Text(self._own, said[0]))
            case ast.Name(id="counted") if said and said[0]:
                self.texts.append(Text("ui", said[0], counted=True))
            case ast.Name(id="Term"):  # of the glossary: plain name, word, sentence
                self.texts += [Text("ui", text) for text in said[:3] if text]
            case ast.Name(id="translate") | ast.Attribute(attr="translate"):
                if len(said) > 1 and said[0] and said[1]:
                    self.texts.append(Text(*filter(None, said[:3])))


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _own_context(tree: ast.Module) -> str:
    """The context of a module's own `tr`; `ui` if it takes the one of all."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "tr":
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and call.args and _literal(call.args[0]):
                    return _literal(call.args[0])
    return "ui"


def languages() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.ts"))


def read(language: str) -> Said:
    """What `language` says; an unfinished text has no forms."""
    path, said = FOLDER / f"{language}.ts", {}
    if not path.is_file():
        return {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            text = Text(
                context.findtext("name", ""),
                message.findtext("source", ""),
                message.findtext("comment", ""),
                message.get("numerus") == "yes",
            )
            node = message.find("translation")
            assert node is not None, text
            forms = [form.text or "" for form in node.iter("numerusform")] or [node.text or ""]
            done = node.get("type") is None and all(forms)
            said[text] = tuple(forms) if done else said.get(text, ())
    return said


def write(language: str, said: Said) -> None:
    lines = "".join(_line(text, said[text]) for text in sorted(said))
    head = HEAD.format(language=language)
    (FOLDER / f"{language}.ts").write_text(f"{head}{lines}</TS>\n", encoding="utf-8")


def _line(text: Text, forms: tuple[str, ...]) -> str:
    comment = f"<comment>{escape(text.comment)}</comment>" if text.comment else ""
    state = "" if forms else ' type="unfinished"'
    numerus = ' numerus="yes"' if text.counted else ""
    words = "".join(map(escape, forms))
    if text.counted:
        words = "".join(f"<numerusform>{escape(form)}</numerusform>" for form in forms)
    line = (
        f"<context><name>{text.context}</name>"
        f"<message{numerus}>"
        f"<source>{escape(text.source)}</source>{comment}"
        f"<translation{state}>{words}</translation></message></context>\n"
    )
    return re.sub(r"\n(?!$)", "&#10;", line)


def update(language: str, table: dict[str, str]) -> None:
    """Adds what is new, drops what nobody says any more; what moved keeps its words."""
    former = read(language)
    known = {(text, ""): (words,) for text, words in table.items()}
    known |= {(text.source, text.comment): forms for text, forms in former.items() if forms}
    now: Said = {}
    for text in texts():
        if language == SOURCE and not text.counted:
            continue  # the code speaks it
        now[text] = former.get(text) or known.get((text.source, text.comment), ())
        if text.counted != (len(now[text]) > 1) and FORMS.get(language, 2) > 1:
            now[text] = ()
    write(language, now)


def missing(language: str) -> list[str]:
    """What is not said in `language`, or in too few forms, and what it says that nobody asks."""
    said, asked, found = read(language), texts(), []
    for text, place in asked.items():
        if language == SOURCE and not text.counted:
            continue
        forms = said.get(text, ())
        if len(forms) != (FORMS.get(language, 2) if text.counted else 1):
            found.append(f"{place}: {text.context}: {text.source!r}")
    return found + [f"nobody says {text.source!r} ({text.context})" for text in said.keys() - asked]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--add", metavar="LANGUAGE", default="")
    parser.add_argument("--take", metavar="FILE", type=Path)
    given = parser.parse_args()
    table = json.loads(given.take.read_text("utf-8")) if given.take else {}
    lacking = []
    if not given.check:
        write_patterns()
    for language in dict.fromkeys([*languages(), *([given.add] if given.add else [])]):
        if not given.check:
            update(language, table if given.take and given.take.stem == language else {})
        lacking += [f"{language}.ts: {line}" for line in missing(language)]
    print("\n".join(lacking) or "every language says everything")
    return bool(lacking)


if __name__ == "__main__":
    sys.exit(main())
