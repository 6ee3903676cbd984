"""A memory without a key of its own is called by its first line, wherever it is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from app.text.words import is_made_key
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.ui.conftest import press, settle, type_text
from ui.memory.entry_model import Column
from ui.memory.field_form import scope_said
from ui.toolkit.formatting import agent_called, agent_name, know_agent_names, scope_text, who
from ui.window.main_window import MainWindow

TEXT = "I drink oat milk flat whites."


@pytest.mark.english
def test_a_new_memory_is_called_by_its_first_line_and_comes_on_top(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    press(window, "Ctrl+N")
    type_text(window, TEXT)
    assert window.editor.form.title.text() == TEXT
    press(window, "Ctrl+S")
    settle(qtbot, window)
    entry = window.editor.entry
    assert entry is not None
    assert is_made_key(entry.key)
    assert window.editor.form.title.text() == TEXT
    assert window.editor.form.key.text() == entry.key
    assert window.messages.toast.message.text == f"Saved “{TEXT}”"
    assert window.list_pane.model.index(0, Column.CARD).data() == TEXT


def test_undo_names_it_by_its_first_line(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    saved = stocked.entries.store(EntryDraft(TEXT, USER))
    groups = stocked.history.groups(limit=1)
    assert stocked.history.names(groups)[groups[0].id] == (TEXT,)
    window = make_window(stocked)
    window.bulk.forget([saved.entry.id])
    settle(qtbot, window)
    assert TEXT in window.messages.toast.message.text


@pytest.mark.english
def test_an_agent_has_one_name_everywhere(
    qtbot: QtBot, make_window: Callable[[Vault], MainWindow], vault: Vault
) -> None:
    vault.agents.add("Ops bot")
    mine = Scope("agent", "ops-bot")
    vault.entries.store(EntryDraft("Disk is full.", mine, "disk"), actor="agent:ops-bot")
    window = make_window(vault)
    row = window.sidebar_items.row_of("agent:ops-bot")
    assert window.sidebar_items.index(row, 0).data() == "Ops bot"
    assert who("agent:ops-bot") == "Ops bot"
    assert scope_text(mine) == "agent: Ops bot"
    fields = window.editor.form.fields
    assert fields.scope.currentText() == "agent: Ops bot"
    assert fields.chosen_scope() == mine
    vault.agents.change("ops-bot", {"name": "Operator"})
    window.changes.look()
    settle(qtbot, window)
    assert window.sidebar_items.index(row, 0).data() == "Operator"
    assert fields.scope.currentText() == "agent: Operator"
    assert fields.chosen_scope() == mine
    assert not window.editor.dirty
    assert scope_said("agent: Operator", ()) == mine


def test_two_agents_of_one_name_are_told_apart() -> None:
    know_agent_names({"claude": "Claude", "claude-2": "Claude", "bob": "Bob"})
    named = {one: agent_name(one) for one in ("claude", "claude-2", "bob", "nobody")}
    assert named == {
        "claude": "Claude (claude)",
        "claude-2": "Claude (claude-2)",
        "bob": "Bob",
        "nobody": "nobody",
    }
    assert [agent_called(name) for name in named.values()] == ["claude", "claude-2", "bob", ""]
    know_agent_names({})
