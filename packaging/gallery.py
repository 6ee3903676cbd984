"""Every view and dialog of the window, each with how a person comes to it.

`screenshots.py --all` draws them. A dialog of `ui/` is in `DIALOGS` under the name of its class,
or it is drawn nowhere: a test compares, and drawing fails where another class comes up."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QListWidget,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.care.encryption import ChosenKey, Encryption
from app.care.vault_key import open_ring
from app.connect.mcp_clients import claude_home
from app.samples import Samples
from store.errors import Locked
from store.records import TRASHED, USER, Entry, Scope
from store.tables.entry_filter import EntryFilter
from ui.conversations.view import ConversationsView
from ui.files.machines_dialog import MachinesDialog
from ui.files.mirrors_dialog import MirrorsDialog
from ui.hydration.pane import HydrationPane
from ui.insight.conflicts import SinceDialog
from ui.proof.beliefs import BeliefsDialog, OwnWordsDialog
from ui.proof.install import BlameDialog
from ui.proof.radar import RadarStep
from ui.proof.still_true import EDIT, NO, StillTrueView
from ui.toolkit.help_window import WhatIsThis
from ui.toolkit.translation import heard
from ui.vault.backups_dialog import RescueDialog, why_locked
from ui.vault.first_run import FirstMinute
from ui.vault.key_dialogs import EncryptDialog, KeyDialog
from ui.window.palette import Overlay

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.window.main_window import MainWindow

LOOKS, LOOK_MS = 200, 50  # how often, and how far apart, it is looked whether a dialog has come up
ALIKE = ("answers", "answer_style")
TRASH = EntryFilter(state=TRASHED)


@dataclass(frozen=True, slots=True)
class Desk:
    """The window, what it is over, and what waits until it has come to rest."""

    window: MainWindow
    vault: Vault
    settle: Callable[[MainWindow], None]

    def act(self, name: str) -> None:
        self.window.actions_[name].trigger()

    def go_to(self, place: str) -> None:
        self.window.sidebar.choose(place)
        self.rest()

    def open(self, key: str) -> None:
        """The memory of that key, in the editor."""
        self.window.shell.open("entry", self.entries(key)[0].id)
        self.rest()

    def entries(self, *keys: str) -> list[Entry]:
        every = self.vault.entries.read_many(self.vault.entries.ids(EntryFilter()))
        return [one for key in keys for one in every if one.key == key]

    def rest(self) -> None:
        self.settle(self.window)

    @property
    def tops(self) -> list[QWidget]:
        """What is open over the window."""
        shown = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        return [top for top in shown if top is not self.window]


# Dialogs


def _save_words(desk: Desk) -> None:
    desk.go_to("conversations")
    view = desk.window.findChildren(ConversationsView)[0]
    view.detail.turns.setFocus()
    view.detail.turns.selectAll()
    view.save_words()


def _rescue(desk: Desk) -> None:
    path = desk.vault.path
    error = f"{path} is damaged (database disk image is malformed). Restore the latest backup: "
    error += "keepsake backup list, then keepsake backup restore."
    RescueDialog(path, heard(error), desk.window).open()


def _since(desk: Desk) -> None:
    SinceDialog(desk.vault.clock(), desk.window).open()


def _encrypt(desk: Desk) -> None:
    made = ChosenKey(bytes(range(32)), "made")
    EncryptDialog(Encryption(desk.vault.path, open_ring()), made, desk.window).open()


def _key(desk: Desk) -> None:
    KeyDialog(desk.vault.path, why_locked(Locked("")), desk.window).open()


def _machines(desk: Desk) -> MachinesDialog:
    desk.act("machines")
    return desk.window.findChildren(MachinesDialog)[-1]


def _mirrors(desk: Desk) -> MirrorsDialog:
    """With one folder, in which a note was changed while the vault's was changed as well."""
    folder = desk.vault.path.parent / "notes"
    if not folder.exists():
        folder.mkdir()
        mirror = desk.vault.mirrors.add(folder, USER).mirror
        diet = desk.vault.entries.find(USER, "diet")
        note = folder / "diet.md"
        note.write_text(note.read_text().replace("peanut", "hazelnut"))
        if diet is not None:
            desk.vault.entries.change(diet.id, {"content": "Vegetarian; allergic to all nuts."})
        desk.vault.mirrors.sync(mirror.id)
    desk.act("mirrors")
    return desk.window.findChildren(MirrorsDialog)[-1]


def _import(desk: Desk) -> None:
    """A folder in which one note was changed, one added and one is too long."""
    folder = desk.vault.path.parent / "brought"
    shutil.rmtree(folder, ignore_errors=True)
    desk.vault.export.to_folder(folder, [USER])
    note = next(folder.rglob("bike.md"))
    note.write_text(note.read_text().replace("Brompton", "Dahon"))
    note.with_name("tea.md").write_text("Green tea at four.\n")
    note.with_name("huge.md").write_text("x" * 70_000)
    desk.window.shell.dropped.emit([str(folder)])


def _compare(desk: Desk) -> None:
    pane = desk.window.findChildren(HydrationPane)[0]
    pane.compare_asked.emit(pane.run)


def _blame(desk: Desk) -> None:
    desk.act("blame")
    dialog = desk.window.findChildren(BlameDialog)[0]
    dialog.said.setPlainText("Deploys go out on Fridays.")
    dialog.look_up.click()


def _radar(desk: Desk) -> None:
    """An erase that is looked around for, with a note of an agent that says it."""
    entry = desk.entries("deploy_target")[0]
    note = claude_home() / "CLAUDE.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"# Notes\n\n- {entry.content}\n", encoding="utf-8")
    bulk = desk.window.shell.bulk
    bulk.erase_prepared.connect(
        lambda dialog: _once_shown(dialog, dialog.findChildren(RadarStep)[0].go.click),
        Qt.ConnectionType.SingleShotConnection,
    )
    bulk.ask_erase([entry.id])


def _once_shown(dialog: QWidget, act: Callable[[], None]) -> None:
    """As a person would, who sees it first."""
    timer = QTimer(dialog, interval=LOOK_MS // 10)
    timer.timeout.connect(lambda: dialog.isVisible() and (timer.stop(), act()))
    timer.start()


def _beliefs(desk: Desk) -> None:
    desk.act("beliefs")
    dialog = desk.window.findChildren(BeliefsDialog)[0]
    dialog.answer.setPlainText(
        "- You deploy with a single command.\n- You never deploy on Fridays.\n- You own a boat.\n"
    )
    dialog.compare.click()


def _merge(desk: Desk) -> None:
    _select(desk, ALIKE)
    desk.act("merge")


def _move_all(desk: Desk) -> None:
    scope = Scope("workspace", "shop")
    idents = desk.vault.entries.ids(EntryFilter(scopes=(scope,)))
    desk.window.shell.bulk.ask(idents, "move")


def _expires_on(desk: Desk) -> None:
    desk.open("deploy_target")
    field = desk.window.editor.form.fields.expires
    field.activated.emit(field.findData("pick"))


def _save_search(desk: Desk) -> None:
    _found(desk)
    desk.rest()
    desk.act("save_search")


def _correct(desk: Desk) -> None:
    desk.open("deploy_target")
    desk.act("correct")


def _expect(desk: Desk) -> None:
    desk.open("deploy_target")
    desk.act("expect")


def _action(name: str) -> Callable[[Desk], object]:
    return lambda desk: desk.act(name)


DIALOGS: dict[str, Callable[[Desk], object]] = {
    "AboutDialog": _action("about"),
    "AddMirror": lambda desk: _mirrors(desk).add_asked.emit(),
    "AgentFilesDialog": _action("agent_files"),
    "AgentsDialog": _action("agents"),
    "BackupsDialog": _action("backups"),
    "BeliefsDialog": _beliefs,
    "BisectDialog": _action("bisect"),
    "BlameDialog": _blame,
    "CompareDialog": _compare,
    "CorrectDialog": _correct,
    "EncryptDialog": _encrypt,
    "EraseDialog": _radar,
    "ExpectDialog": _expect,
    "ExpectationsDialog": _action("memory_tests"),
    "ExportDialog": _action("export"),
    "HelpWindow": _action("help"),
    "ImportDialog": _import,
    "JoinDialog": lambda desk: _machines(desk).join.click(),
    "KeyDialog": _key,
    "MachinesDialog": _machines,
    "MemoryWindow": _action("own_window"),
    "MergeDialog": _merge,
    "MirrorsDialog": _mirrors,
    "OwnWordsDialog": lambda desk: OwnWordsDialog("Owns a boat.", desk.window).open(),
    "QuickCapture": _action("capture"),
    "RescueDialog": _rescue,
    "SaveSearchDialog": _save_search,
    "SaveWords": _save_words,
    "SelectionDialog": _move_all,
    "SettingsDialog": _action("settings"),
    "ShortcutSheet": _action("shortcuts"),
    "SinceDialog": _since,
    "WhenDialog": _expires_on,
}


# Moments of the window itself


def _select(desk: Desk, keys: tuple[str, ...]) -> None:
    desk.go_to("user")
    listed = desk.window.list_pane.list
    numbers = [desk.vault.browse.number_of(one.id) for one in desk.entries(*keys)]
    listed.select_numbers([number for number in numbers if number is not None])
    desk.rest()


def _conflict(desk: Desk) -> None:
    desk.open("timezone")


def _nothing_found(desk: Desk) -> None:
    desk.window.toolbar.search.set_query("zeppelin tag:infra")


def _found(desk: Desk) -> None:
    desk.window.toolbar.search.set_query("deploy")


def _pane(desk: Desk) -> HydrationPane:
    """What agents are told, which is a drawer in a small window."""
    pane = desk.window.findChildren(HydrationPane)[0]
    if not pane.isVisible():
        desk.act("pane")
    return pane


def _exact_text(desk: Desk) -> None:
    _pane(desk).widgets.tabs.setCurrentIndex(1)


def _message_tried(desk: Desk) -> None:
    pane = _pane(desk)
    pane.widgets.tabs.setCurrentIndex(2)
    field = pane.widgets.trial.message
    field.setText("When is the next deploy?")
    field.textEdited.emit(field.text())


def _run_options(desk: Desk) -> None:
    _pane(desk).widgets.more.setChecked(True)


def _toast(desk: Desk) -> None:
    _select(desk, ("bike", "partner"))
    desk.act("forget")


def _changed(desk: Desk) -> None:
    """An edit under way that makes something else fall out."""
    desk.go_to("user")
    desk.open("diet")
    body = desk.window.editor.form.body
    body.moveCursor(body.textCursor().MoveOperation.End)
    body.insertPlainText(" No shellfish either, and only a little lactose in the morning.")


def _still_true(desk: Desk, asked: int) -> None:
    """With a memory that was confirmed long ago; if it is not true, what then, or edited."""
    past = {"verified_at": "2024-03-01", "stale_after": "2025-03-01"}
    desk.vault.entries.change(desk.entries("deploy_target")[0].id, past)
    desk.go_to("still_true")
    desk.window.findChildren(StillTrueView)[0].page.ask(asked)


def _emptied(desk: Desk) -> None:
    """As at the first start: nothing remembered, nothing in the trash."""
    Samples(desk.vault).remove()
    every = (*desk.vault.entries.ids(EntryFilter()), *desk.vault.entries.ids(TRASH))
    desk.vault.erasure.erase(every)
    desk.window.shell.changes.look()


MOMENTS: dict[str, Callable[[Desk], object]] = {
    "found": _found,
    "nothing_found": _nothing_found,
    "edited": _changed,
    "conflict": _conflict,
    "several": lambda desk: _select(desk, ("diet", "editor", "timezone")),
    "new": _action("new"),
    "palette": _action("palette"),
    "tour": _action("tour"),
    "pane": _pane,
    "exact_text": _exact_text,
    "message": _message_tried,
    "run_options": _run_options,
    "toast": _toast,
    "still_true_no": lambda desk: _still_true(desk, NO),
    "still_true_edit": lambda desk: _still_true(desk, EDIT),
    "first_run": _emptied,
}


def _menu_of(button: QToolButton) -> QMenu:
    menu = button.menu()
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    return menu


def _asked_word(desk: Desk) -> None:
    desk.go_to("blocks")
    shown = [one for one in desk.window.findChildren(WhatIsThis) if one.isVisible()]
    shown[0].click()


def _box(desk: Desk) -> None:
    desk.go_to("conversations")
    desk.window.findChildren(ConversationsView)[0].delete()


POPUPS: dict[str, Callable[[Desk], object]] = {
    "menu": lambda desk: _menu_of(desk.window.toolbar.menu),
    "order": lambda desk: _menu_of(desk.window.toolbar.sort),
    "filter": lambda desk: desk.window.toolbar.search.filter_button.click(),
    "word": _asked_word,
    "sure": _box,
}


class Gallery:
    """Draws the window in one variant: what is in front, each under the words for it."""

    def __init__(self, desk: Desk, variant: str, folder: Path) -> None:
        self._desk = desk
        self._variant = variant
        self._folder = folder

    def draw(self) -> None:
        self._desk.vault.backups.now()
        self._keep_pages(self._desk.window, "memories")
        self._keep_views()
        for name, come_to in POPUPS.items():
            self._keep_popup(name, come_to)
        for name, come_to in DIALOGS.items():
            self._keep_dialog(name, come_to)
        for name, come_to in MOMENTS.items():
            come_to(self._desk)
            self._keep(self._desk.window, name)
            self._leave()

    def _keep(self, widget: QWidget, *words: str) -> None:
        self._desk.rest()
        plain = "-".join(re.sub(r"\W+", "_", word) for word in (self._variant, *words))
        widget.grab().save(str(self._folder / f"{plain}.png"))

    def _keep_pages(self, widget: QWidget, name: str) -> None:
        """A view or a dialog with its tabs, or its sections."""
        self._keep(widget, name)
        for bar in [bar for bar in widget.findChildren(QTabBar) if bar.isVisible()]:
            for place in range(1, bar.count()):
                bar.setCurrentIndex(place)
                self._keep(widget, name, bar.tabText(place))
            bar.setCurrentIndex(0)
        for sections in widget.findChildren(QListWidget, "sections")[: name == "SettingsDialog"]:
            for place in range(1, sections.count()):
                sections.setCurrentRow(place)
                self._keep(widget, name, sections.item(place).text())

    def _keep_views(self) -> None:
        window = self._desk.window
        rows = [window.sidebar_items.at(row) for row in range(window.sidebar_items.rowCount())]
        for name in [row.name for row in rows if row and not row.heading and not row.scope][1:]:
            self._desk.go_to(name)
            self._keep_pages(window, name) if name in PAGED else self._keep(window, name)
        self._leave()

    def _keep_popup(self, name: str, come_to: Callable[[Desk], object]) -> None:
        """Whatever comes up: a menu, a message box, a word's explanation."""
        self._when_up(lambda: self._desk.tops[-1:], lambda top: self._keep(top, name), come_to)

    def _keep_dialog(self, name: str, come_to: Callable[[Desk], object]) -> None:
        """The dialog of that class and no other."""

        def named() -> list[QWidget]:
            return [top for top in self._desk.tops if type(top).__name__ == name]

        self._when_up(named, lambda top: self._keep_pages(top, name), come_to)

    def _when_up(
        self,
        look: Callable[[], list[QWidget]],
        keep: Callable[[QWidget], None],
        come_to: Callable[[Desk], object],
    ) -> None:
        """Keeps what comes up, also while a dialog waits for its answer, and closes it."""
        done: list[QWidget] = []
        timer = QTimer(interval=LOOK_MS)

        def take() -> None:
            for top in look():
                timer.stop()
                QTest.qWait(LOOK_MS)
                keep(top)
                done.append(top)
                top.close()

        timer.timeout.connect(take)
        timer.start()
        come_to(self._desk)
        for _ in range(LOOKS):
            if done:
                break
            QTest.qWait(LOOK_MS)
        else:
            raise TimeoutError(f"{come_to} brings nothing up: {self._desk.tops}")
        self._leave()

    def _leave(self) -> None:
        """The window again as it was: nothing over it, nothing searched for, chosen or typed."""
        self._desk.window.editor.discard()
        for top in self._desk.tops:
            top.close()
        window = self._desk.window
        for over in window.findChildren(Overlay):
            over.hide()
        for steps in window.findChildren(FirstMinute):
            steps.end()
        window.messages.toast.hide()
        for pane in window.findChildren(HydrationPane):
            pane.widgets.more.setChecked(False)
            pane.widgets.tabs.setCurrentIndex(0)
        window.list_pane.list.select_row(0)
        if window.room.drawer_open:
            window.room.toggle_pane()
        window.toolbar.search.set_query("")
        self._desk.go_to("all")


PAGED = ("conversations", "blocks")
