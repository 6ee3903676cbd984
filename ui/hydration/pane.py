"""What will my agent be told? The answer, live with every keystroke of an unsaved edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.access.caller_scope import Caller
from app.hydration.preview import HydrationPreview, LiveHydration, as_if_changed, as_if_new
from app.rules.explanation import Explanation, Remedy, can_be_shortened
from app.rules.fields import made_key
from app.rules.lifetimes import Lifetimes
from app.rules.policy import Run, with_request
from app.rules.verdict import Item
from app.rules.visibility import Standing
from store.instants import Clock, Instant, to_instant
from store.records import Block, Entry
from ui.hydration.pane_widgets import MESSAGE, HydrationWidgets
from ui.hydration.run_options import Profile
from ui.hydration.verdict_text import edit_price, remedy_words, start_price
from ui.memory.editor_form import Form
from ui.toolkit.changes import News
from ui.toolkit.formatting import moment_text, size_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.learning.conversations import Conversations
    from app.mcp.instructions import Instructions
    from app.memory.memory import Memory
    from app.settings import Settings


DRAFT = "draft"  # the id of an item that is not stored yet


class HydrationActions(QObject):
    """Asks for what can be done about an item, each of which can be undone: `open_asked` an entry
    or `block_asked` a block, `core_asked` and `forget_asked` ids, `expect_asked` the id of what is
    to be demanded, `shorten_asked` an id and the bytes to lose, `budget_asked` the bytes that would
    do. `budget_kept` when an agent has one."""

    open_asked = Signal(str)
    block_asked = Signal(str)
    review_asked = Signal()
    core_asked = Signal(list)
    forget_asked = Signal(list)
    expect_asked = Signal(str)
    shorten_asked = Signal(str, int)
    budget_asked = Signal(int)
    budget_kept = Signal()

    def __init__(self, memory: Memory, agents: Agents, jobs: Jobs, owner: QWidget) -> None:
        super().__init__(owner)
        self._memory = memory
        self._agents = agents
        self._jobs = jobs
        self._owner = owner

    def open(self, item: Item) -> None:
        if item.reason == "pending":
            self.review_asked.emit()
        elif item.type == "entry" and item.id != DRAFT:
            self.open_asked.emit(item.id)
        elif item.type in ("block", "archival"):
            self.block_asked.emit(item.id.partition(":")[0])

    def bring_in(self, item: Item, remedy: Remedy) -> None:
        """Brings it in by the nearest remedy, as its words on the row say."""
        if remedy.action != "make_core" or item.id != DRAFT:
            self.apply(item.id, remedy)

    def shorten(self, item: Item) -> None:
        self.shorten_asked.emit(item.id, bytes_to_lose(item))

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

    def keep_budget(self, run: Run) -> None:
        """Gives the agent of that run its budget from now on."""
        change: dict[str, object] = {"hydration_budget": run.budget}
        self._jobs.run(
            lambda: self._agents.change(run.agent.id, change),
            lambda _agent: self.budget_kept.emit(),
        )

    def offer(self, item: Item, run: Run | None, at: QPoint) -> None:
        """Opens a menu at that point of the screen, with what would bring the item into `run`."""
        out = not item.included and item.reason in ("over_budget", "too_big")
        if run is None or item.type != "entry" or item.id == DRAFT or not out:
            self._show_menu(item, None, at)
            return
        self._jobs.run(
            lambda: self._memory.hydration.why(
                item.id,
                agent_id=run.agent.id,
                standing=run.standing,
                budget=run.budget,
                message=run.message,
                policy=run.policy,
            ),
            lambda found: self._show_menu(item, found, at),
            key="remedies",
        )

    def _show_menu(self, item: Item, found: Explanation | None, at: QPoint) -> None:
        menu = QMenu(self._owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open")).triggered.connect(lambda: self.open(item))
        for remedy in found.remedies if found else ():
            action = menu.addAction(remedy_words(remedy))
            action.triggered.connect(lambda _=False, remedy=remedy: self.apply(item.id, remedy))
        if item.type == "entry" and item.reason not in ("pending", "expired"):
            expect = menu.addAction(self.tr("Expect this…"))
            expect.triggered.connect(lambda: self.expect_asked.emit(item.id))
            menu.addSeparator()
            forget = menu.addAction(self.tr("Forget {key}").format(key=item.key))
            forget.triggered.connect(lambda: self.forget_asked.emit([item.id]))
        menu.popup(at)


Link = Callable[[str, str, str], str]  # target, words, colour of the palette
NAMED = 3


def tr(text: str) -> str:
    return QCoreApplication.translate("HydrationNotice", text)


def notice_of(answer: HydrationPreview, at: Instant | None, link: Link) -> tuple[str, bool]:
    """One sentence over the items: what the edit moves, or which past this is; and whether it is
    bad news."""
    return edit_notice(answer, link) if at is None else (past_notice(answer, at, link), False)


def past_notice(answer: HydrationPreview, at: Instant, link: Link) -> str:
    """Which moment it is, and how much of it is not kept any more."""
    words = tr("As it was on {moment}.").format(moment=moment_text(at))
    if answer.lost:
        words += " " + counted("%Ln things of then are not kept any more.", answer.lost)
    return f"{escape(words)} {link('now', tr('Back to now'), 'accent')}"


def edit_notice(answer: HydrationPreview, link: Link) -> tuple[str, bool]:
    """What the edit pushes out (bad news), else what it brings in; nothing when nothing moves."""
    moved = answer.moved
    if moved is None or not (moved.left or moved.entered):
        return "", False
    if not moved.left:
        return _let_in(moved.entered), False
    first = moved.left[0]
    now = (answer.hydration.item(first.id) or first)._replace(key=first.key)
    return _pushed_out(now, len(moved.left) - 1, link), True


def _pushed_out(item: Item, others: int, link: Link) -> str:
    key = escape(item.key)
    if item.included or item.reason not in ("over_budget", "too_big"):
        return tr("With this edit <b>{key}</b> goes out of sight.").format(key=key)
    words = tr(
        "With this edit <b>{key}</b> no longer fits: it needs {needs} and {left} are left."
    ).format(key=key, needs=size_text(item.bytes), left=size_text(max(item.left, 0)))
    if others:
        words += " " + counted("(%Ln more go too.)", others)
    if not can_be_shortened(item):
        return words
    return f"{words} {link(f'shorten:{item.id}', tr('Shorten'), 'bad')}"


def _let_in(entered: Sequence[Item]) -> str:
    names = ", ".join(f"<b>{escape(item.key)}</b>" for item in entered[:NAMED])
    if len(entered) > NAMED:
        names += counted(" and %Ln more", len(entered) - NAMED)
    return tr("With this edit {names} comes in.").format(names=names)


OUT = ("over_budget", "too_big")
REMEDIED = 20  # rows whose remedy is tried: more are not seen at once
PAUSE_MS = 30  # after a keystroke; more is felt, less computes what nobody sees
RUNS = 30
ANSWERED = {"entry", "block", "proposal"}  # what moves the answer, and nothing it is asked with


@dataclass(frozen=True, slots=True)
class PaneServices:
    """What the pane asks, in jobs only."""

    live: LiveHydration
    memory: Memory
    agents: Agents
    conversations: Conversations
    settings: Settings
    clock: Clock
    instructions: Callable[[Run], Instructions]


@dataclass(frozen=True, slots=True)
class EditInHand:
    """The memory that is looked at, and what the person made of it; no `form`: nothing yet. Or the
    block that is being written."""

    base: Entry | None = None
    form: Form | None = None
    block: Block | None = None

    @property
    def ident(self) -> str:
        """The id of its item; empty when nothing is in hand."""
        if self.block is not None:
            return self.block.id
        if self.base is not None:
            return self.base.id
        return DRAFT if self.form is not None else ""

    def draft(self, now: Instant, rules: Lifetimes) -> Entry | None:
        """The entry as saving it would leave it; None when there is nothing to save."""
        form, base = self.form, self.base
        if form is None or not form.content.strip():
            return None
        if base is None:
            # As long as the key that saving it would make.
            key = made_key(form.content, lambda size: "0" * 2 * size)
            return as_if_new(form.as_new(), key, now, rules)
        patch = form.changes_from(base)
        return as_if_changed(base, patch, now, rules) if patch else None


def read_profiles(services: PaneServices) -> tuple[list[Profile], Lifetimes]:
    """Every agent that is let in, with what its runs start from. Asks the vault; for a job."""
    found = []
    for agent in services.agents.list():
        if agent.revoked_at is not None:
            continue
        runs = services.conversations.page(Caller(), agent_id=agent.id, state="open", limit=RUNS)
        budget, policy = services.live.start_of(agent)
        found.append(Profile(agent, budget, policy, tuple(runs.conversations)))
    return found, Lifetimes(daily_hours=services.settings["daily_hours"])


class HydrationPane(QWidget):
    """Shows what an agent will be told. `answered` with every answer on screen; what can be done
    about its items is `item_actions`."""

    compare_asked = Signal(object)
    add_agent_asked = Signal()
    raise_asked = Signal(str, int)  # the agent, the budget it should have from now on
    answered = Signal(object)

    def __init__(
        self, services: PaneServices, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._on = services
        self._jobs = jobs
        self._theme = theme
        self._profiles: dict[str, Profile] = {}
        self._agent = ""
        self._edit = EditInHand()
        self._aside = False
        self._rules = Lifetimes()
        self.shown: HydrationPreview | None = None  # the answer on screen
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self.widgets = HydrationWidgets(theme, services.clock, self)
        self.item_actions = HydrationActions(services.memory, services.agents, jobs, self)
        self._connect()

    def _connect(self) -> None:
        widgets, actions, listed = self.widgets, self.item_actions, self.widgets.items.list
        widgets.agent.activated.connect(lambda _: self.choose(str(widgets.agent.currentData())))
        widgets.changed.connect(self.refresh)
        widgets.tabs.currentChanged.connect(self._show_tab)
        widgets.trial.typed.connect(self.refresh)
        widgets.notice.linkActivated.connect(self._follow)
        widgets.add.clicked.connect(self.add_agent_asked)
        widgets.options.compare.clicked.connect(lambda: self.compare_asked.emit(self.run))
        widgets.options.keep.clicked.connect(self._keep_budget)
        widgets.trying.linkActivated.connect(self._end_trial)
        widgets.trial.list.doubleClicked.connect(lambda _index: self._open_match())
        listed.opened.connect(actions.open)
        listed.remedy_asked.connect(actions.bring_in)
        listed.menu_asked.connect(lambda item, at: actions.offer(item, self.run, at))
        actions.budget_asked.connect(self._raise_budget)
        actions.budget_kept.connect(self.reload)
        self._pause.timeout.connect(self._ask)
        self._theme.changed.connect(self.refresh)

    # What it looks at

    def reload(self) -> None:
        """Reads the agents again, then asks: somebody wrote, or an agent changed."""
        self._jobs.run(lambda: read_profiles(self._on), self._show_profiles, key="hydration-agents")

    def hear(self, news: News) -> None:
        """A new answer; what it is asked with is read again only where that was written."""
        if news.things <= ANSWERED:
            self.refresh()
        else:
            self.reload()

    def choose(self, agent_id: str) -> None:
        """Looks through that agent's eyes."""
        if agent_id in self._profiles and agent_id != self._agent:
            self._agent = agent_id
            self.widgets.show_profile(self._profiles[agent_id], fresh=True)
            self.refresh()

    def show_entry(self, entry: Entry | None) -> None:
        """Looks at the memory in hand, unedited."""
        self._edit = EditInHand(entry)
        self.refresh()

    def show_edit(self, base: Entry | None, form: Form) -> None:
        """Looks at an edit that is not saved yet."""
        self._edit = EditInHand(base, form)
        self.refresh()

    def lay_aside(self, aside: bool) -> None:
        """An edit that is out of sight is not looked at: agents get what is saved."""
        if aside is not self._aside:
            self._aside = aside
            self.refresh()

    def show_block(self, block: Block | None) -> None:
        """Looks at a block that is being written, or no longer."""
        self._edit = replace(self._edit, block=block)
        self.refresh()

    @property
    def draft(self) -> Entry | None:
        """The memory in hand as saving it would leave it; None when there is nothing to save."""
        if self._aside:
            return None
        return self._edit.draft(to_instant(self._on.clock()), self._rules)

    @property
    def trial(self) -> Run | None:
        """The run that is shown, where it is not just what the agent has of itself."""
        profile, run = self._profiles.get(self._agent), self.run
        if profile is None or run is None or self.widgets.options.as_of is not None:
            return None
        own = Run(profile.agent, Standing(), profile.budget, "", None)
        policy = with_request(profile.policy, run.policy or {})
        same = replace(run, policy=None, message="") == own and policy == profile.policy
        return None if same else run

    def refresh(self) -> None:
        self._pause.start()

    def wait_for_keys(self, milliseconds: int) -> None:
        """How long after the last key it asks."""
        self._pause.setInterval(milliseconds)

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
        options = self.widgets.options
        budget, message = options.budget.value(), self.widgets.message
        return Run(profile.agent, options.place, budget, message, options.policy)

    # Asking

    def _show_profiles(self, known: tuple[Sequence[Profile], Lifetimes]) -> None:
        profiles, self._rules = known
        before = self._profiles.get(self._agent)
        self._profiles = {profile.agent.id: profile for profile in profiles}
        self.widgets.show_agents([profile.agent for profile in profiles])
        if self._agent not in self._profiles:
            self._agent = profiles[0].agent.id if profiles else ""
        now = self._profiles.get(self._agent)
        if now is not None:
            fresh = before is None or _set_up(before) != _set_up(now)
            self.widgets.show_profile(now, fresh=fresh)
        self._ask()

    def _ask(self) -> None:
        run = self.run
        if run is None or not self.isVisibleTo(self.window()):
            return
        live, at = self._on.live, self.widgets.options.as_of
        about = self.widgets.options.true_at
        draft, block = self.draft, self._edit.block

        saved = draft is None and block is None

        def ask() -> tuple[HydrationPreview, Instructions | None, str]:
            """With what a client of this agent is told when it connects, which is what is saved,
            and how much of it is as it was."""
            if at is not None:
                return live.answer_as_of(run, at, about), None, ""
            answer = live.answer(run, draft, block)
            if not saved:
                return answer, None, edit_price(answer.moved)
            told = self._on.instructions(replace(run, message=""))
            return answer, told, start_price(live.last_start(run, answer.hydration))

        def show(found: tuple[HydrationPreview, Instructions | None, str]) -> None:
            answer, told, price = found
            if saved or at is not None:
                self.widgets.show_instructions(told)
            self.widgets.show_price(price)
            self._show(answer, at)

        self._jobs.run(ask, show, key="hydration", urgent=True)

    def _end_trial(self, link: str) -> None:
        """Keeps the budget that was tried, or goes back to the agent's own."""
        profile = self._profiles.get(self._agent)
        if link == "keep":
            self._keep_budget()
        elif profile is not None:
            self.widgets.options.budget.setValue(profile.budget)

    def _open_match(self) -> None:
        entry = self.widgets.trial.list.value(Entry)
        if entry is not None:
            self.item_actions.open_asked.emit(entry.id)

    def _raise_budget(self, budget: int) -> None:
        """The agent's own, where that is too small; within a trial of less only what is tried."""
        self.widgets.options.budget.setValue(budget)
        profile = self._profiles.get(self._agent)
        if profile is not None and budget > profile.budget:
            self.raise_asked.emit(self._agent, budget)

    def _keep_budget(self) -> None:
        run = self.run
        if run is not None:
            self.item_actions.keep_budget(run)

    # Showing

    def _show(self, answer: HydrationPreview, at: Instant | None) -> None:
        self.shown = answer
        self.widgets.show_answer(answer, at, self._edit.ident)
        words, bad = notice_of(answer, at, self.widgets.notice.link)
        self.widgets.notice.show_words(words, bad=bad)
        run = self.run
        if run is not None and at is None:
            self._find_remedies(answer, run)
        if run is not None and self.widgets.tabs.currentIndex() == MESSAGE:
            self._jobs.run(
                lambda: self._on.live.matches(run), self.widgets.trial.show_matches, key="preload"
            )
        self.answered.emit(answer)

    def _find_remedies(self, answer: HydrationPreview, run: Run) -> None:
        """Tries what would bring in those left out that are seen first; none is guessed."""
        out = [item.id for item in answer.items if item.reason in OUT and item.type == "entry"]
        if not out:
            self._jobs.drop("hydration-remedies")
            return
        draft = self.draft
        self._jobs.run(
            lambda: self._on.memory.hydration.nearest_remedies(out[:REMEDIED], run, draft),
            lambda found: self._show_remedies(answer, found),
            key="hydration-remedies",
        )

    def _show_remedies(self, answer: HydrationPreview, found: Mapping[str, Remedy]) -> None:
        if answer is self.shown:
            self.widgets.items.list.items.show_remedies(found)

    def _show_tab(self, tab: int) -> None:
        if tab == MESSAGE:
            self.refresh()  # the message counts while its page is open
        elif self.shown is not None:
            self.widgets.show_text(self.shown.hydration.text)

    def _follow(self, link: str) -> None:
        action, _, ident = link.partition(":")
        if action == "now":
            self.widgets.options.look_at(None)
        elif self.shown is not None:
            item = self.shown.hydration.item(ident)
            if item is not None:
                self.item_actions.shorten(item)


def bytes_to_lose(item: Item) -> int:
    """How much shorter something left out would fit where it stands."""
    return max(item.bytes - max(item.left, 0), 1)


def _set_up(profile: Profile) -> tuple[object, ...]:
    """What the options start from."""
    return profile.agent.id, profile.budget, profile.policy
