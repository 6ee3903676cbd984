from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.instants import from_instant
from store.records import EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.fakes import NOON, FixedClock
from ui.memory.entry_card import chip_tips, chips_of
from ui.memory.entry_model import MIME, ROW_ROLE, EntryModel
from ui.memory.list_pane import EntryList
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Look, Theme


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def model(stocked: Vault, jobs: Jobs) -> EntryModel:
    made = EntryModel(stocked.browse, jobs)
    made.show(stocked.browse.numbers(EntryFilter()))
    return made


def load(qtbot: QtBot, model: EntryModel) -> None:
    for row in range(model.rowCount()):
        model.index(row, 0).data(ROW_ROLE)
    qtbot.waitUntil(lambda: all(model.row_at(r) for r in range(model.rowCount())))


def test_the_model_keeps_qts_rules(
    qtbot: QtBot, model: EntryModel, qtmodeltester: ModelTester
) -> None:
    qtmodeltester.check(model, force_py=True)
    load(qtbot, model)
    qtmodeltester.check(model, force_py=True)


def test_a_row_is_read_when_it_is_looked_at(qtbot: QtBot, model: EntryModel) -> None:
    assert model.index(0, 0).data() is None
    qtbot.waitUntil(lambda: model.index(0, 0).data() == "deploy_target")
    assert "Production runs on EKS" in model.index(0, 0).data(ROW_ROLE).snippet


def test_order_is_importance_then_recency(qtbot: QtBot, model: EntryModel) -> None:
    load(qtbot, model)
    assert [model.entry_at(row).key for row in range(5)] == [
        "deploy_target",
        "release_checklist",
        "freeze_window",
        "marie",
        "ci_minutes",
    ]


def test_dragging_carries_ids_and_text(qtbot: QtBot, model: EntryModel) -> None:
    load(qtbot, model)
    carried = model.mimeData([model.index(0, 0), model.index(1, 0)])
    ids = bytes(carried.data(MIME).data()).decode().split("\n")
    assert ids == [model.entry_at(0).id, model.entry_at(1).id]


@pytest.mark.english
def test_chips_name_the_category_tags_scope_and_size(qtbot: QtBot, model: EntryModel) -> None:
    load(qtbot, model)
    words = [text for text, _, _ in chips_of(model.entry_at(0), NOON)]
    assert words == ["core", "#infra", "#aws", "claude", "54 B"]


@pytest.mark.english
def test_in_the_trash_the_first_chip_says_when_it_goes(qtbot: QtBot, model: EntryModel) -> None:
    load(qtbot, model)
    entry = model.entry_at(0)
    forgotten = from_instant(entry.updated_at)
    for later, words in ((0, "goes in 30 days"), (28.5, "goes in 2 days"), (29.5, "goes today")):
        chips = chips_of(entry, forgotten + timedelta(days=later), 30)
        assert chips[0][0] == words
    assert len(chip_tips(entry, 30)) == len(chips)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication, model: EntryModel, stocked: Vault) -> EntryList:
    made = EntryList(model, Theme(qapp, Look.LIGHT), stocked.clock)
    qtbot.addWidget(made)
    made.resize(360, 300)
    made.show()
    load(qtbot, model)
    return made


def test_a_card_is_as_high_as_its_memory_needs(
    qtbot: QtBot, view: EntryList, model: EntryModel, stocked: Vault
) -> None:
    words = EntryDraft("Many words to say. " * 20, key="words", importance=10)
    long = stocked.entries.store(words)
    view.show_numbers(stocked.browse.numbers(EntryFilter()), stay=False)
    qtbot.waitUntil(lambda: model.entry_at(0) is not None)
    assert view.rowHeight(1) < view.rowHeight(0) == view._cards.height
    stocked.entries.change(long.entry.id, {"content": "A few."})  # type: ignore[union-attr]
    model.put(stocked.browse.rows([long.entry.n]))  # type: ignore[union-attr]
    assert view.rowHeight(0) == view.rowHeight(1)
    view.resize(190, 300)
    assert view.rowHeight(1) == view._cards.height


def test_a_card_tells_its_age_by_the_vaults_clock(view: EntryList, clock: FixedClock) -> None:
    young = view.grab().toImage()
    assert view.grab().toImage() == young
    clock.forward(hours=5)
    assert view.grab().toImage() != young


def test_what_is_read_stays_put_when_rows_above_become_known(
    qtbot: QtBot, view: EntryList, model: EntryModel, stocked: Vault
) -> None:
    stocked.entries.store_many([EntryDraft(f"Fact {n}.", key=f"fact_{n}") for n in range(60)])
    view.show_numbers(stocked.browse.numbers(EntryFilter()), stay=False)
    view.scrollToBottom()
    qtbot.waitUntil(lambda: model.entry_at(64) is not None)
    bar = view.verticalScrollBar()

    def known() -> bool:
        """All on screen are short facts: a card of full height is one that is still read."""
        bottom = view.rowAt(view.viewport().height() - 1)
        rows = range(view.rowAt(0), bottom + 1 if bottom >= 0 else model.rowCount())
        return all(view.rowHeight(row) < view._cards.height for row in rows)

    qtbot.waitUntil(known)
    for _ in range(30):
        row = view.rowAt(view.viewport().height() // 2)
        before, value = view.rowViewportPosition(row), bar.value()
        bar.setValue(value - 7)
        qtbot.waitUntil(known)
        assert abs(view.rowViewportPosition(row) - before - 7) <= 1


def test_at_the_end_what_is_read_stays_put_when_the_row_above_gets_shorter(
    qtbot: QtBot, view: EntryList, model: EntryModel, stocked: Vault
) -> None:
    stocked.entries.store_many([EntryDraft(f"{n}: {'long ' * 60}", key=f"k{n}") for n in range(9)])
    view.show_numbers(stocked.browse.numbers(EntryFilter()), stay=False)
    view.scrollToBottom()
    qtbot.waitUntil(lambda: all(model.entry_at(row) for row in range(view.rowAt(0), 14)))
    top = view.rowAt(0)
    entry, last = model.entry_at(top), view.rowViewportPosition(13)
    assert view.rowViewportPosition(top) < 0
    stocked.entries.change(entry.id, {"content": "A few."})
    model.put(stocked.browse.rows([entry.n]))
    assert view.rowHeight(top) < view._cards.height
    assert view.rowViewportPosition(13) == last


def test_a_new_list_keeps_the_selection_and_the_place(
    qtbot: QtBot, view: EntryList, stocked: Vault
) -> None:
    view.select_row(3)
    number, top = view.current_number(), view.rowViewportPosition(3)
    stocked.entries.store(EntryDraft("Newest and most important.", importance=10))
    opened: list[int] = []
    view.opened.connect(opened.append)
    view.show_numbers(stocked.browse.numbers(EntryFilter()), stay=True)
    assert view.current_number() == number
    assert view.selected_rows() == [4]
    assert view.rowViewportPosition(4) == top
    assert opened == []


def test_several_rows_can_be_selected(view: EntryList, qtbot: QtBot) -> None:
    view.select_row(0)
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selected_rows() == [0, 1]


def test_an_empty_list_says_what_to_do(qtbot: QtBot, view: EntryList) -> None:
    view.show_numbers([], stay=False)
    view.say_when_empty("Nothing found", "Try other words.")
    before = view.viewport().grab().toImage()
    view.say_when_empty("", "")
    assert view.viewport().grab().toImage() != before


@pytest.mark.parametrize("width", [120, 240, 900])
def test_a_card_is_painted_at_any_width(view: EntryList, width: int) -> None:
    view.resize(width, 300)
    card = view.visualRect(view.model().index(0, 0))
    assert 0 < card.width() <= view.viewport().width()
    painted = view.viewport().grab(card).toImage()
    inked = {painted.pixel(x, y) for x in range(painted.width()) for y in range(painted.height())}
    assert len(inked) > 10  # letters have edges, an empty ground has none
