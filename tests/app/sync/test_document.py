"""The merge itself: whatever three machines write and in whatever order they hear of it, they show
the same."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.sync.document import TAGS, Document, SharedThing
from app.sync.status import Thing
from app.text.three_way import edits_between

MACHINES = st.sampled_from((0, 1, 2))
IDENTS = st.sampled_from(("e1", "e2", "e3", "e4"))
KEYS = st.sampled_from(("tea", "bread"))
TIMES = st.integers(0, 9).map(lambda n: f"2026-04-30T12:00:0{n}.000000Z")
TEXTS = st.text("ab \n", max_size=8)


def entry(key: str, state: str = "active", **fields: object) -> dict[str, object]:
    return {
        "scope": "user",
        "key": key,
        "state": state,
        "created_at": "2026-04-30T12:00:00.000000Z",
        "written_at": "2026-04-30T12:00:00.000000Z",
        TAGS: [],
        **fields,
    }


def shown(document: Document) -> dict[Thing, SharedThing | None]:
    return {thing: document.settled(thing) for thing in sorted(document.things)}


class ThreeMachines(RuleBasedStateMachine):
    """Each has a document; updates are kept and delivered in any order that respects who had heard
    of what: as the files are read."""

    def __init__(self) -> None:
        super().__init__()
        self.documents = [Document(f"machine{n}") for n in range(3)]
        self.sent: list[list[tuple[bytes, tuple[int, int, int]]]] = [[], [], []]
        self.heard = [[0, 0, 0] for _ in range(3)]

    def write(self, machine: int, *things: object) -> None:
        document = self.documents[machine]
        with document.writing() as made:
            for write in things:
                write(document)  # type: ignore[operator]
        if made:
            needs = tuple(self.heard[machine])
            self.sent[machine].append((made[0], needs))  # type: ignore[arg-type]
            self.heard[machine][machine] += 1

    @rule(machine=MACHINES, ident=IDENTS, key=KEYS, text=TEXTS, at=TIMES)
    def store(self, machine: int, ident: str, key: str, text: str, at: str) -> None:
        if not self.documents[machine].is_erased(("entry", ident)):
            self.write(machine, lambda d: d.put(("entry", ident), entry(key), text, at))

    @rule(machine=MACHINES, ident=IDENTS, tags=st.sets(st.sampled_from("xyz")), at=TIMES)
    def retag(self, machine: int, ident: str, tags: set[str], at: str) -> None:
        known = self.documents[machine].settled(("entry", ident))
        if known:
            self.write(
                machine, lambda d: d.put(("entry", ident), {TAGS: sorted(tags)}, known.text, at)
            )

    @rule(machine=MACHINES, ident=IDENTS, at=TIMES)
    def trash(self, machine: int, ident: str, at: str) -> None:
        known = self.documents[machine].settled(("entry", ident))
        if known:
            self.write(
                machine, lambda d: d.put(("entry", ident), {"state": "trashed"}, known.text, at)
            )

    @rule(machine=MACHINES, text=TEXTS, at=TIMES, ident=st.sampled_from(("b1", "b2")))
    def block(self, machine: int, text: str, at: str, ident: str) -> None:
        fields = {"scope": "user", "name": "core", "created_at": "x", "source": "owner"}
        known = self.documents[machine]
        if known.settled(("block", ident)) or not any(t[0] == "block" for t in known.things):
            self.write(machine, lambda d: d.put(("block", ident), fields, text, at))

    @rule(machine=MACHINES, ident=IDENTS, at=TIMES)
    def erase(self, machine: int, ident: str, at: str) -> None:
        self.write(machine, lambda d: d.erase(("entry", ident), at))

    @rule(giver=MACHINES, taker=MACHINES)
    def carry(self, giver: int, taker: int) -> None:
        self.deliver(giver, taker)

    def deliver(self, giver: int, taker: int) -> bool:
        """The next file of one machine, if what it builds on has been read."""
        number = self.heard[taker][giver]
        if giver == taker or number >= len(self.sent[giver]):
            return False
        update, needs = self.sent[giver][number]
        if any(self.heard[taker][m] < needs[m] for m in range(3) if m != taker):
            return False
        self.documents[taker].apply(update)
        self.heard[taker][giver] += 1
        left = self.documents[taker].leftovers()
        if left:
            self.write(taker, lambda d: [d.drop(thing) for thing in left])
        return True

    @invariant()
    def is_what_a_new_start_reads(self) -> None:
        for document in self.documents:
            again = Document(document.machine, [document.state()])
            assert shown(again) == shown(document)

    def teardown(self) -> None:
        while any([self.deliver(a, b) for a in range(3) for b in range(3)]):
            pass
        first, *others = self.documents
        for other in others:
            assert shown(other) == shown(first)
            assert other.erased().keys() == first.erased().keys()
        for document in self.documents:
            names = [
                (merged["scope"], merged["key"])
                for thing in document.things
                if (merged := document.settled(thing)) and merged["state"] == "active"
            ]
            assert len(names) == len(set(names))


TestThreeMachines = ThreeMachines.TestCase
TestThreeMachines.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "x"),
        ("häß 😀 x", "häß 😀😀 y"),
        ("a" * 5000, "b" * 5000),
        ("a\nb\n" * 900, "a\nc\n" * 900),
    ],
)
def test_edits_make_one_text_of_another(before: str, after: str) -> None:
    made, last = "", 0
    for start, end, piece in edits_between(before, after):
        made += before[last:start] + piece
        last = end
    assert made + before[last:] == after


def test_a_line_written_into_a_block_while_another_takes_it_in_is_kept() -> None:
    one, two = Document("one"), Document("two")
    first, second = ("block", "b1"), ("block", "b2")
    fields = {"scope": "user", "name": "core", "created_at": "x", "source": "owner"}

    def put(document: Document, thing: Thing, text: str, at: str) -> bytes:
        with document.writing() as made:
            document.put(thing, fields, text, f"2026-04-30T12:00:0{at}.000000Z")
        return made[0]

    def text_of(document: Document) -> list[str]:
        assert document.settled(second) is None
        known = document.settled(first)
        return known.text.splitlines() if known else []

    put(one, first, "- tea\n", "0")
    one.apply(put(two, second, "- bread\n", "0"))
    put(one, first, "- tea\n- bread\n- salt\n", "1")
    meanwhile = put(two, second, "- bread\n- cheese\n", "2")
    assert one.clashes() == []
    one.apply(meanwhile)
    two.apply(one.state())
    assert text_of(one) == text_of(two) == ["- tea", "- bread", "- salt", "- cheese"]

    two.apply(put(one, first, "- tea\n- cheese\n", "3"))
    assert text_of(one) == text_of(two) == ["- tea", "- cheese"]
    assert one.clashes() == two.clashes() == []
