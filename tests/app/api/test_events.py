"""The change feed: what the caller may see, without a gap or a repeat."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from app.api.events import BATCH
from store.records import EntryDraft, Scope
from tests.app.api.conftest import Served


@contextmanager
def feed(client: httpx.Client, **params: object) -> Iterator[Iterator[dict[str, object]]]:
    """Events as they come; a heartbeat is an event without an id."""
    headers = {}
    if "last" in params:
        headers["Last-Event-ID"] = str(params.pop("last"))
    with client.stream("GET", "/events", params=params, headers=headers, timeout=10) as answer:  # type: ignore[arg-type]
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield _events(answer)


def _events(answer: httpx.Response) -> Iterator[dict[str, object]]:
    lines: list[str] = []
    for line in answer.iter_lines():
        if line:
            lines.append(line)
            continue
        fields = dict(part.split(": ", 1) for part in lines if not part.startswith(":"))
        if "data" in fields:
            told = json.loads(fields["data"])
            assert fields["event"] == "change"
            assert told["seq"] == int(fields["id"])
            yield told
        elif ": heartbeat" in lines:
            yield {}
        lines = []


def until_quiet(events: Iterator[dict[str, object]]) -> list[dict[str, object]]:
    """Everything up to the first heartbeat."""
    found = []
    for event in events:
        if not event:
            return found
        found.append(event)
    return found


def test_a_change_arrives_soon_after_it_was_made(served: Served) -> None:
    # Not with the next heartbeat: the client would have given up long before it.
    with feed(served.owner, heartbeat=300) as events:
        assert next(events) == {}
        entry = served.owner.post("/memory/entries", json={"content": "x"}).json()
        told = next(events)
    assert (told["action"], told["thing"], told["id"]) == ("created", "entry", entry["id"])
    assert told["scope"] == "user"
    assert "content" not in json.dumps(told)


def test_resuming_gives_every_event_once_in_order(served: Served) -> None:
    total = BATCH + 20
    drafts = [EntryDraft(f"number {n}") for n in range(total)]
    served.vault.entries.store_many(drafts)
    seen: list[int] = []
    last = 0
    while len(seen) < total:
        with feed(served.owner, last=last) as events:
            for _, event in zip(range(199), events, strict=False):
                if not event:
                    break
                seen.append(int(str(event["seq"])))
        last = seen[-1]
    assert seen == list(range(1, total + 1))


def test_events_of_writers_at_work_have_no_gap_and_no_repeat(served: Served) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            served.vault.entries.store(EntryDraft("x"))

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    seen: list[int] = []
    try:
        while len(seen) < 60:
            with feed(served.owner, after=seen[-1] if seen else 0) as events:
                for _, event in zip(range(20), events, strict=False):
                    if event:
                        seen.append(int(str(event["seq"])))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert seen == list(range(1, len(seen) + 1))


def test_a_heartbeat_keeps_a_quiet_feed_open(served: Served) -> None:
    with feed(served.owner, heartbeat=0.1) as events:
        assert [next(events) for _ in range(4)] == [{}] * 4


def test_an_agent_hears_of_its_own_and_shared_memory_alone(served: Served) -> None:
    mine, client = served.agent("mine", workspaces=["shop"])
    theirs, _ = served.agent("theirs")
    scopes = [
        Scope("user"),
        mine.scope,
        theirs.scope,
        Scope("workspace", "shop"),
        Scope("workspace", "bank"),
        Scope("conversation", "c1"),
    ]
    for scope in scopes:
        served.vault.entries.store(EntryDraft("x", scope))
        served.vault.blocks.replace(scope, "core", "- x", expected_updated_at=None)
    with feed(client, after=0) as events:
        told = until_quiet(events)
    heard = {(event["scope"], event["agent_id"], event["workspace_id"]) for event in told}
    assert heard == {("user", None, None), ("agent", "mine", None), ("workspace", None, "shop")}
    assert {event["thing"] for event in told} == {"entry", "block"}
    assert len(told) == 6


def test_an_agent_hears_that_something_it_saw_is_gone_but_not_where_to(served: Served) -> None:
    _, client = served.agent("mine")
    other, _ = served.agent("other")
    moved = served.vault.entries.store(EntryDraft("x", key="moved")).entry
    gone = served.vault.entries.store(EntryDraft("y", key="gone")).entry
    start = served.vault.history.last_seq()
    served.vault.entries.change(moved.id, {"scope": other.scope})
    served.vault.entries.forget([gone.id])
    served.vault.entries.change(moved.id, {"content": "a secret"})
    with feed(client, after=start) as events:
        told = until_quiet(events)
    assert [(event["id"], event["action"], event["scope"]) for event in told] == [
        (moved.id, "forgot", "user"),
        (gone.id, "forgot", "user"),
    ]
    assert "other" not in json.dumps(told)


def test_the_past_of_what_an_agent_may_no_longer_see_is_not_replayed(served: Served) -> None:
    _, client = served.agent("mine")
    gone = served.vault.entries.store(EntryDraft("x")).entry
    served.vault.entries.change(gone.id, {"content": "y"})
    served.vault.entries.forget([gone.id])
    with feed(client, after=0) as events:
        assert [event["action"] for event in until_quiet(events)] == ["forgot"]


def test_what_was_before_an_agent_could_see_it_is_not_replayed(served: Served) -> None:
    shop = Scope("workspace", "shop")
    for scope in (Scope("user"), shop):
        kept = served.vault.entries.store(EntryDraft("x", scope)).entry
        served.vault.entries.change(kept.id, {"content": "y"})
        served.vault.entries.forget([served.vault.entries.store(EntryDraft("z", scope)).entry.id])
    agent, client = served.agent("late")
    seen = served.vault.entries.store(EntryDraft("a")).entry
    served.vault.entries.store(EntryDraft("b", shop))
    served.vault.agents.change(agent.id, {"workspaces": ("shop",)})
    let_in = served.vault.entries.store(EntryDraft("c", shop)).entry
    with feed(client, after=0) as events:
        assert [event["id"] for event in until_quiet(events)] == [seen.id, let_in.id]


def test_a_revoked_agents_feed_ends(served: Served) -> None:
    agent, client = served.agent("mine")
    with feed(client, heartbeat=0.1) as events:
        assert next(events) == {}
        served.vault.agents.revoke(agent.id)
        served.vault.entries.store(EntryDraft("not for you"))
        assert [event for event in events if event] == []


def test_a_place_that_is_none_of_ours_is_422(served: Served) -> None:
    for wrong in ("x", "-1", "1.5", "9" * 30):
        answer = served.owner.get("/events", headers={"Last-Event-ID": wrong})
        assert answer.status_code == 422


def test_stopping_the_server_ends_its_feeds(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with feed(served.owner, heartbeat=300) as events:
        assert next(events) == {}
        served.server.stop()
        assert [event for event in events if event] == []
    # A feed that did not end by itself would have been cancelled, with an error in the log.
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_nothing_that_becomes_of_a_muted_memory_is_in_the_feed(served: Served) -> None:
    served.vault.settings.set("muted_tags", "health: a")
    _, client = served.agent("a")
    hidden = [
        served.vault.entries.store(EntryDraft("zanzibar", muted_for=("a",))).entry.id,
        served.vault.entries.store(EntryDraft("zanzibar", tags=("health",))).entry.id,
        served.vault.entries.store(EntryDraft("zanzibar", muted_for=("*",))).entry.id,
    ]
    seen = served.vault.entries.store(EntryDraft("tea")).entry.id
    served.vault.entries.change(hidden[0], {"hook": "x"})
    served.vault.entries.forget([*hidden, seen])
    served.vault.entries.restore([hidden[0]])
    served.vault.erasure.erase([hidden[2]])
    with feed(client, after=0) as events:
        told = until_quiet(events)
    assert {event["id"] for event in told} == {seen}
