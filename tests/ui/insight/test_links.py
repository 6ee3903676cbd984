"""The picture of links, and what stands around the memory in hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.entries.links import NAMES, Link, LinkPicture
from app.vault import Vault
from store.records import EntryDraft
from tests.ui.conftest import press, settle
from ui.insight.links import LinkChart, LinksPanel, LinksView, Placed, places_of
from ui.toolkit.theme import Theme
from ui.window.main_window import MainWindow

TEXTS = {
    "anna": "Anna bakes on Sundays.",
    "cake": "Ask [[anna]] about the cake.",
    "party": "Bring the [[cake]].",
}


def keep(vault: Vault) -> dict[str, str]:
    """The ids of three memories that name one another."""
    drafts = [EntryDraft(text, key=key) for key, text in TEXTS.items()]
    kept = [vault.entries.store(draft, actor="owner").entry for draft in drafts]
    return {entry.key: entry.id for entry in kept}


def test_the_picture_opens_a_memory_by_click_and_by_keys(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    keep(vault)
    window = make_window(vault)
    window.sidebar.choose("links")
    settle(qtbot, window)
    (view,) = window.findChildren(LinksView)
    assert len(view.chart._shown.picture.links) == 2
    chosen: list[str] = []
    view.chart.opened.disconnect()
    view.chart.opened.connect(chosen.append)
    view.chart.setFocus()
    press(view.chart, "Right")
    press(view.chart, "Return")
    at = view.chart.point(1).toPoint()
    qtbot.mouseClick(view.chart, Qt.MouseButton.LeftButton, pos=at)
    idents = [entry.id for entry in view.chart._shown.picture.entries]
    assert chosen == [idents[0], idents[1]]


def test_beside_the_editor_stand_what_it_names_and_what_names_it(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    ids = keep(vault)
    window = make_window(vault)
    window.shell.open("entry", ids["cake"])
    settle(qtbot, window)
    (panel,) = window.findChildren(LinksPanel)
    form = window.editor.form
    form.tabs.setCurrentIndex(form.pages.indexOf(panel))
    settle(qtbot, window)
    shown = [row.title for row in panel.list.rows.values]
    assert shown.index("anna") < shown.index("party")
    panel.list.choose(f"out:{ids['anna']}")
    panel.list.clicked.emit(panel.list.currentIndex())
    settle(qtbot, window)
    assert window.editor.entry is not None
    assert window.editor.entry.key == "anna"


def test_no_two_memories_stand_on_one_another(vault: Vault) -> None:
    entries = [
        vault.entries.store(EntryDraft(f"{n}.", key=f"k{n}"), actor="owner").entry
        for n in range(30)
    ]
    places = places_of(LinkPicture(entries, (), 30))
    assert len({(round(x, 2), round(y, 2)) for x, y in places}) == 30
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)
    assert places == places_of(LinkPicture(entries, (), 30))


def test_no_name_is_struck_through_by_a_line_or_stands_on_a_dot(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    keep(vault)
    window = make_window(vault)
    window.sidebar.choose("links")
    settle(qtbot, window)
    (view,) = window.findChildren(LinksView)
    chart = view.chart
    boxes = chart.name_boxes(QFontMetrics(chart.font()))
    assert len(boxes) == 3
    picture = chart._shown.picture
    places = {entry.id: place for place, entry in enumerate(picture.entries)}
    for link in picture.links:
        line = QLineF(chart.point(places[link.source]), chart.point(places[link.target]))
        on_it = [line.pointAt(step / 200) for step in range(201)]
        assert not any(box.contains(point) for box in boxes.values() for point in on_it)


def test_a_memory_between_two_others_has_its_name_too(
    qtbot: QtBot, qapp: QApplication, vault: Vault
) -> None:
    """A line that goes through its dot at a slant crosses above, below and both sides."""
    entries = [
        vault.entries.store(EntryDraft(f"{n}.", key=f"release_checklist_{n}"), actor="owner").entry
        for n in range(3)
    ]
    links = tuple(Link(entries[at].id, entries[at + 1].id, NAMES) for at in range(2))
    chart = LinkChart(Theme(qapp))
    qtbot.addWidget(chart)
    chart.resize(800, 600)
    places = ((0.4, 0.6), (0.5, 0.5), (0.6, 0.4))
    chart.show_picture(Placed(LinkPicture(tuple(entries), links, 3), places))
    assert len(chart.name_boxes(QFontMetrics(chart.font()))) == 3
