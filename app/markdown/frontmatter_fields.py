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
    if not _FORMAT.detect(text):
        return {}, text.removeprefix("\ufeff")
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
