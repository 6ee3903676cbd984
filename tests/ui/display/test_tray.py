"""The tray, in a real one: its icon, its number, its menu, and what closing the window does."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest

from app.vault import Vault
from store.records import EntryDraft, Scope
from tests.ui.display.conftest import PATIENCE, Driven

Drive = Callable[[], Driven]
TRAY = "[one for one in window.children() if type(one).__name__ == 'Tray'][0]"
ICON = f"list({TRAY}._icon.geometry().getRect())"
SHOWN = f"{TRAY}._icon.geometry().width() > 8"
MENU = (
    "(lambda menu, row: [*menu.mapToGlobal(menu.actionGeometry(menu.actions()[row]).topLeft())"
    f".toTuple(), 60, 20])({TRAY}._menu, {{row}})"
)


@pytest.fixture
def host(display: str) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts a program that shows the icons of others."""
    if shutil.which("trayer") is None:
        pytest.skip("trayer is not installed")
    made: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        asked = ["trayer", "--edge", "top", "--align", "right", "--widthtype", "request"]
        made.append(
            subprocess.Popen(
                asked,
                env=os.environ | {"DISPLAY": display},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        return made[-1]

    yield start
    for one in made:
        one.terminate()
        one.wait(PATIENCE)


def choose(window: Driven, row: int) -> None:
    window.click_at(ICON, button=3)
    window.wait(f"{TRAY}._menu.isVisible()")
    window.click_at(MENU.format(row=row))


def test_the_tray_counts_what_agents_wrote_until_the_window_is_looked_at(
    drive: Drive, stocked: Vault, host: Callable[[], object]
) -> None:
    stocked.agents.add("Ops bot")
    host()
    window = drive()
    window.wait(SHOWN)
    assert window.ask(f"{TRAY}._icon.toolTip()") == "Keepsake"
    with window.in_front():
        draft = EntryDraft("The disk is full.", Scope("agent", "ops-bot"))
        stocked.entries.store(draft, actor="agent:ops-bot")
        window.wait(f"'1 not looked at' in {TRAY}._icon.toolTip()")
    window.click_at(ICON)
    window.wait("window.isActiveWindow()")
    window.wait(f"{TRAY}._icon.toolTip() == 'Keepsake'")


def test_closing_goes_to_the_tray_by_choice_only_and_its_menu_brings_back_or_ends(
    drive: Drive, stocked: Vault, host: Callable[[], object]
) -> None:
    host()
    window = drive()
    window.wait(SHOWN)
    assert window.ask("window.close_asked().value") == "quit"
    stocked.settings.set("close_to_tray", True)
    window.wait("window.close_asked().value == 'hide'")
    window.key("alt+F4")
    window.wait("not window.isVisible()")
    choose(window, 0)
    window.wait("window.isVisible() and window.isActiveWindow()")
    choose(window, 3)
    assert window.process.wait(PATIENCE) == 0


def test_a_tray_that_comes_later_is_used_and_one_that_went_hides_nothing(
    drive: Drive, stocked: Vault, host: Callable[[], subprocess.Popen[bytes]]
) -> None:
    stocked.settings.set("close_to_tray", True)
    window = drive()
    assert window.ask("window.close_asked().value") == "quit"  # nobody could bring it back
    tray = host()
    window.wait(SHOWN)
    assert window.ask("window.close_asked().value") == "hide"
    tray.terminate()
    tray.wait(PATIENCE)
    window.wait("window.close_asked().value == 'quit'")
