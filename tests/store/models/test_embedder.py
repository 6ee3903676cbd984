from __future__ import annotations

import pytest

from store.models.embedder import entry_text, framed


@pytest.mark.parametrize(
    ("key", "content", "hook", "text"),
    [
        ("favourite-editor", "Helix", "", "favourite editor: Helix"),
        ("prefers-tea-a1b2c3d4", "Prefers tea at noon", "", "Prefers tea at noon"),
        ("liest-grosse-buch-a1b2c3d4", "Liest große Bücher", "", "Liest große Bücher"),
        ("memory-a1b2c3d4", "我喜欢猫", "", "我喜欢猫"),
        ("D1:3", "Hello there", "", "Hello there"),
        ("k1", "Black, no sugar", "when ordering coffee", "when ordering coffee: Black, no sugar"),
    ],
)
def test_key_and_hook_lead_the_text_when_they_say_more(
    key: str, content: str, hook: str, text: str
) -> None:
    assert entry_text(key, content, hook) == text


def test_a_memory_is_embedded_in_a_frame() -> None:
    assert framed("Prefers tea") == '{"text": "Prefers tea"}'
