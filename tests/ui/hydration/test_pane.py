"""The pane that shows what an agent will be told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.access.owner_token import OwnerToken
from app.cli.command import build
from app.hydration.preview import HydrationPreview, LiveHydration
from app.mcp.requests import told_at_connection
from app.mcp.session import Seat, call_for
from app.rules.policy import Run
from app.rules.verdict import Item
from app.rules.visibility import Standing
from app.serving import ApiServer
from app.text.days import parse_time
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import USER, EntryDraft
from tests.fakes import FixedClock, machine_in
from tests.ui.conftest import CLAUDE, SHOP, press, settle, type_text
from ui.blocks.editor import BlockEditor
from ui.hydration.byte_bar import BudgetSlider, bytes_at, step_of
from ui.hydration.explanations import WhyPanel
from ui.hydration.items_list import HydrationModel
from ui.hydration.pane import DRAFT, HydrationPane
from ui.hydration.pane_widgets import EXACT, MESSAGE
from ui.hydration.verdict_text import link_of, ordinal, verdict
from ui.toolkit.formatting import size_text
from ui.toolkit.translation import translate
from ui.window.main_window import MainWindow


def pane_of(window: MainWindow) -> HydrationPane:
    pane = window.findChild(HydrationPane)
    assert pane is not None
    return pane


def calm(qtbot: QtBot, window: MainWindow) -> None:
    """Waits for the pane's answer to what was last asked."""
    pane = pane_of(window)
    quiet = 0

    def resting() -> bool:
        """Nothing asks and nothing is about to: what is written is heard, and then asked about."""
        nonlocal quiet
        waits = pane._pause.isActive() or pane.widgets.trial.pause.isActive()
        busy = waits or window.jobs.busy or window.workbench.finder.pausing
        quiet = 0 if busy else quiet + 1
        return quiet >= 3

    qtbot.waitUntil(resting)


@pytest.fixture
def pane(qtbot: QtBot, window: MainWindow) -> HydrationPane:
    calm(qtbot, window)
    return pane_of(window)


def test_it_shows_what_the_agent_will_get(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    assert pane.shown is not None
    told = stocked.hydrator.hydrate(Run(stocked.agents.read("claude"))).text
    assert pane.shown.hydration.text == told
    pane.widgets.tabs.setCurrentIndex(EXACT)
    assert pane.widgets.exact.reader.toPlainText() == told
    pane.widgets.exact.copy.click()
    assert QApplication.clipboard().text() == told


@pytest.mark.parametrize("budget", [600, 300, 16_384])
def test_its_text_is_the_owners_hydrate_for_the_same_input(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault, budget: int
) -> None:
    stocked.agents.change("claude", {"workspaces": ["shop"]})
    stocked.blocks.replace(USER, "core", "- one\n- two", expected_updated_at=None)
    window.changes.look()
    calm(qtbot, window)
    options = pane.widgets.options
    options.budget.setValue(budget)
    options.workspace.setCurrentIndex(options.workspace.findData("shop"))
    options.user_core.setChecked(False)
    calm(qtbot, window)
    memory = stocked.memory_for(Caller())
    told = memory.hydration.hydrate(
        agent_id="claude",
        standing=Standing("shop"),
        budget=budget,
        policy={"include_user_core": False},
    )
    assert pane.shown is not None
    assert pane.shown.hydration.text == told.text
    assert [item.id for item in pane.shown.hydration.items] == [item.id for item in told.items]


def test_the_pane_the_api_and_the_command_say_the_same_bytes(
    qtbot: QtBot,
    window: MainWindow,
    pane: HydrationPane,
    stocked: Vault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.vault.open_vault", partial(open_vault, clock=stocked.clock))
    pane.widgets.options.budget.setValue(420)
    options = pane.widgets.options
    options.mode.setCurrentIndex(options.mode.findData("off"))
    calm(qtbot, window)
    command = [
        "hydrate",
        "--agent",
        "claude",
        "--budget",
        "420",
        "--archival-mode",
        "off",
        "--text",
        "--vault",
        str(stocked.path),
    ]
    said = CliRunner().invoke(build(lambda path, ephemeral: 0), command)
    token = "kps_owner-of-this-test"
    server = ApiServer(stocked, 0, token=OwnerToken(token, "test"), runtime=tmp_path)
    try:
        told = httpx.post(
            f"{server.start()}/api/v1/memory/hydrate",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
            json={
                "agent_id": "claude",
                "budget_bytes": 420,
                "memory_policy": {"archival_mode": "off"},
            },
        ).json()
    finally:
        server.stop()
    assert pane.shown is not None
    assert pane.shown.hydration.text == told["text"] == said.output
    assert pane.shown.hydration.used == told["used_bytes"] == len(told["text"].encode())


@pytest.mark.english
def test_it_follows_every_keystroke_and_says_what_no_longer_fits(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    assert pane.shown is not None
    pane.widgets.options.budget.setValue(pane.shown.hydration.used + 4)
    calm(qtbot, window)
    assert all(item.included for item in pane.shown.items)
    press(window, "Ctrl+2")
    type_text(window, "Longer. " * 3)
    calm(qtbot, window)
    assert "Longer." in pane.shown.hydration.text
    assert "no longer fits" in pane.widgets.notice.text()
    press(window, "Ctrl+S")
    calm(qtbot, window)
    agent = stocked.agents.read("claude")
    told = stocked.hydrator.hydrate(Run(agent, budget=pane.widgets.options.budget.value()))
    assert pane.shown.hydration.text == told.text
    assert pane.widgets.notice.isHidden()


@pytest.mark.english
def test_it_says_what_an_edit_costs_and_what_has_changed_since_the_last_start(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    price = pane.widgets.price
    assert price.isHidden()
    text = stocked.hydrator.hydrate(Run(stocked.agents.read("claude"))).text
    stocked.calls.record("claude", "mcp", "instructions")
    stocked.calls.flush()
    pane.refresh()
    qtbot.waitUntil(lambda: "nothing has changed" in price.text())
    press(window, "Ctrl+2")
    type_text(window, "Ask first. ")
    qtbot.waitUntil(lambda: "stay the same" in price.text())
    size = size_text(len(text.encode()))
    assert price.text().endswith(f"of {size} stay the same.")


@pytest.mark.english
def test_a_new_memory_shows_what_it_brings_in(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    press(window, "Ctrl+N")
    type_text(window, "Likes quiet.")
    calm(qtbot, window)
    assert pane.shown is not None
    assert "Likes quiet." in pane.shown.hydration.text
    assert "comes in" in pane.widgets.notice.text()


@pytest.mark.english
def test_make_core_from_the_row_is_one_undoable_step(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    pane.widgets.options.budget.setValue(360)
    calm(qtbot, window)
    marie = stocked.entries.find(USER, "marie")
    row = pane.widgets.items.list.items.row_of(marie.id)
    item = pane.widgets.items.list.items.at(row)
    assert not item.included
    remedy = pane.widgets.items.list.items.remedies[marie.id]
    assert link_of(remedy) == "Make core"
    pane.widgets.items.list.remedy_asked.emit(item, remedy)
    calm(qtbot, window)
    assert stocked.entries.read(marie.id).category == "core"
    press(window, "Ctrl+Z")
    calm(qtbot, window)
    assert stocked.entries.read(marie.id).category == "relationship"


def test_the_remedys_words_can_be_clicked(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    pane.widgets.options.budget.setValue(360)
    calm(qtbot, window)
    listed = pane.widgets.items.list
    row = listed.items.row_of(stocked.entries.find(USER, "marie").id)
    assert row >= 0
    listed.scrollTo(listed.items.index(row))
    box = listed.visualRect(listed.items.index(row))
    places = [QPoint(x, box.center().y() + 9) for x in range(box.left() + 30, box.right(), 4)]
    on_it = [place for place in places if listed._link_at(place) is not None]
    assert on_it
    with qtbot.waitSignal(listed.remedy_asked):
        QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=on_it[len(on_it) // 2])


@pytest.mark.english
def test_shorten_opens_the_memory_with_the_bytes_to_lose(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    big = stocked.entries.store(EntryDraft("y" * 600, CLAUDE, "big", category="core")).entry
    window.changes.look()
    calm(qtbot, window)
    pane.widgets.options.budget.setValue(500)
    calm(qtbot, window)
    item = pane.shown.hydration.item(big.id)
    remedy = pane.widgets.items.list.items.remedies[big.id]
    assert remedy.action == "shorten"
    pane.widgets.items.list.remedy_asked.emit(item, remedy)
    calm(qtbot, window)
    assert window.editor.entry.key == "big"
    lose, form = item.bytes - item.left, window.editor.form
    assert f"{lose:,} bytes" in form.notice.text()
    text = form.body.text()
    form.body.set_text(text + "y" * 10)
    form.edited.emit()
    calm(qtbot, window)
    assert f"{lose + 10:,} bytes" in form.notice.text()
    form.body.set_text(text[: len(text) - lose])
    form.edited.emit()
    calm(qtbot, window)
    assert pane.shown.hydration.item(big.id).included
    assert not form.notice.text()


def test_the_verified_remedies_each_bring_it_in(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    pane.widgets.options.budget.setValue(360)
    calm(qtbot, window)
    marie = stocked.entries.find(USER, "marie")
    found = stocked.why.explain(marie.id, pane.run)
    assert not pane.shown.hydration.item(marie.id).included
    raised = next(one for one in found.remedies if one.action == "raise_budget")
    pane.item_actions.apply(marie.id, raised)
    calm(qtbot, window)
    assert pane.shown.hydration.item(marie.id).included


def test_the_mark_on_the_slider_is_where_the_next_memory_fits(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    pane.widgets.options.budget.setValue(400)
    calm(qtbot, window)
    fit = pane.shown.fit
    assert fit is not None
    assert fit.key in pane.widgets.slider.toolTip()
    pane.widgets.options.budget.setValue(fit.budget)
    calm(qtbot, window)
    assert pane.shown.hydration.item(fit.id).included


@pytest.mark.english
def test_as_of_shows_what_the_agent_knew_then(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault, clock: FixedClock
) -> None:
    clock.forward(seconds=1)
    then, text = to_instant(clock.at), pane.shown.hydration.text
    clock.forward(seconds=1)
    stocked.entries.change(stocked.entries.find(USER, "marie").id, {"content": "Left the firm."})
    window.changes.look()
    calm(qtbot, window)
    assert "Left the firm." in pane.shown.hydration.text
    options = pane.widgets.options
    options.look_at(then)
    calm(qtbot, window)
    assert pane.shown.hydration.text == text
    assert "As it was" in pane.widgets.notice.text()
    options.look_at("2020-01-01T00:00:00.000000Z")
    calm(qtbot, window)
    assert pane.shown.hydration.text == ""
    pane.widgets.notice.linkActivated.emit("now")
    calm(qtbot, window)
    assert options.as_of is None
    assert "Left the firm." in pane.shown.hydration.text


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        ("cut", "12 of 20 lines fit"),
        ("recalled", "score 0.45"),
        ("pending", "scout"),
        ("policy", "include_user_core is off"),
        ("policy", "session memory is off for this agent"),
    ],
)
def test_a_verdict_speaks_the_windows_language(qapp: QApplication, reason: str, note: str) -> None:
    item = Item("block", "b", "core", "user", "core", 10, False, reason, 1, 5, note)
    translate(qapp, "en")
    said = verdict(item, 1)
    translate(qapp, "de")
    try:
        spoken = verdict(item, 1)
        words = {word for word in spoken.split() if word.isalpha()} - {"scout"}
        assert words
        assert not words & set(said.split())
    finally:
        translate(qapp, "en")


def test_a_click_on_try_a_message_takes_the_keyboard_to_the_field(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    window.editor.show_entry(stocked.entries.find(USER, "marie"))
    window.editor.form.body.setFocus()
    tabs, text = pane.widgets.tabs, window.editor.form.body.text()
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(MESSAGE).center())
    QTest.keyClicks(QApplication.focusWidget(), "where to")
    assert pane.widgets.message == "where to"
    assert window.editor.form.body.text() == text


def test_a_message_brings_archival_lines_and_a_preload(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.blocks.replace(
        USER,
        "archival",
        "- Anna's birthday is in May\n- The car is blue",
        expected_updated_at=None,
    )
    window.changes.look()
    calm(qtbot, window)
    options = pane.widgets.options
    options.mode.setCurrentIndex(options.mode.findData("auto"))
    pane.widgets.tabs.setCurrentIndex(MESSAGE)
    pane.widgets.trial.message.setFocus()
    type_text(window, "when is the birthday of Anna and the deploy")
    calm(qtbot, window)
    assert any(item.reason == "recalled" for item in pane.shown.hydration.items)
    assert "deploy_target" in [row.title for row in pane.widgets.trial.list.rows.values]


def test_a_message_that_was_tried_is_not_asked_again(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    pane.widgets.tabs.setCurrentIndex(MESSAGE)
    pane.widgets.trial.message.setFocus()
    type_text(window, "deploy")
    calm(qtbot, window)
    assert "deploy_target" in [row.title for row in pane.widgets.trial.list.rows.values]
    with qtbot.assertNotEmitted(pane.answered, wait=1_000):
        pass


def test_looking_is_not_using(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.usage.flush()
    with stocked.database.read() as db:
        assert db.execute("SELECT count(*) FROM entry_use").fetchone()[0] == 0


def test_without_an_agent_it_says_what_to_do(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(vault)
    pane = pane_of(window)
    assert pane.run is None
    with qtbot.waitSignal(pane.add_agent_asked):
        pane.widgets.add.click()


@pytest.mark.english
def test_the_day_something_expired_is_the_persons_own() -> None:
    with machine_in("Pacific/Kiritimati"):
        midnight = parse_time("2026-03-01")
        gone = Item("entry", "1", "k", "user", "daily", 9, False, "expired", 0, 0, midnight)
        assert verdict(gone, 1) == "expired 1 March 2026"


@pytest.mark.english
def test_the_model_is_a_sound_one(pane: HydrationPane) -> None:
    model = HydrationModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_items(pane.shown.items, CLAUDE, "")
    model.show_items(pane.shown.items[:2], CLAUDE, "")
    assert model.rowCount() == 2
    for place, item in enumerate(pane.shown.items):
        assert verdict(item, place + 1)
    assert " ".join(map(ordinal, (1, 2, 3, 4, 11, 22))) == "1st 2nd 3rd 4th 11th 22nd"


def test_the_slider_moves_by_keys_and_its_steps_are_round(qtbot: QtBot, window: MainWindow) -> None:
    slider = BudgetSlider(window.theme)
    qtbot.addWidget(slider)
    slider.set_bytes(16_384)
    with qtbot.waitSignal(slider.moved) as moved:
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert moved.args[0] > 16_384
    assert bytes_at(step_of(8_192)) == 8_192


def test_a_keystroke_over_ten_thousand_memories_costs_little(
    qtbot: QtBot,
    vault: Vault,
    make_window: Callable[[Vault], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At most twice the hydration alone, and the GUI thread is free while it runs."""
    agent, _ = vault.agents.add("claude")
    drafts = [
        EntryDraft(
            f"Memory {n} says something about things of no great interest.",
            USER if n % 2 else agent.scope,
            f"key_{n}",
            category="memory" if n % 3 else "core",
        )
        for n in range(10_000)
    ]
    vault.entries.store_many(drafts, actor="owner", source="owner", reason="")
    window = make_window(vault)
    pane = pane_of(window)
    calm(qtbot, window)
    alone: list[float] = []
    taken: list[float] = []
    shown: list[float] = []
    plain = pane._show

    def timed(*answer: object) -> None:
        start = time.thread_time()  # what others do meanwhile is not the pane's
        plain(*answer)
        shown.append(time.thread_time() - start)

    pane._show = timed  # type: ignore[method-assign, assignment]
    on_gui_thread: list[bool] = []
    answer = LiveHydration.answer

    def asked(live: LiveHydration, *question: Any) -> HydrationPreview:
        on_gui_thread.append(threading.current_thread() is threading.main_thread())
        return answer(live, *question)

    monkeypatch.setattr(LiveHydration, "answer", asked)

    press(window, "Ctrl+2")
    for _ in range(7):  # the two in turn, so that both meet the same machine
        alone.append(_seconds(lambda: vault.hydrator.hydrate(Run(agent), everything=True)))
        type_text(window, "x")
        start = time.process_time()
        pane._pause.stop()
        with qtbot.waitSignal(pane.answered):
            pane._ask()
        taken.append(time.process_time() - start)
        calm(qtbot, window)
    assert min(taken) <= 2 * min(alone)
    assert set(on_gui_thread) == {False}
    assert min(shown) <= min(alone) / 10, (shown, alone)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def test_a_budget_can_be_kept_for_the_agent_and_blocks_open_from_their_row(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.blocks.replace(USER, "core", "- one\n- two", expected_updated_at=None)
    pane.widgets.options.budget.setValue(2_048)
    pane.widgets.options.keep.click()
    window.changes.look()
    calm(qtbot, window)
    assert stocked.agents.read("claude").hydration_budget == 2_048
    block = next(item for item in pane.shown.items if item.type == "block")
    pane.widgets.items.list.opened.emit(block)
    settle(qtbot, window)
    settle(qtbot, window)
    editor = window.findChild(BlockEditor)
    assert editor.pages.body.text() == "- one\n- two"
    pane.widgets.items.list.opened.emit(pane.shown.items[-1])
    settle(qtbot, window)
    assert window.editor.entry.id == pane.shown.items[-1].id


@pytest.mark.english
def test_the_slider_says_that_it_only_tries_and_how_to_go_back(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    trying = pane.widgets.trying
    assert trying.isHidden()
    pane.widgets.slider.setValue(step_of(720))
    calm(qtbot, window)
    own = stocked.agents.read("claude")
    assert "Trying 720 B · claude’s own is 16.0 KiB" in trying.text()
    trying.linkActivated.emit("reset")
    calm(qtbot, window)
    assert trying.isHidden()
    assert pane.run.budget == 16_384
    assert stocked.agents.read("claude") == own
    pane.widgets.options.budget.setValue(720)
    trying.linkActivated.emit("keep")
    calm(qtbot, window)
    assert stocked.agents.read("claude").hydration_budget == 720
    assert trying.isHidden()


@pytest.mark.english
def test_every_part_of_the_bar_is_named_with_its_unit(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    words = [text for _color, text in pane.widgets.bar.legend()]
    assert [word.split()[0] for word in words] == ["headings", "core", "recent", "free"]
    assert all(word.endswith(("B", "KiB")) for word in words)


def test_why_says_what_the_pane_tries(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    window.workbench.open_number(marie.n)
    press(window, "Ctrl+Shift+H")
    calm(qtbot, window)
    why = window.findChild(WhyPanel)
    assert why.list.rows.values[0].value.explanation.hydrated
    pane.widgets.options.budget.setValue(360)
    calm(qtbot, window)
    assert not pane.shown.hydration.item(marie.id).included
    assert not why.list.rows.values[0].value.explanation.hydrated
    assert not why.tried.isHidden()
    window.editor.form.fields.category.setCurrentText("core")  # not saved
    calm(qtbot, window)
    shown = pane.shown.hydration.item(marie.id).included
    assert why.list.rows.values[0].value.explanation.hydrated == shown


@pytest.mark.english
def test_what_an_agent_does_not_see_is_shared_with_a_click_and_taken_back(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.agents.add("travel")
    checklist = stocked.entries.find(SHOP, "release_checklist")
    target = stocked.entries.find(CLAUDE, "deploy_target")
    why = window.findChild(WhyPanel)
    for entry, worked in (
        (checklist, lambda: stocked.agents.read("travel").workspaces == ("shop",)),
        (target, lambda: stocked.entries.read(target.id).scope == USER),
    ):
        window.workbench.open_number(entry.n)
        press(window, "Ctrl+Shift+H")
        calm(qtbot, window)
        why.list.choose("travel")
        (share,) = [why._flow.itemAt(n).widget() for n in range(why._flow.count())]
        assert share.text() == "Share with travel"
        assert share.toolTip()
        share.click()
        calm(qtbot, window)
        assert worked()
        window.messages.toast.message.act()  # Undo
        calm(qtbot, window)
        assert not worked()


def test_an_edit_that_is_out_of_sight_is_not_told(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    window.actions_["new"].trigger()
    settle(qtbot, window)
    type_text(window, "Never eats olives.")
    calm(qtbot, window)
    told = [item.id for item in pane.shown.items]
    assert DRAFT in told
    for place, seen in (("activity", False), ("all", True)):
        window.shell.go_to(place)
        calm(qtbot, window)
        assert (DRAFT in [item.id for item in pane.shown.items]) is seen


def test_the_pane_follows_what_is_typed_into_a_block(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    window.shell.go_to("blocks")
    calm(qtbot, window)
    blocks = window.findChild(BlockEditor)
    blocks.list.choose("user/core")
    calm(qtbot, window)
    blocks.pages.body.setFocus()
    type_text(window, "- plays the cello")
    calm(qtbot, window)
    assert "plays the cello" in pane.shown.hydration.text
    window.shell.go_to("all")
    calm(qtbot, window)
    assert "plays the cello" not in pane.shown.hydration.text


@pytest.mark.english
def test_a_message_shows_ranked_rows_with_scores_and_a_cut(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.agents.change("claude", {"recall_budget": 1})
    pane.reload()
    calm(qtbot, window)
    pane.widgets.tabs.setCurrentIndex(MESSAGE)
    pane.widgets.trial.message.setFocus()
    type_text(window, "deploys")
    calm(qtbot, window)
    rows = pane.widgets.trial.list.rows.values
    assert [row.heading for row in rows][:2] == [False, True]
    assert "1 at most" in rows[1].title
    scores = [float(row.end) for row in rows if not row.heading]
    assert scores == sorted(scores, reverse=True)
    assert pane.widgets.trial.words.text().startswith("With this message: 1 memory")


@pytest.mark.english
def test_the_cut_says_too_far_where_there_was_room(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stocked.settings.set("preload_min_relevance", 1.0)
    pane.widgets.tabs.setCurrentIndex(MESSAGE)
    pane.widgets.trial.message.setFocus()
    type_text(window, "deploys of zebras in October")
    calm(qtbot, window)
    rows = pane.widgets.trial.list.rows.values
    headings = [row.title for row in rows if row.heading]
    assert headings == ["Not given: too far from the message"]
    assert {row.end for row in rows} == {""}  # no rank among those that are given
    told = [row.below for row in rows if not row.heading]
    assert all(words.startswith("Nearness of meaning: ") for words in told)
    near = [float(words.rsplit(" ", 1)[1]) for words in told]
    assert near == sorted(near, reverse=True)
    assert len(near) > 1


def test_the_options_of_a_run_do_not_move_the_pane(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane
) -> None:
    wide = pane.width()
    pane.widgets.more.setChecked(True)
    calm(qtbot, window)
    assert pane.width() == wide


def test_a_memory_without_a_key_is_called_by_its_first_line_in_the_pane(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    stored = stocked.entries.store(EntryDraft("Plays the cello on Sundays.", USER))
    window.changes.look()
    calm(qtbot, window)
    named = {item.id: item.key for item in pane.shown.items}
    assert named[stored.entry.id] == "Plays the cello on Sundays."
    assert f"- {stored.entry.key} (" in pane.shown.hydration.text


@pytest.mark.english
def test_it_says_which_way_carries_what_and_shows_each_to_the_letter(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    for number in range(40):
        content = f"Deploy {number} went out on a Friday, after the tests were green."
        stocked.entries.store(EntryDraft(content, USER, key=f"deploy_{number}", category="core"))
    _, token = stocked.agents.add("coder")
    told = {}
    for client in ("other", "claude-code"):
        asked = {"clientInfo": {"name": client, "version": "1"}}
        told[client] = told_at_connection(call_for(Seat(stocked, token)), asked)
        pane.reload()
        calm(qtbot, window)
        pane.choose("coder")
        calm(qtbot, window)
        pane.widgets.tabs.setCurrentIndex(EXACT)
        pane.widgets.exact.way.setCurrentIndex(1)
        assert pane.widgets.exact.reader.shown_text == told[client]
        pane.widgets.exact.way.setCurrentIndex(0)
        assert pane.shown is not None
        whole = pane.shown.hydration.text
        assert pane.widgets.exact.reader.shown_text == whole
        size = size_text(len(whole.encode()))
        if client == "other":
            said = f"Told all of it when it connects ({size}), and whenever it asks."
        else:
            memory = told[client][: told[client].index("</memories>\n") + len("</memories>\n")]
            here = size_text(len(memory.encode()))
            kept = "(Claude Code keeps 2,048 characters)"
            said = f"Told {here} when it connects {kept}, and all {size} when it asks."
        assert pane.widgets.ways.text() == said


def test_a_tried_message_shows_the_archival_lines_that_the_policy_adds(
    qtbot: QtBot, window: MainWindow, pane: HydrationPane, stocked: Vault
) -> None:
    lines = "- Trains to Porto leave at nine\n- The cat is called Minka"
    stocked.blocks.replace(USER, "archival", lines, expected_updated_at=None)
    calm(qtbot, window)
    page, options = pane.widgets.trial, pane.widgets.options
    pane.widgets.tabs.setCurrentIndex(MESSAGE)
    page.message.setFocus()
    type_text(window, "Trains to Porto leave at nine")
    calm(qtbot, window)
    assert "Trains to Porto leave at nine" not in [row.title for row in page.list.rows.values]
    options.mode.setCurrentIndex(options.mode.findData("auto"))
    options.limit.setValue(1)
    calm(qtbot, window)
    titles = [row.title for row in page.list.rows.values]
    assert titles[-1] == "Trains to Porto leave at nine"
    assert "The cat is called Minka" not in titles


def test_the_heading_gives_way_to_the_name_of_the_agent(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.change("claude", {"name": "Claude (sample)"})
    window = make_window(stocked)
    window.resize(1440, 900)
    calm(qtbot, window)
    chosen = pane_of(window).widgets.agent
    assert chosen.currentText() == "Claude (sample)"
    assert chosen.shown_text() == "Claude (sample)"
