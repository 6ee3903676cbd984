"""Adds the parts that stand beside the desk: dialogs, views, the pane on the right."""

from __future__ import annotations

from app.vault import Vault
from ui.main_window import MainWindow
from ui.theme import Theme


def add_parts(window: MainWindow, vault: Vault, theme: Theme) -> None:
    """Each part registers its own actions and views; the window knows none of them."""
