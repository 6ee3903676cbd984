"""The fields at the head of a note: read safely, written so that every YAML reader agrees.

What is read is YAML 1.2's plain core: `no`, `0123` and `12:30` stay text. What is written quotes
whatever an older YAML would turn into something else. Values we only carry (dates, decimals) keep
the very letters their author wrote.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler

MOST_BYTES = 64 * 1024
DEEPEST = 20
MOST_EVENTS = 5_000
LONGEST_NAME = 500  # YAML ends a mapping's key at 1,024 letters
VERBATIM = "!yaml"  # how JSON remembers a plain scalar: {"!yaml": "2024-01-05"}

_HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)
_SAFE_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9_./-]| (?=[A-Za-z0-9_]))*")
_OTHER_THINGS = frozenset(("y", "n", "yes", "no", "true", "false", "on", "off", "null"))
# What YAML 1.1 calls unprintable or takes for a line break; JSON leaves it bare.
_MUST_ESCAPE = re.compile(
    "[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
    OverflowError,
)


class FieldsError(ValueError):
    """The head of a file cannot be used; the text says why."""


class Verbatim(str):
    """A plain scalar we do not interpret: a date, a decimal."""

    __slots__ = ()


class _Loader(yaml.CSafeLoader):
    """YAML 1.2's core only; dates and decimals stay as written."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (PyYAML's own class-level table)


def _verbatim(loader: _Loader, node: Any) -> Verbatim:
    return Verbatim(loader.construct_scalar(node))


for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    ("tag:yaml.org,2002:null", r"(?:~|null|Null|NULL|)\Z", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:int", r"[-+]?(?:0|[1-9][0-9]*)\Z", "-+0123456789"),
    ("!verbatim", rf"(?:{_FLOAT.pattern}|{_TIMESTAMP.pattern})\Z", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(_tag, re.compile(_pattern), list(_first))
_Loader.add_constructor("!verbatim", _verbatim)


class NoteFormat(BaseHandler):
    """A note as python-frontmatter's own functions read and write it: a head that is strict about
    where it ends, YAML as described above, and a body of which no byte is lost."""

    FM_BOUNDARY = _HEAD
    START_DELIMITER = END_DELIMITER = "---"

    def split(self, text: str) -> tuple[str, str]:
        found = _HEAD.match(text)
        if not found:
            raise ValueError("no frontmatter")
        return found[1], text[found.end() :]

    def load(self, fm: str, **kwargs: object) -> Any:
        """The fields, as far as JSON knows their values; prose between two rules has none."""
        _check_size_and_shape(fm)
        fields = yaml.load(fm, Loader=_Loader)
        return _plain(fields) if isinstance(fields, Mapping) else fields

    def export(self, metadata: Mapping[str, object], **kwargs: object) -> str:
        return "".join(_line(name, value) for name, value in metadata.items())

    def format(self, post: frontmatter.Post, **kwargs: object) -> str:
        """The whole file. python-frontmatter's own would strip the body's edges."""
        head = self.export(post.metadata)
        return f"{self.START_DELIMITER}\n{head}{self.END_DELIMITER}\n\n{post.content}\n"


_FORMAT = NoteFormat()


def join(fields: Mapping[str, object], content: str) -> str:
    """The file that says these fields, with values as read from JSON, and this content."""
    post = frontmatter.Post(content)
    post.metadata = dict(fields)  # given to Post() a field called `content` would be refused
    text: str = frontmatter.dumps(post, handler=_FORMAT)
    return text


def split(text: str) -> tuple[dict[str, object], str]:
    """The fields and, untouched, everything after them. No frontmatter: no fields, all is body.

    Raises FieldsError for frontmatter that is broken or hostile."""
    found = _HEAD.match(text)
    if not found:
        return {}, text.removeprefix("\ufeff")
    fields = simple_fields(found[1])
    if fields is None:
        return _split_yaml(text)
    return fields, text[found.end() :]


def _split_yaml(text: str) -> tuple[dict[str, object], str]:
    """The same for any YAML."""
    head, body = _FORMAT.split(text)
    try:
        # Without the body: parse() would strip its edges.
        fields, _ = frontmatter.parse(text.removesuffix(body), handler=_FORMAT)
        # A mapping or nothing: anything else is prose between two rules.
        if not fields and _only_prose(head):
            return {}, text.removeprefix("\ufeff")
        return fields, body
    except FieldsError:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 2})" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FieldsError(f"its frontmatter is not plain YAML: {problem}{where}") from error
    except _UNREADABLE as error:
        raise FieldsError(f"its frontmatter cannot be read: {error}") from error


# Nearly every head is a few plain lines, and reading these as YAML costs more than all else about
# a note. What follows reads them alone; a test holds it equal to YAML.

_SIMPLE_MOST = 8192
_SIMPLE_LINE = re.compile(r"([A-Za-z](?:[A-Za-z0-9_-]| (?=[A-Za-z0-9_])){0,80}):(?: +(.*))?")
_SIMPLE_ITEM = re.compile(r"( *)- +(.*)")
_SIMPLE_FLOW = re.compile(r"\[([^\[\]{}\"'&*!|>%@`#:?]+)\]")
_INT = re.compile(r"(?:0|[1-9][0-9]*)")
_WORDS: dict[str, object] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL"), None),
}
_NOT_SIMPLE = object()


def simple_fields(head: str) -> dict[str, object] | None:
    """The fields of a head that is only `name: value` lines and lists of such values; None where
    YAML itself must be asked."""
    if len(head) > _SIMPLE_MOST:
        return None
    fields: dict[str, object] = {}
    items: list[object] = []
    open_name = indent = ""  # of the field whose list may follow or goes on
    for line in head.split("\n"):
        if not line.isprintable():
            return None
        if found := _SIMPLE_LINE.fullmatch(line):
            name, value = found[1], _simple_value(found[2] or "")
            if value is _NOT_SIMPLE or name in fields or name in _WORDS:
                return None
            fields[name] = value
            open_name, items = ("" if found[2] and found[2].strip() else name), []
        elif open_name and (found := _SIMPLE_ITEM.fullmatch(line)):
            item = _simple_value(found[2])
            if item is _NOT_SIMPLE or item is None or (items and found[1] != indent):
                return None
            items.append(item)
            fields[open_name], indent = items, found[1]
        elif line:
            return None
    return fields or None


def _simple_value(text: str) -> object:
    text = text.rstrip(" ")
    if not text:
        return None
    first = text[0]
    if first in "\"'":
        inner = text[1:-1]
        plain = len(text) > 1 and text[-1] == first and first not in inner and "\\" not in inner
        return inner if plain else _NOT_SIMPLE
    if first == "[":
        return _simple_list(text)
    if not first.isalnum() or ": " in text or " #" in text or text[-1] == ":":
        return _NOT_SIMPLE
    return _simple_scalar(text)


def _simple_list(text: str) -> object:
    if text == "[]":
        return []
    found = _SIMPLE_FLOW.fullmatch(text)
    if not found:
        return _NOT_SIMPLE
    items = [item.strip(" ") for item in found[1].split(",")]
    if not all(item and item[0].isalnum() for item in items):
        return _NOT_SIMPLE
    return [_simple_scalar(item) for item in items]


def _simple_scalar(text: str) -> object:
    """A plain scalar that begins with a letter or a digit."""
    if text in _WORDS:
        return _WORDS[text]
    if not text[0].isdecimal():
        return text
    if len(text) > 200:
        return _NOT_SIMPLE
    if _INT.fullmatch(text):
        return int(text)
    return Verbatim(text) if _FLOAT.fullmatch(text) or _TIMESTAMP.fullmatch(text) else text


def _only_prose(head: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in head.splitlines())


def _check_size_and_shape(head: str) -> None:
    if len(head.encode()) > MOST_BYTES:
        raise FieldsError(f"its frontmatter is larger than {MOST_BYTES // 1024} KiB")
    depth = 0
    for number, event in enumerate(yaml.parse(head, Loader=_Loader)):
        if isinstance(event, yaml.AliasEvent):
            raise FieldsError("its frontmatter uses YAML aliases, which can hide a bomb")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST or number > MOST_EVENTS:
            raise FieldsError("its frontmatter is nested too deeply or holds too many values")


def _plain(value: object) -> object:
    """Only what JSON knows, and Verbatim."""
    match value:
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {_name(name): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case set():
            return sorted((_plain(item) for item in value), key=repr)
        case bytes():
            return base64.b64encode(value).decode()
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _name(name: object) -> str:
    text = str(name)
    if len(text) > LONGEST_NAME:
        raise FieldsError(f"a field's name is longer than {LONGEST_NAME} letters")
    return text


def to_json(fields: Mapping[str, object]) -> str:
    """Fields we only carry, as the JSON object that an entry keeps."""
    return json.dumps(_remembered(fields), ensure_ascii=False) if fields else "{}"


def _remembered(value: object) -> object:
    match value:
        case Verbatim():
            return {VERBATIM: str(value)}
        case Mapping():
            return {name: _remembered(item) for name, item in value.items()}
        case list():
            return [_remembered(item) for item in value]
        case _:
            return value


def _line(name: str, value: object) -> str:
    """One field as one line of YAML; `value` as read from JSON."""
    return f"{scalar(_name(name))}: {_flow(value)}\n"


def scalar(text: str) -> str:
    """Text as a YAML scalar that every reader takes for this very text."""
    if len(text) <= 200 and _SAFE_PLAIN.fullmatch(text) and text.lower() not in _OTHER_THINGS:
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    return _MUST_ESCAPE.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False)
    )


def _flow(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return scalar(value)
        case float():
            return repr(value) if value == value and abs(value) != float("inf") else ".nan"
        case list() | tuple():
            return f"[{', '.join(_flow_item(item) for item in value)}]"
        case Mapping():
            if (kept := _kept_plain(value)) is not None:
                return kept
            pairs = (f"{_quoted(_name(name))}: {_flow_item(item)}" for name, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            raise TypeError(f"{type(value).__name__} has no place in frontmatter")


def _flow_item(value: object) -> str:
    return _quoted(value) if isinstance(value, str) and not _is_word(value) else _flow(value)


def _is_word(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", text))


def _kept_plain(value: Mapping[str, object]) -> str | None:
    text = value.get(VERBATIM) if len(value) == 1 else None
    if isinstance(text, str) and (_FLOAT.fullmatch(text) or _TIMESTAMP.fullmatch(text)):
        return text
    return None
