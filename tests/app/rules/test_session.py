from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts import SummaryLine
from app.rules.session import parse, render, within

words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=30)
days = st.dates().map(lambda day: day.isoformat())
lines = st.lists(st.builds(SummaryLine, words, days, st.just(())), max_size=20)


def test_lines_stand_under_their_day() -> None:
    told = [
        SummaryLine("The owner is vegetarian.", "2026-05-08", ("turn:1",)),
        SummaryLine("The owner works with Marie.", "2026-05-08", ("turn:1",)),
        SummaryLine("The launch moved.", "2026-05-09", ("turn:7",)),
    ]
    assert render(told) == (
        "## 2026-05-08\n- The owner is vegetarian.\n- The owner works with Marie.\n"
        "\n## 2026-05-09\n- The launch moved."
    )


def test_a_block_edited_by_hand_is_still_read() -> None:
    text = "# Notes\nplain words\n* a starred one\n\n## 2026-05-09\n- dated"
    assert [(line.text, line.day) for line in parse(text)] == [
        ("plain words", ""),
        ("a starred one", ""),
        ("dated", "2026-05-09"),
    ]


def test_a_line_knows_the_turns_it_came_from() -> None:
    (line,) = parse("- Likes tea.", {"Likes tea.": ("turn:1", "turn:2")})
    assert line.origins == ("turn:1", "turn:2")


@given(lines)
def test_what_is_rendered_is_read_back(told: list[SummaryLine]) -> None:
    assert parse(render(told)) == told


@given(lines, st.integers(0, 400))
def test_the_newest_lines_are_kept_within_the_room(told: list[SummaryLine], room: int) -> None:
    kept = within(told, room)
    assert len(render(kept)) <= room or not kept
    assert list(kept) == told[len(told) - len(kept) :]
    if len(kept) < len(told):
        assert len(render(told[len(told) - len(kept) - 1 :])) > room
