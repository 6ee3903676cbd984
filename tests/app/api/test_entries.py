"""/memory/entries as an agent and the owner use it."""

from __future__ import annotations

import pytest

from tests.app.api.conftest import Served

ENTRIES = "/memory/entries"


def test_a_stored_entry_is_read_back_whole(served: Served) -> None:
    body = {
        "content": "Drinks it black.",
        "key": "coffee",
        "hook": "when offering a drink",
        "category": "memory",
        "kind": "preference",
        "importance": 7,
        "tags": ["Taste", "taste"],
    }
    made = served.owner.post(ENTRIES, json=body)
    assert made.status_code == 201
    told = made.json()
    assert told | {**body, "tags": ["taste"]} == told
    assert (told["scope"], told["source"], told["state"]) == ("user", "owner", "active")
    read = served.owner.get(f"{ENTRIES}/{told['id']}")
    assert read.json() == told
    assert read.headers["etag"] == made.headers["etag"] == f'"{told["updated_at"]}"'


def test_an_explicit_key_updates_its_entry_and_no_key_never_overwrites(served: Served) -> None:
    first = served.owner.post(ENTRIES, json={"content": "one", "key": "k"})
    second = served.owner.post(ENTRIES, json={"content": "two", "key": "k"})
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    for _ in range(2):
        assert served.owner.post(ENTRIES, json={"content": "same"}).status_code == 201
    assert served.vault.entries.count() == 3


def test_an_agents_entry_is_its_own_and_says_who_wrote_it(served: Served) -> None:
    _, client = served.agent("claude", workspaces=["shop"])
    own = client.post(ENTRIES, json={"content": "x"}).json()
    assert (own["scope"], own["agent_id"], own["source"]) == ("agent", "claude", "agent:claude")
    shared = {"content": "x", "scope": "workspace", "workspace_id": "shop"}
    assert client.post(ENTRIES, json=shared).json()["workspace_id"] == "shop"


def test_a_change_that_missed_another_is_409_with_what_is_there(served: Served) -> None:
    made = served.owner.post(ENTRIES, json={"content": "one", "key": "k"}).json()
    url = f"{ENTRIES}/{made['id']}"
    now = served.owner.patch(url, json={"content": "two"}).json()
    stale = served.owner.patch(
        url, json={"content": "three", "expected_updated_at": made["updated_at"]}
    )
    assert (stale.status_code, stale.json()["code"]) == (409, "MEM-004")
    assert stale.json()["current"] == now
    tag = {"If-Match": f'"{made["updated_at"]}"'}
    assert served.owner.patch(url, json={"content": "3"}, headers=tag).status_code == 409
    good = {"If-Match": f'"{now["updated_at"]}"'}
    assert served.owner.patch(url, json={"content": "3"}, headers=good).status_code == 200
    assert served.owner.delete(url, headers=good).status_code == 409
    assert served.owner.delete(url).status_code == 200


@pytest.mark.parametrize("tag", ["x", '""', "*", '"not a time"'])
def test_an_if_match_that_is_no_etag_of_ours_is_422(served: Served, tag: str) -> None:
    made = served.owner.post(ENTRIES, json={"content": "one"}).json()
    answer = served.owner.patch(
        f"{ENTRIES}/{made['id']}", json={"hook": "x"}, headers={"If-Match": tag}
    )
    assert answer.status_code == 422


def test_storing_as_new_conflicts_with_one_that_is_there(served: Served) -> None:
    body = {"content": "one", "key": "k", "expected_updated_at": None}
    assert served.owner.post(ENTRIES, json=body).status_code == 201
    again = served.owner.post(ENTRIES, json=body)
    assert again.status_code == 409
    assert again.json()["current"]["key"] == "k"


def test_renaming_to_a_taken_key_is_409_and_names_a_free_one(served: Served) -> None:
    served.owner.post(ENTRIES, json={"content": "one", "key": "a"})
    other = served.owner.post(ENTRIES, json={"content": "two", "key": "b"}).json()
    answer = served.owner.patch(f"{ENTRIES}/{other['id']}", json={"key": "a"})
    assert answer.status_code == 409
    assert "a-2" in answer.json()["detail"]


def test_forgetting_restoring_and_older_versions(served: Served) -> None:
    made = served.owner.post(ENTRIES, json={"content": "one", "key": "k"}).json()
    url = f"{ENTRIES}/{made['id']}"
    served.owner.patch(url, json={"content": "two"})
    gone = served.owner.delete(url, params={"reason": "wrong"}).json()
    assert gone["forgotten"] == [made["id"]]
    assert served.owner.get(ENTRIES).json()["entries"] == []
    trash = served.owner.get(ENTRIES, params={"state": "trashed"}).json()["entries"]
    assert [entry["id"] for entry in trash] == [made["id"]]
    assert served.owner.post(f"{url}/restore", json={}).json()["state"] == "active"
    changes = served.owner.get(f"{url}/history").json()["changes"]
    assert [change["action"] for change in changes] == ["restored", "forgot", "changed", "created"]
    back = served.owner.post(f"{url}/restore", json={"seq": changes[-1]["seq"]})
    assert back.json()["content"] == "one"


def test_a_list_is_paged_without_a_gap_or_a_repeat(served: Served) -> None:
    made = {served.owner.post(ENTRIES, json={"content": f"n{n}"}).json()["id"] for n in range(7)}
    seen: list[str] = []
    cursor = None
    while True:
        params = {"limit": 3, **({"cursor": cursor} if cursor else {})}
        page = served.owner.get(ENTRIES, params=params).json()
        seen += [entry["id"] for entry in page["entries"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == 7
    assert set(seen) == made
    assert served.owner.get(ENTRIES, params={"cursor": "nonsense"}).status_code == 422


def test_filters_narrow_a_list_and_words_find_within_it(served: Served) -> None:
    for number, (kind, tag) in enumerate([("fact", "a"), ("event", "a"), ("event", "b")]):
        body = {"content": f"tea {number}", "kind": kind, "tags": [tag], "importance": number + 1}
        served.owner.post(ENTRIES, json=body)

    def found(**params: object) -> list[str]:
        page = served.owner.get(ENTRIES, params=params).json()  # type: ignore[arg-type]
        return sorted(entry["content"] for entry in page["entries"])

    assert found(kind="event") == ["tea 1", "tea 2"]
    assert found(kind=["event", "fact"], tag="a") == ["tea 0", "tea 1"]
    assert found(min_importance=3) == ["tea 2"]
    assert found(days_back=1, q="tea", kind="fact") == ["tea 0"]
    assert found(q="coffee") == []
    assert found(q="*") == found(q="all") == found()
    first = served.owner.get(ENTRIES, params={"q": "tea", "limit": 2}).json()
    rest = served.owner.get(ENTRIES, params={"q": "tea", "limit": 2, "cursor": first["next"]})
    assert (len(first["entries"]), len(rest.json()["entries"])) == (2, 1)
    assert rest.json()["next"] is None


def test_under_review_a_write_is_202_and_waits_unseen(served: Served) -> None:
    _, client = served.agent("shy", trust="review")
    answer = client.post(ENTRIES, json={"content": "may I?"})
    assert answer.status_code == 202
    assert client.get(ENTRIES).json()["entries"] == []
    (waiting,) = served.owner.get("/review").json()["proposals"]
    assert waiting["id"] == answer.json()["proposal_id"]
    done = served.owner.post(f"/review/{waiting['id']}/approve", json={})
    assert done.json()["entry"]["content"] == "may I?"
    assert len(client.get(ENTRIES).json()["entries"]) == 1


def test_why_says_what_would_change_it(served: Served) -> None:
    served.agent("claude")
    made = served.owner.post(ENTRIES, json={"content": "x " * 300}).json()
    url = f"{ENTRIES}/{made['id']}/why"
    told = served.owner.get(url, params={"agent_id": "claude"}).json()
    assert (told["visible"], told["hydrated"], told["reason"]) == (True, True, "core")
    tight = served.owner.get(url, params={"agent_id": "claude", "budget_bytes": 400}).json()
    assert tight["hydrated"] is False
    assert any(remedy["action"] == "raise_budget" for remedy in tight["remedies"])


def test_a_content_too_large_is_413_whatever_its_letters(served: Served) -> None:
    answer = served.owner.post(ENTRIES, json={"content": "é" * 40_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "MEM-006")
    answer = served.owner.post(ENTRIES, json={"content": "x" * 70_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "MEM-006")


def test_a_body_in_another_encoding_is_told_what_to_send(served: Served) -> None:
    sent = served.owner.post(
        ENTRIES,
        content='{"content": "café"}'.encode("latin-1"),
        headers={"Content-Type": "application/json"},
    )
    assert (sent.status_code, sent.json()["code"]) == (400, "MEM-005")
    assert sent.json()["detail"] == "The body cannot be read: send JSON in UTF-8."
