"""A retried call is one write."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.api.idempotency import Replies
from store.records import EntryDraft
from tests.app.api.conftest import Served


def once(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def test_a_retry_is_one_write_and_gets_the_same_answer(served: Served) -> None:
    body = {"content": "Likes tea."}
    first = served.owner.post("/memory/entries", json=body, headers=once("a"))
    again = served.owner.post("/memory/entries", json=body, headers=once("a"))
    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    assert first.headers["etag"] == again.headers["etag"]
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert served.vault.entries.count() == 1


def test_twenty_retries_at_once_are_one_write(served: Served) -> None:
    client = served.owner

    def send(_: int) -> int:
        answer = client.post("/memory/entries", json={"content": "x"}, headers=once("k"))
        assert "current" not in answer.json()  # null would say that nothing is there any more
        return answer.status_code

    with ThreadPoolExecutor(20) as pool:
        statuses = set(pool.map(send, range(20)))
    assert 201 in statuses
    assert statuses <= {201, 409}
    assert served.vault.entries.count() == 1


def test_the_same_key_with_another_body_is_422(served: Served) -> None:
    served.owner.post("/memory/entries", json={"content": "x"}, headers=once("k"))
    other = served.owner.post("/memory/entries", json={"content": "y"}, headers=once("k"))
    assert (other.status_code, other.json()["code"]) == (422, "MEM-005")
    assert served.vault.entries.count() == 1


def test_a_key_is_its_callers_own(served: Served) -> None:
    _, agent = served.agent("a")
    mine = served.owner.post("/memory/entries", json={"content": "x"}, headers=once("k"))
    theirs = agent.post("/memory/entries", json={"content": "x"}, headers=once("k"))
    assert mine.json()["id"] != theirs.json()["id"]


def test_a_refused_call_may_be_tried_again(served: Served) -> None:
    wrong = {"content": "  "}
    assert served.owner.post("/memory/entries", json=wrong, headers=once("k")).status_code == 422
    right = served.owner.post("/memory/entries", json={"content": "x"}, headers=once("k"))
    assert right.status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb"])
def test_a_key_that_is_none_is_refused(served: Served, key: str) -> None:
    answer = served.owner.post("/memory/entries", json={"content": "x"}, headers=once(key))
    assert answer.status_code == 422
    assert served.vault.entries.count() == 0


def test_a_write_whose_answer_was_lost_in_a_crash_is_not_repeated(served: Served) -> None:
    replies = Replies(served.vault.database, served.vault.clock)
    with replies.claiming("owner", "k", b"d" * 16):
        served.vault.entries.store(EntryDraft("written, never answered"))
    answer = served.owner.post("/memory/entries", json={"content": "x"}, headers=once("k"))
    assert answer.status_code == 422  # another request under that key
    with replies.claiming("owner", "other", b"d" * 16):
        served.vault.entries.store(EntryDraft("again"))
    with served.vault.database.read() as db:
        kept = db.execute("SELECT idempotency_key, status FROM idempotency").fetchall()
    assert sorted(kept) == [("k", 0), ("other", 0)]


def test_the_key_and_the_write_are_one_transaction(served: Served) -> None:
    replies = Replies(served.vault.database, served.vault.clock)
    with replies.claiming("owner", "k", b"d" * 16):
        served.vault.entries.store(EntryDraft("first"))
    with replies.claiming("owner", "k", b"d" * 16), pytest.raises(Exception, match="ask again"):
        served.vault.entries.store(EntryDraft("second"))
    assert served.vault.entries.count() == 1


def test_erasing_a_memory_erases_the_answer_that_told_it(served: Served) -> None:
    made = served.owner.post("/memory/entries", json={"content": "canary-7f3a"}, headers=once("k"))
    served.owner.post("/erase", json={"ids": [made.json()["id"]]})
    with served.vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM idempotency").fetchone()[0] == 0


def test_no_token_is_ever_kept_for_a_retry(served: Served) -> None:
    made = served.owner.post("/agents", json={"name": "a"}, headers=once("k")).json()["token"]
    turned = served.owner.post("/agents/a/rotate", headers=once("r")).json()["token"]
    with served.vault.database.read() as db:
        bodies = [row[0] for row in db.execute("SELECT body FROM idempotency").fetchall()]
    assert not [body for body in bodies if made.encode() in body or turned.encode() in body]


def test_a_call_that_writes_twice_notes_both(served: Served) -> None:
    messages = [{"role": "user", "content": word} for word in ("one", "two")]
    url = served.url + "/memories"
    body = {"messages": messages, "user_id": "me"}
    for _ in range(2):
        answer = served.owner.post(url, json=body, headers=once("k"))
        assert answer.status_code == 200
    assert served.vault.entries.count() == 2
    with served.vault.database.read() as db:
        things = db.execute("SELECT json_array_length(thing_ids) FROM idempotency").fetchone()[0]
    assert things == 2
