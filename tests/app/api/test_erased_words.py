"""What went through the API is gone from every file once it is erased: answers kept for a retry,
what was asked, reasons, and the turns of a run."""

from __future__ import annotations

from pathlib import Path

from tests.app.api.conftest import Served

WORD = "zqxcanaryfalcon"


def left(served: Served) -> list[str]:
    folder: Path = served.vault.path.parent
    served.vault.calls.flush()
    return sorted(
        path.name
        for path in folder.rglob("*")
        if path.is_file() and WORD[-8:].encode() in path.read_bytes()
    )


def once(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def test_a_rejected_proposal_and_all_that_was_said_of_it(served: Served) -> None:
    _, shy = served.agent("shy", trust="review")
    body = {"messages": [{"role": "user", "content": f"I am {WORD}"}], "user_id": "me"}
    assert shy.post(served.url + "/memories", json=body, headers=once("a")).status_code == 200
    given = {"content": f"is {WORD}", "importance": 7}
    shy.post("/memory/entries", json=given, headers=once("b"))
    shy.post("/memory/entries", json={**given, "importance": "much"}, headers=once("c"))
    shy.post("/memory/recall", json={"query": WORD, "limit": "many"})
    shy.get(f"/memory/entries/{WORD}")
    idents = [one["id"] for one in served.owner.get("/review").json()["proposals"]]
    assert len(idents) == 2
    for ident in idents:
        served.owner.post(f"/review/{ident}/reject", json={"reason": f"no {WORD}"})
    served.owner.post("/backups")
    assert left(served) != []
    receipt = served.owner.post("/erase", json={"proposals": idents}).json()
    assert receipt["state"] == "done"
    assert left(served) == []


def test_a_deleted_conversation_with_the_answers_to_its_turns(served: Served) -> None:
    _, bot = served.agent("bot")
    talk = bot.post("/conversations", json={"title": WORD}, headers=once("a")).json()["id"]
    turns = {"turns": [{"role": "user", "content": f"The code is {WORD}"}]}
    assert bot.post(f"/conversations/{talk}/turns", json=turns, headers=once("b")).status_code < 300
    served.owner.post("/backups")
    gone = bot.delete(f"/conversations/{talk}").json()
    assert (gone["turns"], gone["state"]) == (1, "done")
    assert left(served) == []


def test_block_replies_after_a_wipe_of_the_user_scope(served: Served) -> None:
    body = {"content": f"- {WORD}", "expected_updated_at": None}
    assert served.owner.put("/memory/blocks/core", json=body, headers=once("a")).status_code < 300
    served.owner.post("/backups")
    done = served.owner.post("/wipe", json={"scope": "user", "confirm": "wipe"}).json()
    assert done["state"] == "done"
    assert left(served) == []
