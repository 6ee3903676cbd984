"""What is muted, and what contradicts, through REST."""

from __future__ import annotations

import io
import zipfile

import httpx

from tests.app.api.conftest import Served

ENTRIES = "/memory/entries"
SECRET = {"content": "Uses an insulin pump.", "key": "pump", "tags": ["health"]}


def zipped(text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("note.md", text)
    return file.getvalue()


def answers(client: httpx.Client, ident: str) -> str:
    """All that an agent can ask about it, in one text."""
    query = {"query": "insulin pump"}
    told = [
        client.get(ENTRIES).text,
        client.get(ENTRIES, params={"q": "insulin"}).text,
        client.get(ENTRIES, params={"tag": "health"}).text,
        client.get(f"{ENTRIES}/{ident}").text,
        client.get(f"{ENTRIES}/{ident}/history").text,
        client.get(f"{ENTRIES}/{ident}/why").text,
        client.patch(f"{ENTRIES}/{ident}", json={"importance": 3}).text,
        client.delete(f"{ENTRIES}/{ident}").text,
        client.post("/memory/search", json=query).text,
        client.post("/memory/recall", json=query).text,
        client.post("/memory/recall", json={"key": "pump"}).text,
        client.post("/memory/hydrate", json={}).text,
        client.post("/memory/preload", json={"message": "the insulin pump"}).text,
    ]
    with zipfile.ZipFile(io.BytesIO(client.get("/export").content)) as archive:
        told += [archive.read(name).decode() for name in archive.namelist()]
    return "\n".join(told)


def test_what_is_muted_is_in_no_answer(served: Served) -> None:
    ident = served.owner.post(ENTRIES, json={**SECRET, "muted_for": ["claude"]}).json()["id"]
    _, claude = served.agent("claude")
    _, cursor = served.agent("cursor")
    assert "insulin" not in answers(claude, ident).replace("insulin pump", "")
    assert "Uses an insulin" not in answers(claude, ident)
    assert "Uses an insulin" in answers(cursor, ident)


def test_an_agent_neither_mutes_nor_confirms_nor_imports_that(served: Served) -> None:
    _, claude = served.agent("claude")
    for more in ({"muted_for": ["cursor"]}, {"verified_at": "2026-01-01"}):
        refused = claude.post(ENTRIES, json={"content": "x", **more})
        assert refused.status_code == 403
        assert f"says {next(iter(more))}; leave it out" in refused.json()["detail"]
    head = "key: plan\nmuted_for: [cursor]\nverified: {by: human:owner, at: 2026-01-01}"
    told = claude.post(
        "/import",
        content=zipped(f"---\n{head}\n---\n\nA plan.\n"),
        headers={"Content-Type": "application/zip"},
    )
    assert told.json()["new"] == 1
    (entry,) = claude.get(ENTRIES).json()["entries"]
    assert (entry["muted_for"], entry["verified_at"]) == ([], None)


def test_an_import_over_a_muted_key_stands_beside_it(served: Served) -> None:
    agent, claude = served.agent("claude")
    body = {**SECRET, "scope": "agent", "agent_id": agent.id, "muted_for": ["claude"]}
    ident = served.owner.post(ENTRIES, json=body).json()["id"]
    claude.post(
        "/import",
        content=zipped("---\nkey: pump\n---\n\nA bicycle pump.\n"),
        headers={"Content-Type": "application/zip"},
    )
    assert served.owner.get(f"{ENTRIES}/{ident}").json()["content"] == SECRET["content"]
    assert [one["key"] for one in claude.get(ENTRIES).json()["entries"]] == ["pump-2"]


def test_a_contradiction_is_named_in_the_answer_and_settled_by_the_owner(served: Served) -> None:
    old = served.owner.post(ENTRIES, json={"content": "The shop runs on Heroku.", "key": "old"})
    _, claude = served.agent("claude")
    new = claude.post(ENTRIES, json={"content": "The shop runs on Hetzner.", "scope": "user"})
    assert new.json()["contradicts"] == ["old"]
    (conflict,) = served.owner.get("/conflicts").json()["conflicts"]
    assert (conflict["difference"], conflict["told"]) == ("name", "old")
    assert claude.get("/conflicts").status_code == 403
    wanted = {
        "older_id": old.json()["id"],
        "newer_id": new.json()["id"],
        "how": "newer",
        "true_from": "2090-03-01",
    }
    settled = served.owner.post("/conflicts/settle", json=wanted)
    assert settled.status_code == 200, settled.text
    assert served.owner.get("/conflicts").json() == {"conflicts": []}
    assert served.owner.post("/conflicts/settle", json=wanted).status_code == 404
    then = served.owner.get(ENTRIES, params={"true_at": "2090-06-01"}).json()["entries"]
    assert [one["content"] for one in then] == ["The shop runs on Hetzner."]


def test_what_others_believe_is_compared_decided_and_set_right(served: Served) -> None:
    served.owner.post(ENTRIES, json={"content": "Works for Siemens.", "key": "work"})
    _, claude = served.agent("claude")
    said = {"source": "chatgpt", "text": "- You work at Bosch.\n- You own a sailing boat."}
    assert claude.post("/proof/beliefs", json=said).status_code == 403
    rows = served.owner.post("/proof/beliefs", json=said).json()["beliefs"]
    assert [row["verdict"] for row in rows] == ["differs", "only_they"]
    assert rows[0]["you_say"]["key"] == "work"
    wanted = {"source": "chatgpt", "statement": "You own a sailing boat.", "decision": "wrong"}
    assert served.owner.post("/proof/beliefs/decide", json=wanted).status_code == 200
    asked = {"source": "chatgpt", "size": "200"}
    made = served.owner.get("/proof/passport", params=asked).json()
    assert (made["corrections"], made["used"]) == (2, len(made["text"]))
    assert "Works for Siemens." in made["text"]
    taken = wanted | {"statement": rows[0]["they_say"], "decision": "take", "entry_id": "nobody"}
    assert served.owner.post("/proof/beliefs/decide", json=taken).status_code == 404
    taken["entry_id"] = rows[0]["you_say"]["id"]
    done = served.owner.post("/proof/beliefs/decide", json=taken).json()
    assert done["entry"]["content"] == "Works at Bosch."
