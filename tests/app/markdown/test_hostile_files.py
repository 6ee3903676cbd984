"""Files made to hurt: each is imported or refused with a reason, and nothing is written outside."""

from __future__ import annotations

import io
import os
import random
import re
import stat
import zipfile
from pathlib import Path

import pytest

from app.errors import Invalid, Refused
from app.markdown.folder import Folder
from app.markdown.source_files import from_zip
from app.vault import Vault
from store.records import USER, EntryDraft

BOMB = "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nd: [*c, *c, *c]\n"
HEADS = (
    BOMB,
    "x: !!python/object/apply:os.system ['echo no']\n",
    "x: !!python/name:os.system\n",
    "!!map {key: !!binary aGVsbG8=}\n",
    "key: !!set {a, b}\n",
    "key: {a: {b: {c: 1}}}\n",
    "x: " + "[" * 3000 + "]" * 3000 + "\n",
    "x: " + "{a: " * 500 + "1" + "}" * 500 + "\n",
    "key: \x00\n",
    "key: '../../etc/passwd'\n",
    "key: '..\\..\\windows'\n",
    "key: /etc/passwd\n",
    "key: C:\\autoexec\nscope: user\n",
    "key: con\n",
    "key: \u202egnp.exe\n",
    "importance: 1e400\n",
    "importance: " + "9" * 5000 + "\n",
    "created_at: 0000-00-00\n",
    "expires_at: 99999-01-01T00:00:00Z\n",
    "scope: 'agent:../../x'\n",
    "scope: 'workspace:'\n",
    "<<: {key: merged}\n",
    "? [a, b]\n: 1\n",
    "key: a\nkey: b\n",
    "handler: x\ncontent: y\nencoding: z\n",
    "tags: {a: b}\n",
    "tags: [[[a]]]\n",
    "block: core\nscope: user\n",
    "%YAML 9.9\n",
    "\t- a\n",
    "x: " + "y" * 60_000 + "\n",
)
BODIES = (
    b"plain words\n",
    b"\xff\xfe\x00\x00",
    b"\x00" * 100,
    b"caf\xe9 in latin-1",
    b"\xed\xa0\x80 half a surrogate",
    b"x" * 200_000,
    b"[" * 50_000,
    b"> " * 20_000,
    b"<script>alert(1)</script><img src=http://127.0.0.1:1/x onerror=alert(1)>",
    "‮ bidi ‬ \u2066\u2069\ufeff".encode(),
    b"---\n" * 2000,
    b"# " * 5000,
    b"```\n" * 3000,
    b"",
)


def hostile_file(number: int) -> bytes:
    chance = random.Random(number)
    head = chance.choice(HEADS).encode("utf-8", "surrogatepass")
    body = chance.choice(BODIES)
    shape = number % 4
    if shape == 0:
        return b"---\n" + head + b"---\n" + body
    if shape == 1:
        return b"\xef\xbb\xbf---\r\n" + head.replace(b"\n", b"\r\n") + b"---\r\n" + body
    if shape == 2:
        return b"---\n" + head + body
    data = bytearray(b"---\n" + head + b"---\n" + body)
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def hostile_name(number: int) -> str:
    names = (
        "note",
        "CON",
        "nul.tar",
        "tab\tname",
        "new\nline",
        "quote'\"",
        "é",
        "e\u0301",
        "É",
        "\u202etxt",
        "a b",
        "%2e%2e",
        "~",
        "$HOME",
        "-rf",
        "dots...",
        "*?",
        "名",
    )
    return f"{names[number % len(names)]}-{number}.md"


def outside_of(tmp_path: Path) -> set[str]:
    return {str(path) for path in tmp_path.rglob("*")}


def check_folder(vault: Vault, tmp_path: Path, count: int) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    for number in range(count):
        (folder / hostile_name(number)).write_bytes(hostile_file(number))
    os.mkfifo(folder / "pipe.md")
    (folder / "link.md").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to(folder)
    Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.md")).write_text("x")
    before = outside_of(tmp_path)
    plan = vault.importing.plan(folder)
    assert len(plan.rows) == count + 3
    assert all(row.reason for row in plan.rows if row.status == "refused")
    refused = {row.origin for row in plan.rows if row.status == "refused"}
    assert {"pipe.md", "link.md"} <= refused
    done = vault.importing.apply(plan)
    assert done.created == plan.count("new", "entry")
    assert outside_of(tmp_path) - before <= {str(tmp_path / "first" / "vault.db.lock")}
    vault.export.to_folder(tmp_path / "out")
    out = tmp_path / "out"
    for path in out.rglob("*"):
        assert out.resolve() in path.resolve().parents
        assert not path.is_symlink()


def test_hostile_files_are_imported_or_refused_and_nothing_is_written_outside(
    vault: Vault, tmp_path: Path
) -> None:
    check_folder(vault, tmp_path, 200)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_hostile_files(vault: Vault, tmp_path: Path) -> None:
    check_folder(vault, tmp_path, 1000)


def zip_of(*members: tuple[str | zipfile.ZipInfo, bytes]) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed


@pytest.mark.parametrize(
    "name",
    ["../out.md", "a/../../out.md", "/etc/out.md", "C:/out.md", "..\\out.md", "a\\..\\..\\o.md"],
)
def test_zip_names_that_lead_outside_are_refused(vault: Vault, tmp_path: Path, name: str) -> None:
    sources = from_zip(zip_of((name, b"bad"), ("good.md", b"good")), "zip")
    plan = vault.importing.plan_sources(sources)
    assert [row.status for row in plan.rows] == ["new", "refused"]
    assert "outside" in plan.rows[1].reason
    vault.importing.apply(plan)
    assert not list(tmp_path.rglob("out.md"))


def test_a_link_inside_a_zip_is_refused(vault: Vault) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    plan = vault.importing.plan_sources(
        from_zip(zip_of((link, b"/etc/passwd")), "zip"), format="notes"
    )
    assert [(row.status, row.reason) for row in plan.rows] == [("refused", "it is a symbolic link")]


def test_a_zip_that_lies_about_its_sizes_is_bounded(vault: Vault) -> None:
    plan = vault.importing.plan_sources(from_zip(zip_of(("big.md", b"\0" * 50_000_000)), "zip"))
    assert plan.rows[0].status == "refused"
    assert "larger than" in plan.rows[0].reason


def test_a_broken_zip_is_refused_whole(vault: Vault, tmp_path: Path) -> None:
    data = zip_of(("a.md", b"words " * 1000)).getvalue()
    with pytest.raises(Invalid, match="not a zip"):
        from_zip(io.BytesIO(data[: len(data) // 2]), "half")
    middle = bytearray(data)
    middle[60] ^= 0xFF
    plan = vault.importing.plan_sources(from_zip(io.BytesIO(bytes(middle)), "bent"))
    assert plan.rows[0].status == "refused"


def test_keys_that_differ_in_case_or_composition_stay_apart(vault: Vault, tmp_path: Path) -> None:
    keys = ["Tea", "tea", "TEA", "caf\u00e9", "cafe\u0301", "con", "CON", "a/b", "a:b", "..", "."]
    for key in keys:
        vault.entries.store(EntryDraft(f"about {key!r}", key=key))
    stored = {e.key for e in vault.entries.page().entries}
    vault.export.to_folder(tmp_path / "out")
    written = [path for path in (tmp_path / "out/user").glob("*.md") if path.name != "MEMORY.md"]
    assert len({path.name.casefold() for path in written}) == len(stored)


@pytest.mark.parametrize("name", ["../x.md", "/x.md", "a/../../x.md", "", "a\0b", "C:x.md"])
def test_a_folder_never_writes_outside_itself(tmp_path: Path, name: str) -> None:
    folder = Folder(tmp_path / "in")
    folder.make()
    with pytest.raises(Refused):
        folder.write(name, "x")
    with pytest.raises(Refused):
        folder.remove(name)


def test_a_memory_of_the_owner_is_untouched_by_all_this(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("mine", key="note-0"))
    check_folder(vault, tmp_path, 40)
    kept = vault.entries.find(USER, "note-0")
    assert kept
    assert kept.content == "mine"


@pytest.mark.english
@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.json", b'{"schema": "portable-ai-memory", "memories": [{"id"', "not valid JSON"),
        ("a.json", '{"content": "Müll"}'.encode("latin-1"), "not text in UTF-8"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b"", "is empty"),
        ("a.zip", b"PK\x03\x04 broken off", "not a zip that can be read"),
    ],
)
def test_a_file_that_is_broken_says_what_is_broken(
    vault: Vault, tmp_path: Path, name: str, data: bytes, why: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(Invalid, match=why):
        vault.importing.plan(path)


def test_one_memory_that_ends_before_it_begins_does_not_stop_an_import(
    vault: Vault, tmp_path: Path
) -> None:
    head = "---\nkey: {key}\ntrue_from: 2027-01-01\ntrue_until: {until}\n---\n\nLives in Jena.\n"
    (tmp_path / "wrong.md").write_text(head.format(key="wrong", until="2026-01-01"))
    (tmp_path / "right.md").write_text(head.format(key="right", until="2028-01-01"))
    plan = vault.importing.plan(tmp_path)
    assert {row.origin: row.status for row in plan.rows} == {
        "right.md": "new",
        "wrong.md": "refused",
    }
    assert vault.importing.apply(plan).created == 1


def test_a_mirrored_note_that_ends_before_it_begins_is_left_alone_and_named(
    vault: Vault, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    mirror = vault.mirrors.add(folder, USER).mirror
    wrong = (
        "---\nkey: wrong\ntrue_from: 2027-01-01\ntrue_until: 2026-01-01\n---\n\nLives in Jena.\n"
    )
    (folder / "wrong.md").write_text(wrong)
    (folder / "right.md").write_text("---\nkey: right\n---\n\nLikes tea.\n")
    done = vault.mirrors.sync(mirror.id)
    assert "true_until" in str(done)
    assert (folder / "wrong.md").read_text() == wrong
    assert vault.memory.entries.find("right") is not None


@pytest.mark.parametrize(
    ("line", "slip"),
    [("true_until", "true_until: gestern"), ("muted_for", "muted_for: {a: b}")],
)
def test_a_slip_in_a_mirrored_note_neither_unmutes_nor_makes_true_for_ever(
    vault: Vault, tmp_path: Path, line: str, slip: str
) -> None:
    draft = EntryDraft("Lives in Jena.", key="home", true_until="2026-08-01", muted_for=("cursor",))
    entry = vault.entries.store(draft).entry
    mirror = vault.mirrors.add(tmp_path / "notes", USER).mirror
    path = tmp_path / "notes" / "home.md"
    text = re.sub(rf"^{line}:.*(\n  ?-.*)*", slip, path.read_text(), flags=re.MULTILINE)
    path.write_text(text)
    done = vault.mirrors.sync(mirror.id)
    assert list(done.tally.refused) == ["home.md"]
    assert path.read_text() == text
    kept = vault.entries.read(entry.id)
    assert (kept.true_until, kept.muted_for) == (entry.true_until, entry.muted_for)
