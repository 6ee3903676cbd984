"""One signal for what was written: by whom, once, and for all who follow in one job."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import OWNER, EntryDraft
from tests.ui.bare import Bare
from tests.ui.conftest import CLAUDE
from ui.toolkit.changes import BEGINNING, Changes, News


@pytest.fixture
def changes(qtbot: QtBot, around: Bare, stocked: Vault) -> Changes:
    """Told of the beginning, and looking only when asked to."""
    made = Changes(stocked, around.jobs, around.room)
    with qtbot.waitSignal(made.heard) as first:
        made.look()
    assert first.args is not None
    assert first.args[0].things == {BEGINNING}
    return made


def test_a_write_is_heard_once_with_what_and_whose(
    qtbot: QtBot, around: Bare, changes: Changes, stocked: Vault
) -> None:
    heard: list[News] = []
    changes.heard.connect(heard.append)
    mine = stocked.entries.store(EntryDraft("Mine."))
    theirs = stocked.entries.store(EntryDraft("Theirs.", CLAUDE), actor=str(CLAUDE))
    for _ in range(2):
        changes.look()
        around.settle(qtbot)
    assert [news.ids("entry") for news in heard] == [[mine.entry.id, theirs.entry.id]]
    assert heard[0].things == {"entry"}
    assert heard[0].actors == {OWNER, str(CLAUDE)}
    assert heard[0].without({mine.group}).ids("entry") == [theirs.entry.id]


def test_what_is_kept_outside_the_log_is_told_even_while_a_look_is_under_way(
    qtbot: QtBot, around: Bare, changes: Changes
) -> None:
    heard: list[set[str]] = []
    changes.heard.connect(lambda news: heard.append(news.things))
    changes.tell("settings")
    changes.tell("searches")
    around.settle(qtbot)
    assert heard == [{"settings"}, {"searches"}]


def test_who_follows_reads_in_the_job_of_the_look(
    qtbot: QtBot, around: Bare, changes: Changes, stocked: Vault
) -> None:
    read: list[object] = []
    changes.follow(lambda news: len(news.changes), read.append)
    changes.follow(lambda news: stocked.entries.read_many(news.ids("entry"))[0].key, read.append)
    stocked.entries.store(EntryDraft("Mine.", key="mine"))
    begun: list[object] = []
    run = around.jobs.run
    around.jobs.run = lambda *a, **k: begun.append(a) or run(*a, **k)  # type: ignore[method-assign, func-returns-value]
    changes.look()
    around.settle(qtbot)
    assert read == [1, "mine"]
    assert len(begun) == 1
