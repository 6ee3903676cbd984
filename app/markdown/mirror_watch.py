"""Live mirrors: a thread that follows the folders and the vault, so that an edit on either side
is on the other within a second or two."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from app.errors import KeepsakeError
from app.markdown.mirror import Mirrors, Synced
from app.markdown.mirror_marker import MARKER
from app.markdown.mirror_scan import is_temporary
from store.mirrors import Mirror

LOOK_EVERY_MS = 500  # at the vault, and at folders that tell us nothing

Told = Callable[[Synced], None]


class MirrorWatch:
    """`told` hears of every round that did something or halted, on the watching thread."""

    def __init__(self, mirrors: Mirrors, told: Told | None = None) -> None:
        self._mirrors = mirrors
        self._told = told

    def run(self, stop: threading.Event) -> None:
        """Bring every mirror in step, then keep it so until `stop`."""
        while not stop.is_set():
            try:
                mirrors = self._mirrors.listed()
                for mirror in mirrors:
                    self._sync(mirror)
                folders = [mirror.folder for mirror in mirrors if mirror.folder.is_dir()]
                if folders:
                    self._follow(folders, stop)
                else:
                    stop.wait(LOOK_EVERY_MS / 1000)
            except KeepsakeError:
                # The vault is busy for a moment, or a folder just went; look again.
                stop.wait(LOOK_EVERY_MS / 1000)

    def _follow(self, folders: list[Path], stop: threading.Event) -> None:
        """Until the list of mirrors changes: whatever moves, the mirrors concerned are synced."""
        from watchfiles import watch

        for changed in watch(
            *folders,
            watch_filter=lambda _change, path: _matters(Path(path)),
            debounce=400,
            step=50,
            stop_event=stop,
            rust_timeout=LOOK_EVERY_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            mirrors = self._mirrors.listed()
            touched = [Path(path) for _, path in changed]
            for mirror in mirrors:
                if self._mirrors.behind(mirror) or any(
                    mirror.folder in path.parents for path in touched
                ):
                    self._sync(mirror)
            if sorted(m.folder for m in mirrors if m.folder.is_dir()) != sorted(folders):
                return

    def _sync(self, mirror: Mirror) -> None:
        done = self._mirrors.sync(mirror.id)
        tally = done.tally
        news = tally.moved_something or tally.conflicts or done.mirror.state != mirror.state
        if self._told and news:
            self._told(done)


def notice(done: Synced) -> str:
    """What the owner should hear of a round, in plain words; empty if nothing."""
    kept = "".join(f" Both versions of {path} were kept." for path in done.tally.conflicts)
    waits = " Edits of its files wait in the review inbox." if done.tally.proposed else ""
    told = f"{done.mirror.problem}{kept}{waits}".strip()
    return f"Mirror {done.mirror.folder}: {told}" if told else ""


def _matters(path: Path) -> bool:
    return path.name == MARKER or (path.suffix.lower() == ".md" and not is_temporary(path.name))
