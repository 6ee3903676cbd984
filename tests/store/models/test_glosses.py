from __future__ import annotations

from pathlib import Path

import pytest

import resources
from store.models.glosses import glossed

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
