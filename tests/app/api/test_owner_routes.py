"""What only the owner does: agents, undo, review, erase, upkeep, backups, export and import."""

from __future__ import annotations

import io
import zipfile

from tests.app.api.conftest import Served


def test_an_agent_is_let_in_changed_and_shut_out(served: Served) -> None:
    body = {"name": "Claude Code", "trust": "review", "preset": "chat", "workspaces": ["shop"]}
    made = served.owner.post("/agents", json=body)
    assert made.status_code == 201
    assert set(made.json()) == {"id", "token"}
    url = f"/agents/{made.json()['id']}"
    told = served.owner.get(url).json()
    assert (told["id"], told["trust"], told["workspaces"]) == ("claude-code", "review", ["shop"])
    changed = served.owner.patch(url, json={"trust": "direct", "cap": 5, "team": True}).json()
    assert (changed["trust"], changed["cap"], changed["team"]) == ("direct", 5, True)
    assert served.owner.patch(url, json={"cap": None}).json()["cap"] is None
    assert served.owner.patch(url, json={"trust": None}).status_code == 422
    assert served.owner.patch(url, json={"dialect": "klingon"}).status_code == 422
    assert served.owner.delete(url).json() == {"id": "claude-code", "revoked": True}
    assert served.client(made.json()["token"]).get("/memory/entries").status_code == 401
    assert "token" not in served.owner.get("/agents").text


def test_the_owner_reads_what_an_agent_asked_and_was_told(served: Served) -> None:
    made = served.owner.post("/memory/entries", json={"content": "tea", "key": "tea"}).json()
    _, client = served.agent("claude")
    client.post("/memory/recall", json={"key": "tea"})
    client.get(f"/memory/entries/{made['id']}")
    client.get("/memory/entries/nothing")
    calls = served.owner.get("/agents/claude/calls").json()["calls"]
    assert [(call["call"], call["status"]) for call in calls] == [
        ("GET /api/v1/memory/entries/nothing", "404"),
        (f"GET /api/v1/memory/entries/{made['id']}", "200"),
        ("POST /api/v1/memory/recall", "200"),
    ]
    assert [call["entry_ids"] for call in calls] == [[], [made["id"]], [made["id"]]]
    assert calls[-1]["asked"] == "tea"
    page = served.owner.get("/agents/claude/calls", params={"limit": 2}).json()
    rest = {"before_n": page["next"]}
    assert len(served.owner.get("/agents/claude/calls", params=rest).json()["calls"]) == 1
    future = {"since": "2999-01-01"}
    assert served.owner.get("/agents/claude/calls", params=future).json()["calls"] == []
    assert served.vault.agents.read("claude").calls == 3


def test_an_action_is_undone_and_done_again(served: Served) -> None:
    made = served.owner.post("/memory/entries", json={"content": "x"})
    group = made.headers["x-change-group"]
    listed = served.owner.get("/changes").json()["groups"]
    assert str(listed[0]["id"]) == group
    assert served.owner.get(f"/changes/{group}").json()["changes"][0]["action"] == "created"
    undone = served.owner.post(f"/changes/{group}/undo", json={})
    assert str(undone.json()["undid"]["id"]) == group
    assert served.vault.entries.count() == 0
    twice = served.owner.post(f"/changes/{group}/undo", json={})
    assert (twice.status_code, twice.json()["code"]) == (409, "MEM-004")
    assert served.owner.post(f"/changes/{group}/redo").status_code == 200
    assert served.vault.entries.count() == 1
    assert served.owner.get("/changes/999").status_code == 404


def test_a_proposal_is_rejected(served: Served) -> None:
    _, client = served.agent("shy", trust="review")
    ident = client.post("/memory/entries", json={"content": "x"}).json()["proposal_id"]
    told = served.owner.post(f"/review/{ident}/reject", json={"reason": "no"}).json()
    assert told["state"] == "rejected"
    assert served.owner.post(f"/review/{ident}/approve", json={}).status_code == 409
    assert client.post(f"/review/{ident}/approve", json={}).status_code == 403


def test_erasing_gives_a_receipt_and_wiping_wants_to_be_sure(served: Served) -> None:
    made = served.owner.post("/memory/entries", json={"content": "secret"}).json()
    receipt = served.owner.post("/erase", json={"ids": [made["id"]]}).json()
    assert receipt["state"] in ("done", "pending")
    assert receipt["removed"]["entries"] == 1
    assert served.owner.get(f"/memory/entries/{made['id']}").status_code == 404
    served.owner.post("/memory/entries", json={"content": "x"})
    assert served.owner.post("/wipe", json={"scope": "user"}).status_code == 422
    done = served.owner.post("/wipe", json={"scope": "user", "confirm": "wipe"})
    assert done.status_code == 200
    assert served.vault.entries.count() == 0


def test_upkeep_tells_before_it_takes(served: Served) -> None:
    told = served.owner.post("/upkeep", json={"dry_run": True}).json()
    assert (told["dry_run"], told["taken"], told["change"]) == (True, [], None)
    assert served.owner.post("/upkeep", json={}).json()["dry_run"] is False


def test_a_backup_is_made_listed_and_restored(served: Served) -> None:
    served.owner.post("/memory/entries", json={"content": "kept"})
    made = served.owner.post("/backups").json()
    assert served.owner.get("/backups").json()["backups"] == [made]
    served.owner.post("/memory/entries", json={"content": "later"})
    answer = served.owner.post(f"/backups/{made['name']}/restore")
    assert answer.json()["restored"] == made
    assert served.vault.entries.count() == 1
    assert served.owner.post("/backups/nothing/restore").status_code == 404


def test_an_export_is_imported_elsewhere_unchanged(served: Served) -> None:
    served.owner.post("/memory/entries", json={"content": "Likes tea.", "key": "tea"})
    archive = served.owner.get("/export")
    assert archive.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        assert "user/tea.md" in opened.namelist()
    served.owner.post("/wipe", json={"scope": "all", "confirm": "wipe"})
    kind = {"Content-Type": "application/zip"}
    told = served.owner.post(
        "/import", params={"dry_run": "true"}, content=archive.content, headers=kind
    )
    assert (told.json()["new"], told.json()["change"]) == (1, None)
    assert served.vault.entries.count() == 0
    done = served.owner.post("/import", content=archive.content, headers=kind).json()
    assert done["change"] is not None
    assert served.owner.get("/export").content == archive.content


def test_portable_memory_goes_out_and_comes_in_as_json(served: Served) -> None:
    served.owner.post("/memory/entries", json={"content": "Likes tea.", "key": "tea"})
    answer = served.owner.get("/export", params={"format": "pam"})
    assert answer.json()["memories"][0]["content"] == "Likes tea."
    served.owner.post("/wipe", json={"scope": "all", "confirm": "wipe"})
    done = served.owner.post("/import", json=answer.json()).json()
    assert (done["new"], done["items"][0]["key"]) == (1, "tea")
    bundle = served.owner.get("/export", params={"format": "okf"})
    with zipfile.ZipFile(io.BytesIO(bundle.content)) as opened:
        assert opened.namelist() == ["index.md", "user/index.md", "user/tea.md"]


def test_an_import_that_is_no_zip_is_refused_in_words(served: Served) -> None:
    kind = {"Content-Type": "application/zip"}
    answer = served.owner.post("/import", content=b"no zip at all", headers=kind)
    assert (answer.status_code, answer.json()["code"]) == (422, "MEM-005")
    assert "--" not in answer.json()["detail"]


def test_an_import_says_what_it_refused_and_why(served: Served) -> None:
    kind = {"Content-Type": "application/zip"}
    archive = zipped(
        good="---\nkey: good\n---\nFine.\n", huge="x" * 70_000, MEMORY="- [good](good.md)\n"
    )
    _, client = served.agent("claude")
    for caller in (served.owner, client):
        told = caller.post("/import", content=archive, headers=kind).json()
        assert (told["new"], told["refused"]) == (1, 1)
        refused, good = told["items"]
        assert (refused["origin"], refused["status"]) == ("huge.md", "refused")
        assert "70,000 bytes" in refused["reason"]
        assert (good["key"], good["status"], good["reason"]) == ("good", "new", "")
        assert [one["origin"] for one in told["ignored"]] == ["MEMORY.md"]


def test_stats_count_everything(served: Served) -> None:
    served.agent("claude")
    served.owner.post("/memory/entries", json={"content": "x"})
    told = served.owner.get("/stats").json()
    assert (told["entries"], told["agents"], told["trash"]) == (1, 1, 0)
    assert told["scopes"] == [{"scope": "user", "entries": 1}]


def test_duplicates_are_shown_together(served: Served) -> None:
    for _ in range(2):
        served.owner.post("/memory/entries", json={"content": "Likes green tea a lot."})
    (cluster,) = served.owner.get("/duplicates").json()["clusters"]
    assert len(cluster["entries"]) == 2
    assert cluster["exact"] is True


def zipped(**notes: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in notes.items():
            archive.writestr(f"{name}.md", text)
    return packed.getvalue()


def test_what_an_agent_imports_is_its_own_and_under_its_trust(served: Served) -> None:
    kind = {"Content-Type": "application/zip"}
    head = "key: plan\nscope: agent:victim\nwritten_at: 2999-01-01T00:00:00Z"
    note = f"---\n{head}\n---\nA plan.\n"
    _, direct = served.agent("direct")
    told = direct.post("/import", content=zipped(plan=note), headers=kind).json()
    assert (told["new"], told["proposed"]) == (1, 0)
    made = served.owner.get(f"/changes/{told['change']}").json()["changes"]
    assert [(one["action"], one["actor"]) for one in made] == [("created", "agent:direct")]
    (entry,) = direct.get("/memory/entries").json()["entries"]
    assert (entry["agent_id"], entry["source"]) == ("direct", "agent:direct")
    assert entry["written_at"] < "2999"
    _, shy = served.agent("shy", trust="review")
    told = shy.post("/import", content=zipped(plan=note), headers=kind).json()
    assert (told["new"], told["proposed"], told["change"]) == (1, 1, None)
    assert shy.get("/memory/entries").json()["entries"] == []
    _, reader = served.agent("reader", trust="read_only")
    assert reader.post("/import", content=zipped(plan=note), headers=kind).status_code == 403
    foreign = {"scope": "agent", "agent_id": "direct"}
    refused = shy.post("/import", params=foreign, content=zipped(plan=note), headers=kind)
    assert refused.json()["code"] == "MEM-001"


def test_proposals_blocks_and_conversations_are_erased_and_can_be_asked_for_again(
    served: Served,
) -> None:
    _, shy = served.agent("shy", trust="review")
    proposal = shy.post("/memory/entries", json={"content": "x"}).json()["proposal_id"]
    _, bold = served.agent("bold")
    talk = bold.post("/conversations", json={}).json()["id"]
    bold.post(f"/conversations/{talk}/turns", json={"turns": [{"role": "user", "content": "x"}]})
    wanted = {"proposals": [proposal], "conversations": [talk]}
    receipt = served.owner.post("/erase", json=wanted).json()
    assert receipt["removed"]["proposals"] == 1
    assert receipt["removed"]["turns"] == 1
    again = served.owner.post("/erase", json=wanted)
    assert (again.status_code, again.json()["hindrances"]) == (200, [])
    assert served.owner.get("/erase").json() == {"erasures": []}
    assert served.owner.post("/erase", json={}).status_code == 422
    assert served.owner.post("/erase", json={"proposals": ["nobody"]}).status_code == 404
    assert bold.get("/erase").status_code == 403
