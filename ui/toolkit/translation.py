"""The window's language: the system's, or the one chosen, where we speak it.

Translations are plain JSON, from what the code says to what is shown: one file a language.
"""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator

import resources

FOLDER = Path(resources.__file__).parent / "translations"
SPOKEN_IN_CODE = "en"


class Translator(QTranslator):
    """Answers from a table; what is not in it stays as the code says it. Where one English word is
    two in another language, the second is in the table as `word|which`."""

    def __init__(self, words: dict[str, str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        usual = self._words.get(source, source)
        return self._words.get(f"{source}|{disambiguation}", usual) if disambiguation else usual

    def isEmpty(self) -> bool:
        return not self._words


def words_of(language: str) -> dict[str, str] | None:
    """What we say in `language`; None if we do not speak it."""
    path = FOLDER / f"{language}.json"
    if not path.is_file():
        return None
    spoken: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return spoken


def tr(text: str) -> str:
    """What is said outside a widget, in the window's language."""
    return QCoreApplication.translate("ui", text)


def system_locale() -> QLocale:
    return QLocale.system()


def translate(app: QCoreApplication, language: str) -> Translator | None:
    """Speaks `language` (`system`, `en`, `de`) from now on; English where we do not know it."""
    for former in app.findChildren(Translator):
        app.removeTranslator(former)
        former.setParent(None)
    locale = system_locale() if language == "system" else QLocale(language)
    code = locale.name().partition("_")[0]
    words = None if code == SPOKEN_IN_CODE else words_of(code)
    if words is None:
        QLocale.setDefault(locale if code == SPOKEN_IN_CODE else QLocale(SPOKEN_IN_CODE))
        return None
    QLocale.setDefault(locale)
    translator = Translator(words, app)
    app.installTranslator(translator)
    return translator
