from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import Invalid, NotAllowed, NotFound
from app.learning.channels import Heard
from app.learning.learning import Learned
from app.vault import Vault, open_vault
from store.records import Scope
from store.tables import learned
from store.tables.channels import ChannelMessage
from store.tables.entry_filter import EntryFilter
from tests.app.learning.talks import an_agent
from tests.fakes import FakeEmbedder, FixedClock

FROZEN = "Deploys to production are frozen on Fridays."


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def say(
    vault: Vault, text: str, *, number: int = 1, channel: str = "ops", addressed: bool = False
) -> Heard:
    return vault.channels.hear(
        "bot",
        channel,
        message_id=f"m{number}",
        author="Ana",
        text=text,
        time="2026-04-30T11:59:00+00:00",
        addressed=addressed,
    )


def came_from(vault: Vault, entry_id: str) -> list[ChannelMessage]:
    """The messages of the channel that the log of what was learned names for an entry."""
    with vault.database.read() as db:
        origins = {row.origin for row in learned.of_thing(db, entry_id)}
    heard = vault.channels.messages("bot", "ops")
    return [message for message in heard if f"message:{message.n}" in origins]


def kept(vault: Vault) -> dict[str, str]:
    page = vault.entries.page(EntryFilter(scopes=(Scope("agent", "bot"),)))
    return {entry.content: entry.id for entry in page.entries}


def test_a_full_batch_is_learned_at_once(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True)
    for number in range(9):
        say(vault, "ok", number=number)
    assert vault.channels.learn_due() == []
    say(vault, FROZEN, number=9)
    (batch,) = vault.channels.learn_due()
    assert (batch.channel, batch.messages) == ("ops", 10)
    assert list(kept(vault)) == [FROZEN]


def test_a_few_messages_wait_until_the_oldest_is_five_minutes_old(
    vault: Vault, clock: FixedClock
) -> None:
    an_agent(vault, "Bot", team=True)
    say(vault, FROZEN)
    clock.forward(minutes=4, seconds=59)
    assert vault.channels.learn_due() == []
    clock.forward(seconds=1)
    assert len(vault.channels.learn_due()) == 1
    assert vault.channels.learn_due() == []


def test_channels_are_learned_apart(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True)
    for number in range(6):
        say(vault, "ok", number=number, channel="a")
        say(vault, "ok", number=number, channel="b")
    assert vault.channels.learn_due() == []
    clock.forward(minutes=5)
    assert [(b.channel, b.messages) for b in vault.channels.learn_due()] == [("a", 6), ("b", 6)]


def test_more_than_a_batch_is_learned_in_several(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True)
    for number in range(25):
        say(vault, "ok", number=number)
    assert [batch.messages for batch in vault.channels.learn_due()] == [10, 10]
    clock.forward(minutes=5)
    assert [batch.messages for batch in vault.channels.learn_due()] == [5]


def test_messages_addressed_to_the_agent_are_not_queued(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True)
    assert say(vault, FROZEN, addressed=True) == Heard(False, "addressed")
    assert vault.channels.queues() == []


def test_only_agents_in_team_mode_listen(vault: Vault) -> None:
    an_agent(vault, "Bot")
    assert say(vault, FROZEN) == Heard(False, "not_team")


def test_the_same_message_is_heard_once(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True)
    assert say(vault, FROZEN) == Heard(True)
    assert say(vault, FROZEN) == Heard(False, "known")


def test_what_was_learned_keeps_the_messages_it_came_from(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True)
    say(vault, FROZEN)
    clock.forward(minutes=5)
    (batch,) = vault.sleep.run_due().channels
    assert isinstance(batch.learned, Learned)
    (entry_id,) = batch.learned.entries
    assert vault.entries.read(entry_id).source == "channel:ops"
    (message,) = came_from(vault, entry_id)
    assert (message.author, message.text, message.batch) == ("Ana", FROZEN, batch.batch)


def test_the_queue_can_be_looked_at(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True)
    say(vault, FROZEN)
    (queue,) = vault.channels.queues()
    assert (queue.waiting, queue.learned, queue.last_learned_at) == (1, 0, None)
    clock.forward(minutes=5)
    vault.channels.learn_due()
    (queue,) = vault.channels.queues("bot")
    assert (queue.waiting, queue.learned, queue.oldest) == (0, 1, None)


def test_the_queue_survives_closing_the_vault(
    vault: Vault, tmp_path: Path, clock: FixedClock
) -> None:
    an_agent(vault, "Bot", team=True)
    say(vault, FROZEN)
    clock.forward(minutes=5)
    again = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    try:
        assert len(again.channels.learn_due()) == 1
        assert vault.channels.learn_due() == []
    finally:
        again.close()


def test_a_reviewed_agents_channel_facts_wait_in_the_inbox(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True, sleep="review")
    say(vault, FROZEN)
    clock.forward(minutes=5)
    vault.channels.learn_due()
    assert kept(vault) == {}
    (proposal,) = vault.review.listed()
    assert proposal.payload["source"] == "channel:ops"
    vault.review.approve(proposal.id)
    (entry_id,) = kept(vault).values()
    assert [message.text for message in came_from(vault, entry_id)] == [FROZEN]


def test_messages_obey_the_owners_retention(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "Bot", team=True)
    say(vault, FROZEN)
    clock.forward(days=31)
    vault.upkeep.run()
    assert vault.channels.queues() == []


def test_a_read_only_agent_brings_nothing(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True, trust="read_only")
    with pytest.raises(NotAllowed):
        say(vault, FROZEN)


def test_messages_have_their_bounds(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True)
    for wrong in (
        {"message_id": ""},
        {"author": " "},
        {"text": ""},
        {"text": "x" * 70_000},
        {"time": "noon"},
    ):
        fields = {"message_id": "m", "author": "Ana", "text": "hi", **wrong}
        with pytest.raises(Invalid):
            vault.channels.hear("bot", "ops", **fields)
    with pytest.raises(Invalid):
        vault.channels.hear("bot", "", message_id="m", author="Ana", text="hi")
    with pytest.raises(NotFound):
        vault.channels.hear("nobody", "ops", message_id="m", author="Ana", text="hi")
