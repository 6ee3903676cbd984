"""Files of coding agents in the window: what they keep is kept in step, and memories go into a
project's files, are shown before, and go out again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.connect.mcp_clients import codex_home, gemini_home
from app.hooks.kept_memories import KeptPlaces
from app.markdown.projection import FILES, Projections
from app.vault import Vault
from store.records import EntryDraft, Scope
from tests.ui.bare import Bare
from tests.ui.conftest import settle
from ui.files.agent_files_dialog import AgentFilesDialog
from ui.window.main_window import MainWindow

SHOP = Scope("workspace", "shop")


@pytest.fixture
def found() -> Path:
    """A folder of notes that Codex keeps, and Gemini CLI's list."""
    folder = codex_home() / "memories"
    folder.mkdir(parents=True)
    (folder / "tabs.md").write_text("Indents with tabs.\n")
    gemini_home().mkdir(parents=True, exist_ok=True)
    (gemini_home() / "GEMINI.md").write_text("- Prefers pytest.\n")
    return folder


@pytest.fixture
def dialog(qtbot: QtBot, around: Bare, stocked: Vault) -> AgentFilesDialog:
    stocked.entries.store(EntryDraft("The shop deploys on Fridays.", SHOP, key="deploys"))
    made = AgentFilesDialog(
        KeptPlaces(stocked),
        Projections(stocked.database, stocked.clock),
        lambda: [SHOP],
        around.jobs,
        around.theme,
        around.room,
    )
    made.show()
    made.refresh()
    around.settle(qtbot)
    return made


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person says yes."""
    monkeypatch.setattr("ui.files.agent_files_dialog.sure", lambda *_args: True)


def test_with_nothing_found_it_says_what_would_be_here(dialog: AgentFilesDialog) -> None:
    assert dialog._pages.currentIndex() == 0


def test_what_agents_keep_is_found_and_kept_in_step_through_review(
    qtbot: QtBot, found: Path, around: Bare, dialog: AgentFilesDialog, stocked: Vault, sure: None
) -> None:
    waiting = len(stocked.review.listed())
    assert [row.key for row in dialog.list.rows.values if not row.heading] == [
        f"kept:{found}",
        f"kept:{gemini_home() / 'GEMINI.md'}",
    ]
    for _ in range(2):
        assert dialog.kept.review.isChecked()
        dialog.kept.keep.click()
        around.settle(qtbot)
        assert not dialog.kept.keep.isVisible()
        dialog.list.step(1)
    assert len(stocked.review.listed()) == waiting + 2
    assert [str(one.folder) for one in stocked.mirrors.listed()] == [str(found.resolve())]
    dialog.kept.leave.click()
    around.settle(qtbot)
    assert dialog.kept.keep.isVisible()


def test_memories_go_into_a_project_after_a_look_and_out_again(
    qtbot: QtBot, around: Bare, dialog: AgentFilesDialog, tmp_path: Path, sure: None
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "AGENTS.md").write_text("Be kind.\n")
    dialog.add.click()
    page = dialog.project
    qtbot.waitUntil(lambda: "deploys on Fridays" in page.preview.toPlainText())
    assert not page.write.isEnabled()  # it has no folder yet
    QTest.keyClicks(page.path, str(shop))
    qtbot.waitUntil(lambda: page.workspace.currentText() != "shop")  # the folder's own
    qtbot.waitUntil(lambda: "Fridays" not in page.preview.toPlainText())
    page.workspace.setCurrentText("shop")
    page.files[FILES.index("GEMINI.md")].setChecked(False)
    page.budget.setValue(512)
    qtbot.waitUntil(lambda: "deploys on Fridays" in page.preview.toPlainText())
    around.settle(qtbot)
    assert "512" in page.used.text()
    assert list(shop.iterdir()) == [shop / "AGENTS.md"]
    page.write.click()
    around.settle(qtbot)
    assert "deploys on Fridays" in (shop / "AGENTS.md").read_text()
    assert "@.keepsake/memory.md" in (shop / "CLAUDE.md").read_text()
    assert not (shop / "GEMINI.md").exists()
    assert page.path.text() == str(shop)
    assert not page.path.isEnabled()
    page.remove.click()
    around.settle(qtbot)
    assert list(shop.iterdir()) == [shop / "AGENTS.md"]
    assert (shop / "AGENTS.md").read_text() == "Be kind.\n"


def test_the_palette_and_the_menu_open_it(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_["agent_files"].trigger()
    settle(qtbot, window)
    assert window.findChild(AgentFilesDialog) is not None
