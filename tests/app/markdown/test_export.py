"""Export, import, export: the same bytes, in a folder or a zip."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from app.errors import Refused
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.app.markdown.made_memories import memories


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check_round_trip(vault: Vault, other: Vault, count: int, tmp_path: Path) -> None:
    vault.settings.set("entry_cap", 0)
    other.settings.set("entry_cap", 0)
    vault.entries.store_many(memories(count))
    vault.blocks.replace(Scope("agent", "claude"), "core", "- tea\n", expected_updated_at=None)
    first, second = tmp_path / "one", tmp_path / "two"
    exported = vault.export.to_folder(first)
    assert exported.entries == vault.entries.count()
    plan = other.importing.plan(first)
    assert plan.count("new", "entry") == exported.entries
    other.importing.apply(plan)
    other.export.to_folder(second)
    assert files_of(first) == files_of(second)


def test_export_import_export_is_byte_identical(vault: Vault, other: Vault, tmp_path: Path) -> None:
    check_round_trip(vault, other, 600, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_thousand_memories_are_byte_identical(
    vault: Vault, other: Vault, tmp_path: Path
) -> None:
    check_round_trip(vault, other, 10_000, tmp_path)


def test_a_zip_holds_the_same_files_and_is_the_same_every_time(
    vault: Vault, other: Vault, tmp_path: Path
) -> None:
    vault.entries.store_many(memories(40))
    one, two = io.BytesIO(), io.BytesIO()
    vault.export.to_zip(one)
    vault.export.to_zip(two)
    assert one.getvalue() == two.getvalue()
    vault.export.to_folder(tmp_path / "out")
    unpacked = {name: zipfile.ZipFile(one).read(name) for name in zipfile.ZipFile(one).namelist()}
    written = files_of(tmp_path / "out")
    written.pop(".keepsake-export.json")
    assert unpacked == written
    vault.export.to_zip(tmp_path / "all.zip")
    other.importing.apply(other.importing.plan(tmp_path / "all.zip"))
    again = io.BytesIO()
    other.export.to_zip(again)
    assert again.getvalue() == one.getvalue()


def test_each_scope_has_its_folder_and_its_index(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("Green, at 80 °C", key="tea", hook="when thirsty"))
    vault.entries.store(EntryDraft("Port 8377", key="port", scope=Scope("workspace", "shop")))
    vault.export.to_folder(tmp_path / "out")
    assert (tmp_path / "out/user/MEMORY.md").read_text() == (
        "# Memory of user\n\n- [tea](tea.md): when thirsty\n"
    )
    assert (tmp_path / "out/workspace/shop/port.md").read_text().endswith("\nPort 8377\n")


def test_exporting_again_touches_only_what_changed(vault: Vault, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for key in ("a", "b", "c"):
        vault.entries.store(EntryDraft(f"about {key}", key=key))
    vault.export.to_folder(out)
    (out / "user/mine.txt").write_text("not Keepsake's")
    (out / "user/c.md").write_text("edited since")
    for key in ("b", "c"):
        entry = vault.entries.find(USER, key)
        assert entry
        vault.entries.forget([entry.id])
    done = vault.export.to_folder(out)
    assert (done.written, done.removed) == (1, 1)  # the index; b.md
    assert (out / "user/mine.txt").exists()
    assert (out / "user/c.md").read_text() == "edited since"


def test_an_export_does_not_follow_links_out_of_its_folder(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("secret", key="tea"))
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/user").symlink_to(outside)
    with pytest.raises(Refused, match="symbolic link"):
        vault.export.to_folder(tmp_path / "out")
    assert list(outside.iterdir()) == []


def test_exporting_one_scope_leaves_the_files_of_the_others(vault: Vault, tmp_path: Path) -> None:
    out, shop = tmp_path / "out", Scope("workspace", "shop")
    vault.entries.store(EntryDraft("mine", key="mine"))
    vault.entries.store(EntryDraft("8377", key="port", scope=shop))
    vault.export.to_folder(out)
    before = files_of(out)
    done = vault.export.to_folder(out, [Scope("workspace", "shp")])
    assert (done.entries, done.removed) == (0, 0)
    vault.export.to_folder(out, [shop])
    assert files_of(out) == before
    port = vault.entries.find(shop, "port")
    assert port
    vault.entries.forget([port.id])
    assert vault.export.to_folder(out, [shop]).removed == 2  # port.md and its index
    assert (out / "user/mine.md").exists()


@pytest.mark.parametrize("target", ["no-folder/out.zip", "taken.zip"])
def test_a_zip_that_cannot_be_written_is_refused(vault: Vault, tmp_path: Path, target: str) -> None:
    vault.entries.store(EntryDraft("mine", key="mine"))
    (tmp_path / "taken.zip").mkdir()
    with pytest.raises(Refused, match=f"{target} cannot be written"):
        vault.export.to_zip(tmp_path / target)
    assert [path.name for path in tmp_path.rglob("*.partial")] == []


def test_only_the_asked_scopes_leave(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("mine", key="mine"))
    vault.entries.store(EntryDraft("theirs", key="theirs", scope=Scope("agent", "claude")))
    vault.export.to_folder(tmp_path / "out", [USER])
    assert not (tmp_path / "out/agent").exists()


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_a_zip_in_the_making_is_private_and_follows_no_link(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("Prefers tea"))
    other = tmp_path / "other"
    other.write_text("not ours")
    partial = tmp_path / "all.zip.partial"
    partial.symlink_to(other)
    modes = []
    before = os.umask(0o022)
    try:
        vault.export.to_zip(
            tmp_path / "all.zip", None, lambda *_: modes.append(partial.lstat().st_mode)
        )
    finally:
        os.umask(before)
    assert modes
    assert all(stat.S_ISREG(mode) and not mode & 0o077 for mode in modes)
    assert other.read_text() == "not ours"
    made = (tmp_path / "all.zip").lstat().st_mode
    assert stat.S_ISREG(made)
    assert not made & 0o077


@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
def test_every_folder_that_is_made_on_the_way_is_the_owners_alone(
    vault: Vault, tmp_path: Path
) -> None:
    vault.entries.store(EntryDraft("x", scope=Scope("workspace", "shop"), key="k"))
    vault.export.to_folder(tmp_path / "above" / "out")
    notes = vault.notes.open("shop")
    made = [tmp_path / "above", *(tmp_path / "above").rglob("*"), notes, notes.parent]
    assert {path.stat().st_mode & 0o777 for path in made if path.is_dir()} == {0o700}
