"""The list with its header: how many, and how they were found."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.browse import Browse
from app.query import TYPED_HITS, parse
from store.instants import Clock
from ui.controls import frame, tool
from ui.entry_list import EntryList
from ui.entry_model import EntryModel
from ui.finding import HITS, Listing
from ui.jobs import Jobs
from ui.parts_of_views import ElidedLabel
from ui.sidebar import Place
from ui.theme import Theme
from ui.wording import memories, number_text


class ListPane(QFrame):
    def __init__(
        self, browse: Browse, jobs: Jobs, theme: Theme, clock: Clock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("listPane")
        self.setMinimumWidth(240)
        self.model = EntryModel(browse, jobs, self)
        self.list = EntryList(self.model, theme, clock)
        self._counted = ""
        self._count = ElidedLabel()
        self._count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._how = QLabel()
        self.change = tool(self.tr("Change ▾"))
        self.change.setProperty("look", "link")
        self.change.setAccessibleName(self.tr("Change the selected memories"))
        self.change.clicked.connect(self._ask_menu)
        self.change.hide()
        header = frame("listHeader")
        header.setFixedHeight(theme.px(34))
        row = QHBoxLayout(header)
        row.setContentsMargins(14, 0, 14, 0)
        row.addWidget(self._count, 1)
        row.addWidget(self._how)
        row.addWidget(self.change)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.list, 1)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._restate())

    def _restate(self) -> None:
        """How many there are; while several are selected, how many those are and what to do."""
        number = len(self.list.selected_rows())
        several = number > 1
        selected = self.tr("{n} selected").format(n=number_text(number))
        self._count.setText(selected if several else self._counted)
        self._how.setVisible(not several)
        self.change.setVisible(several)

    def _ask_menu(self) -> None:
        below = self.change.mapTo(self, self.change.rect().bottomLeft())
        self.list.menu_asked.emit(self.list.viewport().mapFrom(self, below))

    def show_listing(self, listing: Listing, place: Place, total: int) -> None:
        if listing.how == "all":
            self.model.plain() if listing.first else None
        self.list.show_numbers(
            listing.numbers, listing.rows, listing.places, stay=not listing.first
        )
        self._head(listing, place, total)

    def _head(self, listing: Listing, place: Place, total: int) -> None:
        number = len(listing.numbers)
        if listing.how == "all" and not listing.query:
            self._counted = memories(number)
        elif listing.how == "all":
            words = self.tr("{n} of {total}")
            self._counted = words.format(n=number_text(number), total=number_text(total))
        else:
            full = number in (HITS, TYPED_HITS)
            shown = f"{number}+" if full else number_text(number)
            words = self.tr("{n} of {total} match “{query}”")
            said = parse(listing.query).text
            self._counted = words.format(n=shown, total=number_text(total), query=said)
        how = {"words": self.tr("words"), "both": self.tr("words and meaning"), "all": ""}
        self._how.setText(how[listing.how])
        self._restate()
        self.list.say_when_empty(*self._empty(listing, place))

    def _empty(self, listing: Listing, place: Place) -> tuple[str, str]:
        if listing.query:
            return (
                self.tr("Nothing found"),
                self.tr("Try other words, or take a filter away."),
            )
        match place.name:
            case "trash":
                return self.tr("The trash is empty"), self.tr("What you forget waits here.")
            case "expiring":
                return self.tr("Nothing expires soon"), self.tr("Daily memories show up here.")
            case _:
                return (
                    self.tr("No memories here yet"),
                    self.tr("Press Ctrl+N to write one, or let an agent do it."),
                )
