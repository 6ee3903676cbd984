"""Adds the views that are looked at now and then: why, blocks, duplicates, timeline, map.

Each is imported and made when it is first opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from app.hydration.preview import LiveHydration
from app.rules.explanation import Remedy
from app.rules.policy import Run
from ui.hydration.pane import HydrationPane
from ui.hydration.why_panel import WhyPanel
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import yielding
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.blocks.editor import BlockEditor

Open = Callable[[str], None]


def tr(text: str) -> str:
    return QCoreApplication.translate("MoreViews", text)


class MoreViews:
    """`open_entry` takes a memory in hand by its id."""

    def __init__(
        self,
        window: MainWindow,
        vault: Vault,
        theme: Theme,
        pane: HydrationPane,
        live: LiveHydration,
        open_entry: Open,
    ) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        self._pane = pane
        self._live = live
        self._open = open_entry
        self._made: dict[str, QWidget] = {}
        self._add_why()
        self._add(
            "blocks",
            tr("Blocks"),
            self._make_blocks,
            "Alt+B",
            "core archival summary",
            save=self._save_block,
        )
        self._add("duplicates", tr("Duplicates"), self._make_duplicates, "Alt+8", "merge same")
        self._add("timeline", tr("Timeline"), self._make_timeline, "Alt+9", "days activity")
        self._add("map", tr("Map"), self._make_map, "Alt+0", "meaning picture")
        window.desk.went.connect(lambda place: self._entered(place.name))
        window.desk.counted.connect(lambda _tally: self._refresh_visible())
        pane.compare_asked.connect(self._compare)
        pane.item_actions.block_asked.connect(self.open_block)

    def _add(
        self,
        name: str,
        text: str,
        make: Callable[[], QWidget],
        keys: str,
        also: str,
        save: Callable[[], None] | None = None,
    ) -> None:
        window = self._window

        def made() -> QWidget:
            self._made[name] = yielding(make())
            return self._made[name]

        window.add_view(name, made, save)
        window.actions_.add(
            f"go_{name}", text, lambda: window.desk.go_to(name), keys, menu=tr("Go"), also=also
        )

    def _entered(self, name: str) -> None:
        view = self._made.get(name)
        if view is not None:
            view.refresh()  # type: ignore[attr-defined]

    def _refresh_visible(self) -> None:
        for name in ("blocks", "timeline"):  # comparing all pairs again at every write would not do
            view = self._made.get(name)
            if view is not None and view.isVisible():
                view.refresh()  # type: ignore[attr-defined]

    # Why

    def _add_why(self) -> None:
        window = self._window
        self.why = WhyPanel(self._vault.why, window.jobs, self._theme)
        window.editor.form.add_tab(tr("Why"), self.why)
        window.editor.shown.connect(self.why.show_entry)
        self.why.show_entry(window.editor.entry)
        self.why.remedy_asked.connect(self._apply)
        self.why.agent_asked.connect(self._pane.choose)
        tab = window.editor.form.tabs.count() - 1
        window.actions_.add(
            "why",
            tr("Why"),
            lambda: window.editor.form.tabs.setCurrentIndex(tab),
            "Ctrl+Shift+H",
            menu=tr("Memory"),
            also="explain agents see hydrated",
        )

    def _apply(self, ident: str, agent_id: str, remedy: Remedy) -> None:
        """Does what would bring the memory in; each can be undone."""
        if remedy.action == "raise_budget":
            agents, budget = self._vault.agents, {"hydration_budget": remedy.bytes}
            self._window.jobs.run(
                lambda: agents.change(agent_id, budget), lambda _agent: self._look_again()
            )
            return
        self._pane.item_actions.apply(ident, remedy)
        if remedy.action == "shorten":
            self._window.editor.form.tabs.setCurrentIndex(0)

    def _look_again(self) -> None:
        self._pane.reload()
        self.why.refresh()

    # Views

    def _make_blocks(self) -> QWidget:
        from ui.blocks.editor import BlockEditor

        window, vault = self._window, self._vault
        view = BlockEditor(
            vault.blocks,
            vault.drafts,
            vault.history,
            vault.agents,
            window.jobs,
            window.undoing,
            self._theme,
            vault.clock,
        )
        window.closing.connect(view.leave)
        view.saved.connect(lambda _block: window.desk.count())
        return view

    def open_block(self, ident: str) -> None:
        self._window.desk.go_to("blocks")
        view: BlockEditor = self._made["blocks"]  # type: ignore[assignment]
        view.open_block(ident)

    def _save_block(self) -> None:
        view: BlockEditor = self._made["blocks"]  # type: ignore[assignment]
        view.store()

    def _make_duplicates(self) -> QWidget:
        from app.entries.merging import Merging
        from ui.insight.duplicates import DuplicatesView

        window, vault = self._window, self._vault
        view = DuplicatesView(
            vault.duplicates,
            Merging(vault.database, vault.entries, vault.clock),
            window.jobs,
            window.undoing,
            window.messages,
            self._theme,
            vault.clock,
        )
        view.open_asked.connect(self._open)
        view.counted.connect(window.places.count_duplicates)
        return view

    def _make_timeline(self) -> QWidget:
        from app.entries.timeline import Timeline
        from ui.insight.timeline import TimelineView

        window, vault = self._window, self._vault
        view = TimelineView(Timeline(vault.database, vault.clock), window.jobs, self._theme)
        view.filter_asked.connect(self._list)
        return view

    def _list(self, query: str) -> None:
        """The list of all memories, narrowed to `query`."""
        self._window.desk.go_to("all")
        self._window.toolbar.search.set_query(query)

    def _make_map(self) -> QWidget:
        from app.recall.memory_map import MemoryMap
        from ui.insight.map import MapView

        window, vault = self._window, self._vault
        view = MapView(
            MemoryMap(vault.database, vault.embedding), window.jobs, self._theme, vault.clock
        )
        view.open_asked.connect(self._open)
        view.forget_asked.connect(window.bulk.forget)
        view.tags_asked.connect(window.bulk.ask_tags)
        view.core_asked.connect(lambda ids: window.bulk.change(ids, {"category": "core"}))
        window.bulk.done.connect(lambda: view.refresh() if view.isVisible() else None)
        return view

    # Two agents

    def _compare(self, run: Run | None) -> None:
        from ui.hydration.compare_dialog import CompareDialog

        if run is None:
            return
        window = self._window
        dialog = CompareDialog(
            self._live, self._vault.agents, window.jobs, self._theme, run, window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.refresh()
        dialog.open()
