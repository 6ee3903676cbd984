"""Settings: made from their declarations, applied as they are changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.rules.lifetimes import parse_retention
from app.settings import SETTINGS, Setting, Value
from store.errors import KeepsakeError
from ui.toolkit import global_key
from ui.toolkit.fonts import installed_families
from ui.toolkit.help import PAGE, explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.translation import heard
from ui.toolkit.value_fields import ChoiceField, DecimalField, NumberField
from ui.toolkit.widgets import button, fit_screen, label, rule, spaced
from ui.vault.writer_settings import OWN_FIELDS

if TYPE_CHECKING:
    from app.settings import Settings


MOST = 2_147_483_647
PORTABLE = QKeySequence.SequenceFormat.PortableText


class SettingField(QWidget):
    """Label, field, help. `changed` carries the new value; Reset shows when it is not the
    default."""

    changed = Signal(object)
    reset_asked = Signal()

    def __init__(self, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting = setting
        self._value: Value | None = None  # as it is kept
        self._showing = False
        self._build()

    def _build(self) -> None:
        setting = self.setting
        self.field = self._made()
        self.field.setAccessibleName(setting_text(setting.label))
        explain(self.field, self._help(), "settings")
        self.reset = button(self.tr("Reset"), "link")
        self.reset.setAccessibleName(
            self.tr("Reset {name}").format(name=setting_text(setting.label))
        )
        self.reset.clicked.connect(self.reset_asked)
        help_ = label(self._help(), "faint", wrap=True)
        self.problem = label(look="bad", wrap=True)
        self.problem.hide()
        head = QHBoxLayout()
        head.setSpacing(8)
        if not isinstance(self.field, QCheckBox):
            head.addWidget(label(setting_text(setting.label)))
        head.addWidget(self.field) if isinstance(self.field, QCheckBox) else None
        head.addStretch(1)
        head.addWidget(self.reset)
        if not isinstance(self.field, QCheckBox):
            head.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 7, 0, 7)
        column.setSpacing(3)
        column.addLayout(head)
        column.addWidget(help_)
        column.addWidget(self.problem)

    def _help(self) -> str:
        return setting_text(self.setting.help)

    def _made(self) -> QWidget:
        setting = self.setting
        if isinstance(setting.default, bool):
            box = QCheckBox(setting_text(setting.label))
            box.toggled.connect(self._report_change)
            return box
        if setting.choices:
            choice = ChoiceField()
            for word in setting.choices:
                choice.addItem(_choice_text(setting.name, word), word)
            choice.setMinimumWidth(160)
            choice.currentIndexChanged.connect(lambda _: self._report_change(choice.currentData()))
            return choice
        if isinstance(setting.default, int | float):
            return self._number()
        line = QLineEdit()
        line.setMinimumWidth(300)
        line.editingFinished.connect(lambda: self._report_change(line.text().strip()))
        return line

    def _number(self) -> QSpinBox | QDoubleSpinBox:
        setting = self.setting
        least, most = int(setting.lowest or 0), int(setting.highest or MOST)
        spin: NumberField | DecimalField = NumberField(minimum=least, maximum=most)
        if isinstance(setting.default, float):
            spin = DecimalField(minimum=least, maximum=most, singleStep=0.05, decimals=2)
        spin.setGroupSeparatorShown(setting.name != "api_port")
        spin.setKeyboardTracking(False)
        spin.setMinimumWidth(160)
        spin.setAlignment(Qt.AlignmentFlag.AlignTrailing)
        spaced(spin)
        spin.valueChanged.connect(self._report_change)
        return spin

    def show_value(self, value: Value) -> None:
        self._showing = True
        field = self.field
        if isinstance(field, QCheckBox):
            field.setChecked(bool(value))
        elif isinstance(field, QComboBox):
            field.setCurrentIndex(field.findData(value))
        elif isinstance(field, QSpinBox):
            field.setValue(int(value))
        elif isinstance(field, QDoubleSpinBox):
            field.setValue(float(value))
        elif isinstance(field, QLineEdit):
            field.setText(str(value))
        self._showing = False
        self._value = value
        self.reset.setVisible(value != self.setting.default)
        self.problem.hide()

    def complain(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.show()

    def _report_change(self, value: object) -> None:
        """Leaving a field is no change of it."""
        if self._showing:
            return
        self.problem.hide()
        if value != self._value:
            self.changed.emit(value)


class FontField(SettingField):
    """The families of this machine, ours first. One chosen on another machine stays in the list."""

    def _made(self) -> QWidget:
        choice = ChoiceField()
        choice.addItem(self.tr("Inter (bundled)"), "")
        for family in installed_families():
            choice.addItem(family, family)
        choice.setMinimumWidth(220)
        choice.currentIndexChanged.connect(lambda _: self._report_change(choice.currentData()))
        return choice

    def _help(self) -> str:
        return self.tr("Of the window. Memories in a script it lacks borrow another font.")

    def show_value(self, value: Value) -> None:
        choice = self.field
        assert isinstance(choice, QComboBox)
        if choice.findData(value) < 0:
            self._showing = True
            choice.addItem(str(value), value)
            self._showing = False
        super().show_value(value)


class KeyEdit(QKeySequenceEdit):
    """Escape leaves and Backspace clears, as in any field: neither is a key for all programs."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() or event.key() not in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Backspace:
            self.clear()
            self.editingFinished.emit()
        else:
            event.ignore()


class KeyField(SettingField):
    """A key that is pressed rather than written. Where no program may take one, it says so."""

    def _made(self) -> QWidget:
        field = KeyEdit()
        field.setMaximumSequenceLength(1)
        field.setClearButtonEnabled(True)
        field.setMinimumWidth(220)
        field.setEnabled(global_key.available())
        for line in field.findChildren(QLineEdit):
            # Qt says this itself, and then as we do: its German is on other terms with people.
            line.setPlaceholderText(
                QCoreApplication.translate("QKeySequenceEdit", "Press shortcut")
            )
            line.setAccessibleName(setting_text(self.setting.label))
            explain(line, self._help(), "settings")
        field.editingFinished.connect(
            lambda: self._report_change(field.keySequence().toString(PORTABLE))
        )
        return field

    def _help(self) -> str:
        if global_key.available():
            return self.tr(
                "Opens quick capture from any program, while the window runs or is in the tray."
            )
        return self.tr(
            "This desktop gives no key to programs. In its own settings, bind a key to the command "
            "keepsake capture: it opens quick capture from any program."
        )

    def show_value(self, value: Value) -> None:
        super().show_value(value)
        assert isinstance(self.field, QKeySequenceEdit)
        self._showing = True
        self.field.setKeySequence(QKeySequence(str(value), PORTABLE))
        self._showing = False


class RetentionField(SettingField):
    """The owner's own limits as lines `category:event 90`: easier to write than JSON."""

    def _made(self) -> QWidget:
        line = QLineEdit()
        line.setMinimumWidth(300)
        line.setPlaceholderText("category:event 90, scope:agent:claude 365")
        line.editingFinished.connect(lambda: self._report_change(as_json(line.text())))
        return line

    def _help(self) -> str:
        return self.tr(
            "Days per category or scope, on top of the lifetimes above. Core and workspace memory "
            "stay."
        )

    def show_value(self, value: Value) -> None:
        super().show_value(value)
        line = self.field
        assert isinstance(line, QLineEdit)
        line.setText(as_words(str(value)))


def as_words(text: str) -> str:
    """`{"category:event": 90}` → `category:event 90`."""
    try:
        limits = json.loads(text or "{}")
        return ", ".join(f"{subject} {days:g}" for subject, days in limits.items())
    except (ValueError, AttributeError, TypeError):
        return text


def as_json(words: str) -> str:
    """The other way; what cannot be read is passed on, for the rule to refuse."""
    limits: dict[str, float] = {}
    for part in words.split(","):
        subject, _, days = part.strip().rpartition(" ")
        if not part.strip():
            continue
        try:
            limits[subject.strip()] = float(days)
        except ValueError:
            return words
    return json.dumps(limits)


ORDER = (
    "Vault",
    "API",
    "Hydration",
    "Lifetimes",
    "Secrets",
    "Blocks",
    "Search",
    "Conversations",
    "Writing model",
    "Window",
)
KINDS: dict[str, type[SettingField]] = {
    "font": FontField,
    "retention": RetentionField,
    "capture_key": KeyField,
}


class PageExtra(NamedTuple):
    """What a section offers besides its settings; `first` above them."""

    make: Callable[[], QWidget]
    first: bool


class SettingsDialog(QDialog):
    """`changed` says the name and the value of a setting that is kept now: also of one that was
    typed last before the dialog was closed, which goes when all are kept."""

    changed = Signal(str, object)

    def __init__(self, settings: Settings, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setProperty(PAGE, "settings")
        self._jobs = jobs
        self.fields: dict[str, SettingField] = {}  # of the pages that were looked at
        self._values: Mapping[str, Value] = {}
        self._extras: dict[str, list[PageExtra]] = {section: [] for section in ORDER}
        self._keeping = 0  # settings that are being kept
        self._closed = False
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        fit_screen(self, 860, 620)
        self.sections = QListWidget()
        self.sections.setObjectName("sections")
        self.sections.setAccessibleName(self.tr("Sections"))
        explain(self.sections, self.tr("The groups of settings."))
        self.sections.setFixedWidth(180)
        self.pages = QStackedWidget()
        for section in ORDER:
            self.sections.addItem(setting_text(section))
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.pages.addWidget(area)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sections)
        row.addWidget(self.pages, 1)

    def _page(self, section: str) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(28, 20, 28, 20)
        column.setSpacing(2)
        column.addWidget(label(setting_text(section), "title"))
        column.addSpacing(6)
        for setting in SETTINGS:
            if setting.section == section and setting.name not in OWN_FIELDS:
                column.addWidget(self._field(setting))
                column.addWidget(rule())
        for extra in self._extras[section]:
            column.insertWidget(2 if extra.first else column.count(), extra.make())
        column.addStretch(1)
        return inner

    def _field(self, setting: Setting) -> SettingField:
        name = setting.name
        field = self.fields[name] = KINDS.get(name, SettingField)(setting)
        field.changed.connect(lambda value: self._set(name, value))
        field.reset_asked.connect(lambda: self._reset(name))
        if name in self._values:
            field.show_value(self._values[name])
        return field

    def _connect(self) -> None:
        self.sections.currentRowChanged.connect(self._turn_to)

    def _turn_to(self, row: int) -> None:
        """A page is made when it is first looked at: all at once would keep the window waiting."""
        self.pages.setCurrentIndex(row)
        area = self.pages.widget(row)
        if isinstance(area, QScrollArea) and area.widget() is None:
            area.setWidget(self._page(ORDER[row]))

    def add_to(self, section: str, make: Callable[[], QWidget], *, first: bool = False) -> None:
        """Something a section offers besides its settings, made with its page."""
        self._extras[section].append(PageExtra(make, first))

    def go_to(self, section: str) -> None:
        self.sections.setCurrentRow(ORDER.index(section))

    def focus_on(self, name: str) -> None:
        """Takes the keyboard to that setting, wherever it stands."""
        declared = next(setting for setting in SETTINGS if setting.name == name)
        self.go_to(declared.section)
        field = self.fields.get(name)
        if field is not None:
            page = self.pages.currentWidget()
            assert isinstance(page, QScrollArea)
            page.ensureWidgetVisible(field)
            field.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        self._jobs.run(self._settings.all, self._show, key="settings")

    def _show(self, values: Mapping[str, Value]) -> None:
        self._values = values
        for name, field in self.fields.items():
            field.show_value(values[name])

    def _set(self, name: str, value: Value) -> None:
        def work() -> Value:
            if name == "retention":
                parse_retention(str(value))
            return self._settings.set(name, value)

        self._keep(name, work)

    def _keep(self, name: str, work: Callable[[], Value]) -> None:
        self._keeping += 1
        self._jobs.run(work, lambda kept: self._kept(name, kept), lambda e: self._failed(name, e))

    def _reset(self, name: str) -> None:
        field = self.fields[name]

        def reset() -> Value:
            self._settings.reset(name)
            return field.setting.default

        self._keep(name, reset)

    def _kept(self, name: str, value: Value) -> None:
        self._values = {**self._values, name: value}
        self.fields[name].show_value(value)
        self.changed.emit(name, value)
        self._go_when_kept(-1)

    def _failed(self, name: str, error: Exception) -> None:
        if isinstance(error, KeepsakeError) and not self._closed:
            self.fields[name].complain(heard(error))
        else:
            self._jobs.failed.emit(error)
        self._go_when_kept(-1)

    def done(self, result: int) -> None:
        super().done(result)
        self._closed = True
        self._go_when_kept(0)

    def _go_when_kept(self, change: int) -> None:
        self._keeping += change
        if self._closed and not self._keeping:
            self.deleteLater()


def setting_text(text: str) -> str:
    """What the declaration of a setting says (app/settings.py), in the window's language."""
    return QCoreApplication.translate("settings", text)


def _choice_text(setting: str, word: str) -> str:
    """A language is called as those who speak it call it."""
    if setting == "language" and word != "system":
        return QLocale(word).nativeLanguageName().split()[-1].capitalize()
    return setting_text(word)
