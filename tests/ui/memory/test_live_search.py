from __future__ import annotations

from array import array
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import CLAUDE, SHOP, press, settle, type_text
from ui.memory.entry_model import ListRow
from ui.memory.live_search import EVERYTHING, LONG, NEWEST, Listing, Question, listing
from ui.window.main_window import MainWindow

MakeWindow = Callable[[Vault], MainWindow]


def shown(window: MainWindow) -> list[str]:
    model = window.list_pane.model
    entries = [model.entry_at(row) for row in range(model.rowCount())]
    return [entry.key for entry in entries if entry is not None]


@pytest.mark.parametrize(
    "word", ["deployment", "relational", "happiness", "memories", "studying", "generously"]
)
def test_a_word_is_found_from_its_second_letter_to_its_last(vault: Vault, word: str) -> None:
    vault.entries.store(EntryDraft(f"All about {word} and tea."))
    vault.entries.store(EntryDraft("Something else entirely."))
    missed = [
        word[:letters]
        for letters in range(2, len(word) + 1)
        if not vault.search.search(word[:letters], mode="keyword", prefix=True)
    ]
    assert missed == []


def test_a_long_list_is_kept_without_an_object_for_each_number() -> None:
    """A million of them, let go between two keys, would hold the window up."""
    asked = Question(0, "", EVERYTHING, EntryFilter(), NEWEST, first=True)
    for size in (LONG - 1, LONG):
        numbers = [size * 2 - row for row in range(size)]
        found = listing(numbers, (), "all", asked)
        assert list(found.numbers) == numbers
        assert [found.places.get(number, -1) for number in numbers] == list(range(size))
        assert [found.places.get(number, -1) for number in (-1, 0, size, size * 3)] == [-1] * 4
    assert isinstance(found.numbers, array)


def test_words_then_words_and_meaning(qtbot: QtBot, window: MainWindow) -> None:
    said: list[str] = []
    window.workbench.finder.found.connect(lambda listing: said.append(listing.how))
    press(window, "Slash")
    type_text(window, "deploy")
    settle(qtbot, window)
    assert said[-1] == "both"
    assert "words" in said
    assert {"deploy_target", "release_checklist", "freeze_window"} <= set(shown(window))


def test_in_a_narrow_window_the_hits_stay_in_sight_while_one_types(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(760, 700)
    settle(qtbot, window)
    press(window, "Slash")
    for letter in "deploy":
        type_text(window, letter)
        settle(qtbot, window)
        assert window.list_pane.isVisible()
        assert not window.editor.isVisible()
    assert window.editor.entry is not None  # the best hit is in hand all the same


@pytest.mark.parametrize(("word", "key"), [("deployments", "ops"), ("generously", "aunt")])
def test_a_word_being_typed_keeps_its_hits_when_meaning_comes(
    qtbot: QtBot, make_window: MakeWindow, stocked: Vault, word: str, key: str
) -> None:
    stocked.entries.store(EntryDraft("All of our deployments, in one place.", key="ops"))
    stocked.entries.store(EntryDraft("Tips generously, and is proud of it.", key="aunt"))
    window = make_window(stocked)
    answers: list[str] = []
    window.workbench.finder.found.connect(lambda listing: answers.append(listing.how))
    press(window, "Slash")
    type_text(window, word[0])
    for letters in range(2, len(word) + 1):
        type_text(window, word[letters - 1])
        settle(qtbot, window)
        assert answers[-1] == "both"
        assert key in shown(window), word[:letters]


def test_a_list_at_its_top_stays_there_when_a_better_order_comes(
    qtbot: QtBot, make_window: MakeWindow, vault: Vault
) -> None:
    long = "espresso " + "and a word of no weight " * 12
    vault.entries.store_many(
        [EntryDraft(f"espresso number {n} {long}", key=f"e{n}") for n in range(60)]
        + [EntryDraft("hamburg hamburg", key="h")]
    )
    vault.embedding.embed_waiting()
    window = make_window(vault)
    shown_list = window.list_pane.list
    bar = shown_list.verticalScrollBar()
    orders: list[list[int]] = []
    window.workbench.finder.found.connect(lambda listing: orders.append(list(listing.numbers)))
    press(window, "Slash")
    type_text(window, "espresso hamburg")
    qtbot.waitUntil(lambda: window.workbench.finder.pausing and not window.jobs.busy)
    words = orders[-1]
    settle(qtbot, window)
    assert orders[-1] != words
    assert bar.maximum() > 0
    assert bar.value() == 0


def test_chips_narrow_the_list(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.search.set_query("tag:infra importance>=8")
    settle(qtbot, window)
    assert shown(window) == ["deploy_target", "release_checklist"]


def test_a_search_stays_within_the_chosen_scope(qtbot: QtBot, window: MainWindow) -> None:
    window.sidebar.choose(str(SHOP))
    window.toolbar.search.set_query("deploy")
    settle(qtbot, window)
    assert shown(window) == ["release_checklist"]


def test_another_order_sorts_what_was_found(qtbot: QtBot, window: MainWindow) -> None:
    window.toolbar.search.set_query("tag:infra")
    window.toolbar._sort("key", "By key")
    settle(qtbot, window)
    assert shown(window) == ["deploy_target", "freeze_window", "release_checklist"]


def test_the_trash_lists_what_was_forgotten(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.entries.find(CLAUDE, "ci_minutes")
    assert entry is not None
    window.bulk.forget([entry.id])
    settle(qtbot, window)
    window.sidebar.choose("trash")
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 1
    qtbot.waitUntil(lambda: shown(window) == ["ci_minutes"])
    assert window.list_pane.list._cards.trash_days == stocked.settings["trash_days"]
    window.list_pane.list.select_row(0)
    press(window, "Ctrl+Shift+R")
    settle(qtbot, window)
    assert stocked.entries.read(entry.id).state == "active"


def test_a_new_memory_begun_in_the_trash_is_listed_once_it_is_saved(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.sidebar.choose("trash")
    settle(qtbot, window)
    press(window, "Ctrl+N")
    type_text(window, "Bikes are blue.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    assert window.workbench.finder.place.name == "all"
    qtbot.waitUntil(lambda: window.editor.entry is not None)
    assert window.editor.entry.content == "Bikes are blue."


def test_the_best_match_is_in_hand_and_escape_takes_the_words_back(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    window.workbench.open_number(stocked.entries.find(USER, "marie").n)
    settle(qtbot, window)
    stocked.entries.store(EntryDraft("Marie likes onboarding.", USER, "onboarding"))
    window.changes.look()
    settle(qtbot, window)
    press(window, "Ctrl+F")
    type_text(window, "onboarding")
    settle(qtbot, window)
    best = window.list_pane.model.entry_at(0)
    assert window.editor.entry == best
    press(window, "Escape")
    settle(qtbot, window)
    assert window.toolbar.search.query == ""
    assert window.list_pane.model.rowCount() == 6
    press(window, "Escape")
    assert window.list_pane.list.hasFocus()


def test_what_only_meaning_finds_is_in_hand_too(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    found = window.workbench.finder.found
    found.emit(Listing((), {}, (), "words", "colleague", "colleague", first=True))
    assert window.editor.entry is None
    row = ListRow.of(marie)
    listing = Listing([marie.n], {marie.n: 0}, [row], "both", "colleague", "colleague", first=False)
    found.emit(listing)
    assert window.editor.entry == marie


@pytest.mark.english
def test_what_finds_nothing_offers_to_clear_the_filters_and_then_the_words(
    qtbot: QtBot, window: MainWindow
) -> None:
    clear = window.list_pane.list.clear_button
    window.toolbar.search.set_query("tag:nowhere xyzzy")
    settle(qtbot, window)
    assert clear.isVisible()
    assert clear.text() == "Clear filters"
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert window.toolbar.search.query == "xyzzy"
    assert clear.text() == "Clear the search"
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert not clear.isVisible()
    assert shown(window)


def test_what_a_picture_asked_goes_when_the_person_goes_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.shell.search("source:agent:nobody after:2026-11-17 before:2026-11-18")
    settle(qtbot, window)
    assert shown(window) == []
    row = window.sidebar.visualRect(window.sidebar.currentIndex())  # All memories, chosen already
    qtbot.mouseClick(window.sidebar.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    settle(qtbot, window)
    assert window.toolbar.search.query == ""
    assert shown(window)
    window.toolbar.search.set_query("tag:infra")  # what was typed stays
    window.sidebar.choose("trash")
    settle(qtbot, window)
    assert window.toolbar.search.query == "tag:infra"


@pytest.mark.parametrize("width", [1440, 1040, 760])
def test_every_active_filter_is_in_sight_and_can_be_removed(
    qtbot: QtBot, window: MainWindow, width: int
) -> None:
    window.resize(width, 700)
    window.shell.search("source:agent:claude after:2025-11-17 before:2026-11-18")
    settle(qtbot, window)
    search = window.toolbar.search
    while chips := search.chips:
        for chip in chips:
            left = chip.mapTo(window, chip.rect().topLeft()).x()
            assert chip.isVisible()
            assert left >= 0
            assert left + chip.width() <= window.width()
            assert chip.width() >= chip.sizeHint().width()
        qtbot.mouseClick(chips[0], Qt.MouseButton.LeftButton)
        settle(qtbot, window)
    assert window.width() == width
    assert search.query == ""


def test_beside_an_empty_list_nobody_is_asked_to_choose(qtbot: QtBot, window: MainWindow) -> None:
    said = window.editor._nothing
    window.sidebar.choose("trash")
    settle(qtbot, window)
    assert said.isVisible()
    assert said.text() == ""
    window.sidebar.choose("all")
    settle(qtbot, window)
    window.editor.show_nothing()
    assert said.text()


def test_the_list_has_the_keyboard_once_the_button_that_had_it_is_gone(
    qtbot: QtBot, window: MainWindow
) -> None:
    clear = window.list_pane.list.clear_button
    window.toolbar.search.set_query("tag:nowhere")
    settle(qtbot, window)
    clear.setFocus()
    press(window, "Space")
    settle(qtbot, window)
    assert not clear.isVisible()
    assert window.list_pane.list.hasFocus()
