"""The window is set in faces of its own, whatever the machine has installed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF, QRawFont
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.vault import Vault
from tests.ui.conftest import settle
from ui.memory.markdown_editor import Preview
from ui.toolkit import fonts
from ui.toolkit.fonts import CODE_FAMILY, TEXT_FAMILY, code_font, ui_font
from ui.toolkit.theme import Look, Theme
from ui.vault.settings_dialog import FontField, SettingsDialog
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]
SHOWN = ("ui/*.py", "resources/translations/*.ts")  # where what the window says is written
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>'
OTHER_FONTS = NO_FONTS.replace("<fontconfig/>", "<fontconfig><dir>{}</dir></fontconfig>")

DRAWN = """
import hashlib, json, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontInfo, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from app.vault import open_vault
from store.records import EntryDraft
from ui.window import startup as windows
from ui.toolkit.fonts import code_font

app = windows.application([""])
vault = open_vault(Path(sys.argv[1]) / "vault.db")
vault.settings.set("language", "en")
vault.settings.set("appearance", "light")
vault.entries.store(EntryDraft("Deploys go out on **Fridays**, *never* `later`.", key="deploys"))
places = QSettings(str(Path(sys.argv[1]) / "window.ini"), QSettings.Format.IniFormat)
window = windows.build(app, vault, places)
window.show()
while window.jobs.busy:
    QTest.qWait(20)
parts = {
    "label": window.findChild(QLabel), "editor": window.editor.form.body,
    "cards": window.list_pane.list,
}
said = {name: QFontInfo(part.font()).family() for name, part in parts.items()}
said["code"] = QFontInfo(code_font(12)).family()
picture = QLabel("Ink 0123 ▾ ✕ ···")
picture.setStyleSheet("background: white; color: black; font-weight: 600;")
image = picture.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
said["picture"] = hashlib.sha256(bytes(image.constBits())).hexdigest()
said["ink"] = len({image.pixel(x, image.height() // 2) for x in range(image.width())})
print(json.dumps(said))
window.close()
vault.close()
"""


def drawn(folder: Path, configuration: str | None) -> dict[str, object]:
    """What a window of its own said, on a machine with only the fonts that are configured."""
    folder.mkdir()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    if configuration is not None:
        (folder / "fonts.conf").write_text(configuration, encoding="utf-8")
        env["FONTCONFIG_FILE"] = str(folder / "fonts.conf")
    done = subprocess.run(
        [sys.executable, "-c", DRAWN, str(folder)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    warnings = [line for line in done.stderr.splitlines() if "plugin does not support" not in line]
    assert (done.returncode, warnings) == (0, [])
    return dict(json.loads(done.stdout))


def family_of(widget: QWidget) -> str:
    """As the file says that the letters of `widget` are taken from."""
    assert QFontInfo(widget.font()).family() == widget.font().families()[0]
    return QRawFont.fromFont(widget.font()).familyName()


def test_the_files_are_those_that_were_made() -> None:
    sums = (fonts.FOLDER / "SHA256SUMS").read_text(encoding="utf-8").split()
    listed = dict(zip(sums[1::2], sums[::2], strict=True))
    assert set(listed) == set(fonts.FILES) == {path.name for path in fonts.FOLDER.glob("*.ttf")}
    for name, digest in listed.items():
        assert hashlib.sha256((fonts.FOLDER / name).read_bytes()).hexdigest() == digest
    for licence in ("OFL-Inter.txt", "OFL-JetBrainsMono.txt"):
        assert "SIL OPEN FONT LICENSE" in (fonts.FOLDER / licence).read_text(encoding="utf-8")


def test_labels_the_editor_and_the_cards_are_set_in_inter(window: MainWindow) -> None:
    labels = [label for label in window.findChildren(QLabel) if label.isVisible()]
    assert len(labels) > 5
    parts = [*labels, window.editor.form.body, window.list_pane.list, window.toolbar.search]
    assert {family_of(part) for part in parts} == {TEXT_FAMILY}


def test_every_weight_is_a_face_of_its_own(qapp: QApplication) -> None:
    widths = []
    for weight, face in ((400, "Regular"), (500, "Medium"), (600, "SemiBold"), (700, "Bold")):
        font = ui_font(13)
        font.setWeight(QFont.Weight(weight))
        assert (QFontInfo(font).weight(), QRawFont.fromFont(font).styleName()) == (weight, face)
        widths.append(QFontMetricsF(font).horizontalAdvance("What an agent will be told"))
    assert widths == sorted(set(widths))  # thickened by Qt, a face keeps its widths


def test_figures_stand_under_each_other(qapp: QApplication) -> None:
    metrics = QFontMetricsF(ui_font(13))
    assert len({metrics.horizontalAdvance(figure * 8) for figure in "0123456789"}) == 1
    plain = ui_font(13)
    plain.setFeature(QFont.Tag("tnum"), 0)
    assert QFontMetricsF(plain).horizontalAdvance("1") < metrics.horizontalAdvance("1")
    words = "us-east (claude), a: b."
    assert QFontMetricsF(plain).horizontalAdvance(words) == metrics.horizontalAdvance(words)


def test_code_has_one_width_a_letter_and_no_ligatures(qapp: QApplication) -> None:
    metrics = QFontMetricsF(code_font(12))
    assert QFontInfo(code_font(12)).family() == CODE_FAMILY
    assert metrics.horizontalAdvance("iiii") == metrics.horizontalAdvance("WWWW")
    raw = QRawFont.fromFont(code_font(12))
    assert raw.fontTable("GSUB").isEmpty()


def test_code_in_the_editor_and_the_preview_is_in_the_same_face(
    qtbot: QtBot, window: MainWindow
) -> None:
    preview = Preview()
    qtbot.addWidget(preview)
    preview.show_markdown("Type `ship` or\n\n    ship --now\n")
    block, families = preview.document().begin(), set()
    while block.isValid():
        for piece in block.textFormats():
            if "ship" in block.text()[piece.start : piece.start + piece.length].split()[:1]:
                families.add(tuple(piece.format.fontFamilies() or ()))
        block = block.next()
    assert families == {(CODE_FAMILY,)}
    body = window.editor.form.body
    body.setPlainText("`ship`")
    piece = body.document().begin().layout().formats()[0]
    assert piece.format.fontFamilies() == [CODE_FAMILY]


def test_nothing_asks_for_a_font_of_the_system() -> None:
    for path in (ROOT / "ui").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "systemFont" not in text, path
        assert path.name == "fonts.py" or "QFontDatabase" not in text, path


def test_our_faces_have_every_sign_the_window_says(qapp: QApplication) -> None:
    said = "".join(path.read_text(encoding="utf-8") for shown in SHOWN for path in ROOT.glob(shown))
    raws = [QRawFont.fromFont(font) for font in (ui_font(13), code_font(13))]
    lacking = {
        sign
        for sign in set(re.findall(r"[^\x00-\x7f]", said))
        if not any(raw.supportsCharacter(ord(sign)) for raw in raws)
    }
    assert lacking == set()


def test_a_machine_without_fonts_or_with_others_draws_the_same(tmp_path: Path) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("only fontconfig can be told to have no fonts")
    other, ours = tmp_path / "installed", (fonts.FOLDER / "Mono-Regular.ttf").read_bytes()
    other.mkdir()
    names = [name.encode("utf-16-be") for name in (CODE_FAMILY, "Strange Faces")]
    (other / "strange.ttf").write_bytes(ours.replace(*names))
    said = [
        drawn(tmp_path / "system", None),
        drawn(tmp_path / "none", NO_FONTS),
        drawn(tmp_path / "other", OTHER_FONTS.format(other)),
    ]
    assert {name: said[1][name] for name in ("label", "editor", "cards", "code")} == {
        "label": TEXT_FAMILY,
        "editor": TEXT_FAMILY,
        "cards": TEXT_FAMILY,
        "code": CODE_FAMILY,
    }
    assert said[0] == said[1] == said[2]
    assert int(str(said[1]["ink"])) > 5  # words were drawn, not empty boxes or nothing


def test_a_font_of_the_system_can_be_chosen_and_left_again(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.actions_["settings"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.go_to("Window")
    field = dialog.fields["font"]
    choice = field.field
    assert isinstance(choice, QComboBox)
    offered = [choice.itemData(row) for row in range(choice.count())]
    assert offered[0] == choice.currentData() == ""
    assert not [name for name in offered if name.startswith((TEXT_FAMILY, CODE_FAMILY))]
    assert set(offered[1:]) <= set(QFontDatabase.families())
    field.changed.emit("Some Face")
    settle(qtbot, window)
    assert stocked.settings["font"] == "Some Face"
    assert choice.currentText() == "Some Face"
    assert window.status.font().families()[0] == "Some Face"
    assert QFontInfo(window.status.font()).family() == TEXT_FAMILY  # not installed: ours
    field.reset.click()
    settle(qtbot, window)
    assert stocked.settings["font"] == ""
    assert family_of(window.status) == TEXT_FAMILY


def test_the_field_keeps_a_font_of_another_machine_without_choosing_it_anew(qtbot: QtBot) -> None:
    from app.settings import BY_NAME

    field = FontField(BY_NAME["font"])
    qtbot.addWidget(field)
    told: list[object] = []
    field.changed.connect(told.append)
    field.show_value("Face of Elsewhere")
    choice = field.field
    assert isinstance(choice, QComboBox)
    assert (choice.currentData(), told) == ("Face of Elsewhere", [])


def test_a_chosen_family_is_there_from_the_start(qapp: QApplication) -> None:
    Theme(qapp, Look.LIGHT, family="Some Face")
    assert qapp.font().families() == ["Some Face", TEXT_FAMILY, CODE_FAMILY]
    Theme(qapp, Look.LIGHT)
    assert qapp.font().families() == [TEXT_FAMILY, CODE_FAMILY]
