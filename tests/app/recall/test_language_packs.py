"""Packs made of dictionaries in dictd's form, small ones written here."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.errors import Invalid, NotFound
from app.recall import language_packs
from store.models.glosses import dictionary

ENTRIES = (
    "00-database-short\nA dictionary for tests\n",
    'Haustier /hˈaʊstˌiːɾ/ <neut, n, sg>\npet animal <n>, pet <n>\n   "Wie heißt dein Haustier?"\n',
    "begleichen /bəɡlˈaɪçən/ <vt>\n1. to settle, pay (a bill) [fin.]\n Synonym: {bezahlen}\n",
    "guten Tag\nhello\n",
    "leer\n   Synonym: {hohl}\n",
)
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def coded(number: int) -> str:
    digits = DIGITS[number % 64]
    while number := number // 64:
        digits = DIGITS[number % 64] + digits
    return digits


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written_dictionary(tmp_path / "dictd")


def written_dictionary(folder: Path) -> Path:
    folder.mkdir()
    body, lines = b"", []
    for entry in ENTRIES:
        word = entry.split("\n")[0].split(" /")[0]
        lines.append(f"{word}\t{coded(len(body))}\t{coded(len(entry.encode()))}")
        body += entry.encode()
    (folder / "freedict-deu-eng.index").write_text("\n".join(lines) + "\n", "utf-8")
    with gzip.open(folder / "freedict-deu-eng.dict.dz", "wb") as file:
        file.write(body)
    return folder


@pytest.mark.parametrize("name", ["", "freedict-deu-eng.index", "freedict-deu-eng.dict.dz"])
def test_a_pack_has_the_plainest_gloss_of_each_single_word(
    source: Path, tmp_path: Path, name: str
) -> None:
    pack = language_packs.add("de", source / name, tmp_path / "packs")
    assert (pack.language, pack.words) == ("german", 2)
    assert language_packs.listed(tmp_path / "packs") == [pack]
    found = dictionary("de", (tmp_path / "packs",))
    assert found is not None
    assert found.put("Haustiere begleichst guten leer") == "pet settle guten leer"


def test_a_removed_pack_is_gone_and_a_missing_one_is_named(source: Path, tmp_path: Path) -> None:
    language_packs.add("de", source, tmp_path)
    language_packs.remove("de", tmp_path)
    assert language_packs.listed(tmp_path) == []
    with pytest.raises(NotFound, match="No dictionary was added for German"):
        language_packs.remove("de", tmp_path)


def test_what_is_no_dictionary_is_named_and_changes_nothing(source: Path, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no language 'xx'"):
        language_packs.add("xx", source, tmp_path)
    with pytest.raises(Invalid, match="There is no dictionary at"):
        language_packs.add("de", tmp_path / "nowhere", tmp_path)
    (source / "freedict-deu-eng.dict.dz").write_bytes(b"not packed")
    with pytest.raises(Invalid, match="no dictionary in dictd's form"):
        language_packs.add("de", source, tmp_path)
    assert language_packs.listed(tmp_path) == []


def test_the_command_adds_lists_and_removes(source: Path, tmp_path: Path) -> None:
    from app.cli.settings import languages

    vault = str(tmp_path / "vault.db")

    def run(*words: str) -> str:
        done = CliRunner().invoke(languages, [*words, "--vault", vault])
        assert done.exit_code == 0, done.output
        return done.output

    assert "No dictionary was added" in run()
    assert "German: 2 words added" in run("add", "de", str(source))
    assert (tmp_path / "languages" / "de.tsv").is_file()
    assert "de  German: 2 words" in run("list")
    assert "Removed" in run("remove", "de")
    assert "No dictionary was added" in run()
