"""Adds the review inbox: what agents proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.review.inbox import Inbox
from ui.memory.shell import Shell, View
from ui.review.inbox import ReviewInbox
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    made: list[ReviewInbox] = []

    def make() -> ReviewInbox:
        view = ReviewInbox(
            vault.review,
            Inbox(vault),
            vault.agents,
            shell.jobs,
            shell.messages,
            shell.undo,
            shell.theme,
            vault.clock,
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.erase_asked.connect(shell.bulk.removal_asked)
        made.append(view)
        return view

    def show(ident: str) -> None:
        shell.go_to("review")
        for view in made:
            view.take(ident)

    shell.add_view(View("review", make, ReviewInbox.refresh, focus=lambda view: view.list))
    shell.add_opener("proposal", show)
    shell.actions.add(
        "go_review",
        tr("Review"),
        lambda: shell.go_to("review"),
        "Alt+6",
        menu=tr("Go"),
        also="inbox proposals approve reject",
    )
