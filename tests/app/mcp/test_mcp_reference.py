from __future__ import annotations

from mcp_reference import add_ons_text, dialects_text, resources_text


def test_parameters_are_shown_with_defaults_and_what_may_be_left_out() -> None:
    text = dialects_text()
    assert "`daysBack? = 30` number" in text
    assert "`content` text" in text
    assert "`expected_updated_at?` text" in text
    assert "`expected_updated_at` time or null" in text  # blocks, whose word for "create" it is


def test_every_tool_is_shown_once_in_its_dialect() -> None:
    assert dialects_text().count("| `memory` |") == 1
    assert add_ons_text().count("| `fetch` |") == 1
    assert "`keepsake://index`" in resources_text()
