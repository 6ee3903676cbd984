"""/proof: tests, bisect, blame and the radar, for the owner's token."""

from __future__ import annotations

from typing import Any

from app.connect.mcp_clients import claude_home
from tests.app.api.conftest import Served
from tests.app.test_background import wait_for

CODE = "The code of the safe is Birkenweg 4711, never to be told."


def test_a_memory_test_is_kept_run_and_names_what_broke_it(served: Served) -> None:
    served.agent("claude")
    tea = {"content": "Likes tea.", "key": "tea", "category": "core"}
    made = served.owner.post("/memory/entries", json=tea).json()
    kept = served.owner.post("/proof/tests", json={"sentences": ["claude is told `tea`."]})
    assert (kept.status_code, kept.json()["kind"]) == (201, "expectation")
    assert served.owner.get("/proof/tests").json()["passed"] is True
    served.owner.delete(f"/memory/entries/{made['id']}")
    (red,) = served.owner.get("/proof/tests").json()["results"]
    assert (red["passed"], red["broken_by"]["action"]) == (False, "forgot")
    odd = served.owner.post("/proof/tests", json={"sentences": ["be nice"]})
    assert (odd.status_code, "not understood" in odd.text) == (422, True)


def test_bisect_asks_until_one_change_is_left(served: Served) -> None:
    served.agent("claude")
    for n in range(9):
        body = {"content": f"fact number {n}", "key": f"k{n}", "category": "core"}
        served.owner.post("/memory/entries", json=body)
    asked: dict[str, object] = {"agent_id": "claude", "judged": []}
    judged = []
    for _ in range(5):
        told = served.owner.post("/proof/bisect", json=asked).json()
        if told["ask"] is None:
            break
        verdict = "bad" if "fact number 5" in told["text"] else "good"
        judged.append({"change": told["ask"]["id"], "verdict": verdict})
        asked["judged"] = judged
    assert [one["after"]["key"] for one in told["details"]] == ["k5"]
    assert len(judged) <= 4
    by_itself = served.owner.post("/proof/bisect", json={"sentence": "claude is never told `k5`."})
    assert by_itself.json()["found"] == told["found"]
    assert served.owner.post("/proof/bisect", json={}).status_code == 422


def test_a_sentence_is_blamed(served: Served) -> None:
    _, claude = served.agent("claude")
    served.owner.post("/memory/entries", json={"content": "Deploys go to Hetzner.", "key": "d"})
    claude.post("/memory/recall", json={"key": "d"})
    (source,) = served.owner.post("/proof/blame", json={"said": "deploys go to Hetzner"}).json()[
        "sources"
    ]
    assert (source["entry"]["key"], source["last_told"]["agent_id"]) == ("d", "claude")
    assert source["written"]["action"] == "created"


def test_the_radar_finds_and_an_erase_takes_what_was_named(served: Served) -> None:
    _, claude = served.agent("claude")
    made = served.owner.post("/memory/entries", json={"content": CODE, "key": "safe"}).json()
    claude.post("/memory/recall", json={"key": "safe"})
    note = claude_home() / "CLAUDE.md"
    note.parent.mkdir(parents=True)
    note.write_text(f"Be brief.\n{CODE}\n")
    sweep = served.owner.post("/proof/radar", json={"ids": [made["id"]]}).json()
    assert [one["agent_id"] for one in sweep["told"]] == ["claude"]
    assert [(one["path"], one["becomes"]) for one in sweep["copies"]] == [(str(note), "offered")]
    chosen = {"ids": [made["id"]], "copies": [sweep["copies"][0]["id"]]}
    receipt = served.owner.post("/proof/radar/erase", json=chosen).json()
    assert (receipt["state"], receipt["copies_removed"]) == ("done", [str(note)])
    assert note.read_text() == "Be brief.\n"


def test_the_price_of_an_edit_is_in_the_answer_when_asked_for(served: Served) -> None:
    _, claude = served.agent("claude")
    body = {"content": "Likes tea.", "key": "tea", "category": "core"}
    served.owner.post("/memory/entries", json=body)

    def last_start() -> Any:
        served.vault.calls.flush()
        return claude.post("/memory/hydrate", json={"compare": True}).json()["last_start"]

    assert claude.post("/memory/hydrate", json={}).json()["last_start"] is None
    wait_for(last_start)  # a call is noted once it was answered
    served.owner.post("/memory/entries", json={**body, "key": "z", "content": "Likes cake."})
    last = last_start()
    assert 0 < last["kept_bytes"] <= last["used_bytes"]
