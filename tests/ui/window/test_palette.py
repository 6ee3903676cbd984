from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import EntryDraft, Scope
from tests.ui.conftest import press, settle, type_text
from ui.vault.settings_dialog import SettingsDialog
from ui.window.main_window import MainWindow
from ui.window.palette import Palette, ranked

CHOICES = [
    ("New memory", "create"),
    ("Forget", "delete trash"),
    ("Change importance…", ""),
    ("Import a file…", "obsidian"),
]


def opened(window: MainWindow) -> Palette:
    found = window.findChild(Palette)
    assert found is not None
    return found


def test_no_words_offer_everything() -> None:
    assert ranked("", CHOICES) == [0, 1, 2, 3]


def test_a_few_letters_find_it() -> None:
    assert ranked("imp", CHOICES)[0] in (2, 3)
    assert ranked("nw mem", CHOICES)[0] == 0


def test_another_word_for_it_finds_it() -> None:
    assert ranked("delete", CHOICES)[0] == 1


def test_nonsense_finds_nothing() -> None:
    assert ranked("zzqqx", CHOICES) == []


def test_escape_leaves_and_gives_the_focus_back(qtbot: QtBot, window: MainWindow) -> None:
    window.list_pane.list.setFocus()
    press(window, "Ctrl+K")
    assert opened(window).isVisible()
    press(window, "Escape")
    assert not opened(window).isVisible()
    assert window.list_pane.list.hasFocus()


def rows(window: MainWindow) -> list[str]:
    model = opened(window).list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def ask(qtbot: QtBot, window: MainWindow, text: str) -> list[str]:
    """Opens the palette, types, and waits for what meaning adds."""
    press(window, "Ctrl+K")
    type_text(window, text)
    qtbot.waitUntil(lambda: not opened(window).searching)
    settle(qtbot, window)
    return rows(window)


@pytest.mark.english
def test_what_was_done_last_comes_first(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "Ctrl+K")
    type_text(window, "newest")
    press(window, "Escape")
    ask(qtbot, window, "activity")
    press(window, "Return")
    settle(qtbot, window)
    press(window, "Ctrl+K")
    assert rows(window)[0] == "Activity"


def test_every_action_is_in_the_palette(window: MainWindow) -> None:
    press(window, "Ctrl+K")
    able = {one.action.text() for one in window.actions_ if one.action.isEnabled()}
    assert able - set(rows(window)) == {window.actions_["palette"].text()}  # it is open already


def test_it_finds_memories_agents_places_settings_and_tags(
    qtbot: QtBot, window: MainWindow
) -> None:
    assert "deploy_target" in ask(qtbot, window, "eks")
    press(window, "Escape")
    assert rows_of(ask(qtbot, window, "claude"))[:2] == ["claude", "claude"]  # and its memories
    press(window, "Escape")
    assert "shop" in ask(qtbot, window, "shop")
    press(window, "Escape")
    assert "#infra" in ask(qtbot, window, "infra")


def rows_of(found: list[str]) -> list[str]:
    return [row for row in found if row == "claude"]


@pytest.mark.english
def test_a_first_letter_narrows_to_one_kind(qtbot: QtBot, window: MainWindow) -> None:
    assert set(ask(qtbot, window, "@")) == {"claude"}
    press(window, "Escape")
    assert set(ask(qtbot, window, "#")) == {"#infra", "#aws", "#people"}
    press(window, "Escape")
    found = ask(qtbot, window, ">trash")
    assert found[0] == "Trash"
    assert "Keep the trash (days)" in found
    assert not [row for row in found if row.startswith("Create")]


@pytest.mark.english
def test_enter_opens_the_memory_even_when_it_comes_before_the_answer(
    qtbot: QtBot, window: MainWindow
) -> None:
    press(window, "Alt+4")  # another view is in front
    press(window, "Ctrl+K")
    type_text(window, "marie")
    press(window, "Return")
    qtbot.waitUntil(lambda: window.editor.entry is not None and window.editor.entry.key == "marie")
    settle(qtbot, window)
    assert window.middle.shows_memories
    press(window, "Ctrl+K")
    settle(qtbot, window)
    assert rows(window)[0] == "marie"


@pytest.mark.english
def test_what_is_not_there_is_created(qtbot: QtBot, window: MainWindow) -> None:
    assert ask(qtbot, window, "zanzibar quux")[-1] == "Create “zanzibar quux”"
    press(window, "Return")
    settle(qtbot, window)
    assert window.editor.entry is None
    assert window.editor.form.form().content == "zanzibar quux"


def test_a_setting_is_opened_with_the_keyboard_on_it(qtbot: QtBot, window: MainWindow) -> None:
    window.shell.open("setting", "trash_days")
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    settle(qtbot, window)
    assert dialog.focusWidget() is dialog.fields["trash_days"].field
    dialog.close()


@pytest.mark.english
def test_the_last_hour_of_an_agent_is_undone_by_its_words(
    qtbot: QtBot, make_window: Callable[[Vault], MainWindow], stocked: Vault
) -> None:
    stocked.agents.add("Ops bot")
    for number in range(3):
        draft = EntryDraft(f"Fact {number}.", Scope("agent", "ops-bot"), f"fact_{number}")
        stocked.entries.store(draft, actor="agent:ops-bot")
    before = stocked.entries.count()
    window = make_window(stocked)
    assert ask(qtbot, window, "undo hour ops")[0] == "Undo the last hour of Ops bot"
    press(window, "Return")
    settle(qtbot, window)
    assert stocked.entries.count() == before - 3
    press(window, "Ctrl+K")
    type_text(window, "undo hour ops")
    press(window, "Return")
    settle(qtbot, window)
    assert "nothing to undo" in window.messages.log[-1].text
