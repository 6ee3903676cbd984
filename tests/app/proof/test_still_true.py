"""Confirming: what is asked today, what an answer writes, and when it comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fsrs import Card, Rating, Scheduler, State

from app.access.caller_scope import Caller
from app.cli.command import build
from app.errors import Invalid, NotAllowed, NotFound
from app.outcomes import Conflict, Saved
from app.proof.still_true import StillTrue, next_asked
from app.rules.still_true import NOW_AND_THEN
from app.vault import Vault, open_vault
from store.instants import from_instant, plus, to_instant
from store.records import TRASHED, Entry, EntryDraft
from tests.fakes import FixedClock


def stored(vault: Vault, content: str, key: str, **fields: object) -> Entry:
    outcome = vault.memory.entries.store(EntryDraft(content, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


@pytest.fixture
def desk(vault: Vault, clock: FixedClock) -> Vault:
    """Nine memories that were written long ago, and one today."""
    for number in range(7):
        stored(vault, f"Lives on hill {'abcdefg'[number]} of seven.", f"home{number}")
    stored(vault, "Mia was born in May.", "birthday")
    stored(vault, "Went to Rome.", "trip", kind="event")
    clock.forward(days=400)
    stored(vault, "Works at the mill.", "job")
    return vault


def asked(vault: Vault) -> list[str]:
    return [one.entry.key for one in StillTrue(vault).today().cards]


def test_five_a_day_and_answers_count_until_they_are_undone(desk: Vault, clock: FixedClock) -> None:
    truth = StillTrue(desk)
    first = asked(desk)
    assert len(first) == 5
    assert {"birthday", "trip", "job"}.isdisjoint(first)
    done = truth.yes(truth.today().cards[0].entry.id)
    assert isinstance(done, Saved)
    truth.forget(truth.today().cards[0].entry.id)
    assert (len(asked(desk)), truth.today().answered) == (3, 2)
    desk.history.undo(done.group)
    assert first[0] in asked(desk)
    assert desk.entries.read(done.entry.id).verified_at is None
    assert (len(asked(desk)), truth.today().answered) == (4, 1)
    clock.forward(days=1)
    assert len(asked(desk)) == 5


def test_the_number_a_day_is_a_setting(desk: Vault) -> None:
    desk.settings.set("still_true_cards", 0)
    assert asked(desk) == []
    desk.settings.set("still_true_cards", 50)
    assert len(asked(desk)) == 7


def test_what_was_put_off_makes_room_for_another(desk: Vault) -> None:
    first = StillTrue(desk).today().cards[0].entry
    others = StillTrue(desk).today([first.id]).cards
    assert len(others) == 5
    assert first.id not in [one.entry.id for one in others]


def test_a_confirmed_memory_comes_back_ever_more_rarely(desk: Vault, clock: FixedClock) -> None:
    home = desk.memory.entries.find("home0")
    assert home is not None
    gaps = []
    for _ in range(5):
        saved = StillTrue(desk).yes(home.id)
        assert isinstance(saved, Saved)
        assert saved.entry.verified_at == to_instant(clock())
        assert saved.entry.stale_after is not None
        gap = from_instant(saved.entry.stale_after) - clock()
        gaps.append(gap.days)
        clock.forward(days=gap.days)
    assert gaps == sorted(gaps)
    assert gaps[0] > NOW_AND_THEN.days
    assert gaps[-1] <= 3_650


def test_the_fields_are_all_that_the_scheduler_needs(desk: Vault, clock: FixedClock) -> None:
    """The same days as a card whose whole state was carried on, but for its difficulty, which
    here stays what the memory is about."""
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    home = desk.memory.entries.find("home0")
    assert home is not None
    card = Card(
        card_id=1,
        state=State.Review,
        stability=float(NOW_AND_THEN.days),
        difficulty=NOW_AND_THEN.difficulty,
        last_review=from_instant(home.written_at),
    )
    for _ in range(3):
        card, _log = scheduler.review_card(card, Rating.Good, clock())
        card.difficulty = NOW_AND_THEN.difficulty
        saved = StillTrue(desk).yes(home.id)
        assert isinstance(saved, Saved)
        assert saved.entry.stale_after is not None
        assert abs(from_instant(saved.entry.stale_after) - card.due).days <= 1
        clock.forward(days=(card.due - clock()).days)


def test_a_birthday_is_confirmed_once_for_all(desk: Vault) -> None:
    born = desk.memory.entries.find("birthday")
    assert born is not None
    saved = StillTrue(desk).yes(born.id)
    assert isinstance(saved, Saved)
    assert saved.entry.stale_after is None
    assert next_asked(saved.entry, desk.clock()) is None


def test_what_changed_meanwhile_is_not_confirmed_unread(desk: Vault) -> None:
    entry = StillTrue(desk).today().cards[0].entry
    desk.memory.entries.change(entry.id, {"content": "Lives by the sea."})
    assert isinstance(StillTrue(desk).yes(entry.id, entry.updated_at), Conflict)
    assert desk.entries.read(entry.id).verified_at is None


def test_no_means_until_then_forgotten_or_said_anew(desk: Vault, clock: FixedClock) -> None:
    truth, now = StillTrue(desk), to_instant(clock())
    first, second, third = (one.entry for one in truth.today().cards[:3])
    ended = truth.until(first.id, plus(now, days=-30))
    assert isinstance(ended, Saved)
    assert ended.entry.true_until == plus(now, days=-30)
    truth.forget(second.id)
    assert desk.entries.read(second.id).state == TRASHED
    anew = truth.instead(third.id, "Lives by the sea.", third.updated_at)
    assert isinstance(anew, Saved)
    assert (anew.entry.content, anew.entry.verified_at) == ("Lives by the sea.", now)
    assert anew.entry.stale_after == plus(now, days=NOW_AND_THEN.days)
    assert {first.key, second.key, third.key}.isdisjoint(asked(desk))
    with pytest.raises(Invalid, match="past"):
        truth.until(first.id, plus(now, days=1))


def test_what_is_in_the_trash_is_not_answered_for(desk: Vault) -> None:
    truth = StillTrue(desk)
    entry = truth.today().cards[0].entry
    truth.forget(entry.id)
    for answer in (truth.yes, truth.forget):
        with pytest.raises(NotFound, match="trash"):
            answer(entry.id)


def test_a_contradiction_is_asked_about_whatever_its_age_one_side_after_the_other(
    desk: Vault, clock: FixedClock
) -> None:
    stored(desk, "The shop runs on Heroku.", "old")
    clock.forward(seconds=1)
    stored(desk, "The shop runs on Hetzner.", "new")
    clock.forward(seconds=1)
    desk.conflicts.catch_up()
    truth = StillTrue(desk)

    def opposed() -> list[tuple[str, str | None]]:
        found = [one for one in truth.today().cards if one.reason == "contradicted"]
        return [(one.entry.key, one.other.key if one.other else None) for one in found]

    assert opposed() == [("new", "old")]
    assert truth.today().cards[0].entry.key == "new"
    clock.forward(seconds=1)
    truth.yes(truth.today().cards[0].entry.id)
    desk.conflicts.catch_up()
    assert opposed() == [("old", "new")]
    truth.yes(truth.today().cards[0].entry.id)
    desk.conflicts.catch_up()
    assert opposed() == []


def test_the_share_of_core_is_what_a_person_confirmed_and_is_not_due(
    desk: Vault, clock: FixedClock
) -> None:
    truth = StillTrue(desk)
    assert truth.share() == (0, 10)
    saved = truth.yes(truth.today().cards[0].entry.id)
    assert isinstance(saved, Saved)
    assert truth.share() == (1, 10)
    clock.at = from_instant(plus(saved.entry.stale_after or "", days=1))
    assert StillTrue(desk).share() == (0, 10)


def test_no_agent_confirms(desk: Vault) -> None:
    agent, _ = desk.agents.add("claude")
    home = desk.memory.entries.find("home0")
    assert home is not None
    with pytest.raises(NotAllowed):
        desk.memory_for(Caller(agent)).entries.change(home.id, {"verified_at": "2026-01-01"})


def test_an_agent_is_told_unless_the_owner_does_not_want_it(desk: Vault, clock: FixedClock) -> None:
    agent, _ = desk.agents.add("claude")
    saved = StillTrue(desk).yes(StillTrue(desk).today().cards[0].entry.id)
    assert isinstance(saved, Saved)
    memory = desk.memory_for(Caller(agent))
    assert "last confirmed" not in memory.hydration.hydrate().text
    clock.at = from_instant(plus(saved.entry.stale_after or "", days=1))
    told = memory.hydration.hydrate()
    assert " months ago): Lives on hill" in told.text
    assert told.used == len(told.text.encode())
    desk.settings.set("tell_confirmed", False)
    assert "last confirmed" not in memory.hydration.hydrate().text


@pytest.mark.utc
def test_at_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    vault = open_vault(path, clock=FixedClock(from_instant("2024-01-01T00:00:00.000000Z")))
    stored(vault, "Lives in Bonn.", "home")
    stored(vault, "Works at the mill.", "job")
    vault.close()

    def run(*words: str) -> Result:
        command = build(lambda *_: 0)
        return CliRunner().invoke(command, ["still-true", *words, "--vault", str(path)])

    listed = run()
    assert "never confirmed, written 2024-01-01" in listed.output
    assert "You confirmed 0 of 2 core memories." in listed.output
    assert "Confirmed home; asked again after" in run("--yes", "home").output
    assert run("--no", "job").exit_code == 2
    assert "job was true until 2025-02-0" in run("--no", "job", "--until", "2025-02-02").output
    assert "Nothing to confirm today." in run().output
    assert '"answered_today": 2' in run("--json").output
