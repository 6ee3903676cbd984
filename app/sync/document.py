"""The document that all machines share, and how what they wrote becomes one.

It is a Yjs document (pycrdt). A text is a Yjs text, which merges by character. All other fields of
a thing stand in registers, one per thing and machine, which only that machine writes: a field's
value is the one written last, ties by machine; a tag is there if the last word about it was that it
is. So nothing ever depends on the order in which updates arrive.

What the rules forbid after a merge is settled here too, as a function of the document alone: every
machine that has the same document shows the same memories.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pycrdt import Doc, Map, Text

from app.rules.lifetimes import Warmth, evicted
from app.sync.status import SharedClash, Thing
from app.text.three_way import edits_between
from store.instants import Instant, after
from store.records import ACTIVE, TRASHED

TAGS, ORDER = "tags", "tag_order"
GONE = "gone"  # the row is no more; not erased: what it said can come back
INTO = "into"  # the block that took in what this one said
KEY_CHARS = 200


@dataclass(frozen=True, slots=True)
class SharedThing:
    """A thing as the document has it. `at`: when each field was written. `text`: its content."""

    fields: Mapping[str, Any]
    at: Mapping[str, Instant] = field(default_factory=dict)
    text: str = ""

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name)

    @property
    def gone(self) -> bool:
        return bool(self.fields.get(GONE))

    @property
    def taken_in(self) -> bool:
        """Whether another block says all that this one did."""
        return bool(self.fields.get(INTO)) and not self.text.strip()


SharedThings = Mapping[Thing, SharedThing]


class Document:
    """The shared document as one machine has it, loaded from its updates."""

    def __init__(self, machine: str, updates: Iterable[bytes] = ()) -> None:
        self.machine = machine
        self._doc: Doc[Any] = Doc(client_id=_client(machine))
        self._fields: Map[Any] = self._doc.get("fields", type=Map)
        self._texts: Map[Any] = self._doc.get("texts", type=Map)
        self._erased: Map[Any] = self._doc.get("erased", type=Map)
        self._confirmed: Map[Any] = self._doc.get("confirmed", type=Map)
        self._machines: Map[Any] = self._doc.get("machines", type=Map)
        for update in updates:
            self._doc.apply_update(update)
        self._registers: dict[Thing, dict[str, dict[str, Any]]] = {}
        for name, text in _py(self._fields).items():
            thing, machine_of_it = _thing_and_machine(name)
            self._registers.setdefault(thing, {})[machine_of_it] = json.loads(text)
        texts = _py(self._texts)
        self.things: dict[Thing, SharedThing] = {
            thing: _merged(registers, texts.get(_name(thing), ""))
            for thing, registers in self._registers.items()
            if not self.is_erased(thing)
        }
        self._index = _Index(self.things)
        said = {*self._registers, *map(_thing, texts)}
        self._late = {thing for thing in map(_thing, _py(self._erased)) if thing in said}
        self._touched: set[Thing] = set()
        self._subscriptions = (
            self._fields.observe(self._field_seen),
            self._texts.observe_deep(self._text_seen),
        )

    # Reading

    def settled(self, thing: Thing) -> SharedThing | None:
        """The thing as every machine shows it; None for one that was erased or joined another."""
        merged = self.things.get(thing)
        return merged and self._index.settled(thing, merged, self.things)

    def clashes(self) -> list[SharedClash]:
        return self._index.clashes(self.things)

    def is_erased(self, thing: Thing) -> bool:
        return _name(thing) in self._erased

    def erased(self) -> dict[Thing, tuple[Instant, str]]:
        """When each was erased, and on which machine."""
        found = _py(self._erased)
        return {_thing(name): (at, machine) for name, (at, machine) in found.items()}

    def confirmed(self) -> dict[Thing, set[str]]:
        """The machines that say they erased each."""
        found: dict[Thing, set[str]] = {}
        for name in _py(self._confirmed):
            thing, machine = _thing_and_machine(name)
            found.setdefault(thing, set()).add(machine)
        return found

    def machines(self) -> dict[str, dict[str, Any]]:
        """What each machine says of itself, and of each other that it was removed."""
        return {name: json.loads(text) for name, text in _py(self._machines).items()}

    def state(self) -> bytes:
        """All of it as one update. What was deleted is not in it."""
        return bytes(self._doc.get_update())

    # Writing

    @contextmanager
    def writing(self) -> Iterator[list[bytes]]:
        """Gathers what is written inside as one update; none where nothing was."""
        before = self._doc.get_state()
        made: list[bytes] = []
        with self._doc.transaction():
            yield made
        self.affected = self._settle_touched()
        if self._doc.get_state() != before or self._deleted:
            made.append(bytes(self._doc.get_update(before)))
            self._deleted = False

    _deleted = False
    affected: set[Thing]  # by what was last written: what may be shown in another way now

    def put(self, thing: Thing, fields: Mapping[str, Any], text: str, at: Instant) -> bool:
        """Write what differs from how the thing is shown; whether anything did."""
        shown = self.settled(thing)
        own = dict(self._registers.get(thing, {}).get(self.machine, {}))
        raw = self.things.get(thing)
        changed = {
            name: value
            for name, value in fields.items()
            if shown is None or name not in shown.fields or shown[name] != value
        }
        was_at: Mapping[str, Instant] = raw.at if raw else {}
        for name, value in changed.items():
            if name == TAGS:
                own[TAGS] = self._tags(own, thing, value, at)
                own[ORDER] = [after(at, was_at.get(ORDER, "")), value]
            else:
                own[name] = [after(at, was_at.get(name, "")), value]
        if changed:
            name = _register(thing, self.machine)
            self._fields[name] = json.dumps(own, ensure_ascii=False)
            self._note(thing, self.machine, own)
        rewritten = self._put_text(thing, text, shown, at)
        return bool(changed) or rewritten

    def erase(self, thing: Thing, at: Instant) -> bool:
        """Take the thing out for good, leaving that it was erased; whether that is news."""
        self.drop(thing)
        if self.is_erased(thing):
            return False
        self._erased[_name(thing)] = [at, self.machine]
        return True

    def _says(self, thing: Thing) -> bool:
        return bool(self._registers.get(thing)) or _name(thing) in self._texts

    def drop(self, thing: Thing) -> None:
        """Take out all that is said of a thing."""
        self._late.discard(thing)
        said = [_register(thing, machine) for machine in self._registers.get(thing, ())]
        # Of one that is erased nothing is remembered here, whatever arrived of it since.
        said = said or [name for name in _py(self._fields) if _thing_and_machine(name)[0] == thing]
        for name in said:
            if name in self._fields:
                del self._fields[name]
                self._deleted = True
        if _name(thing) in self._texts:
            del self._texts[_name(thing)]
            self._deleted = True
        self._touched.add(thing)

    def confirm(self, thing: Thing, at: Instant) -> None:
        self._confirmed[_register(thing, self.machine)] = at

    def introduce(self, machine: str, about: Mapping[str, Any]) -> None:
        """Say something of a machine; a machine is written about by itself, and by who removes
        it under `<machine>/removed`."""
        self._machines[machine] = json.dumps(about)

    def apply(self, update: bytes) -> set[Thing]:
        """Take another machine's update in; the things it touched, erased ones too."""
        known = set(_py(self._erased))
        self._touched.clear()
        self._doc.apply_update(update)
        erased = {_thing(name) for name in _py(self._erased) if name not in known}
        self._touched |= erased  # its eraser may not have known all that is said of it here
        return self._settle_touched() | erased

    def leftovers(self) -> list[Thing]:
        """Erased things of which something is still said: it was written where that was not known
        yet."""
        return sorted(self._late)

    # Parts

    def _put_text(self, thing: Thing, text: str, shown: SharedThing | None, at: Instant) -> bool:
        if thing[0] not in ("entry", "block"):
            return False
        joined = self._index.joined(thing, self.things) if thing[0] == "block" else ()
        name = _name(thing)
        if shown is not None and shown.text == text and name in self._texts:
            return False
        if name not in self._texts:
            self._texts[name] = Text(text)
        else:
            _edit(self._texts[name], text)
            self._deleted = True
        # What the others said is in the text now, as far as its writer left it there.
        for other in joined:
            self._take_in(other, thing, at)
        self._touched.add(thing)
        return True

    def _take_in(self, other: Thing, thing: Thing, at: Instant) -> None:
        """Empty a block that another one says now. It is not dropped: with it would go what is
        written into it meanwhile where that is not known yet."""
        own = dict(self._registers.get(other, {}).get(self.machine, {}))
        own[INTO] = [after(at, self.things[other].at.get(INTO, "")), thing[1]]
        self._fields[_register(other, self.machine)] = json.dumps(own, ensure_ascii=False)
        self._note(other, self.machine, own)
        if _name(other) in self._texts:
            _edit(self._texts[_name(other)], "")
            self._deleted = True

    def _tags(
        self, own: Mapping[str, Any], thing: Thing, wanted: list[str], at: Instant
    ) -> dict[str, list[Any]]:
        """This machine's word on each tag, where it differs from what all say together."""
        words = dict(own.get(TAGS, {}))
        latest = _tag_words(self._registers.get(thing, {}))
        there = {tag for tag, (_, present) in latest.items() if present}
        for tag in {*wanted} ^ there:
            seen_at = latest[tag][0][0] if tag in latest else ""
            words[tag] = [after(at, seen_at), int(tag in wanted)]
        return words

    def _note(self, thing: Thing, machine: str, register: dict[str, Any]) -> None:
        self._registers.setdefault(thing, {})[machine] = register
        self._touched.add(thing)

    def _field_seen(self, event: Any) -> None:
        for name, change in event.keys.items():
            thing, machine = _thing_and_machine(name)
            if change["action"] == "delete":
                self._registers.get(thing, {}).pop(machine, None)
            else:
                self._registers.setdefault(thing, {})[machine] = json.loads(change["newValue"])
            self._touched.add(thing)

    def _text_seen(self, events: list[Any]) -> None:
        for event in events:
            names = event.path[:1] or event.keys  # a text in the map, or the map itself
            self._touched.update(_thing(str(name)) for name in names)

    def _settle_touched(self) -> set[Thing]:
        """Merge anew what was touched; what that changes in how anything is shown."""
        touched = set(self._touched)
        self._touched.clear()
        self._late |= {thing for thing in touched if self.is_erased(thing) and self._says(thing)}
        affected = self._index.neighbours(touched, self.things)
        for thing in touched:
            self._index.leave(thing, self.things.pop(thing, None))
            registers = self._registers.get(thing)
            if not registers or self.is_erased(thing):
                self._registers.pop(thing, None)
                continue
            text = str(self._texts[_name(thing)]) if _name(thing) in self._texts else ""
            self.things[thing] = _merged(registers, text)
            self._index.enter(thing, self.things[thing])
        return affected | self._index.neighbours(touched, self.things)


class _Index:
    """Which things share what only one of them may have."""

    def __init__(self, things: SharedThings) -> None:
        self._by_name: dict[tuple[str, ...], set[Thing]] = {}
        self._of_agents: dict[str, set[Thing]] = {}
        for thing, merged in things.items():
            self.enter(thing, merged)

    def enter(self, thing: Thing, merged: SharedThing) -> None:
        if name := _unique_name(thing, merged):
            self._by_name.setdefault(name, set()).add(thing)
        if agent := _agent_of(thing, merged):
            self._of_agents.setdefault(agent, set()).add(thing)

    def leave(self, thing: Thing, merged: SharedThing | None) -> None:
        if merged is None:
            return
        if name := _unique_name(thing, merged):
            self._by_name.get(name, set()).discard(thing)
        if agent := _agent_of(thing, merged):
            self._of_agents.get(agent, set()).discard(thing)

    def neighbours(self, touched: Iterable[Thing], things: SharedThings) -> set[Thing]:
        found = set(touched)
        for thing in touched:
            merged = things.get(thing)
            if merged is None:
                continue
            if name := _unique_name(thing, merged):
                found |= self._by_name.get(name, set())
                # One that had to make way may have been given this name.
                base = (*name[:-1], name[-1].rpartition("-")[0])
                found |= self._by_name.get(base, set())
            agent = thing[1] if thing[0] == "agent" else _agent_of(thing, merged)
            if agent and len(self._of_agents.get(agent, ())) > (_cap(agent, things) or 1 << 60) - 2:
                found |= self._of_agents[agent]
        return found

    def settled(
        self, thing: Thing, merged: SharedThing, things: SharedThings
    ) -> SharedThing | None:
        if thing[0] == "entry":
            return self._settled_entry(thing, merged, things)
        if merged.taken_in:
            return None
        if thing[0] == "block" and not merged.gone:
            first, *others = self._in_order(thing, merged, things)
            if thing != first:
                return None
            return replace(merged, text=_joined(merged.text, [things[one].text for one in others]))
        return merged

    def joined(self, thing: Thing, things: SharedThings) -> tuple[Thing, ...]:
        """Blocks that are shown as part of this one."""
        merged = things.get(thing)
        if merged is None or merged.gone or merged.taken_in:
            return ()
        first, *others = self._in_order(thing, merged, things)
        return tuple(others) if thing == first else ()

    def clashes(self, things: SharedThings) -> list[SharedClash]:
        found = [
            SharedClash("key" if one[0] == "entry" else "block", tuple(sorted(held)), one[-1])
            for one, held in self._by_name.items()
            if len(held) > 1
        ]
        for agent, held in self._of_agents.items():
            if gone := self._evicted(agent, held, things):
                found.append(SharedClash("cap", tuple(sorted(("entry", i) for i in gone)), agent))
        return sorted(found, key=lambda clash: (clash.why, clash.name, clash.things))

    def _settled_entry(
        self, thing: Thing, merged: SharedThing, things: SharedThings
    ) -> SharedThing:
        if merged["state"] != ACTIVE:
            return merged
        agent = _agent_of(thing, merged)
        if agent and thing[1] in self._evicted(agent, self._of_agents[agent], things):
            return replace(merged, fields={**merged.fields, "state": TRASHED})
        if self._in_order(thing, merged, things)[0] == thing:
            return merged
        return replace(merged, fields={**merged.fields, "key": self._other_key(thing, merged)})

    def _other_key(self, thing: Thing, merged: SharedThing) -> str:
        """A key of its own for an entry whose key an older one has."""
        for letters in (4, 8, len(thing[1])):
            suffix = f"-{thing[1][-letters:]}"
            key = str(merged["key"])[: KEY_CHARS - len(suffix)] + suffix
            if not self._by_name.get(("entry", merged["scope"], key)):
                break
        return key

    def _in_order(self, thing: Thing, merged: SharedThing, things: SharedThings) -> list[Thing]:
        """Those of one name, the oldest first: it keeps the name."""
        name = _unique_name(thing, merged)
        held = self._by_name.get(name, {thing}) if name else {thing}
        return sorted(held, key=lambda one: (things[one]["created_at"], one))

    def _evicted(self, agent: str, held: set[Thing], things: SharedThings) -> set[str]:
        cap = _cap(agent, things)
        if cap is None or len(held) <= cap:
            return set()
        warmth = [
            Warmth(ident, things["entry", ident]["category"] == "core", _written(things, ident))
            for _, ident in held
        ]
        return {one.id for one in evicted(warmth, cap)}


def _written(things: SharedThings, ident: str) -> Instant:
    return str(things["entry", ident]["written_at"])


def _cap(agent: str, things: SharedThings) -> int | None:
    """As `cap_of` has it, from what the machines share."""
    known = things.get(("agent", agent))
    if known is not None and known["cap"] is not None:
        return known["cap"] or None
    if known is not None and known["dialect"] == "journal":
        return None
    setting = things.get(("setting", "entry_cap"))
    return (setting["value"] if setting is not None else 1_000) or None


def _unique_name(thing: Thing, merged: SharedThing) -> tuple[str, ...] | None:
    """What only one active thing may be called."""
    if thing[0] == "entry" and merged["state"] == ACTIVE and not merged.gone:
        return ("entry", merged["scope"], merged["key"])
    if thing[0] == "block" and not merged.gone and not merged.taken_in:
        return ("block", merged["scope"], merged["name"])
    return None


def _agent_of(thing: Thing, merged: SharedThing) -> str:
    if thing[0] != "entry" or merged["state"] != ACTIVE:
        return ""
    kind, _, ident = str(merged["scope"]).partition(":")
    return ident if kind == "agent" else ""


def _joined(text: str, others: Iterable[str]) -> str:
    """A text with the lines of others that it does not say already."""
    lines = text.splitlines()
    said = set(lines)
    for other in others:
        for line in other.splitlines():
            if line.strip() and line not in said:
                said.add(line)
                lines.append(line)
    return text if len(lines) == len(text.splitlines()) else "\n".join(lines) + "\n"


def _merged(registers: Mapping[str, dict[str, Any]], text: str) -> SharedThing:
    best: dict[str, tuple[Instant, str, Any]] = {}
    for machine, register in registers.items():
        for name, word in register.items():
            if name == TAGS:
                continue
            at, value = word
            if name not in best or (at, machine) > best[name][:2]:
                best[name] = (at, machine, value)
    fields = {name: value for name, (_, _, value) in best.items()}
    times = {name: at for name, (at, _, _) in best.items()}
    order = fields.pop(ORDER, None)
    if order is not None:
        there = {tag for tag, (_, present) in _tag_words(registers).items() if present}
        fields[TAGS] = [tag for tag in order if tag in there] + sorted(there - set(order))
    if any(word[1] for machine in registers.values() for word in _decisions(machine)):
        fields["state"] = _decided(registers)
    return SharedThing(fields, times, text)


def _decisions(register: Mapping[str, Any]) -> list[list[Any]]:
    """A proposal's decision: the first one stands, whatever was decided elsewhere after it."""
    word = register.get("state")
    return [word] if word and word[1] in ("approved", "rejected") else []


def _decided(registers: Mapping[str, dict[str, Any]]) -> str:
    """An approval stands over a rejection: what it made is there."""
    words = [word[1] for register in registers.values() for word in _decisions(register)]
    return "approved" if "approved" in words else "rejected"


def _tag_words(
    registers: Mapping[str, dict[str, Any]],
) -> dict[str, tuple[tuple[Instant, str], bool]]:
    latest: dict[str, tuple[tuple[Instant, str], bool]] = {}
    for machine, register in registers.items():
        for tag, (at, present) in register.get(TAGS, {}).items():
            if tag not in latest or (at, machine) > latest[tag][0]:
                latest[tag] = ((at, machine), bool(present))
    return latest


def _edit(shared: Text, text: str) -> None:
    """Make the shared text say `text`, by the fewest pieces: others may edit beside them."""
    was = str(shared)
    offset = 0  # Yjs counts bytes
    for start, end, piece in edits_between(was, text):
        at = len(was[:start].encode()) + offset
        length = len(was[start:end].encode())
        if length:
            del shared[at : at + length]
        if piece:
            shared.insert(at, piece)
        offset += len(piece.encode()) - length


def _py(shared: Map[Any]) -> dict[str, Any]:
    return shared.to_py() or {}


def _client(machine: str) -> int:
    """A machine's number in the document."""
    return int.from_bytes(hashlib.blake2b(machine.encode(), digest_size=8).digest()) >> 11


def _name(thing: Thing) -> str:
    return f"{thing[0]}:{thing[1]}"


def _thing(name: str) -> Thing:
    sort, _, ident = name.partition(":")
    return sort, ident


def _register(thing: Thing, machine: str) -> str:
    return f"{machine}/{_name(thing)}"


def _thing_and_machine(name: str) -> tuple[Thing, str]:
    machine, _, rest = name.partition("/")
    return _thing(rest), machine
