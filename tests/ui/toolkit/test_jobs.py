from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ui.toolkit.jobs import Jobs, Progress


@pytest.fixture
def jobs(qtbot: QtBot) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def test_a_result_arrives_on_the_gui_thread(qtbot: QtBot, jobs: Jobs) -> None:
    arrived: list[tuple[object, threading.Thread]] = []
    jobs.run(lambda: 42, lambda result: arrived.append((result, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(arrived))
    assert arrived == [(42, threading.main_thread())]


def test_work_runs_on_another_thread(qtbot: QtBot, jobs: Jobs) -> None:
    where: list[threading.Thread] = []
    jobs.run(threading.current_thread, where.append)
    qtbot.waitUntil(lambda: bool(where))
    assert where[0] is not threading.main_thread()


def test_of_two_equal_questions_only_the_last_is_answered(qtbot: QtBot, jobs: Jobs) -> None:
    answers: list[str] = []
    go = threading.Event()
    jobs.run(lambda: go.wait() and "old", answers.append, key="search")
    jobs.run(lambda: "new", answers.append, key="search")
    qtbot.waitUntil(lambda: answers == ["new"])
    go.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert answers == ["new"]


def test_a_dropped_question_is_not_answered(qtbot: QtBot, jobs: Jobs) -> None:
    answers: list[str] = []
    jobs.run(lambda: "late", answers.append, key="meaning")
    jobs.drop("meaning")
    qtbot.waitUntil(lambda: not jobs.busy)
    assert answers == []


def test_a_failure_goes_to_its_own_slot_or_to_the_one_place(qtbot: QtBot, jobs: Jobs) -> None:
    mine: list[Exception] = []
    everybody: list[Exception] = []
    jobs.failed.connect(everybody.append)

    def fail() -> None:
        raise ValueError("no")

    jobs.run(fail, failed=mine.append)
    jobs.run(fail)
    qtbot.waitUntil(lambda: bool(mine) and bool(everybody))
    assert [str(error) for error in (*mine, *everybody)] == ["no", "no"]


def test_long_work_reports_and_stops_when_cancelled(qtbot: QtBot, jobs: Jobs) -> None:
    seen: list[int] = []
    results: list[object] = []
    errors: list[Exception] = []
    jobs.failed.connect(errors.append)

    def count(progress: Progress) -> str:
        for number in range(1_000_000):
            progress(number, 1_000_000)
        return "done"

    job = jobs.run_long("Counting", count, results.append)
    job.progressed.connect(lambda done, _total, _text: seen.append(done))
    qtbot.waitUntil(lambda: bool(seen))
    job.cancel()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert results == []
    assert errors == []


@pytest.mark.parametrize("works", [True, False])
def test_work_is_over_before_its_answer_is_shown(qtbot: QtBot, jobs: Jobs, works: bool) -> None:
    """The answer may open a dialog, which would keep the progress standing behind it."""
    order: list[str] = []

    def work(_progress: Progress) -> None:
        if not works:
            raise ValueError("no")

    def answer(_answer: object) -> None:
        order.append("answered")

    job = jobs.run_long("Reading…", work, answer, answer)
    job.finished.connect(lambda: order.append("over"))
    qtbot.waitUntil(lambda: len(order) == 2)
    assert order == ["over", "answered"]


def test_what_waits_to_be_written_is_written_when_the_window_closes(qtbot: QtBot) -> None:
    jobs = Jobs(threads=1)
    held = threading.Event()
    done: list[str] = []
    jobs.run(lambda: held.wait(10))
    jobs.run(lambda: done.append("draft"))
    jobs.run(lambda: done.append("question"), key="asked")
    threading.Timer(0.1, held.set).start()
    jobs.close()
    assert done == ["draft"]


def test_an_answer_to_a_dialog_that_is_gone_is_nobodys(qtbot: QtBot, jobs: Jobs) -> None:
    go, gone = threading.Event(), QLabel()
    jobs.run(lambda: go.wait() and "late", gone.setText)
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(gone, QEvent.Type.DeferredDelete)
    go.set()
    with qtbot.captureExceptions() as raised:
        qtbot.waitUntil(lambda: not jobs.busy)

        def stumble(_value: object) -> None:
            raise RuntimeError("of our own")

        jobs.run(lambda: 1, stumble)
        qtbot.waitUntil(lambda: bool(raised))
    assert [str(error) for _kind, error, _trace in raised] == ["of our own"]
