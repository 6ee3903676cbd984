"""Encrypted vaults as their owner meets them: keys, backups, erasing, other processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.access.secret_store import KeyringSecrets
from app.care import vault_key
from app.care.backups import Backup
from app.care.encryption import Encryption
from app.care.vault_key import KeyRing, new_key, recovery_key
from app.errors import Busy, Locked, NotFound, Refused, WrongKey
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.file.database import fingerprint, header_of, is_plain
from store.records import EntryDraft
from tests.app.access.test_secret_store import ForgetfulKeyring, LockedKeyring, MemoryKeyring
from tests.fakes import FakeEmbedder

SECRET = "The vault code is xyloquartzite"


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    """The keyring of this system, as far as a test goes."""
    held = MemoryKeyring()
    monkeypatch.setattr(vault_key, "system_keyring", lambda: held)
    return held


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "vault.db"
    vault = opened(path)
    vault.entries.store(EntryDraft(SECRET, key="code"))
    vault.embedding.embed_waiting()
    vault.backups.now()
    vault.close()
    return path


def opened(path: Path) -> Vault:
    return open_vault(path, embedder=lambda _: FakeEmbedder())


def on(path: Path, backend: MemoryKeyring | None) -> Encryption:
    return Encryption(path, KeyRing(KeyringSecrets(backend) if backend else None))


def encrypted(path: Path, backend: MemoryKeyring) -> bytes:
    chosen = on(path, backend).choose()
    on(path, backend).encrypt(chosen)
    return chosen.key


@pytest.fixture
def vault(path: Path, backend: MemoryKeyring) -> Iterator[Vault]:
    encrypted(path, backend)
    vault = opened(path)
    yield vault
    vault.close()


def on_disk(path: Path) -> bytes:
    files = [file for file in sorted(path.parent.rglob("*")) if file.is_file()]
    return b"\x00".join(file.read_bytes() for file in files)


def contents(vault: Vault) -> list[str]:
    return sorted(entry.content for entry in vault.entries.page(limit=100).entries)


def test_encrypting_keeps_the_key_and_the_vault_opens_by_itself(
    path: Path, backend: MemoryKeyring
) -> None:
    assert not on(path, backend).encrypted
    assert b"xyloquartz" in on_disk(path)
    key = encrypted(path, backend)
    assert b"xyloquartz" not in on_disk(path)
    assert key.hex() in backend.held.values()
    vault = opened(path)
    assert vault.database.encrypted
    assert contents(vault) == [SECRET]
    assert [hit.entry.key for hit in vault.search.search("vault code")] == ["code"]
    vault.close()
    assert b"xyloquartz" not in on_disk(path)


def test_a_plain_vault_never_asks_for_a_keyring(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(vault_key, "system_keyring", lambda: asked.append("once"))
    vault = opened(path)
    assert contents(vault) == [SECRET]
    vault.close()
    assert asked == []


def test_a_moved_vault_and_its_backups_find_their_key(
    path: Path, backend: MemoryKeyring, tmp_path: Path
) -> None:
    encrypted(path, backend)
    moved = path.rename(tmp_path / "moved.db")
    vault = opened(moved)
    assert contents(vault) == [SECRET]
    vault.close()
    (backup,) = (path.parent / "vault-backups").glob("*.backup")
    copy = opened(backup)
    assert contents(copy) == [SECRET]
    copy.close()


def test_without_its_key_it_stays_shut_until_it_is_unlocked(
    path: Path, backend: MemoryKeyring
) -> None:
    key = encrypted(path, backend)
    backend.held.clear()
    with pytest.raises(Locked, match="keepsake unlock"):
        opened(path)
    with pytest.raises(WrongKey):
        on(path, backend).unlock(new_key())
    assert not backend.held
    on(path, backend).unlock(key)
    opened(path).close()


def test_the_environment_opens_it_without_a_keyring(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_key, "system_keyring", lambda: None)
    with pytest.raises(Refused, match="KEEPSAKE_KEY_FILE"):
        on(path, None).choose()
    monkeypatch.setenv("KEEPSAKE_KEY", recovery_key(b"k" * 32))
    chosen = on(path, None).choose()
    assert (chosen.key, chosen.where) == (b"k" * 32, "given")
    on(path, None).encrypt(chosen)
    assert contents(opened(path)) == [SECRET]


@pytest.mark.parametrize("broken", [LockedKeyring, ForgetfulKeyring])
def test_a_keyring_that_fails_leaves_the_vault_plain(
    path: Path, broken: type[MemoryKeyring]
) -> None:
    with pytest.raises(Refused, match="Nothing was changed"):
        encrypted(path, broken())
    assert is_plain(header_of(path))


def test_a_vault_in_use_is_left_alone_and_no_key_stays_behind(
    path: Path, backend: MemoryKeyring
) -> None:
    vault = opened(path)
    impatient = Encryption(path, KeyRing(KeyringSecrets(backend)), wait=0.1)
    with pytest.raises(Busy, match="Close the window"):
        impatient.check_free()
    with pytest.raises(Busy):
        impatient.encrypt(impatient.choose())
    assert not backend.held
    vault.close()


def test_another_key_replaces_the_one_before(path: Path, backend: MemoryKeyring) -> None:
    first = encrypted(path, backend)
    second = encrypted(path, backend)
    assert first != second
    assert list(backend.held.values()) == [second.hex()]
    assert header_of(path)[4:].hex() == fingerprint(second)
    vault = opened(path)
    assert vault.backups.difference(vault.backups.find("latest")).changed == 0
    vault.close()


def test_decrypting_gives_plain_files_back_and_forgets_the_key(
    path: Path, backend: MemoryKeyring
) -> None:
    encrypted(path, backend)
    done = on(path, backend).decrypt()
    assert done.converted.backups == 1
    assert not backend.held
    assert b"xyloquartz" in on_disk(path)
    with pytest.raises(Refused, match="not encrypted"):
        on(path, backend).decrypt()
    vault = opened(path)
    assert contents(vault) == [SECRET]
    vault.close()


def test_where_there_is_no_vault_nothing_is_made(tmp_path: Path, backend: MemoryKeyring) -> None:
    with pytest.raises(NotFound, match="no vault"):
        encrypted(tmp_path / "none.db", backend)
    assert not (tmp_path / "none.db").exists()


# Living with it


def test_backups_are_made_with_the_key_and_restored(vault: Vault) -> None:
    vault.entries.store(EntryDraft("zirconflamingo"))
    made = vault.backups.now()
    assert not is_plain(header_of(made.path))
    vault.entries.store(EntryDraft("later"))
    vault.backups.restore(made)
    assert contents(vault) == [SECRET, "zirconflamingo"]
    assert b"zirconflamingo" not in on_disk(vault.path)


def a_plain_backup(vault: Vault, tmp_path: Path) -> Backup:
    other = open_vault(tmp_path / "elsewhere" / "vault.db")
    other.entries.store(EntryDraft("from elsewhere"))
    made = other.backups.now()
    other.close()
    return vault.backups.find(made.path.rename(vault.backups.folder / made.path.name).name)


def test_a_plain_backup_put_beside_it_is_restored_and_the_doctor_warns(
    vault: Vault, backend: MemoryKeyring, tmp_path: Path
) -> None:
    plain = a_plain_backup(vault, tmp_path)
    findings = {finding.check: finding for finding in vault.doctor.examine()}
    assert not findings["encryption"].ok
    assert plain.path.name in findings["encryption"].detail
    vault.backups.restore(plain)
    assert contents(vault) == ["from elsewhere"]
    vault.close()
    encrypted(vault.path, backend)
    assert not is_plain(header_of(plain.path))
    again = opened(vault.path)
    assert all(finding.ok for finding in again.doctor.examine())
    again.close()


def test_a_backup_of_another_key_is_named_and_not_restored(vault: Vault, tmp_path: Path) -> None:
    foreign = open_vault(tmp_path / "elsewhere" / "vault.db", key=new_key())
    made = foreign.backups.now()
    foreign.close()
    made.path.rename(vault.backups.folder / made.path.name)
    with pytest.raises(WrongKey, match="not this vault's"):
        vault.backups.restore(vault.backups.find(made.path.name))
    assert contents(vault) == [SECRET]


def test_erasing_gives_its_receipt_and_leaves_no_bytes_under_the_key_either(
    vault: Vault, backend: MemoryKeyring
) -> None:
    saved = vault.entries.store(EntryDraft("zirconflamingo bellowed", key="zircon_key"))
    assert isinstance(saved, Saved)
    vault.backups.now()
    receipt = vault.erasure.erase([saved.entry.id])
    assert (receipt.state, receipt.backups_cleaned, receipt.vacuumed) == ("done", 1, True)
    vault.close()
    on(vault.path, backend).decrypt()
    raw = on_disk(vault.path)
    assert b"xyloquartz" in raw
    for piece in (b"zirconflam", b"flamingo", b"bellowed", b"zircon_key"):
        assert piece not in raw


def test_the_doctor_finds_a_sound_encrypted_vault(vault: Vault) -> None:
    findings = vault.doctor.examine()
    assert all(finding.ok for finding in findings)
    assert findings[-1].detail == "the vault and its backups are encrypted"
    assert all(finding.ok for finding in vault.doctor.rebuild())


def test_many_connections_write_to_it_at_once(vault: Vault) -> None:
    other = opened(vault.path)
    for number in range(10):
        vault.entries.store(EntryDraft(f"a {number}"))
        other.entries.store(EntryDraft(f"b {number}"))
    assert vault.entries.count() == other.entries.count() == 21
    other.close()
