"""What a change says of the fields that it moved."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from ui.memory.change_text import field_lines
from ui.toolkit.formatting import moment_text

THEN, LATER = "2026-11-18T18:10:59.648795Z", "2027-07-12T18:10:59.648795Z"


@pytest.mark.english
def test_times_are_said_as_a_person_writes_them(qapp: QApplication) -> None:
    said = field_lines({"verified_at": THEN}, {"verified_at": LATER, "true_until": THEN})
    assert f"Confirmed: {moment_text(THEN)} → {moment_text(LATER)}" in said
    assert "T18:10" not in said
    assert field_lines({"true_from": THEN}, {"true_from": None}).endswith("→ (nothing)")
