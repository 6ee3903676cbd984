"""Why a mirror halted and what to do about it, as the window says it."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from app.markdown.folder import Folder
from app.markdown.mirror import HALTED, Mirror
from app.markdown.mirror_marker import MARKER, marker_in
from ui.wording import number_text

AWAY, UNMARKED, VANISHED, OTHER = "away", "unmarked", "vanished", "other"
_COUNTS = re.compile(r"(\d+) of (\d+) notes vanished")


def tr(text: str) -> str:
    return QCoreApplication.translate("MirrorWords", text)


def cause(mirror: Mirror) -> str:
    """Why it halted, as its folder is now; empty while it runs. Looks at the disk: for a job."""
    if mirror.state != HALTED:
        return ""
    if not mirror.folder.exists():
        return AWAY
    if marker_in(Folder(mirror.folder)) != mirror.id:
        return UNMARKED
    return VANISHED if _COUNTS.match(mirror.problem) else OTHER


def halted(mirror: Mirror, why: str) -> str:
    """What happened, that nothing is lost, and what each answer does."""
    if why == OTHER:
        return f"{mirror.problem}\n\n{tr('When that is mended, choose Sync now.')}"
    what = {AWAY: _away, UNMARKED: _unmarked, VANISHED: _vanished}[why](mirror)
    return f"{what} {tr('No memory was forgotten.')}\n\n{_answers(why)}"


def _away(mirror: Mirror) -> str:
    return tr("The folder is not there: it was moved or removed, or its disk is not mounted.")


def _unmarked(mirror: Mirror) -> str:
    words = tr(
        "The folder lacks its marker file {marker}: it was emptied, replaced, or is another one."
    )
    return words.format(marker=MARKER)


def _vanished(mirror: Mirror) -> str:
    counts = _COUNTS.match(mirror.problem)
    gone, all_ = counts.groups() if counts else ("0", "0")
    return tr("{gone} of {all} notes vanished at once.").format(
        gone=number_text(int(gone)), all=number_text(int(all_))
    )


def _answers(why: str) -> str:
    wait = tr("Bring the folder back and it goes on by itself.") if why == AWAY else ""
    write = tr("“Write the notes again” puts every missing note back from its memory.")
    forget = tr(
        "“Forget what is missing” is for notes you removed on purpose: their memories go to the "
        "trash, where they can be restored."
    )
    return " ".join(part for part in (wait, write, forget) if part)
