from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from ui.memory.markdown_editor import MarkdownEdit, Preview, to_html
from ui.toolkit.theme import Look, Theme

HOSTILE = (
    '<img src="http://evil/x.png">',
    "![pic](http://evil/x.png)",
    "![pic](file:///etc/passwd)",
    "<script>alert(1)</script>",
    '<link rel="stylesheet" href="http://evil/x.css">',
    "[x](javascript:alert(1))",
    "<iframe src='http://evil'></iframe>",
    "![](//evil/x.png)",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_preview_loads_nothing(qtbot: QtBot, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = Preview.loadResource

    def watch(self: Preview, kind: int, name: QUrl) -> object:
        asked.append(QUrl(name).toString())
        return real(self, kind, name)

    monkeypatch.setattr(Preview, "loadResource", watch)
    preview = Preview()
    qtbot.addWidget(preview)
    preview.show()
    preview.show_markdown(text)
    qtbot.wait(20)
    assert asked == []
    assert real(preview, QTextDocument.ResourceType.ImageResource, QUrl("file:///etc/x")) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_html_in_a_memory_stays_text(text: str) -> None:
    html = to_html(text)
    for tag in ("<img", "<script", "<link", "<iframe", 'href="javascript'):
        assert tag not in html


def test_a_strange_link_is_not_opened(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: told.append(box.text()))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: pytest.fail("opened it"))
    preview = Preview()
    qtbot.addWidget(preview)
    preview.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert "file:///etc/passwd" in told[0]


def test_a_web_link_shows_its_address_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def no(box: QMessageBox) -> QMessageBox.StandardButton:
        told.append(box.text())
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "exec", no)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: pytest.fail("opened it"))
    preview = Preview()
    qtbot.addWidget(preview)
    preview.anchorClicked.emit(QUrl("https://example.org/a"))
    assert "https://example.org/a" in told[0]


@pytest.mark.parametrize(
    "text", ["plain", "a\u00a0b", "one\r\ntwo", "tab\there", "", "line\u2028sep", "\n\n", "ü 🫖"]
)
def test_what_is_not_touched_comes_back_as_it_was(
    qtbot: QtBot, qapp: QApplication, text: str
) -> None:
    edit = MarkdownEdit(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(edit)
    edit.set_text(text)
    assert edit.text() == text


def test_typing_keeps_no_break_spaces(qtbot: QtBot, qapp: QApplication) -> None:
    edit = MarkdownEdit(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(edit)
    edit.set_text("10\u00a0kg")
    edit.moveCursor(edit.textCursor().MoveOperation.End)
    qtbot.keyClicks(edit, "!")
    assert edit.text() == "10\u00a0kg!"


def test_a_very_long_line_does_not_stall(qtbot: QtBot, qapp: QApplication) -> None:
    edit = MarkdownEdit(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(edit)
    edit.set_text("*a" * 30_000)
    assert len(edit.text()) == 60_000


def test_colours_stand_where_the_words_do_after_an_emoji(qtbot: QtBot, qapp: QApplication) -> None:
    edit = MarkdownEdit(Theme(qapp, Look.LIGHT))
    qtbot.addWidget(edit)
    edit.set_text("🌱🌱 a **bold** word")
    ranges = edit.document().firstBlock().layout().formats()
    bold = next(one for one in ranges if one.format.fontWeight() > 400)
    units = "🌱🌱 a **bold** word".encode("utf-16-le")
    coloured = units[2 * bold.start : 2 * (bold.start + bold.length)].decode("utf-16-le")
    assert coloured == "**bold**"
