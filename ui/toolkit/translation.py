"""The window's language: the system's, or the one chosen, where we speak it.

A language is one file of Qt's own kind (`resources/translations/*.ts`), with the contexts and the
plural forms that Qt has; `packaging/translations.py` keeps them in step with the code.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

import resources

SPOKEN_IN_CODE = "en"  # its own file has the plural forms alone


class Translator(QTranslator):
    """One of ours, told apart from what others may install."""


def spoken() -> list[str]:
    """The languages there are, by code."""
    kept = {path.stem for path in resources.TRANSLATIONS.glob("*.[qt][ms]")}
    return sorted({SPOKEN_IN_CODE, *kept})


@cache
def made(code: str) -> bytes:
    """What Qt reads of that language; made at once where the text is newer, as in a checkout."""
    text, ready = _files_of(code)
    if ready.is_file() and (not text.is_file() or _changed(text) <= _changed(ready)):
        return ready.read_bytes()
    words = resources.qm(text)
    with suppress(OSError):  # the next start finds it ready
        fresh = ready.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(words)
        fresh.replace(ready)
    return words


def _files_of(code: str) -> tuple[Path, Path]:
    """A language as people write it, and as Qt reads it."""
    return resources.TRANSLATIONS / f"{code}.ts", resources.TRANSLATIONS / f"{code}.qm"


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


def tr(text: str) -> str:
    """What is said outside a widget, in the window's language."""
    return QCoreApplication.translate("ui", text)


def counted(text: str, number: int) -> str:
    """`%Ln memories`, in the form the language has for that number."""
    return QCoreApplication.translate("ui", text, None, number)


def heard(said: object) -> str:
    """An error or a reason of the layers below, in the window's language; as it is where that has
    no words for it. They say it in English with what it is about inside, so it is known again by
    the words around that."""
    text = str(said)
    if QLocale().name().startswith(SPOKEN_IN_CODE):
        return text
    return _known(text) or text


def _known(text: str) -> str:
    """The sentence in the window's language; nothing where that has no words for it."""
    for pattern, source in _sentences():
        if found := pattern.fullmatch(text):
            words = QCoreApplication.translate("errors", source)
            return words.format(*(part if part == text else _part(part) for part in found.groups()))
    return ""


def _part(part: str) -> str:
    """What stands inside a sentence: one of its own, some of them with commas, words in quotation
    marks, a number or a day, which every language writes in its own way."""
    if number := re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?", part):
        places = len(number[2] or ".") - 1
        return QLocale().toString(float(part.replace(",", "")), "f", places)
    date = QLocale(SPOKEN_IN_CODE).toDate(part, "d MMMM yyyy")
    if date.isValid():
        pattern = QCoreApplication.translate("Wording", "d MMMM yyyy")
        return QLocale().toString(date, pattern)
    if words := _known(part):
        return words
    for comma in re.finditer(", ", part):
        first = _known(part[: comma.start()])
        if first and (rest := _part(part[comma.end() :])) != part[comma.end() :]:
            return f"{first}, {rest}"
    opening, closing = QLocale().quoteString("|").split("|")
    return part.replace("”, “", f"{closing}, {opening}")


@cache
def _sentences() -> list[tuple[re.Pattern[str], str]]:
    """What an error may say, those with the most words of their own first."""
    sources = json.loads((resources.TRANSLATIONS / "errors.json").read_text("utf-8"))
    sources.sort(key=lambda source: -len(re.sub(r"\{\d+\}", "", source)))
    return [
        (re.compile(re.sub(r"\\\{\d+\\\}", "(.*)", re.escape(source)), re.DOTALL), source)
        for source in sources
    ]


def system_locale() -> QLocale:
    return QLocale.system()


def translate(app: QCoreApplication, language: str) -> bool:
    """Speaks `language` (`system`, or its code) from now on; says whether we know it. English is
    spoken where we do not."""
    for former in app.findChildren(Translator):
        app.removeTranslator(former)
        former.setParent(None)
    locale = system_locale() if language == "system" else QLocale(language)
    code = locale.name().partition("_")[0]
    known = code == SPOKEN_IN_CODE or any(path.is_file() for path in _files_of(code))
    if not known:
        locale, code = QLocale(SPOKEN_IN_CODE), SPOKEN_IN_CODE
    QLocale.setDefault(locale)
    if code != SPOKEN_IN_CODE:
        _install(app, _of_qt(code))
    _install(app, made(code))
    return known


def _of_qt(code: str) -> str:
    """Where Qt's own words are: its buttons, the menus of its fields, the names of keys."""
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return str(folder / f"qtbase_{code}.qm")


def _install(app: QCoreApplication, words: str | bytes) -> None:
    translator = Translator(app)
    if translator.load(words):
        app.installTranslator(translator)
    else:
        translator.setParent(None)
