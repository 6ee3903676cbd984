"""Why, blocks, duplicates, timeline, map and the comparison of two agents."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPolygonF
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.entries.timeline import Day
from app.recall.memory_map import Region
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import CLAUDE, press, settle, type_text
from ui.blocks.editor import BlockEditor
from ui.blocks.pages import CONFLICT
from ui.hydration.explanations import CompareDialog, WhyPanel
from ui.insight import duplicates as duplicates_module
from ui.insight import install as insight
from ui.insight.activity import ActivityView
from ui.insight.duplicates import DuplicatesView
from ui.insight.map import MapPoints, MapView
from ui.insight.timeline import LEFT, BarGeometry, TimelineView
from ui.toolkit.two_line_list import Row, RowModel
from ui.window.main_window import MainWindow

View = TypeVar("View", bound=QWidget)


def view(qtbot: QtBot, window: MainWindow, name: str, kind: type[View]) -> View:
    window.shell.go_to(name)
    settle(qtbot, window)
    found = window.findChild(kind)
    assert found is not None
    return found


@pytest.mark.english
def test_why_shows_every_agent_and_its_remedies_work(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("scout", hydration_budget=256)
    window = make_window(stocked)
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    press(window, "Ctrl+Shift+H")
    settle(qtbot, window)
    why = window.findChild(WhyPanel)
    rows = {row.key: row for row in why.list.rows.values}
    assert rows["claude"].end == "told at the start"
    assert rows["scout"].end == "only when recalled"
    why.list.choose("scout")
    remedies = [why._flow.itemAt(n).widget() for n in range(why._flow.count())]
    raise_budget = next(one for one in remedies if "budget" in one.text())
    raise_budget.click()
    settle(qtbot, window)
    settle(qtbot, window)
    assert {row.key: row.end for row in why.list.rows.values}["scout"] == "told at the start"
    window.workbench.open_number(stocked.entries.find(CLAUDE, "deploy_target").n)
    settle(qtbot, window)
    assert {row.key: row.end for row in why.list.rows.values}["scout"] == "does not see it"


@pytest.mark.english
def test_a_block_is_written_with_its_gauge_and_undone(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.setFocus()
    type_text(window, "- Lives in Graz")
    assert "1 of 20 entries" in blocks.gauge.accessibleDescription()
    blocks.save.click()
    settle(qtbot, window)
    assert stocked.blocks.get(USER, "core").content == "- Lives in Graz"
    assert not blocks.dirty
    window.undoing.undo_last()
    settle(qtbot, window)
    assert stocked.blocks.find(USER, "core") is None


def test_saving_reaches_the_block_in_front_and_not_the_memory_behind_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    settle(qtbot, window)
    press(window, "Ctrl+2")
    type_text(window, "HALF ")
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.setFocus()
    type_text(window, "- Lives in Graz")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.blocks.get(USER, "core").content == "- Lives in Graz"
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on onboarding."
    window.actions_["discard"].trigger()
    press(window, "Ctrl+Shift+Return")
    window.shell.go_to("timeline")
    settle(qtbot, window)
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert window.editor.form.body.text() == "HALF Works with Marie on onboarding."
    assert stocked.entries.find(USER, "marie").content == "Works with Marie on onboarding."
    window.shell.go_to("all")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.entries.find(USER, "marie").content == "HALF Works with Marie on onboarding."


def test_what_is_typed_into_a_block_outlives_another_block_and_a_restart(
    qtbot: QtBot, make_window: Callable[[Vault], MainWindow], stocked: Vault
) -> None:
    window = make_window(stocked)
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.setFocus()
    type_text(window, "- Lives in Graz")
    blocks.list.choose("user/archival")
    settle(qtbot, window)
    assert blocks.pages.body.text() == ""
    assert not blocks.dirty
    blocks.list.choose("user/core")
    settle(qtbot, window)
    assert blocks.pages.body.text() == "- Lives in Graz"
    assert blocks.dirty
    blocks.pages.body.setFocus()
    type_text(window, "!")
    window.close()
    again = make_window(stocked)
    reopened = view(qtbot, again, "blocks", BlockEditor)
    reopened.list.choose("user/core")
    settle(qtbot, again)
    text = reopened.pages.body.text()
    assert sorted(text) == sorted("- Lives in Graz!")
    press(again, "Ctrl+S")
    settle(qtbot, again)
    assert stocked.blocks.get(USER, "core").content == text
    assert stocked.drafts.slots() == []
    assert not reopened.dirty


def test_a_discarded_block_draft_stays_away(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.setFocus()
    type_text(window, "- Lives in Graz")
    qtbot.waitUntil(lambda: stocked.drafts.slots() != [])
    blocks.discard.click()
    settle(qtbot, window)
    blocks.list.choose("user/archival")
    blocks.list.choose("user/core")
    settle(qtbot, window)
    assert blocks.pages.body.text() == ""
    assert stocked.drafts.slots() == []


def test_a_block_draft_does_not_overwrite_what_an_agent_wrote_since(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.blocks.replace(USER, "core", "- Vegetarian", expected_updated_at=None)
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.setFocus()
    type_text(window, "MINE ")
    blocks.list.choose("user/archival")
    settle(qtbot, window)
    held = stocked.blocks.get(USER, "core")
    stocked.blocks.replace(
        USER, "core", "- Vegan", expected_updated_at=held.updated_at, actor=str(CLAUDE)
    )
    blocks.refresh()
    settle(qtbot, window)
    blocks.list.choose("user/core")
    settle(qtbot, window)
    assert blocks.pages.body.text() == "MINE - Vegetarian"
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert stocked.blocks.get(USER, "core").content == "- Vegan"
    assert blocks.pages.stack.currentIndex() == CONFLICT


def test_a_full_block_cannot_be_saved(qtbot: QtBot, window: MainWindow) -> None:
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.set_text("- x\n" * 21)
    blocks._refresh_buttons()
    assert blocks.gauge.over
    assert not blocks.save.isEnabled()


def test_each_bar_of_a_gauge_is_as_wide_as_its_words(qtbot: QtBot, window: MainWindow) -> None:
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.gauge.resize(240, blocks.gauge.height())
    words = blocks.gauge.accessibleDescription().split("; ")[1]
    first, second = blocks.gauge.widths()
    assert second >= blocks.gauge.fontMetrics().horizontalAdvance(words) * 0.9  # in smaller type
    assert first + 16 + second == 240


def test_a_new_summary_starts_from_the_template(qtbot: QtBot, window: MainWindow) -> None:
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("agent:claude/summary")
    blocks.start.click()
    assert "## Important Decisions" in blocks.pages.body.text()


@pytest.mark.english
def test_an_agents_write_meanwhile_is_a_conflict_and_nothing_is_lost(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    first = stocked.blocks.replace(USER, "core", "- one", expected_updated_at=None).block
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.set_text("- mine")
    stocked.blocks.replace(
        USER, "core", "- theirs", expected_updated_at=first.updated_at, actor="agent:claude"
    )
    blocks.store()
    settle(qtbot, window)
    assert blocks.pages.stack.currentIndex() == CONFLICT
    assert blocks.pages.conflict.diff.texts() == ("- theirs", "- mine")
    blocks.pages.conflict.keep_mine.click()
    settle(qtbot, window)
    assert stocked.blocks.get(USER, "core").content == "- mine"
    blocks.pages.tabs.setCurrentIndex(2)
    settle(qtbot, window)
    assert [row.title for row in blocks.pages.changes.versions.rows.values] == [
        "you",
        "claude",
        "you",
    ]
    assert blocks.pages.changes.diff.texts() == ("- theirs", "- mine")


def test_different_lines_of_a_block_are_merged_by_themselves(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    first = stocked.blocks.replace(USER, "core", "- a\n- b\n- c\n", expected_updated_at=None).block
    blocks = view(qtbot, window, "blocks", BlockEditor)
    blocks.list.choose("user/core")
    blocks.pages.body.set_text("- a\n- b\n- cello\n")
    stocked.blocks.replace(
        USER, "core", "- vegan\n- b\n- c\n", expected_updated_at=first.updated_at
    )
    blocks.store()
    settle(qtbot, window)
    assert stocked.blocks.get(USER, "core").content == "- vegan\n- b\n- cello\n"
    assert blocks.pages.stack.currentIndex() != CONFLICT


@pytest.fixture
def doubled(stocked: Vault) -> Vault:
    for key in ("likes_tea", "tea"):
        text = "Likes green tea in the morning."
        stocked.entries.store(EntryDraft(text, USER, key, tags=(key,), importance=len(key)))
    stocked.embedding.embed_waiting()
    return stocked


def test_merging_keeps_one_and_is_one_undo(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(doubled)
    duplicates = view(qtbot, window, "duplicates", DuplicatesView)
    assert [entry.key for entry in duplicates.current.entries] == ["likes_tea", "tea"]
    assert duplicates.page.body.text() == "Likes green tea in the morning."
    duplicates.page.merge.click()
    settle(qtbot, window)
    kept = doubled.entries.find(USER, "likes_tea")
    assert set(kept.tags) == {"likes_tea", "tea"}
    assert doubled.entries.find(USER, "tea") is None
    assert duplicates._stack.currentIndex() == 1
    window.undoing.undo_last()
    settle(qtbot, window)
    assert doubled.entries.find(USER, "tea") is not None


def test_what_is_not_the_same_stays_apart_until_that_is_taken_back(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(doubled)
    duplicates = view(qtbot, window, "duplicates", DuplicatesView)
    row = window.sidebar_items.row_of("duplicates")
    assert window.sidebar_items.at(row).count == 1
    duplicates.page.not_same.click()
    settle(qtbot, window)
    assert duplicates._stack.currentIndex() == 1
    assert window.sidebar_items.at(row).count == 0
    assert doubled.entries.count(EntryFilter(state=TRASHED)) == 0
    assert doubled.duplicates.clusters() == []
    window.messages.toast._act.click()
    settle(qtbot, window)
    assert [entry.key for entry in duplicates.current.entries] == ["likes_tea", "tea"]


def test_a_click_on_a_day_lists_what_was_written_then(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    timeline = view(qtbot, window, "timeline", TimelineView)
    chart = timeline.chart
    assert "claude" in timeline.legend.text()
    QTest.mouseClick(
        chart, Qt.MouseButton.LeftButton, pos=QPoint(chart.width() - 3, chart.bars.floor - 3)
    )
    settle(qtbot, window)
    query = window.toolbar.search.query
    assert "after:" in query
    assert window.middle.currentWidget() is not timeline
    actor = "owner" if "source:owner" in query else "agent:claude"
    listed = [window.list_pane.model.entry_at(n) for n in range(window.list_pane.model.rowCount())]
    assert listed
    assert {entry.source for entry in listed} == {actor}


def test_a_point_of_a_bar_is_its_day_and_its_actor() -> None:
    days = [Day(date(2026, 3, 1), {"owner": 6, "agent:claude": 2}), Day(date(2026, 3, 2), {})]
    bars = BarGeometry(days, ["owner", "agent:claude"], LEFT + 200, 132)
    assert (bars.floor, bars.most) == (108, 8)
    assert [bars.index_at(x) for x in (LEFT - 1, LEFT, LEFT + 101, LEFT + 201)] == [-1, 0, 1, -1]
    assert [actor for actor, _ in bars.bars(0)] == ["owner", "agent:claude"]
    assert bars.bars(1) == []
    assert [bars.actor_at(0, y) for y in (107, 40, 20)] == ["owner", "owner", "agent:claude"]
    assert bars.actor_at(0, 7) == ""


def test_the_timeline_is_walked_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    timeline = view(qtbot, window, "timeline", TimelineView)
    timeline.chart.setFocus()
    QTest.keyClick(timeline.chart, Qt.Key.Key_Left)
    assert timeline.chart.day is not None
    with qtbot.waitSignal(timeline.filter_asked):
        QTest.keyClick(timeline.chart, Qt.Key.Key_Return)


def test_the_map_opens_a_memory_and_the_lasso_selects(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    from ui.insight.map import MapView

    window = make_window(doubled)
    drawn = view(qtbot, window, "map", MapView)
    qtbot.waitUntil(lambda: len(drawn._points) == 7)
    for row in range(drawn.color.count()):
        drawn.color.setCurrentIndex(row)
        drawn._draw()
        assert drawn.legend.text()
    around = QPolygonF([QPointF(-2, -2), QPointF(2, -2), QPointF(2, 2), QPointF(-2, 2)])
    drawn.select_inside(around)
    assert len(drawn.selected) == 7
    drawn.select_inside(QPolygonF([QPointF(5, 5), QPointF(6, 5), QPointF(6, 6)]))
    assert drawn.selected == []
    spot = drawn.dots.points()[0]
    drawn.dots.sigClicked.emit(drawn.dots, [spot], None)
    settle(qtbot, window)
    assert window.editor.entry.id == drawn._points[0].entry.id


def test_the_map_gains_a_memory_once_it_is_embedded(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    from ui.insight.map import MapView

    window = make_window(doubled)
    drawn = view(qtbot, window, "map", MapView)
    qtbot.waitUntil(lambda: len(drawn._points) == 7)
    doubled.entries.store(EntryDraft(key="late", content="Embedded after it was drawn."))
    window.shell.changes.look()
    settle(qtbot, window)
    assert len(drawn._points) == 7
    doubled.embedding.embed_waiting()
    qtbot.waitUntil(lambda: len(drawn._points) == 8)


def test_the_lasso_is_drawn_with_the_mouse(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    from ui.insight.map import MapView

    window = make_window(doubled)
    drawn = view(qtbot, window, "map", MapView)
    qtbot.waitUntil(lambda: len(drawn._points) == 7)
    drawn.lasso.setChecked(True)
    area = drawn.plot.viewport()
    left, right = area.rect().topLeft() + QPoint(2, 2), area.rect().bottomRight() - QPoint(2, 2)
    corners = [left, QPoint(right.x(), left.y()), right, QPoint(left.x(), right.y())]
    QTest.mousePress(area, Qt.MouseButton.LeftButton, pos=corners[0])
    for corner in corners[1:]:
        QTest.mouseMove(area, corner)
    QTest.mouseRelease(area, Qt.MouseButton.LeftButton, pos=corners[-1])
    assert len(drawn.selected) == 7
    drawn.forget.click()
    settle(qtbot, window)
    assert doubled.entries.count(EntryFilter(state=TRASHED)) == 7
    window.undoing.undo_last()
    settle(qtbot, window)
    assert doubled.entries.count(EntryFilter(state=TRASHED)) == 0


@pytest.mark.english
def test_two_agents_side_by_side(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    from tests.ui.hydration.test_pane import calm, pane_of

    stocked.agents.add("scout")
    window = make_window(stocked)
    calm(qtbot, window)
    pane = pane_of(window)
    pane.widgets.options.compare.click()
    settle(qtbot, window)
    dialog = window.findChild(CompareDialog)
    settle(qtbot, window)
    left, right = dialog.sides
    assert left.agent.currentData() == "claude"
    assert right.agent.currentData() == "scout"
    assert "deploy_target" in left.only.text()
    assert "Nothing" in right.only.text()


def test_views_do_not_keep_the_window_from_being_small(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("review", "blocks", "duplicates", "timeline", "map"):
        window.shell.go_to(name)
        settle(qtbot, window)
        window.resize(620, 500)
        assert window.width() <= 620, name


def test_the_rows_are_a_sound_model() -> None:
    model = RowModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show([Row("h", "Heading", heading=True), Row("a", "A"), Row("b", "B", "below")])
    assert model.choices() == [1, 2]
    model.show([Row("a", "A")])
    assert model.row_of("b") == -1


@pytest.mark.english
def test_a_large_cluster_is_compared_aside_and_asked_about(
    qtbot: QtBot,
    stocked: Vault,
    make_window: Callable[[Vault], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(30):
        stocked.entries.store(EntryDraft("Drinks tea.", USER, f"tea_{number}"))
    window = make_window(stocked)
    duplicates = view(qtbot, window, "duplicates", DuplicatesView)
    threads: list[bool] = []
    here = threading.get_ident()
    said_once = duplicates_module.said_once

    def watched(*given: Any) -> Any:
        threads.append(threading.get_ident() == here)
        return said_once(*given)

    monkeypatch.setattr(duplicates_module, "said_once", watched)
    duplicates.page.show_cluster(duplicates.current)
    assert not duplicates.page.merge.isEnabled()
    settle(qtbot, window)
    assert threads == [False]
    assert duplicates.page.merge.isEnabled()
    asked: list[str] = []
    monkeypatch.setattr(
        duplicates_module, "sure", lambda _on, _deed, words: asked.append(words) or False
    )
    duplicates.page.merge.click()
    settle(qtbot, window)
    assert asked == ["Merge 30 memories into one? The others go to the trash."]
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 0


@pytest.mark.english
def test_the_map_says_how_many_it_draws_and_names_a_point_itself(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(doubled)
    drawn = view(qtbot, window, "map", MapView)
    assert drawn.dots.opts["tip"] is None  # the library's own would cover ours with numbers
    assert "of" not in drawn.state.text()
    drawn._show(MapPoints(0, 20_000, drawn._points))
    assert "of 20,000 are drawn" in drawn.state.text()


def test_a_name_on_the_map_covers_no_part_of_a_point_that_it_can_spare(
    qtbot: QtBot, doubled: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    drawn = view(qtbot, make_window(doubled), "map", MapView)
    _across, down = drawn.plot.getViewBox().viewPixelSize()
    high = drawn.plot.fontMetrics().height() + 8
    beside = replace(drawn._points[0], x=0.0, y=(high / 2 + 2) * down)  # its middle is clear
    drawn._points, drawn._regions = [beside], [Region(0.0, 0.0, "name", 1)]
    drawn._name_regions()
    assert drawn.labels[0].anchor.y() < 0.5, "below the point"


def test_blocks_that_are_not_written_are_folded_away(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.blocks.replace(USER, "core", "- one", expected_updated_at=None)
    blocks = view(qtbot, window, "blocks", BlockEditor)
    keys = [row.key for row in blocks.list.rows.values]
    assert keys == [
        "scope:user",
        "user/core",
        "more:user",
        "scope:agent:claude",
        "more:agent:claude",
    ]
    blocks.list.choose("more:user")
    settle(qtbot, window)
    keys = [row.key for row in blocks.list.rows.values]
    assert "user/archival" in keys
    assert "more:user" not in keys
    assert "agent:claude/core" not in keys


@pytest.mark.english
def test_a_timeline_without_a_write_says_what_belongs_there(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(vault)
    window.shell.go_to("timeline")
    settle(qtbot, window)
    (view,) = window.findChildren(TimelineView)
    assert view.about.text().startswith("Nothing was written in these days.")
    vault.entries.store(EntryDraft("The first.", USER))
    window.changes.look()
    settle(qtbot, window)
    assert view.about.text().startswith("Click a bar")


def test_what_draws_the_map_is_read_off_the_gui_thread(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in: list[int] = []
    read = insight._map_view

    def noted() -> type[MapView]:
        read_in.append(threading.get_ident())
        return read()

    monkeypatch.setattr(insight, "_map_view", noted)
    window.shell.go_to("map")
    assert window.findChildren(MapView) == []
    settle(qtbot, window)
    assert len(window.findChildren(MapView)) == 1
    assert read_in
    assert threading.get_ident() not in read_in


def test_the_keyboard_that_waited_for_the_map_goes_on_from_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.list_pane.list.setFocus()
    window.shell.go_to("map")
    settle(qtbot, window)
    (drawn,) = window.findChildren(MapView)
    for _ in range(2):
        held = QApplication.focusWidget()
        assert held is not None
        assert drawn.isAncestorOf(held)
        press(window, "Tab")


def test_an_agent_that_was_renamed_is_chosen_by_its_new_name(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.shell.go_to("activity")
    settle(qtbot, window)
    (activity,) = window.findChildren(ActivityView)
    row = activity.actor.findData("agent:claude")
    assert activity.actor.itemText(row) == "claude"
    stocked.agents.change("claude", {"name": "Claudius"})
    window.changes.look()
    settle(qtbot, window)
    window.shell.go_to("all")
    window.shell.go_to("activity")
    settle(qtbot, window)
    assert activity.actor.itemText(row) == "Claudius"
    assert activity.actor.findData("agent:claude") == row
