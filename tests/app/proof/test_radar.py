"""Before an erase: who was told it, and where its words still stand. After it: where they went."""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.care import copies
from app.care.copies import GOES, OFFERED, STAYS, FoundCopy, Sweep
from app.connect.mcp_clients import claude_home, codex_home, gemini_home
from app.hooks.transcripts import read_session
from app.markdown.projection import Projection, Projections
from app.outcomes import Saved
from app.proof.radar import Radar
from app.vault import Vault
from store.care.removal import Removal
from store.records import USER, EntryDraft, Scope

TEXT = "The alarm code of the house in the Birkenweg is 4711-Zwölf, “never” to be told."
SHOP = Scope("workspace", "shop")
LONG_AGO = 1_700_000_000


def stored(vault: Vault, text: str = TEXT, scope: Scope = USER, key: str = "alarm") -> str:
    outcome = vault.entries.store(EntryDraft(text, scope, key=key))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def records(path: Path, *said: Any) -> Path:
    return write(path, "".join(json.dumps(one) + "\n" for one in said))


def look(vault: Vault, ident: str, **more: Any) -> Sweep:
    return Radar(vault).look(Removal((ident,)), **more)


def by_name(sweep: Sweep) -> dict[str, FoundCopy]:
    return {Path(one.path).name: one for one in sweep.copies}


def claude_said(text: str, cwd: Path, kind: str = "user") -> dict[str, Any]:
    message = {"role": kind, "content": [{"type": "text", "text": text}]}
    return {"type": kind, "message": message, "sessionId": "s1", "uuid": "u", "cwd": str(cwd)}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def machine(shop: Path) -> dict[str, Path]:
    """What Claude Code, Codex and Gemini CLI leave on a machine, as their files look."""
    claude, codex, gemini = claude_home(), codex_home(), gemini_home()
    project = claude / "projects" / "-tmp-shop"
    tool = {"output": json.dumps({"memories": [TEXT]})}
    call = {"type": "function_call_output", "call_id": "c", "output": json.dumps(tool)}
    meta = {"type": "session_meta", "payload": {"id": "r", "cwd": str(shop)}}
    chat = {"sessionId": "g", "messages": [{"type": "user", "content": TEXT}]}
    return {
        "memory": write(project / "memory" / "home.md", f"# Home\n\n- {TEXT}\n- Has a dog.\n"),
        "everywhere": write(claude / "CLAUDE.md", f"Be brief. {TEXT.lower()} Use tabs.\n"),
        "session": records(
            project / "s1.jsonl",
            claude_said(f"Remember this: {TEXT}", shop),
            claude_said("Noted.", shop, "assistant"),
        ),
        "typed": records(claude / "history.jsonl", {"display": TEXT, "project": str(shop)}),
        "project": write(shop / "AGENTS.md", f"Run make.\r\n{TEXT}\r\nNo tabs.\r\n"),
        "rollout": records(
            codex / "sessions" / "2026" / "11" / "rollout-2026-11-17T10-00-00-r.jsonl",
            meta,
            {"type": "response_item", "payload": call},
        ),
        "list": write(gemini / "GEMINI.md", f"# Mine\n\n- {TEXT}\n- Uses fish.\n"),
        "chat": write(
            gemini / "tmp" / "shop" / "chats" / "session-1.json",
            json.dumps(chat, indent=1),
        ),
    }


def test_every_client_is_looked_at_and_each_place_is_named(
    vault: Vault, machine: dict[str, Path]
) -> None:
    sweep = look(vault, stored(vault))
    assert {one.path: (one.kind, one.client, one.lines) for one in sweep.copies} == {
        str(machine["memory"]): ("memory", "claude-code", (3,)),
        str(machine["everywhere"]): ("instructions", "claude-code", (1,)),
        str(machine["session"]): ("transcript", "claude-code", (1,)),
        str(machine["typed"]): ("prompts", "claude-code", (1,)),
        str(machine["project"]): ("instructions", "codex", (2,)),
        str(machine["rollout"]): ("transcript", "codex", (2,)),
        str(machine["list"]): ("memory", "gemini", (3,)),
        str(machine["chat"]): ("transcript", "gemini", (6,)),
    }
    assert {one.becomes for one in sweep.copies} == {OFFERED}
    assert sweep.not_looked == ()
    assert sum(sweep.looked.values()) == len(machine)


def test_chosen_files_lose_the_words_and_nothing_else(
    vault: Vault, machine: dict[str, Path]
) -> None:
    ident = stored(vault)
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)
    turns = len(read_session("claude-code", machine["session"]).turns)
    receipt = radar.erase(removal, sweep, {one.id for one in sweep.copies})
    assert receipt.state == "done"
    assert receipt.copies_left == ()
    assert set(receipt.copies_removed) == {str(path) for path in machine.values()}
    assert receipt.removed["copies"] == len(machine)
    assert machine["memory"].read_text() == "# Home\n\n- Has a dog.\n"
    assert machine["everywhere"].read_text() == "Be brief. Use tabs.\n"
    assert machine["project"].read_bytes() == b"Run make.\r\nNo tabs.\r\n"
    assert machine["list"].read_text() == "# Mine\n\n- Uses fish.\n"
    for name in ("session", "typed", "rollout"):
        lines = machine[name].read_text().splitlines()
        assert all(json.loads(line) for line in lines)
        assert "[erased]" in machine[name].read_text()
        assert machine[name].stat().st_mtime == LONG_AGO
    assert json.loads(machine["chat"].read_text())["messages"][0]["content"] == "[erased]"
    # A record keeps its place: a session is counted as before, and nothing is learned again.
    assert len(read_session("claude-code", machine["session"]).turns) == turns
    held = [path for path in machine.values() if "4711" in path.read_text()]
    assert held == []
    left = [p for p in machine["session"].parent.rglob("*") if p.name.endswith(".keepsake")]
    assert left == []


def test_what_is_not_chosen_stays_and_the_receipt_names_it(
    vault: Vault, machine: dict[str, Path]
) -> None:
    before = {name: path.read_bytes() for name, path in machine.items()}
    ident = stored(vault)
    radar, removal = Radar(vault), Removal((ident,))
    receipt = radar.erase(removal, radar.look(removal), ())
    assert {name: path.read_bytes() for name, path in machine.items()} == before
    assert {one.path for one in receipt.copies_left} == {str(path) for path in machine.values()}
    assert receipt.copies_removed == ()


def test_a_transcript_that_is_being_written_waits(vault: Vault, machine: dict[str, Path]) -> None:
    os.utime(machine["session"])  # just now
    ident = stored(vault)
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)
    receipt = radar.erase(removal, sweep, {one.id for one in sweep.copies})
    assert receipt.state == "pending"
    assert [(one.where, one.why) for one in receipt.hindrances] == [
        (str(machine["session"]), "busy")
    ]
    assert [one.path for one in receipt.copies_left] == [str(machine["session"])]
    assert "4711" in machine["session"].read_text()
    with machine["session"].open("a") as file:  # the client goes on, then ends
        file.write(json.dumps({"type": "summary"}) + "\n")
    os.utime(machine["session"], (LONG_AGO, LONG_AGO))
    assert [one.state for one in vault.erasure.resume()] == ["done"]
    lines = machine["session"].read_text().splitlines()
    assert (len(lines), "4711" in "".join(lines)) == (3, False)


def test_an_erase_that_was_killed_goes_on_without_knowing_a_word(
    vault: Vault, machine: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = stored(vault)
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)

    class Killed(BaseException):
        pass

    def killed(copy: copies.CopyToClean, note: copies.Note) -> int:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(copies, "clean", killed)
        with pytest.raises(Killed):
            radar.erase(removal, sweep, {one.id for one in sweep.copies})
    with vault.database.read() as db:
        noted = str(db.execute("SELECT * FROM erasures").fetchall())
    assert str(machine["memory"]) in noted
    assert not any(word in noted for word in ("4711", "Birkenweg", "alarm"))
    assert [one.state for one in vault.erasure.resume()] == ["done"]
    assert [name for name, path in machine.items() if "4711" in path.read_text()] == []


@pytest.mark.parametrize("form", [copies.TEXT, copies.RECORDS, copies.WHOLE])
@pytest.mark.parametrize("since", ["gone", "written anew"])
def test_what_went_right_before_a_kill_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, since: str
) -> None:
    monkeypatch.setattr(copies, "QUIET_SECONDS", 0.0)
    path, said = tmp_path / "copy.md", f'"{TEXT}"'
    path.write_text(said, "utf-8")
    copy, noted = copies.CopyToClean.of(path, form, [(said, 1, len(said) - 1)]), []
    assert copies.clean(copy, noted.append) == 1
    assert noted == [1]
    path.unlink(missing_ok=True)
    if since == "written anew":
        path.write_text('"Of something else."', "utf-8")
    assert copies.clean(copy) == 0
    kept = replace(copy, going=noted[0]).to_json()
    assert copies.clean(copies.CopyToClean.from_json(kept)) == 1


def test_a_line_that_was_changed_since_is_left_and_named(
    vault: Vault, machine: dict[str, Path]
) -> None:
    ident = stored(vault)
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)
    write(machine["memory"], f"# Home\n\n- {TEXT} And a cat.\n")
    receipt = radar.erase(removal, sweep, {one.id for one in sweep.copies})
    assert [one.path for one in receipt.copies_left] == [str(machine["memory"])]
    assert "cat" in machine["memory"].read_text()


def test_what_keepsake_wrote_goes_with_the_erase(vault: Vault, shop: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    vault.mirrors.add(notes, SHOP)
    ident = stored(vault, scope=SHOP)
    vault.mirrors.sync_all()
    write(notes / "alarm.sync-conflict-20261101-1.md", f"---\nkey: other\n---\n{TEXT}\n")
    Projections(vault.database, vault.clock).add(Projection(str(shop), "shop"))
    write(shop / "GEMINI.md", f"{TEXT}\n\n" + (shop / "GEMINI.md").read_text())
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)
    found = {(Path(one.path).name, one.kind): one.becomes for one in sweep.copies}
    assert found == {
        ("memory.md", "projected"): GOES,
        ("AGENTS.md", "projected"): GOES,
        ("GEMINI.md", "projected"): GOES,
        ("GEMINI.md", "instructions"): OFFERED,
        ("alarm.md", "mirror"): GOES,
        ("MEMORY.md", "mirror"): GOES,
        ("alarm.sync-conflict-20261101-1.md", "mirror"): OFFERED,
    }
    # A copy in a mirrored folder would be taken in again as a memory: it goes first.
    receipt = radar.erase(removal, sweep, {by_name(sweep)["alarm.sync-conflict-20261101-1.md"].id})
    assert [(Path(one.path).name, one.kind) for one in receipt.copies_left] == [
        ("GEMINI.md", "instructions")
    ]
    assert [path.name for path in notes.glob("*") if "4711" in path.read_text()] == []
    assert not (shop / "AGENTS.md").exists()
    assert "keepsake" not in (shop / "GEMINI.md").read_text()


def test_exports_skills_and_what_was_imported_are_looked_at(vault: Vault, tmp_path: Path) -> None:
    source = write(tmp_path / "old.md", f"# Alarm\n\n{TEXT}\n")
    vault.importing.apply(vault.importing.plan(source))
    ident = stored(vault)
    vault.export.to_folder(tmp_path / "out")
    vault.export.to_zip(tmp_path / "out.zip")
    note = tmp_path / "out" / "user" / "alarm.md"
    radar, removal = Radar(vault), Removal((ident,))
    sweep = radar.look(removal)
    found = {(one.kind, Path(one.path).name): (one.becomes, one.ours) for one in sweep.copies}
    assert found["export", "out.zip"] == (STAYS, False)
    assert found["export", "alarm.md"] == (OFFERED, True)
    assert found["import", "old.md"] == (OFFERED, False)
    ours = {one.id for one in sweep.copies if one.ours}
    receipt = radar.erase(removal, sweep, ours)
    assert not note.exists()
    assert ("archive", "out.zip") in {(c.why, Path(c.path).name) for c in receipt.copies_left}
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert "user/alarm.md" in archive.namelist()


def test_who_was_told_is_read_from_the_log(vault: Vault) -> None:
    ident = stored(vault)
    for agent in ("claude", "cursor"):
        vault.agents.add(agent.title(), agent)
    vault.calls.record("claude", "mcp", "memory_recall", "alarm?", [ident])
    vault.calls.record("claude", "mcp", "memory_hydrate", "", [ident, "other"])
    vault.calls.record("claude", "mcp", "memory_recall", "alarm?", [ident], "error")
    vault.calls.record("cursor", "api", "POST /api/v1/memory/recall", "tea", ["other"], "200")
    sweep = look(vault, ident)
    assert [(one.agent_id, one.times, one.calls) for one in sweep.told] == [
        ("claude", 2, ("memory_hydrate", "memory_recall"))
    ]


def test_past_versions_are_looked_for(vault: Vault) -> None:
    ident = stored(vault)
    old = vault.entries.read(ident)
    stored(vault, "The alarm code was changed by the company in May.")
    note = write(claude_home() / "CLAUDE.md", f"{old.content}\n")
    assert [one.path for one in look(vault, ident).copies] == [str(note)]


def test_it_says_what_it_did_not_look_at(
    vault: Vault, machine: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = stored(vault)
    late = look(vault, ident, seconds=-1)
    assert (late.copies, {one.why for one in late.not_looked}) == ((), {"late"})
    seen: list[str] = []

    def cancel(done: int, total: int, path: str) -> bool:
        seen.append(path)
        return done < 2

    cancelled = look(vault, ident, progress=cancel)
    assert (cancelled.cancelled, sum(cancelled.looked.values()), len(seen)) == (True, 2, 3)
    assert {one.why for one in cancelled.not_looked} == {"cancelled"}
    short = look(vault, stored(vault, "tea", key="drink"))
    assert (short.copies, short.short, short.looked) == ((), 1, {})


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_named(vault: Vault, machine: dict[str, Path]) -> None:
    machine["everywhere"].chmod(0)
    sweep = look(vault, stored(vault))
    assert [(one.path, one.why) for one in sweep.not_looked] == [
        (str(machine["everywhere"]), "unreadable")
    ]


def test_a_database_is_looked_into_and_named(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path(os.environ["HOME"]) / ".local" / "share" / "opencode"
    monkeypatch.setenv("XDG_DATA_HOME", str(data.parent))
    data.mkdir(parents=True)
    (data / "opencode.db").write_bytes(b"\x00" * 5000 + json.dumps(TEXT).encode() + b"\xff" * 50)
    (copy,) = look(vault, stored(vault)).copies
    assert (copy.becomes, copy.why, copy.client) == (STAYS, "database", "opencode")


def test_a_file_with_a_second_name_is_named_and_not_touched(
    vault: Vault, machine: dict[str, Path], tmp_path: Path
) -> None:
    os.link(machine["memory"], tmp_path / "second.md")
    copy = by_name(look(vault, stored(vault)))["home.md"]
    assert (copy.becomes, copy.why) == (STAYS, "linked")
