from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.access.caller_scope import Caller
from app.errors import Invalid, NotAllowed, NotFound, Refused, TooLarge
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.records import ACTIVE, EntryDraft, Scope, Turn
from tests.app.learning.talks import OWNER, VEGETARIAN, a_talk, an_agent, ended_talk
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def contents(turns: list[Turn] | tuple[Turn, ...]) -> list[str]:
    return [turn.content for turn in turns]


def test_turns_come_back_in_the_order_they_were_said(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, "one", "two", "three")
    turns = vault.conversations.turns(claude, talk.id)
    assert contents(turns) == ["one", "two", "three"]
    times = [turn.created_at for turn in turns]
    assert times == sorted(set(times))


def test_reloading_gives_the_newest_whole_turns_within_the_budget(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, "a" * 10, "b" * 30, "ü" * 5, "c" * 10)
    reloaded = vault.conversations.reload(claude, talk.id, 25)
    assert contents(reloaded.turns) == ["ü" * 5, "c" * 10]
    assert (reloaded.used_bytes, reloaded.left_out) == (20, 2)


def test_a_turn_that_does_not_fit_ends_the_reload_so_that_there_are_no_holes(
    vault: Vault,
) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, "old", "x" * 100, "new")
    assert contents(vault.conversations.reload(claude, talk.id, 50).turns) == ["new"]


def test_without_the_working_layer_nothing_is_reloaded(vault: Vault) -> None:
    claude = an_agent(vault, layers={"session_memory": True, "types": []})
    talk = a_talk(vault, claude, "hello")
    assert vault.conversations.reload(claude, talk.id).turns == ()
    assert contents(vault.conversations.turns(OWNER, talk.id)) == ["hello"]


def test_an_agent_without_layers_keeps_nothing_that_was_said(vault: Vault) -> None:
    claude = an_agent(vault, preset="one-shot")
    talk = a_talk(vault, claude)
    assert vault.conversations.append(claude, talk.id, [("user", "secret")]) == []
    assert vault.conversations.turns(OWNER, talk.id) == []


def test_ending_takes_the_conversations_own_entries_in_one_undoable_group(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude)
    scope = Scope("conversation", talk.id)
    for number in range(3):
        vault.entries.store(EntryDraft(f"note {number}", scope=scope))
    ended = vault.conversations.end(claude, talk.id)
    assert len(ended.forgotten) == 3
    assert ended.conversation.state == "ended"
    vault.history.undo(ended.group)
    assert vault.conversations.read(OWNER, talk.id).state == "open"
    assert all(vault.entries.read(entry.id).state == "active" for entry in ended.forgotten)


def test_ending_twice_changes_nothing_more(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, "hello")
    again = vault.conversations.end(claude, talk.id)
    assert (again.group, again.conversation) == (0, talk)


def test_an_ended_conversation_takes_no_more_turns(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, "hello")
    with pytest.raises(Refused):
        vault.conversations.append(claude, talk.id, [("user", "more")])


def test_another_agents_conversation_is_not_found_by_any_way(vault: Vault) -> None:
    claude, other = an_agent(vault), an_agent(vault, "Other")
    talk = a_talk(vault, claude, "secret")
    service = vault.conversations
    for attempt in (
        lambda: service.read(other, talk.id),
        lambda: service.turns(other, talk.id),
        lambda: service.reload(other, talk.id),
        lambda: service.append(other, talk.id, [("user", "x")]),
        lambda: service.end(other, talk.id),
        lambda: service.delete(other, talk.id),
        lambda: service.rename(other, talk.id, "x"),
        lambda: vault.provenance.learned_from(other, talk.id),
        lambda: vault.provenance.forget_learned(other, talk.id),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert service.page(other).conversations == []
    assert service.page(OWNER).conversations == [service.read(OWNER, talk.id)]


def test_a_read_only_agent_starts_and_says_nothing(vault: Vault) -> None:
    reader = an_agent(vault, trust="read_only")
    with pytest.raises(NotAllowed):
        vault.conversations.start(reader)


def test_an_agent_that_may_only_read_changes_no_run(vault: Vault) -> None:
    writer = an_agent(vault)
    talk = a_talk(vault, writer, "hello")
    scope = Scope("conversation", talk.id)
    kept = vault.entries.store(EntryDraft("the owner's own", scope))
    assert isinstance(kept, Saved)
    reader = Caller(vault.agents.change("claude", {"trust": "read_only"}))
    service = vault.conversations
    for attempt in (
        lambda: service.start(reader, ident=talk.id),
        lambda: service.append(reader, talk.id, [("user", "more")]),
        lambda: service.rename(reader, talk.id, "mine"),
        lambda: service.end(reader, talk.id),
        lambda: service.delete(reader, talk.id),
    ):
        with pytest.raises(NotAllowed, match="may read memory and not write it"):
            attempt()
    assert (service.read(OWNER, talk.id).state, service.read(OWNER, talk.id).title) == ("open", "")
    assert contents(service.turns(OWNER, talk.id)) == ["hello"]
    assert vault.entries.read(kept.entry.id).state == ACTIVE


def test_an_agent_under_review_ends_its_run_and_deletes_none(vault: Vault) -> None:
    claude = an_agent(vault, trust="review")
    talk = a_talk(vault, claude, "hello")
    kept = vault.entries.store(EntryDraft("the owner's own", Scope("conversation", talk.id)))
    assert isinstance(kept, Saved)
    with pytest.raises(NotAllowed, match="for good"):
        vault.conversations.delete(claude, talk.id)
    ended = vault.conversations.end(claude, talk.id)
    with pytest.raises(NotAllowed, match="for good"):
        vault.conversations.delete(claude, talk.id)
    assert contents(vault.conversations.turns(OWNER, talk.id)) == ["hello"]
    vault.history.undo(ended.group)
    assert vault.entries.read(kept.entry.id).state == ACTIVE
    assert vault.conversations.delete(OWNER, talk.id).turns == 1


def test_an_agent_is_not_told_where_the_owners_files_are(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = an_agent(vault)
    talks = [a_talk(vault, claude, "hello").id for _ in range(3)]
    assert vault.conversations.delete(claude, talks[0]).sentence == "Gone for good."

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("app.care.erasure.bytes_.settle", full)
    gone = vault.conversations.delete(claude, talks[1])
    assert gone.state == "pending"
    assert str(vault.path) not in gone.sentence
    assert str(vault.path) in vault.conversations.delete(OWNER, talks[2]).sentence


def test_starting_an_open_conversation_by_its_id_goes_on_in_it(vault: Vault) -> None:
    claude = an_agent(vault)
    first = vault.conversations.start(claude, ident="run-1", title="One")
    assert vault.conversations.start(claude, ident="run-1") == first
    assert vault.conversations.start(claude, ident=first.id) == first
    vault.conversations.end(claude, "run-1")
    with pytest.raises(Refused, match="ended"):
        vault.conversations.start(claude, ident="run-1")


def test_an_id_an_agent_names_tells_it_nothing_of_anothers_run(vault: Vault) -> None:
    claude, other = an_agent(vault), an_agent(vault, "Other")
    theirs = vault.conversations.start(claude, ident="run-1", title="Secret")
    vault.conversations.append(claude, "run-1", [("user", "theirs")])
    mine, free = (vault.conversations.start(other, ident=name) for name in ("run-1", "run-2"))
    assert (mine.id, free.id) == ("run-1@other", "run-2@other")
    vault.conversations.append(other, "run-1", [("user", "mine")])
    assert [turn.content for turn in vault.conversations.turns(other, "run-1")] == ["mine"]
    assert [turn.content for turn in vault.conversations.reload(claude, "run-1").turns] == [
        "theirs"
    ]
    vault.conversations.end(other, "run-1")
    assert vault.conversations.delete(other, "run-1").turns == 1
    assert vault.conversations.read(OWNER, theirs.id).state == "open"
    with pytest.raises(NotFound):
        vault.conversations.read(other, theirs.id)


@pytest.mark.parametrize("ident", ["", "a b", "x" * 129, "a/b", "a:b"])
def test_an_id_that_could_not_be_a_scope_is_refused(vault: Vault, ident: str) -> None:
    with pytest.raises(Invalid):
        vault.conversations.start(an_agent(vault), ident=ident)


def test_turns_have_their_bounds(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude)
    with pytest.raises(TooLarge):
        vault.conversations.append(claude, talk.id, [("user", "x" * 300_000)])
    for turns in ([], [("", "x")], [("user", "  ")], [("user", "x")] * 1001):
        with pytest.raises(Invalid):
            vault.conversations.append(claude, talk.id, turns)
    assert vault.conversations.turns(claude, talk.id) == []


def test_lists_page_through_everything_once_latest_first(vault: Vault, clock: FixedClock) -> None:
    claude = an_agent(vault)
    talks = []
    for _ in range(5):
        talks.append(vault.conversations.start(claude).id)
        clock.forward(seconds=1)
    seen, cursor = [], None
    while True:
        page = vault.conversations.page(claude, limit=2, cursor=cursor)
        seen += [conversation.id for conversation in page.conversations]
        cursor = page.next
        if cursor is None:
            break
    assert seen == talks[::-1]


def test_deleting_removes_what_was_said_for_good_and_keeps_what_was_learned(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    (first, *_) = vault.provenance.learned_from(OWNER, talk.id)
    assert vault.conversations.delete(OWNER, talk.id).turns == 1
    with pytest.raises(NotFound):
        vault.conversations.read(OWNER, talk.id)
    assert vault.entries.read(first.thing_id).state == "active"
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM turns").fetchone() == (0,)
    last = vault.history.groups(limit=1)[0]
    with pytest.raises(Refused):
        vault.history.undo(last.id)


def test_what_was_learned_from_a_conversation_can_be_forgotten_together(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    forgotten = vault.provenance.forget_learned(OWNER, talk.id)
    assert len(forgotten.entries) == 2
    taken = vault.provenance.learned_from(OWNER, talk.id)
    assert {one.entry.state for one in taken if one.entry} == {"trashed"}
    vault.history.undo(forgotten.group)
    assert vault.entries.read(forgotten.entries[0].id).state == "active"


def test_a_passage_a_person_chose_is_kept_with_its_turn(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), "The staging port is 5433, by the way.")
    (turn,) = vault.conversations.turns(OWNER, talk.id)
    saved = vault.provenance.save_from(
        OWNER, turn.id, EntryDraft("The staging port is 5433", key="staging_port")
    )
    assert isinstance(saved, Saved)
    assert saved.entry.source == "owner"
    assert vault.provenance.turns_of(saved.entry.id) == [turn]


def test_turns_obey_the_owners_retention(vault: Vault, clock: FixedClock) -> None:
    claude = an_agent(vault)
    old = ended_talk(vault, claude, VEGETARIAN)
    clock.forward(days=8)
    new = a_talk(vault, claude, "fresh words")
    vault.upkeep.run()
    assert len(vault.conversations.turns(OWNER, old.id)) == 1
    vault.settings.set("turn_days", 7)
    vault.upkeep.run()
    assert vault.conversations.turns(OWNER, old.id) == []
    assert len(vault.conversations.turns(OWNER, new.id)) == 1


def test_every_write_to_a_conversation_is_in_the_change_log(vault: Vault) -> None:
    claude = an_agent(vault)
    before = vault.history.last_seq()
    talk = a_talk(vault, claude, "nothing to learn")
    vault.conversations.rename(OWNER, talk.id, "New name")
    vault.conversations.end(claude, talk.id)
    lines = [
        (change.actor, change.action)
        for change in vault.history.feed(before)
        if change.thing == "conversation"
    ]
    assert lines == [
        ("agent:claude", "created"),
        ("agent:claude", "appended"),
        ("owner", "changed"),
        ("agent:claude", "ended"),
    ]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=40).filter(str.strip), max_size=12), st.integers(0, 200)
)
def test_a_reload_never_exceeds_its_budget_and_is_a_tail(texts: list[str], budget: int) -> None:
    vault = open_vault(ephemeral=True)
    try:
        claude = an_agent(vault)
        talk = a_talk(vault, claude, *texts)
        reloaded = vault.conversations.reload(claude, talk.id, budget)
        kept = contents(reloaded.turns)
        assert reloaded.used_bytes <= budget
        assert kept == texts[len(texts) - len(kept) :]
        assert reloaded.left_out == len(texts) - len(kept)
    finally:
        vault.close()
