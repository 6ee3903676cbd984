"""What will my agent be told? The answer, live with every keystroke of an unsaved edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.hydration import Run
from app.live_hydration import Answer, LiveHydration, as_if_changed, as_if_new
from app.reach import Caller
from app.rules.lifetimes import Lifetimes
from store.instants import Clock, Instant, to_instant
from store.records import Entry
from ui.editing import Form
from ui.hydration_deeds import DRAFT, HydrationDeeds
from ui.hydration_face import EXACT, MESSAGE, HydrationFace
from ui.hydration_notice import edit_notice, past_notice
from ui.hydration_options import Profile
from ui.jobs import Jobs
from ui.theme import Theme
from ui.wording import number_text, size_text

if TYPE_CHECKING:
    from app.agents import Agents
    from app.conversations import Conversations
    from app.hydration import Hydrator
    from app.rules.preload import Preload
    from app.settings import Settings
    from app.why import Why

PAUSE_MS = 30  # after a keystroke; more is felt, less computes what nobody sees
MESSAGE_MS = 250
RUNS = 30


@dataclass(frozen=True, slots=True)
class Services:
    """What the pane asks, in jobs only."""

    live: LiveHydration
    hydrator: Hydrator
    agents: Agents
    conversations: Conversations
    why: Why
    settings: Settings
    clock: Clock


class HydrationPane(QWidget):
    """`answered` with every answer on screen; what can be done about its items is `deeds`."""

    compare_asked = Signal(object)
    add_agent_asked = Signal()
    answered = Signal(object)

    def __init__(
        self, services: Services, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._on = services
        self._jobs = jobs
        self._theme = theme
        self._profiles: dict[str, Profile] = {}
        self._agent = ""
        self._base: Entry | None = None
        self._form: Form | None = None
        self._rules = Lifetimes()
        self._answer: Answer | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._later = QTimer(self, singleShot=True, interval=MESSAGE_MS)
        self.face = HydrationFace(theme, services.clock, self)
        self.deeds = HydrationDeeds(services.why, jobs, self)
        self._connect()

    def _connect(self) -> None:
        face = self.face
        face.agent.activated.connect(lambda _: self.choose(str(face.agent.currentData())))
        face.slider.moved.connect(self._slid)
        face.options.changed.connect(self._option)
        face.tabs.currentChanged.connect(lambda _: self._show_tab())
        face.message.textEdited.connect(lambda _: self._later.start())
        face.list.opened.connect(self.deeds.open)
        face.list.remedy_asked.connect(self.deeds.bring_in)
        face.list.menu_asked.connect(lambda item, at: self.deeds.offer(item, self.run, at))
        self.deeds.budget_asked.connect(face.options.budget.setValue)
        face.notice.linkActivated.connect(self._follow)
        face.add.clicked.connect(self.add_agent_asked)
        face.options.compare.clicked.connect(lambda: self.compare_asked.emit(self.run))
        face.options.keep.clicked.connect(self._keep_budget)
        self._pause.timeout.connect(self._ask)
        self._theme.changed.connect(self.refresh)
        self._later.timeout.connect(self._message_changed)

    # What it looks at

    def reload(self) -> None:
        """Somebody wrote, or an agent changed: agents first, then the answer."""
        self._jobs.run(self._read, self._adopt, key="hydration-agents")

    def choose(self, agent_id: str) -> None:
        """Looks through that agent's eyes."""
        if agent_id in self._profiles and agent_id != self._agent:
            self._agent = agent_id
            self._adopt_profile(fresh=True)
            self.refresh()

    def show_entry(self, entry: Entry | None) -> None:
        """The memory in hand, unedited."""
        self._base, self._form = entry, None
        self.refresh()

    def show_edit(self, base: Entry | None, form: Form) -> None:
        """An edit that is not saved yet."""
        self._base, self._form = base, form
        self.refresh()

    def look_at(self, at: Instant | None) -> None:
        self.face.options.look_at(at)

    def refresh(self) -> None:
        self._pause.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Put away it asks nothing; coming back it looks again."""
        super().showEvent(event)
        self.refresh()

    @property
    def run(self) -> Run | None:
        """What is being asked."""
        profile = self._profiles.get(self._agent)
        if profile is None:
            return None
        face = self.face
        message = face.message.text() if face.tabs.currentIndex() == MESSAGE else ""
        return Run(
            profile.agent, face.options.place, face.options.budget.value(), message,
            face.options.policy,
        )  # fmt: skip

    @property
    def agents(self) -> list[str]:
        return list(self._profiles)

    @property
    def shown(self) -> Answer | None:
        """The answer on screen."""
        return self._answer

    def draft(self, now: Instant) -> Entry | None:
        """The edit in hand as saving it would leave it; None when there is none."""
        form, base = self._form, self._base
        if form is None or not form.content.strip():
            return None
        if base is None:
            return as_if_new(form.as_new(), self.tr("new_memory"), now, self._rules)
        patch = form.changes_from(base)
        return as_if_changed(base, patch, now, self._rules) if patch else None

    # Asking

    def _read(self) -> tuple[list[Profile], Lifetimes]:
        hydrator = self._on.hydrator
        found = []
        for agent in self._on.agents.list():
            if agent.revoked_at is not None:
                continue
            runs = self._on.conversations.page(
                Caller(), agent_id=agent.id, state="open", limit=RUNS
            )
            run = Run(agent)
            found.append(
                Profile(
                    agent, hydrator.budget_of(agent), hydrator.policy_of(run),
                    tuple(runs.conversations),
                )
            )  # fmt: skip
        return found, Lifetimes(daily_hours=self._on.settings["daily_hours"])

    def _adopt(self, known: tuple[Sequence[Profile], Lifetimes]) -> None:
        profiles, self._rules = known
        before = self._profiles.get(self._agent)
        self._profiles = {profile.agent.id: profile for profile in profiles}
        self.face.show_agents([profile.agent for profile in profiles])
        if self._agent not in self._profiles:
            self._agent = profiles[0].agent.id if profiles else ""
        now = self._profiles.get(self._agent)
        if now is not None:
            self._adopt_profile(fresh=before is None or _set_up(before) != _set_up(now))
        self._ask()

    def _adopt_profile(self, *, fresh: bool) -> None:
        profile = self._profiles[self._agent]
        self.face.choose(profile.agent)
        self.face.options.show_profile(profile, fresh)
        self.face.slider.set_bytes(self.face.options.budget.value())

    def _ask(self) -> None:
        run, at = self.run, self.face.options.as_of
        if run is None or not self.isVisibleTo(self.window()):
            return
        live, draft = self._on.live, self.draft(to_instant(self._on.clock()))

        def work() -> Answer:
            return live.answer(run, draft) if at is None else live.answer_as_of(run, at)

        self._jobs.run(work, lambda answer: self._show(answer, at), key="hydration", urgent=True)

    def _message_changed(self) -> None:
        run = self.run
        if run is None:
            return
        self.refresh()
        self._jobs.run(lambda: self._on.live.preload(run), self._show_preload, key="preload")

    def _slid(self, number: int) -> None:
        self.face.options.set_budget(number)
        self.refresh()

    def _option(self) -> None:
        self.face.slider.set_bytes(self.face.options.budget.value())
        self.refresh()

    def _keep_budget(self) -> None:
        run = self.run
        if run is not None:
            agents, ident, budget = self._on.agents, run.agent.id, run.budget
            self._jobs.run(
                lambda: agents.change(ident, {"hydration_budget": budget}),
                lambda _agent: self.reload(),
            )

    # Showing

    def _show(self, answer: Answer, at: Instant | None) -> None:
        self._answer = answer
        face, found = self.face, answer.hydration
        face.show_title(answer.agent, at)
        face.bar.show_shares(answer.shares, found.budget)
        face.slider.set_fit(answer.fit if at is None else None)
        face.show_figures(found.used, found.budget, found.tokens_estimate)
        self._tell(answer, at)
        self._show_tab()
        self.answered.emit(answer)

    def _show_tab(self) -> None:
        answer = self._answer
        if answer is None:
            return
        self.face.pages.setCurrentIndex(self.face.tabs.currentIndex())
        if self.face.tabs.currentIndex() == EXACT:
            self.face.show_text(answer.hydration.text)
        elif self.face.tabs.currentIndex() == MESSAGE:
            self._later.start()
        self.face.list.show_items(answer.items, answer.agent.scope, self._in_hand)
        self.face.show_hidden(answer.hidden)

    @property
    def _in_hand(self) -> str:
        if self._base is not None:
            return self._base.id
        return DRAFT if self._form is not None else ""

    def _show_preload(self, found: Preload) -> None:
        words = self.tr("Pre-load: {n} memories, {size}").format(
            n=number_text(len(found.entries)), size=size_text(len(found.text.encode()))
        )
        self.face.show_preload(words, found.text)

    def _tell(self, answer: Answer, at: Instant | None) -> None:
        """One sentence over the items: what the edit moves, or which past this is."""
        if at is not None:
            self.face.tell(past_notice(answer, at, self.face.link))
        else:
            words, bad = edit_notice(answer, self.face.link)
            self.face.tell(words, bad=bad)

    def _follow(self, link: str) -> None:
        action, _, ident = link.partition(":")
        if action == "now":
            self.look_at(None)
        elif self._answer is not None:
            item = self._answer.hydration.item(ident)
            if item is not None:
                self.deeds.shorten(item)


def _set_up(profile: Profile) -> tuple[object, ...]:
    """What the options start from."""
    return profile.agent.id, profile.budget, profile.policy
