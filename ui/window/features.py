"""What comes once the window is on screen: every feature, and what goes on beside it (the vault's
background work, the API, the status bar). Imported in a thread."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from app.background import VaultBackground as VaultBackground
from app.connect import discovery
from app.proof.still_true import StillTrue
from store.instants import Instant, from_instant
from ui.agents import install as agents
from ui.blocks import install as blocks
from ui.conversations import install as conversations
from ui.files import install as files
from ui.hydration import install as hydration
from ui.insight import install as insight
from ui.memory.shell import Shell
from ui.proof import install as proof
from ui.review import install as review
from ui.toolkit.formatting import backed_up, number_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import StatusBar
from ui.toolkit.translation import counted
from ui.vault import install as vault_dialogs
from ui.window import desktop
from ui.window.main_window import MainWindow
from ui.window.shell import WindowShell

if TYPE_CHECKING:
    from app.vault import Vault


class Serving(QObject):
    """Runs the API in its own thread. Another Keepsake serving this vault is left to do so."""

    told = Signal(str, str, str)  # what to say in the status line, its look, and all of it

    def __init__(self, vault: Vault, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._jobs = jobs
        self._server: Any = None

    def start(self) -> None:
        if self._vault.settings["api_enabled"]:
            self._jobs.run(self._serve, self._up, self._down)

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    @property
    def on(self) -> bool:
        """Whether it is this window that serves."""
        return self._server is not None

    def again(self) -> None:
        """As the settings say now: on, off or on another port."""
        server, self._server = self._server, None
        self.told.emit("", "", "")
        self._jobs.run(
            lambda: server.stop() if server is not None else None, lambda _: self.start()
        )

    def _serve(self) -> str:
        """FastAPI is imported here, long after the window is on screen."""
        running = discovery.find(self._vault.path)
        if running is not None:
            return running.url
        from app.serving import ApiServer

        server = ApiServer(self._vault)
        url = server.start()
        self._server = server
        return url

    def _up(self, url: str) -> None:
        place = url.removeprefix("http://")
        self.told.emit(self.tr("● API on {place}").format(place=place), "", "")

    def _down(self, error: Exception) -> None:
        why = str(error)
        short = self.tr("○ API off: {why}").format(why=why.partition(" (")[0])
        self.told.emit(short, "bad", why)


SERVE_MS = 300
STATE_MS = 2_000
COMPARE_SECONDS = 30.0  # between two counts of duplicates
COMPARED_MOST = 5_000
CONNECTED_SECONDS = 600  # an agent that called within this time counts as connected


@dataclass(frozen=True, slots=True)
class State:
    """What the status bar tells of the vault."""

    waiting: int  # memories to embed
    agents: int  # how many called lately
    backup: Instant | None  # when the last one was made
    conflicts: int  # contradictions that wait for the owner
    confirmed: tuple[int, int]  # core memories that the owner's word stands for, and all


def recent(seen: Instant | None, now: datetime) -> bool:
    return seen is not None and (now - from_instant(seen)).total_seconds() < CONNECTED_SECONDS


class Background(QObject):
    """Starts after the window is on screen, ends with it."""

    noticed = Signal(str)  # said by the vault's threads: what failed, who stepped in
    finished = Signal(str)  # and what is done after all

    def __init__(
        self,
        vault: Vault,
        shell: WindowShell,
        status: StatusBar,
        closing: SignalInstance,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._vault = vault
        self._shell = shell
        self._status = status
        self._work = VaultBackground(vault, self.noticed.emit, self.finished.emit)
        self._serving = Serving(vault, shell.jobs, self)
        self._serve = QTimer(self, interval=SERVE_MS, singleShot=True)
        self._state = QTimer(self, interval=STATE_MS)
        self._compared = -1  # the change up to which duplicates were counted
        self._compared_at = -COMPARE_SECONDS
        self._conflicts = 0  # that were counted last
        self._truth = StillTrue(vault)
        self._connect(closing)

    def _connect(self, closing: SignalInstance) -> None:
        self._serve.timeout.connect(self._serving.start)
        self._state.timeout.connect(self._ask_state)
        closing.connect(self.stop)
        self._shell.api_changed.connect(self._serving.again)
        self.noticed.connect(lambda text: self._status.tell("last", text, "bad"))
        self.finished.connect(lambda text: self._status.tell("last", text, "good"))
        self._serving.told.connect(
            lambda text, look, whole: self._status.tell("api", text, look, whole)
        )
        self._shell.changes.heard.connect(lambda _news: self._vault.embedding.wake())

    def start(self) -> None:
        self._work.start()
        self._serve.start()
        self._state.start()

    def stop(self) -> None:
        self._serve.stop()
        self._state.stop()
        self._serving.stop()
        self._work.stop()

    @property
    def serves(self) -> bool:
        return self._serving.on

    def _ask_state(self) -> None:
        self._shell.jobs.run(self._state_now, self._tell_state, key="state")

    def _count_duplicates(self) -> None:
        """Once the vault stands still: all is compared with all, which a large one is spared."""
        tally = self._shell.overview.tally
        still = time.monotonic() > self._compared_at + COMPARE_SECONDS
        if still and tally.seq != self._compared and tally.total <= COMPARED_MOST:
            self._compared, self._compared_at = tally.seq, time.monotonic()
            self._shell.jobs.run(
                lambda: len(self._vault.duplicates.clusters()),
                lambda clusters: self._shell.count("duplicates", clusters),
                key="duplicates-count",
            )

    def _state_now(self) -> State:
        vault = self._vault
        backups = vault.backups.list()
        return State(
            vault.embedding.state().waiting,
            sum(recent(agent.last_seen_at, vault.clock()) for agent in vault.agents.list()),
            backups[0].at if backups else None,
            vault.conflicts.count(),
            self._truth.share(),
        )

    def _tell_confirmed(self, confirmed: int, core: int) -> None:
        share = self.tr("{share} % looked over").format(share=100 * confirmed // max(core, 1))
        tip = self.tr(
            "Of {core} core memories, which agents are told before the others, you said of "
            "{confirmed} that they are still true. Go › Still true? asks about a few a day."
        ).format(confirmed=number_text(confirmed), core=number_text(core))
        self._status.tell("confirmed", share if core else "", tip=tip)

    def _tell_state(self, state: State) -> None:
        tell, now = self._status.tell, self._vault.clock()
        words = self.tr("ready to search")
        if state.waiting:
            words = counted("%Ln being read for search by meaning", state.waiting)
        tell("search", words)
        tell("agents", counted("%Ln agents connected", state.agents) if state.agents else "")
        self._tell_confirmed(*state.confirmed)
        if not state.waiting:
            self._count_duplicates()
        if state.conflicts != self._conflicts:
            self._conflicts = state.conflicts
            self._shell.count("conflicts", state.conflicts)
            self._shell.changes.tell("conflicts")
        tell("backup", backed_up(state.backup, now) if state.backup else "")


FEATURES = (files, hydration, review, proof, agents, vault_dialogs, blocks, insight, conversations)


class Features:
    """What comes once the window is on screen."""

    def install(self, shell: Shell, vault: Vault) -> None:
        for feature in FEATURES:
            feature.install(shell, vault)

    def take_place(self, window: MainWindow, vault: Vault) -> None:
        """Among the other programs of the desktop."""
        desktop.take_place(window, vault)

    def work_aside(self, window: MainWindow, vault: Vault) -> None:
        """Starts what runs beside the window: embedding, upkeep, backups, the API."""
        background = Background(vault, window.shell, window.status, window.closing, window)
        window.serves_agents = lambda: background.serves
        background.start()
