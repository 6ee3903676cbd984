"""Adds the views that look at the whole vault: activity, duplicates, conflicts, timeline, map,
links."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget

from app.entries.links import Links
from app.entries.timeline import Timeline
from app.recall.memory_map import MemoryMap
from store.records import OWNER
from ui.insight.activity import ActivityView
from ui.insight.conflicts import ConflictsView
from ui.insight.duplicates import DuplicatesView
from ui.insight.links import LinksPanel, LinksView
from ui.insight.timeline import TimelineView
from ui.memory.shell import Shell, View, never
from ui.toolkit.help import tip
from ui.toolkit.jobs import Jobs
from ui.toolkit.translation import tr
from ui.toolkit.widgets import EmptyState

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.insight.map import MapView


def install(shell: Shell, vault: Vault) -> None:
    shell.add_view(_activity(shell, vault))
    shell.add_view(_duplicates(shell, vault))
    shell.add_view(_conflicts(shell, vault))
    shell.add_view(_timeline(shell, vault))
    shell.add_view(_map(shell, vault))
    _add_links(shell, vault)
    for name, text, keys, also in (
        ("duplicates", tr("Duplicates"), "Alt+8", "merge same"),
        ("conflicts", tr("Conflicts"), "Alt+C", "contradictions true settle"),
        ("timeline", tr("Timeline"), "Alt+9", "days activity"),
        ("map", tr("Map"), "Alt+0", "meaning picture"),
        ("links", tr("Links"), "Alt+L", "graph wiki backlinks related network"),
    ):
        shell.actions.add(f"go_{name}", text, _goes(shell, name), keys, menu=tr("Go"), also=also)


def _goes(shell: Shell, name: str) -> Callable[[], None]:
    return lambda: shell.go_to(name)


def _add_links(shell: Shell, vault: Vault) -> None:
    """The picture of all links, and those of the memory in hand beside the editor."""
    links = Links(vault.database, vault.embedding)

    def make() -> LinksView:
        view = LinksView(links, shell.jobs, shell.theme)
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        return view

    shell.add_view(View("links", make, LinksView.refresh))
    form = shell.editor.form
    panel = LinksPanel(links, shell.jobs, shell.theme)
    words = tr("What it names, what names it, and what is near in meaning.")
    form.tabs.setTabToolTip(form.add_tab(tr("Links"), panel), tip(words))
    form.when_seen(panel, lambda: panel.show_entry(shell.editor.entry))
    panel.open_asked.connect(lambda ident: shell.open("entry", ident))
    panel.talk_asked.connect(lambda ident: shell.open("conversation", ident))


def _activity(shell: Shell, vault: Vault) -> View[ActivityView]:
    def make() -> ActivityView:
        view = ActivityView(vault.history, shell.jobs, shell.theme, vault.clock)
        view.undo_asked.connect(shell.undo.undo)
        view.undo_since_asked.connect(shell.undo.undo_since)
        view.open_asked.connect(shell.open)
        return view

    return View("activity", make, lambda view: view.refresh(shell.overview.agents))


def _duplicates(shell: Shell, vault: Vault) -> View[DuplicatesView]:
    def make() -> DuplicatesView:
        view = DuplicatesView(
            vault.duplicates,
            vault.memory,
            shell.jobs,
            shell.undo,
            shell.messages,
            shell.theme,
            vault.clock,
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.counted.connect(lambda clusters: shell.count("duplicates", clusters))
        return view

    # Comparing all pairs again at every write would not do.
    return View("duplicates", make, DuplicatesView.refresh, follows=never)


def _conflicts(shell: Shell, vault: Vault) -> View[ConflictsView]:
    def make() -> ConflictsView:
        view = ConflictsView(
            vault.conflicts, shell.jobs, shell.undo, shell.messages, shell.theme, vault.clock
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.counted.connect(lambda number: shell.count("conflicts", number))
        view.settled.connect(lambda: shell.changes.tell("conflicts"))
        return view

    return View("conflicts", make, ConflictsView.refresh)


def _timeline(shell: Shell, vault: Vault) -> View[TimelineView]:
    def make() -> TimelineView:
        view = TimelineView(Timeline(vault.database, vault.clock), shell.jobs, shell.theme)
        view.filter_asked.connect(shell.search)
        return view

    return View("timeline", make, TimelineView.refresh)


class MapPlace(QStackedWidget):
    """Where the map stands. What draws it takes its time to be read, which is done in a job: the
    window answers meanwhile."""

    def __init__(self, make: Callable[[type[MapView]], MapView], jobs: Jobs) -> None:
        super().__init__()
        self._make = make
        self._jobs = jobs
        self._view: MapView | None = None
        self.addWidget(EmptyState(tr("Drawing the map…"), ""))

    def refresh(self) -> None:
        if self._view is None:
            self._jobs.run(_map_view, self._show, key="map-view")
        else:
            self._view.refresh()

    def _show(self, kind: type[MapView]) -> None:
        if self._view is None:
            waited = self.hasFocus()  # the keyboard, which came before the map
            self._view = self._make(kind)
            self.addWidget(self._view)
            self.setFocusProxy(self._view)
            self.setCurrentWidget(self._view)
            if waited:
                self._view.color.setFocus()  # the plot is out of sight until it is drawn
        self._view.refresh()


def _map_view() -> type[MapView]:
    from ui.insight.map import MapView  # brings pyqtgraph, which nothing else needs

    return MapView


def _map(shell: Shell, vault: Vault) -> View[MapPlace]:
    def make(kind: type[MapView]) -> MapView:
        view = kind(
            MemoryMap(vault.database, vault.embedding), shell.jobs, shell.theme, vault.clock
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.forget_asked.connect(shell.bulk.forget)
        view.tags_asked.connect(lambda ids: shell.bulk.ask(ids, "retag"))
        view.core_asked.connect(lambda ids: shell.bulk.change(ids, {"category": "core"}))
        return view

    # Drawn again after what the person did to the dots, and not at every write of an agent.
    return View(
        "map",
        lambda: MapPlace(make, shell.jobs),
        MapPlace.refresh,
        follows=lambda news: OWNER in news.actors,
    )
