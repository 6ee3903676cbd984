from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.care import rescue
from app.cli.command import build
from app.vault import Vault, open_vault
from store.care import backups as files
from store.errors import Busy, Damaged, KeepsakeError, NotAVault
from store.file import locks
from store.records import EntryDraft
from tests.fakes import FixedClock

Break = Callable[[bytes], bytes]
BROKEN: dict[str, Break] = {
    "zeroed": lambda whole: bytes(len(whole)),
    "truncated": lambda whole: whole[: len(whole) // 2],
    "first page": lambda whole: whole[:100] + bytes(3996) + whole[4096:],
    "pages": lambda whole: whole[: 2 * 4096] + bytes(20 * 4096) + whole[22 * 4096 :],
    "text": lambda whole: b"my notes\n",
}


@pytest.fixture
def broken(vault: Vault, request: pytest.FixtureRequest) -> Path:
    """A vault with a backup, one later memory, and then damage."""
    vault.entries.store_many([EntryDraft(f"memory {n}", key=f"k{n}") for n in range(20)])
    vault.backups.now()
    vault.entries.store(EntryDraft("written since", key="since"))
    vault.close()
    spoil = BROKEN[request.param]
    vault.path.write_bytes(spoil(vault.path.read_bytes()))
    return vault.path


@pytest.fixture
def keepsake(vault: Vault) -> Callable[..., Result]:
    def run(*arguments: str) -> Result:
        environment = {"KEEPSAKE_VAULT": str(vault.path)}
        return CliRunner().invoke(build(lambda vault, ephemeral: 2), arguments, env=environment)

    return run


everyhow = pytest.mark.parametrize("broken", list(BROKEN), indirect=True)


@everyhow
def test_a_broken_vault_is_refused_with_an_offer_that_works(
    broken: Path, keepsake: Callable[..., Result]
) -> None:
    spoiled = broken.read_bytes()
    refused = keepsake("list").exception
    assert isinstance(refused, Damaged | NotAVault)
    assert "keepsake backup restore" in str(refused)
    listed = keepsake("backup", "list", "--json")
    (name,) = [Path(backup["path"]).name for backup in json.loads(listed.stdout)["backups"]]
    done = keepsake("backup", "restore", name, "--yes", "--json")
    assert done.exit_code == 0, done.exception
    found = json.loads(keepsake("list", "--limit", "100", "--json").stdout)["entries"]
    assert {entry["key"] for entry in found} == {f"k{n}" for n in range(20)}
    assert keepsake("doctor").exit_code == 0
    kept = Path(json.loads(done.stdout)["before"])
    assert kept.read_bytes() == spoiled
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("broken", ["zeroed"], indirect=True)
def test_who_reads_what_was_put_back_keeps_nobody_from_writing(
    broken: Path, keepsake: Callable[..., Result]
) -> None:
    """A backup is a file without a log; a vault has one."""
    assert keepsake("backup", "restore", "latest", "--yes").exit_code == 0
    with closing(open_vault(broken)) as vault, vault.database.read() as db:
        assert len(db.execute("SELECT * FROM entries").fetchall()) == 20
        vault.entries.store(EntryDraft("written while another reads"))
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_a_log_that_is_kept_takes_the_place_of_none(tmp_path: Path) -> None:
    vault, now = tmp_path / "v.db", "2026-04-30T12:00:00.000000Z"
    first = files.name_for_damaged(vault, now)
    files.folder_of(vault).mkdir()
    Path(f"{first}-wal").touch()
    assert files.name_for_damaged(vault, now) != first


@pytest.mark.parametrize("broken", ["zeroed"], indirect=True)
def test_it_asks_first(broken: Path, keepsake: Callable[..., Result]) -> None:
    spoiled = broken.read_bytes()
    asked = keepsake("backup", "restore")
    assert asked.exit_code
    assert "--yes" in asked.output
    assert broken.read_bytes() == spoiled


@pytest.mark.parametrize("broken", ["zeroed"], indirect=True)
def test_what_waited_in_the_log_of_the_broken_file_is_not_written_into_the_backup(
    broken: Path, clock: FixedClock
) -> None:
    for beside in ("-wal", "-shm"):
        Path(f"{broken}{beside}").write_bytes(b"of the broken file")
    done = rescue.put_back(broken, rescue.chosen(broken), clock)
    assert Path(f"{done.aside}-wal").read_bytes() == b"of the broken file"
    with closing(open_vault(broken)) as opened:
        assert opened.entries.count() == 20


@pytest.mark.parametrize("broken", ["text"], indirect=True)
def test_nobody_may_have_it_open_meanwhile(
    broken: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks.alone, "__defaults__", (0.1,))
    with closing(locks.share(broken)), pytest.raises(Busy, match="open in"):
        rescue.put_back(broken, rescue.chosen(broken), clock)
    assert broken.read_text() == "my notes\n"


@everyhow
def test_a_damaged_file_stays_until_a_person_removes_it(
    broken: Path, clock: FixedClock, keepsake: Callable[..., Result]
) -> None:
    spoiled = broken.read_bytes()
    aside = rescue.put_back(broken, rescue.chosen(broken), clock).aside
    files.restoring(broken).write_bytes(b"left by a kill")
    with closing(open_vault(broken, clock=clock)) as opened:
        first, second = opened.entries.page(limit=2).entries
        receipt = opened.erasure.erase([first.id])
        assert receipt.unsearched == (str(aside),)
        assert str(aside) in receipt.sentence
        opened.entries.forget([second.id])
        clock.forward(days=40)
        assert opened.upkeep.run().erased == 1
        assert opened.erasure.wipe(None).unsearched == (str(aside),)
    assert aside.read_bytes() == spoiled
    assert not files.restoring(broken).exists()
    listed = keepsake("backup", "list")
    assert f"Damaged, kept until you remove it: {aside}" in listed.stdout
    assert json.loads(keepsake("backup", "list", "--json").stdout)["damaged"] == [str(aside)]
    assert str(aside) in keepsake("doctor").stdout
    aside.unlink()
    with closing(open_vault(broken, clock=clock)) as opened:
        opened.entries.store(EntryDraft("one more", key="more"))
        (last,) = opened.entries.page().entries
        assert opened.erasure.erase([last.id]).unsearched == ()
    assert "no damaged vault is kept" in keepsake("doctor").stdout


@pytest.mark.parametrize("key", [None, bytes(range(32))], ids=["plain", "encrypted"])
def test_an_erase_reaches_into_a_kept_vault_that_can_be_opened(
    tmp_path: Path, clock: FixedClock, key: bytes | None
) -> None:
    path = tmp_path / "v.db"
    vault = open_vault(path, key=key, clock=clock)
    vault.entries.store(EntryDraft("an hour of xyloquartzite", key="secret"))
    vault.entries.store(EntryDraft("stays in the kept one", key="other"))
    backup = vault.backups.now()
    logged = Path(f"{path}-wal").read_bytes()
    assert key or b"xyloquartz" in logged
    vault.close()
    Path(f"{path}-wal").write_bytes(logged)
    aside = rescue.put_back(path, backup, clock).aside
    assert Path(f"{aside}-wal").exists()
    with closing(open_vault(path, key=key, clock=clock)) as opened:
        secret = next(one for one in opened.entries.page().entries if one.key == "secret")
        receipt = opened.erasure.erase([secret.id])
        assert receipt.unsearched == ()
        assert receipt.state == "done"
    left = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [file for file in left if b"xyloquartz" in file.read_bytes()] == []
    assert {file.name for file in left if "damaged" in file.name} == {aside.name}
    with closing(open_vault(aside, key=key)) as kept:
        assert [one.key for one in kept.entries.page().entries] == ["other"]
    with closing(open_vault(path, key=key, clock=clock)) as opened:
        opened.erasure.wipe(None)
    assert not aside.exists(), "everything was asked for, and all of it could be seen"


def test_an_encrypted_vault_is_put_back_encrypted(tmp_path: Path, clock: FixedClock) -> None:
    path, key = tmp_path / "secret.db", bytes(range(32))
    with closing(open_vault(path, key=key, clock=clock)) as vault:
        vault.entries.store(EntryDraft("xyloquartzite", key="k"))
        vault.backups.now()
    path.write_bytes(bytes(8192))
    with pytest.raises(NotAVault, match="keepsake backup restore"):
        open_vault(path, key=key)
    rescue.put_back(path, rescue.chosen(path), clock)
    with closing(open_vault(path, key=key)) as vault:
        assert [entry.key for entry in vault.entries.page().entries] == ["k"]
    assert b"xyloquartz" not in path.read_bytes()


def test_a_foreign_file_without_backups_is_only_refused(
    tmp_path: Path, keepsake: Callable[..., Result]
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes")
    refused = keepsake("backup", "restore", "--yes", "--vault", str(notes)).exception
    assert isinstance(refused, NotAVault)
    assert "backup" not in str(refused)
    assert notes.read_text() == "my notes"


@pytest.mark.parametrize("left", [None, b""])
def test_who_lost_the_file_is_told_of_its_backups(
    vault: Vault, keepsake: Callable[..., Result], left: bytes | None
) -> None:
    vault.entries.store(EntryDraft("tea"))
    vault.backups.now()
    vault.backups.now()
    vault.close()
    vault.path.unlink()
    if left is not None:
        vault.path.write_bytes(left)
    listed = keepsake("list", "--json")
    assert json.loads(listed.stdout)["entries"] == []
    assert "There are 2 backups of a vault of that name: keepsake backup restore" in listed.stderr
    assert keepsake("list").stderr == ""
    assert keepsake("backup", "restore", "--yes").exit_code == 0
    assert "tea" in keepsake("list").stdout


def test_the_latest_is_not_what_a_restore_put_aside(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("tea"))
    kept = vault.backups.now()
    clock.forward(minutes=1)
    aside = vault.backups.restore(kept)
    assert vault.backups.list()[0] == aside
    assert vault.backups.find("latest") == kept
    vault.close()
    vault.path.write_bytes(b"my notes\n")
    assert rescue.chosen(vault.path) == kept
    kept.path.unlink()
    assert rescue.chosen(vault.path) == aside


def test_an_unknown_backup_is_named(vault: Vault) -> None:
    with pytest.raises(KeepsakeError, match="backup list"):
        rescue.chosen(vault.path, "nope")
