from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.entries.browse import VaultTally
from app.vault import Vault
from store.records import USER, Scope
from tests.ui.conftest import CLAUDE, SHOP, settle
from ui.memory.entry_model import MIME
from ui.memory.sidebar import Sidebar, SidebarItem, SidebarModel
from ui.toolkit.list_view import VALUE_ROLE
from ui.toolkit.theme import Look, Theme
from ui.window.main_window import MainWindow

TALLY = VaultTally({USER: 3, CLAUDE: 2, SHOP: 1}, trash=4, expiring=1, proposed=2, total=6)
VIEWS = ("review", "expiring", "activity", "trash")


@pytest.fixture
def model() -> SidebarModel:
    made = SidebarModel(VIEWS)
    made.update(TALLY, ["claude", "travel"], {"Infra": "tag:infra"})
    return made


def named(model: SidebarModel, name: str) -> SidebarItem:
    place = model.at(model.row_of(name))
    assert place is not None
    return place


def test_the_model_keeps_qts_rules(model: SidebarModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model, force_py=True)


def test_every_scope_has_its_count(model: SidebarModel) -> None:
    assert named(model, "all").count == 6
    assert named(model, "user").count == 3
    assert named(model, "agent:claude").count == 2
    assert named(model, "trash").count == 4


def test_an_agent_without_memories_is_listed(model: SidebarModel) -> None:
    assert named(model, "agent:travel").count == 0


def test_where_nothing_is_remembered_nothing_is_asked_about_alike_or_contradicted() -> None:
    counted = ("duplicates", "conflicts", "still_true")
    model = SidebarModel((*VIEWS, *counted))
    model.update(TALLY, [], {})
    for name in counted:
        model.count(name, 1)
        assert named(model, name).count == 1
    model.update(VaultTally({USER: 1}, trash=0, expiring=0, proposed=0, total=1), [], {})
    assert [named(model, name).count for name in counted] == [0, 0, 1]
    model.update(VaultTally({}, trash=0, expiring=0, proposed=0, total=0), [], {})
    assert [named(model, name).count for name in counted] == [0, 0, 0]


def test_headings_cannot_be_selected(model: SidebarModel) -> None:
    row = model.row_of("heading:agent")
    assert model.flags(model.index(row)) == Qt.ItemFlag.NoItemFlags


@pytest.mark.english
def test_a_view_nobody_made_is_not_listed(model: SidebarModel) -> None:
    assert model.row_of("map") == -1
    model.add_view("map")
    model.update(TALLY, [], {})
    assert named(model, "map").label == "Map"


def test_new_counts_do_not_reset_the_rows(model: SidebarModel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(model.modelReset):
        model.update(
            VaultTally({USER: 9, CLAUDE: 2, SHOP: 1}, total=12), ["claude", "travel"], {"Infra": ""}
        )
    assert named(model, "user").count == 9


def test_memories_dropped_on_a_scope_ask_to_move(model: SidebarModel, qtbot: QtBot) -> None:
    carried = QMimeData()
    carried.setData(MIME, b"a\nb")
    index = model.index(model.row_of("workspace:shop"))
    with qtbot.waitSignal(model.dropped) as asked:
        assert model.dropMimeData(carried, Qt.DropAction.MoveAction, -1, -1, index)
    assert asked.args == [["a", "b"], SHOP]


def test_nothing_can_be_dropped_on_the_trash(model: SidebarModel) -> None:
    carried = QMimeData()
    carried.setData(MIME, b"a")
    index = model.index(model.row_of("trash"))
    assert not model.dropMimeData(carried, Qt.DropAction.MoveAction, -1, -1, index)


def test_arrows_go_from_place_to_place(
    qtbot: QtBot, qapp: QApplication, model: SidebarModel
) -> None:
    sidebar = Sidebar(model, Theme(qapp, Look.LIGHT))
    qtbot.addWidget(sidebar)
    sidebar.show()
    went: list[SidebarItem] = []
    sidebar.chosen.connect(went.append)
    for _ in range(3):
        qtbot.keyClick(sidebar, Qt.Key.Key_Down)
    assert [place.name for place in went] == ["user", "agent:claude", "agent:travel"]
    assert sidebar.currentIndex() != QModelIndex()
    assert sidebar.currentIndex().data(VALUE_ROLE).scope == Scope("agent", "travel")


def test_choosing_a_scope_lists_it(qtbot: QtBot, window: MainWindow) -> None:
    window.sidebar.choose("workspace:shop")
    settle(qtbot, window)
    assert window.list_pane.model.rowCount() == 1
    assert window.editor.entry is not None
    assert window.editor.entry.key == "release_checklist"


def test_dropping_a_memory_on_a_scope_moves_it(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.entries.find(USER, "marie")
    assert entry is not None
    window.sidebar_items.dropped.emit([entry.id], SHOP)
    settle(qtbot, window)
    assert stocked.entries.find(SHOP, "marie") is not None
