"""The window's language: the system's, or the one chosen, where we speak it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "translations"


def translate(app: QCoreApplication, language: str) -> str:
    """Installs the translation for `language` (`system`, `en`, `de`); gives back what is spoken."""
    locale = QLocale.system() if language == "system" else QLocale(language)
    spoken = locale.name().partition("_")[0]
    translator = QTranslator(app)
    if spoken == "en" or not translator.load(str(FOLDER / f"keepsake_{spoken}.qm")):
        QLocale.setDefault(locale if spoken == "en" else QLocale("en"))
        return "en"
    QLocale.setDefault(locale)
    app.installTranslator(translator)
    return spoken
