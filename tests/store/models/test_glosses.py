from __future__ import annotations

from pathlib import Path

import pytest

import resources
from store.models.glosses import Dictionary, dictionary, glossed, lines_of, marks_of

FOLDER = Path(resources.__file__).parent / "glosses"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("合同十二月到期。", ("contract", "December", "expire")),
        ("他在樂團拉小提琴", ("orchestra", "violin")),  # traditional characters
        ("我的 Python 服务器", ("Python", "server")),
    ],
)
def test_chinese_is_put_into_english_word_by_word(text: str, words: tuple[str, ...]) -> None:
    found = glossed(text, FOLDER)
    assert all(word in found for word in words), found


@pytest.mark.parametrize("text", ["Anna drinks tea.", "日本語の契約は十二月まで", "договор", ""])
def test_what_is_not_chinese_stays_as_it_is(text: str) -> None:
    assert glossed(text, FOLDER) == text


def test_without_the_dictionary_chinese_stays_too(tmp_path: Path) -> None:
    assert glossed("合同", tmp_path) == "合 同"


@pytest.fixture(scope="module")
def german() -> Dictionary:
    found = dictionary("de", (FOLDER,))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("Anna ist gegen Erdnüsse allergisch.", "Anna is against peanut allergic."),
        ("Sie kauft Brot, er hat Brot gekauft.", "she buy bread, he has bread buy."),
        ("der Name des Haustiers", "the name the pet"),
        ("neue Winterreifen", "new winter tire"),  # two words in one
        ("Meine Lieblingsfarbe", "my favorite color"),  # joined by an s
        ("Der Betrag", "the Betrag"),  # not a form of a longer word: "das Betragen"
        ("Wir deployen freitags um 17 Uhr!", "we deployen"),
    ],
)
def test_german_is_put_into_english_by_form_and_part(
    german: Dictionary, text: str, put: str
) -> None:
    assert german.put(text).startswith(put)


def test_spanish_is_put_into_english_by_its_endings() -> None:
    spanish = dictionary("es", (FOLDER,))
    assert spanish is not None
    put = spanish.put("¿Cuándo viajamos a las montañas?")
    assert put == "¿when travel to the mountain?"


def test_every_line_of_a_dictionary_is_found_and_nothing_else() -> None:
    words = {f"wort{number}": str(number) for number in range(200)} | {"": "nothing", "~": "tilde"}
    found = Dictionary("es", [lines_of(words, "es")])
    assert all(found.put(word) == gloss for word, gloss in words.items() if word.isalpha())
    assert found.put("wor wort wortz ähm") == "wor wort wortz ähm"
    assert [found._line(word) for word in words] == list(words.values())
    assert found._line("wort") is None


def test_the_first_list_counts_and_the_next_adds(tmp_path: Path) -> None:
    (tmp_path / "de.tsv").write_bytes(lines_of({"Haus": "wrong", "begleichen": "settle"}, "de"))
    both = dictionary("de", (FOLDER, tmp_path))
    assert both is not None
    assert both.put("Haus begleicht") == "house settle"


def test_a_changed_list_is_read_again(tmp_path: Path) -> None:
    assert dictionary("de", (tmp_path,)) is None
    before = marks_of((tmp_path,))
    (tmp_path / "de.tsv").write_bytes(lines_of({"Haus": "house"}, "de"))
    assert marks_of((tmp_path,)) != before
    found = dictionary("de", (tmp_path,))
    assert found is not None
    assert found.put("Häuser Haus") == "Häuser house"  # the stem differs: Häus, Hau
