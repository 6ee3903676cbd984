"""The search field with its chips: `tag:infra` or `importance>=7` typed there becomes a chip."""

from __future__ import annotations

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QEvent,
    QLocale,
    QObject,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.entries.browse import Vocabulary
from app.recall.query import FIELDS, split_filters
from store.records import CATEGORIES, KINDS, Scope
from ui.toolkit.formatting import scope_text, who, word_text
from ui.toolkit.help import explain
from ui.toolkit.icons import icon
from ui.toolkit.plain_text import own_direction, plain_label, plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import FlowLayout, name_popup, tool

FIELD_LEAST = 220  # pixels that the field keeps beside its chips
TYPING_MS = 0  # a search starts with the key that asks for it; stale ones are dropped


def chip_text(term: str) -> str:
    """As people read it: `#infra`, `core`, `importance ≥ 7`."""
    if term.lower().startswith("importance"):
        return term.replace(">=", " ≥ ").replace("<=", " ≤ ").replace(":", " = ")
    field, _, value = term.partition(":")
    if field == "tag":
        return f"#{value}"
    if field in ("after", "before", "source"):
        return _chip_sentence(field, value)
    if field in ("agent", "workspace"):
        return scope_text(Scope(field, value))
    return word_text(value) if field in ("category", "kind") else f"{field}: {value}"


def _chip_sentence(field: str, value: str) -> str:
    """What a picture filters by: `from 17 Nov`, `before 18 Nov`, `by you`."""
    translate = QCoreApplication.translate
    if field == "source":
        return translate("SearchBar", "by {who}").format(who=who(value))
    day = QDate.fromString(value, Qt.DateFormat.ISODate)
    near = day.year() == QDate.currentDate().year()
    pattern = translate("Wording", "d MMM") if near else translate("Wording", "d MMM yyyy")
    said = QLocale().toString(day, pattern) if day.isValid() else value
    words = {
        "after": translate("SearchBar", "from {day}"),
        "before": translate("SearchBar", "before {day}"),
    }
    return words[field].format(day=said)


class SearchField(QLineEdit):
    """Says `down` for the way to the list, `backed` for Backspace at the start, and `escaped`."""

    down = Signal()
    escaped = Signal()
    backed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setPlaceholderText(self.tr("Search memories"))
        self.setAccessibleName(self.tr("Search memories"))
        explain(
            self,
            self.tr(
                "Finds by words at once and by meaning a moment later; tag: or kind: narrow it."
            ),
        )
        self.setMinimumHeight(34)
        self.setMaximumWidth(520)
        self._glass = QAction(self)
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        for glass in self.findChildren(QToolButton):
            glass.setAccessibleName(self.tr("Search memories"))
        self._key = plain_label("/", self, alignment=Qt.AlignmentFlag.AlignCenter)
        theme.changed.connect(self._style_key)
        self.textChanged.connect(self._make_room)

    def _style_key(self) -> None:
        tokens = self._theme.tokens
        self._key.setStyleSheet(
            f"border: 1px solid {tokens.line}; border-radius: 4px; color: {tokens.faint};"
            f"font-size: {self._theme.px(11)}px; background: transparent;"
        )

    def refresh_icons(self) -> None:
        self._glass.setIcon(icon("search", self._theme.tokens.faint))

    def resizeEvent(self, event: QEvent) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self._key.setGeometry(9 if rtl else self.width() - 26, (self.height() - 18) // 2, 17, 18)
        self._make_room(self.text())

    def _make_room(self, text: str) -> None:
        """What stands in the empty field keeps clear of the key, on whichever side it begins."""
        self._key.setVisible(not text)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.setTextMargins(24 if rtl and not text else 0, 0, 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.backed.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class TermCompleter(QObject):
    """Suggests filter terms in a list under the field while one is being typed."""

    chosen = Signal(str)  # the term

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field)
        self._field = field
        self._known = QStringListModel(self)
        self.completer = QCompleter(self._known, self)
        self.completer.setWidget(field)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        name_popup(self.completer)
        self._popup = self.completer.popup()
        self.completer.activated.connect(self.chosen)

    def offer(self, words: Vocabulary) -> None:
        """Suggests these words, beside those every vault has."""
        known = [f"tag:{tag}" for tag in words.tags[:500]]
        known += [f"category:{word}" for word in {*CATEGORIES, *words.categories}]
        known += [f"kind:{word}" for word in {*KINDS, *words.kinds}]
        known += [f"{scope.kind}:{scope.id}" for scope in words.scopes if scope.id]
        known += ["importance>=7", "importance>=9", "scope:user"]
        self._known.setStringList(sorted(term for term in known if " " not in term))

    def suggest(self, text: str) -> None:
        """Opens the list if the last word of `text` begins a term, else closes it."""
        last = text.split(" ")[-1]
        known = ":" in last or any(name.startswith(last.lower()) for name in FIELDS)
        if len(last) >= 2 and known:
            self.completer.setCompletionPrefix(last)
            if self.completer.completionCount():
                self._field.installEventFilter(self)  # its keys are the list's while that is open
                self.completer.complete()
                return
        self.hide()

    @property
    def suggesting(self) -> bool:
        """Whether a suggestion is marked in the list below the field."""
        popup = self._popup
        return popup is not None and popup.isVisible() and popup.currentIndex().isValid()

    def hide(self) -> None:
        self._field.removeEventFilter(self)
        if self._popup is not None:
            self._popup.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        open_ = self._popup is not None and self._popup.isVisible()
        if watched is self._field and event.type() is QEvent.Type.KeyPress and open_:
            keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab)
            if event.key() in keys:  # type: ignore[attr-defined]
                event.ignore()
                return True
        return super().eventFilter(watched, event)


class FilterMenu(QMenu):
    """Offers the filter terms of the vault's own words, made anew each time it opens."""

    chosen = Signal(str)  # the term

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = Vocabulary()
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        words = self.words
        groups = (
            (self.tr("Category"), "category", dict.fromkeys([*CATEGORIES, *words.categories])),
            (self.tr("Kind"), "kind", dict.fromkeys([*KINDS, *words.kinds])),
            (self.tr("Tag"), "tag", dict.fromkeys(words.tags[:40])),
        )
        for title, field, values in groups:
            menu = self.addMenu(title)
            menu.setEnabled(bool(values))
            for value in [value for value in values if " " not in value][:40]:
                text = value if field == "tag" else word_text(value)
                self._offer(menu, text, f"{field}:{value}")
        menu = self.addMenu(self.tr("Importance"))
        for least in (3, 5, 7, 9):
            text = self.tr("{n} and more").format(n=least)
            self._offer(menu, text, f"importance>={least}")

    def _offer(self, menu: QMenu, text: str, term: str) -> None:
        menu.addAction(text).triggered.connect(lambda: self.chosen.emit(term))


class SearchBar(QWidget):
    """Asks with `asked`, the whole query as one line: the chips' terms, then the words. `strip` is
    to stand over the list, for chips that have no room beside the field."""

    asked = Signal(str)
    down = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._terms: list[str] = []
        self._lent = ""  # what a saved search or a picture asked, while nobody changed it
        self.chips: list[QToolButton] = []
        self._timer = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.field = SearchField(theme)
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.terms = TermCompleter(self.field)
        self.filter_button = tool(self.tr("+ Filter"))
        self.filter_button.setProperty("look", "chip-quiet")
        self.filter_button.setAccessibleName(self.tr("Add a filter"))
        explain(
            self.filter_button, self.tr("Leaves only memories of one scope, kind, label and so on.")
        )
        self.filter_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = FilterMenu(self.filter_button)
        self.filter_button.setMenu(self._menu)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self.strip = QWidget()
        self._lines = FlowLayout(self.strip)
        self._lines.setContentsMargins(14, 6, 14, 6)
        self.strip.hide()
        self._row.addWidget(self.field, 100)
        self._row.addSpacing(6)
        self._row.addWidget(self.filter_button)
        self._row.addStretch(1)

    def _connect(self) -> None:
        self.field.textEdited.connect(self._typed)
        self.field.returnPressed.connect(self._entered)
        self.field.backed.connect(self._remove_last_term)
        self.field.down.connect(self.down)
        self.field.escaped.connect(self._leave)
        self.terms.chosen.connect(self._complete)
        self._menu.chosen.connect(self.add_term)
        self._timer.timeout.connect(lambda: self.asked.emit(self.query))

    @property
    def query(self) -> str:
        return " ".join([*self._terms, self.field.text().strip()]).strip()

    @property
    def words(self) -> str:
        """The part that is typed and no chip."""
        return self.field.text().strip()

    def set_query(self, query: str, *, tell: bool = True) -> None:
        terms, words = split_filters(query)
        self._terms = list(dict.fromkeys(terms))
        self.field.setText(words)
        self._draw_chips()
        if tell:
            self.asked.emit(self.query)

    def lend(self, query: str) -> None:
        """Asks what a saved search or a picture asks: it goes when the person goes on."""
        self.set_query(query)
        self._lent = self.query

    def take_back(self) -> None:
        """What was lent goes; what the person typed or added stays."""
        if self.query and self.query == self._lent:
            self.set_query("")
        self._lent = ""

    def clear(self) -> None:
        """The filters go first; where there are none, the words."""
        self.set_query(self.words if self._terms else "")

    def add_term(self, term: str) -> None:
        if term not in self._terms:
            self._terms.append(term)
            self._draw_chips()
            self.asked.emit(self.query)

    def remove_term(self, term: str) -> None:
        self._terms.remove(term)
        self._draw_chips()
        self.asked.emit(self.query)
        self.field.setFocus()

    def offer(self, words: Vocabulary) -> None:
        """Completes from these words and has the menu list them."""
        self.terms.offer(words)
        self._menu.words = words

    def _typed(self, text: str) -> None:
        if text.endswith(" ") and self._pull_terms():
            return
        self.terms.suggest(text)
        self._timer.start()

    def _entered(self) -> None:
        if self.terms.suggesting:
            return  # the completer passes Return on to the field before it takes what is marked
        if not self._pull_terms():
            self.asked.emit(self.query)
            self.down.emit()

    def _pull_terms(self) -> bool:
        """Turns terms typed in the field into chips; says whether there were any."""
        terms, words = split_filters(self.field.text())
        if not terms:
            return False
        self.terms.hide()
        self.field.setText(f"{words} " if words else "")  # what is typed next is another word
        self._terms = list(dict.fromkeys([*self._terms, *terms]))
        self._draw_chips()
        self.asked.emit(self.query)
        return True

    def _complete(self, term: str) -> None:
        kept = self.field.text().rpartition(" ")[0]
        self.field.setText(f"{kept} {term}".strip())
        self._pull_terms()

    def _leave(self) -> None:
        """Escape takes the words back first; from an empty field it goes to the list."""
        if self.words:
            self.field.clear()
            self.asked.emit(self.query)
        else:
            self.down.emit()

    def _remove_last_term(self) -> None:
        if self._terms:
            self.remove_term(self._terms[-1])

    def _draw_chips(self) -> None:
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = [self._chip(term) for term in self._terms]
        self._place_chips()

    def _chip(self, term: str) -> QToolButton:
        chip = tool(f"{own_direction(chip_text(term))} ×", self)
        chip.setProperty("look", "chip")
        chip.setToolTip(plain_tip(term))
        chip.setAccessibleName(self.tr("Remove the filter {term}").format(term=term))
        chip.clicked.connect(lambda: self.remove_term(term))
        return chip

    def _place_chips(self) -> None:
        """Beside the field where they have room there, else all in the strip, on lines of their
        own."""
        wide = sum(chip.sizeHint().width() + self._row.spacing() for chip in self.chips)
        used = self.filter_button.sizeHint().width() + 2 * self._row.spacing() + FIELD_LEAST
        beside = wide + used <= self.width()
        for index, chip in enumerate(self.chips):
            if beside:
                self._row.insertWidget(2 + index, chip)
            else:
                self._lines.addWidget(chip)
            chip.show()
        self.strip.setVisible(bool(self.chips) and not beside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_chips()
