"""Settings: made from their declarations, applied as they are changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.rules.lifetimes import parse_retention
from app.settings import SETTINGS, Value
from store.errors import KeepsakeError
from ui.jobs import Jobs
from ui.parts_of_views import label, rule
from ui.setting_fields import FontField, RetentionField, SettingField
from ui.writer_settings import OWN_FIELDS

if TYPE_CHECKING:
    from app.settings import Settings

ORDER = (
    "Vault", "API", "Hydration", "Lifetimes", "Blocks", "Search", "Conversations",
    "Writing model", "Window",
)  # fmt: skip
KINDS: dict[str, type[SettingField]] = {"font": FontField, "retention": RetentionField}


class SettingsDialog(QDialog):
    """`changed` says the name and the value of a setting that is kept now."""

    changed = Signal(str, object)

    def __init__(self, settings: Settings, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._jobs = jobs
        self.fields: dict[str, SettingField] = {}
        self._columns: dict[str, QVBoxLayout] = {}
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        self.resize(860, 620)
        self.sections = QListWidget()
        self.sections.setObjectName("sections")
        self.sections.setAccessibleName(self.tr("Sections"))
        self.sections.setFixedWidth(180)
        self.pages = QStackedWidget()
        for section in ORDER:
            self.sections.addItem(self.tr(section))
            self.pages.addWidget(self._page(section))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sections)
        row.addWidget(self.pages, 1)

    def _page(self, section: str) -> QWidget:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(28, 20, 28, 20)
        column.setSpacing(2)
        column.addWidget(label(self.tr(section), "title"))
        column.addSpacing(6)
        for setting in SETTINGS:
            if setting.section == section and setting.name not in OWN_FIELDS:
                kind = KINDS.get(setting.name, SettingField)
                field = self.fields[setting.name] = kind(setting)
                column.addWidget(field)
                column.addWidget(rule())
        self._columns[section] = column
        column.addStretch(1)
        area.setWidget(inner)
        return area

    def _connect(self) -> None:
        self.sections.currentRowChanged.connect(self.pages.setCurrentIndex)
        self.sections.setCurrentRow(0)
        for name, field in self.fields.items():
            field.changed.connect(lambda value, name=name: self._set(name, value))
            field.reset_asked.connect(lambda name=name: self._reset(name))

    def add_to(self, section: str, widget: QWidget, *, first: bool = False) -> None:
        """Something a section offers besides its settings."""
        column = self._columns[section]
        column.insertWidget(2 if first else column.count() - 1, widget)

    def go_to(self, section: str) -> None:
        self.sections.setCurrentRow(ORDER.index(section))

    def refresh(self) -> None:
        self._jobs.run(self._settings.all, self._show, key="settings")

    def _show(self, values: Mapping[str, Value]) -> None:
        for name, field in self.fields.items():
            field.show_value(values[name])

    def _set(self, name: str, value: Value) -> None:
        def work() -> Value:
            if name == "retention":
                parse_retention(str(value))
            return self._settings.set(name, value)

        self._jobs.run(work, lambda kept: self._kept(name, kept), lambda e: self._failed(name, e))

    def _reset(self, name: str) -> None:
        field = self.fields[name]

        def reset(_: object) -> None:
            self._kept(name, field.setting.default)

        self._jobs.run(lambda: self._settings.reset(name), reset)

    def _kept(self, name: str, value: Value) -> None:
        self.fields[name].show_value(value)
        self.changed.emit(name, value)

    def _failed(self, name: str, error: Exception) -> None:
        if isinstance(error, KeepsakeError):
            self.fields[name].complain(str(error))
        else:
            self._jobs.failed.emit(error)
