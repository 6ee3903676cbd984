"""What will my agent be told? The answer, live with every keystroke of an unsaved edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.access.caller_scope import Caller
from app.hydration.preview import Answer, LiveHydration, as_if_changed, as_if_new
from app.rules.explanation import Explanation, Remedy
from app.rules.lifetimes import Lifetimes
from app.rules.policy import Run
from app.rules.verdict import Item
from store.instants import Clock, Instant, to_instant
from store.records import Entry
from ui.hydration.pane_widgets import EXACT, MESSAGE, HydrationFace
from ui.hydration.run_options import Profile
from ui.memory.form_state import Form
from ui.toolkit.formatting import moment_text, number_text, size_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.hydration.hydrator import Hydrator
    from app.hydration.why import Why
    from app.learning.conversations import Conversations
    from app.rules.preload import Preload
    from app.settings import Settings


DRAFT = "draft"  # the id of an item that is not stored yet


class HydrationDeeds(QObject):
    """Asks for doing, each of which can be undone: `open_asked` an entry or `block_asked` a block,
    `core_asked` and `forget_asked` ids, `shorten_asked` an id and the bytes to lose,
    `budget_asked` the bytes that would do."""

    open_asked = Signal(str)
    block_asked = Signal(str)
    review_asked = Signal()
    core_asked = Signal(list)
    forget_asked = Signal(list)
    shorten_asked = Signal(str, int)
    budget_asked = Signal(int)

    def __init__(self, why: Why, jobs: Jobs, owner: QWidget) -> None:
        super().__init__(owner)
        self._why = why
        self._jobs = jobs
        self._owner = owner

    def open(self, item: Item) -> None:
        if item.reason == "pending":
            self.review_asked.emit()
        elif item.type == "entry" and item.id != DRAFT:
            self.open_asked.emit(item.id)
        elif item.type in ("block", "archival"):
            self.block_asked.emit(item.id.partition(":")[0])

    def bring_in(self, item: Item) -> None:
        """By the nearest remedy, as its words on the row say."""
        if item.included or item.type != "entry":
            return
        if item.category == "core" or item.reason == "too_big":
            self.shorten(item)
        elif item.id != DRAFT:
            self.core_asked.emit([item.id])

    def shorten(self, item: Item) -> None:
        self.shorten_asked.emit(item.id, max(item.bytes - max(item.left, 0), 1))

    def apply(self, ident: str, remedy: Remedy) -> None:
        """Does what brings that memory in."""
        match remedy.action:
            case "make_core":
                self.core_asked.emit([ident])
            case "forget":
                self.forget_asked.emit([remedy.id])
            case "shorten":
                self.shorten_asked.emit(ident, remedy.bytes)
            case "raise_budget":
                self.budget_asked.emit(remedy.bytes)

    def offer(self, item: Item, run: Run | None, at: QPoint) -> None:
        """A menu at that point of the screen, with what would bring the item into `run`."""
        out = not item.included and item.reason in ("over_budget", "too_big")
        if run is None or item.type != "entry" or item.id == DRAFT or not out:
            self._show_menu(item, None, at)
            return
        self._jobs.run(
            lambda: self._why.explain(item.id, run),
            lambda found: self._show_menu(item, found, at),
            key="remedies",
        )

    def _show_menu(self, item: Item, found: Explanation | None, at: QPoint) -> None:
        menu = QMenu(self._owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open")).triggered.connect(lambda: self.open(item))
        for remedy in found.remedies if found else ():
            action = menu.addAction(remedy.sentence[:1].upper() + remedy.sentence[1:])
            action.triggered.connect(lambda _=False, remedy=remedy: self.apply(item.id, remedy))
        if item.type == "entry" and item.reason not in ("pending", "expired"):
            menu.addSeparator()
            forget = menu.addAction(self.tr("Forget {key}").format(key=item.key))
            forget.triggered.connect(lambda: self.forget_asked.emit([item.id]))
        menu.popup(at)


Link = Callable[[str, str, str], str]  # target, words, colour of the palette
NAMED = 3


def tr(text: str) -> str:
    return QCoreApplication.translate("HydrationNotice", text)


def past_notice(answer: Answer, at: Instant, link: Link) -> str:
    """Which moment it is, and how much of it is not kept any more."""
    words = tr("As it was on {moment}.").format(moment=moment_text(at))
    if answer.lost:
        words += " " + tr("{n} things of then are not kept any more.").format(
            n=number_text(answer.lost)
        )
    return f"{escape(words)} {link('now', tr('Back to now'), 'accent')}"


def edit_notice(answer: Answer, link: Link) -> tuple[str, bool]:
    """What the edit pushes out (bad news), else what it brings in; nothing when nothing moves."""
    moved = answer.moved
    if moved is None or not (moved.left or moved.entered):
        return "", False
    if not moved.left:
        return _let_in(moved.entered), False
    first = moved.left[0]
    now = answer.hydration.item(first.id) or first
    return _pushed_out(now, len(moved.left) - 1, link), True


def _pushed_out(item: Item, others: int, link: Link) -> str:
    key = escape(item.key)
    if item.included or item.reason not in ("over_budget", "too_big"):
        return tr("With this edit <b>{key}</b> goes out of sight.").format(key=key)
    words = tr(
        "With this edit <b>{key}</b> no longer fits: it needs {needs} and {left} are left."
    ).format(key=key, needs=size_text(item.bytes), left=size_text(max(item.left, 0)))
    if others:
        words += " " + tr("({n} more go too.)").format(n=number_text(others))
    return f"{words} {link(f'shorten:{item.id}', tr('Shorten'), 'bad')}"


def _let_in(entered: Sequence[Item]) -> str:
    names = ", ".join(f"<b>{escape(item.key)}</b>" for item in entered[:NAMED])
    if len(entered) > NAMED:
        names += tr(" and {n} more").format(n=number_text(len(entered) - NAMED))
    return tr("With this edit {names} comes in.").format(names=names)


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
            profile.agent,
            face.options.place,
            face.options.budget.value(),
            message,
            face.options.policy,
        )

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
                    agent,
                    hydrator.budget_of(agent),
                    hydrator.policy_of(run),
                    tuple(runs.conversations),
                )
            )
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
