"""What can be done about an item of the answer: open it, bring it in, forget it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.hydration import Run
from app.rules.explanation import Explanation, Remedy
from app.rules.verdict import Item
from ui.jobs import Jobs

if TYPE_CHECKING:
    from app.why import Why

DRAFT = "draft"  # the id of an item that is not stored yet


class HydrationDeeds(QObject):
    """Asks for doing, each of which can be undone: `open_asked` an entry or `block_asked` a block,
    `core_asked` and `forget_asked` ids, `shorten_asked` an id and the bytes to lose,
    `budget_asked` the bytes that would do."""

    open_asked = Signal(str)
    block_asked = Signal(str)
    review_asked = Signal()
    core_asked = Signal(list)
    forget_asked = Signal(list)
    shorten_asked = Signal(str, int)
    budget_asked = Signal(int)

    def __init__(self, why: Why, jobs: Jobs, owner: QWidget) -> None:
        super().__init__(owner)
        self._why = why
        self._jobs = jobs
        self._owner = owner

    def open(self, item: Item) -> None:
        if item.reason == "pending":
            self.review_asked.emit()
        elif item.type == "entry" and item.id != DRAFT:
            self.open_asked.emit(item.id)
        elif item.type in ("block", "archival"):
            self.block_asked.emit(item.id.partition(":")[0])

    def bring_in(self, item: Item) -> None:
        """By the nearest remedy, as its words on the row say."""
        if item.included or item.type != "entry":
            return
        if item.category == "core" or item.reason == "too_big":
            self.shorten(item)
        elif item.id != DRAFT:
            self.core_asked.emit([item.id])

    def shorten(self, item: Item) -> None:
        self.shorten_asked.emit(item.id, max(item.bytes - max(item.left, 0), 1))

    def apply(self, ident: str, remedy: Remedy) -> None:
        """Does what brings that memory in."""
        match remedy.action:
            case "make_core":
                self.core_asked.emit([ident])
            case "forget":
                self.forget_asked.emit([remedy.id])
            case "shorten":
                self.shorten_asked.emit(ident, remedy.bytes)
            case "raise_budget":
                self.budget_asked.emit(remedy.bytes)

    def offer(self, item: Item, run: Run | None, at: QPoint) -> None:
        """A menu at that point of the screen, with what would bring the item into `run`."""
        out = not item.included and item.reason in ("over_budget", "too_big")
        if run is None or item.type != "entry" or item.id == DRAFT or not out:
            self._show_menu(item, None, at)
            return
        self._jobs.run(
            lambda: self._why.explain(item.id, run),
            lambda found: self._show_menu(item, found, at),
            key="remedies",
        )

    def _show_menu(self, item: Item, found: Explanation | None, at: QPoint) -> None:
        menu = QMenu(self._owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open")).triggered.connect(lambda: self.open(item))
        for remedy in found.remedies if found else ():
            action = menu.addAction(remedy.sentence[:1].upper() + remedy.sentence[1:])
            action.triggered.connect(lambda _=False, remedy=remedy: self.apply(item.id, remedy))
        if item.type == "entry" and item.reason not in ("pending", "expired"):
            menu.addSeparator()
            forget = menu.addAction(self.tr("Forget {key}").format(key=item.key))
            forget.triggered.connect(lambda: self.forget_asked.emit([item.id]))
        menu.popup(at)
