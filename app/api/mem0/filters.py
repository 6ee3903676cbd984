"""mem0's `filters`: which entries they mean. What is not understood is refused, never ignored.

A filter is an object of fields that must all fit; `AND`, `OR` and `NOT` hold lists of such objects.
A field is `user_id`, `agent_id`, `run_id`, `id`, `created_at`, `updated_at`, or one of the
metadata, by itself or inside `metadata`. Its value is what it must be, `"*"` for anything, or an
object of operators.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import NotUnderstood
from store.instants import parse_instant
from store.records import Entry
from store.tables.conversations import named_by

OWNER_ID = "owner"  # whose memories carry no user_id: the vault's owner
IDS = ("user_id", "agent_id", "run_id")
_TIMES = ("created_at", "updated_at")
_FIELDS = (*IDS, *_TIMES, "id")
# Words of mem0's own service that nothing here stands for. As metadata they would find nothing.
_FOREIGN = (
    "app_id",
    "org_id",
    "project_id",
    "categories",
    "keywords",
    "feedback",
    "feedback_reason",
    "memory_ids",
    "immutable",
    "expiration_date",
)
_DEEPEST = 8
_MOST = 200

Facts = Mapping[str, Any]
Condition = Callable[[Facts], bool]


@dataclass(frozen=True, slots=True)
class Filters:
    """The ids that every match has, and what else is asked of it (None: nothing)."""

    ids: Mapping[str, str]
    condition: Condition | None


def facts_of(entry: Entry, agent_id: str = "") -> Facts:
    """What a filter can ask of an entry. An agent's own runs are called as it calls them."""
    scope, extra = entry.scope, json.loads(entry.extra)
    return {
        "id": entry.id,
        "user_id": extra.get("user_id") or OWNER_ID,
        "agent_id": scope.id if scope.kind == "agent" else extra.get("agent_id"),
        "run_id": own_word(scope.id, agent_id) if scope.kind == "conversation" else None,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "metadata": {name: value for name, value in extra.items() if name not in IDS},
    }


def own_word(run: str, agent_id: str) -> str:
    """What an agent calls a run that it named itself; other runs by their id."""
    return run.removesuffix(named_by(agent_id, "")) if agent_id else run


def names_somebody(filters: Any) -> bool:
    """Whether a user, an agent or a run is asked for anywhere in them."""
    if isinstance(filters, Mapping):
        return any(name in IDS or names_somebody(value) for name, value in filters.items())
    return isinstance(filters, list) and any(names_somebody(one) for one in filters)


def read_filters(filters: Mapping[str, Any] | None) -> Filters:
    """Raises NotUnderstood with what is wrong."""
    ids: dict[str, str] = {}
    rest: list[Condition] = []
    _split(filters or {}, ids, rest, 0)
    if len(rest) > _MOST:
        raise NotUnderstood(f"filters: at most {_MOST} conditions.")
    return Filters(ids, _all(rest) if rest else None)


def _split(group: Any, ids: dict[str, str], rest: list[Condition], depth: int) -> None:
    """The fields of a group that all must fit: plain ids apart from everything else."""
    for name, value in _fields(group, depth):
        if name == "AND":
            for part in _parts(name, value):
                _split(part, ids, rest, depth + 1)
        elif name in IDS and isinstance(value, str) and value != "*" and name not in ids:
            ids[name] = _text(name, value)
        else:
            rest.append(_condition(name, value, depth))


def _fields(group: Any, depth: int) -> list[tuple[str, Any]]:
    if not isinstance(group, Mapping):
        raise NotUnderstood("filters: a group of conditions is an object of fields.")
    if depth > _DEEPEST:
        raise NotUnderstood(f"filters: groups are nested at most {_DEEPEST} deep.")
    return list(group.items())


def _parts(name: str, value: Any) -> list[Any]:
    if isinstance(value, Mapping) and name == "NOT":
        return [value]
    if not isinstance(value, list) or not 0 < len(value) <= _MOST:
        raise NotUnderstood(f"filters: {name} takes a list of 1 to {_MOST} objects.")
    return value


def _group(group: Any, depth: int) -> Condition:
    return _all([_condition(name, value, depth) for name, value in _fields(group, depth)])


def _all(conditions: list[Condition]) -> Condition:
    return lambda facts: all(condition(facts) for condition in conditions)


def _condition(name: str, value: Any, depth: int) -> Condition:
    if name in ("AND", "OR", "NOT"):
        parts = [_group(part, depth + 1) for part in _parts(name, value)]
        if name == "NOT":
            return lambda facts: not any(part(facts) for part in parts)
        choose = all if name == "AND" else any
        return lambda facts: choose(part(facts) for part in parts)
    if name == "metadata":
        asked = [_field(key, wanted, _metadata(key)) for key, wanted in _fields(value, depth)]
        return _all(asked)
    if name in _FOREIGN or name.isupper():
        raise NotUnderstood(
            f"filters: {name!r} means nothing here. There are {', '.join(_FIELDS)}, metadata, "
            "AND, OR and NOT."
        )
    return _field(name, value, _fact(name) if name in _FIELDS else _metadata(name))


def _fact(name: str) -> Callable[[Facts], Any]:
    return lambda facts: facts[name]


def _metadata(name: str) -> Callable[[Facts], Any]:
    return lambda facts: facts["metadata"].get(name)


def _field(name: str, wanted: Any, read: Callable[[Facts], Any]) -> Condition:
    if wanted == "*":
        return lambda facts: read(facts) is not None
    if not isinstance(wanted, Mapping):
        wanted = {"eq": wanted}
    if not wanted:
        raise NotUnderstood(f"filters: {name} has no operator.")
    tests = [_test(name, word, value) for word, value in wanted.items()]
    return lambda facts: all(test(read(facts)) for test in tests)


def _test(name: str, word: str, wanted: Any) -> Callable[[Any], bool]:
    operator = _OPERATORS.get(word)
    if operator is None:
        raise NotUnderstood(
            f"filters: {name} has no operator {str(word)[:40]!r}. There are "
            f"{', '.join(_OPERATORS)}."
        )
    several = word in ("in", "nin")
    if several and not (isinstance(wanted, list) and len(wanted) <= _MOST):
        raise NotUnderstood(f"filters: {word} of {name} takes a list of at most {_MOST}.")
    values = [_value(name, one, word) for one in (wanted if several else [wanted])]
    target = values if several else values[0]
    return lambda found: operator(found, target)


def _value(name: str, value: Any, word: str) -> Any:
    if name in _TIMES:
        try:
            return parse_instant(_text(name, value))
        except ValueError as error:
            raise NotUnderstood(f"filters: {name}: {error}.") from error
    if name in (*IDS, "id") or word in ("contains", "icontains"):
        return _text(name, value)
    if isinstance(value, Mapping | list):
        raise NotUnderstood(f"filters: {name} is compared with a text, a number or true and false.")
    if word in _ORDERED and (isinstance(value, bool) or not isinstance(value, int | float | str)):
        raise NotUnderstood(f"filters: {word} of {name} takes a number or a text.")
    return value


def _text(name: str, value: Any) -> str:
    try:
        if isinstance(value, str) and value and value.encode():
            return value
    except UnicodeEncodeError:
        pass
    raise NotUnderstood(f"filters: {name} takes a text.")


def _same(found: Any, wanted: Any) -> bool:
    """Equal, and not only for Python: 1 is not true."""
    return isinstance(found, bool) == isinstance(wanted, bool) and bool(found == wanted)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def fits(found: Any, wanted: Any) -> bool:
        numbers = isinstance(found, int | float) and isinstance(wanted, int | float)
        texts = isinstance(found, str) and isinstance(wanted, str)
        return (numbers or texts) and not isinstance(found, bool) and compare(found, wanted)

    return fits


def _holds(found: Any, wanted: str, fold: bool = False) -> bool:
    """A part of a text, or one of a list."""
    if isinstance(found, list):
        return any(_holds_text(one, wanted, fold, whole=True) for one in found)
    return _holds_text(found, wanted, fold)


def _holds_text(found: Any, wanted: str, fold: bool, whole: bool = False) -> bool:
    if not isinstance(found, str):
        return False
    if fold:
        found, wanted = found.casefold(), wanted.casefold()
    return found == wanted if whole else wanted in found


_ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "gt": _ordered(lambda found, wanted: found > wanted),
    "gte": _ordered(lambda found, wanted: found >= wanted),
    "lt": _ordered(lambda found, wanted: found < wanted),
    "lte": _ordered(lambda found, wanted: found <= wanted),
}
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": _same,
    "ne": lambda found, wanted: not _same(found, wanted),
    "in": lambda found, wanted: any(_same(found, one) for one in wanted),
    "nin": lambda found, wanted: not any(_same(found, one) for one in wanted),
    **_ORDERED,
    "contains": _holds,
    "icontains": lambda found, wanted: _holds(found, wanted, fold=True),
}
