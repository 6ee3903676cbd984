"""`keepsake conversations`, `channels`, `writer`: what was said, and what is learned from it."""

from __future__ import annotations

import shlex
import sys
from uuid import uuid4

import click

from app.access.caller_scope import Caller
from app.cli.command import Terminal, piped, plain, vault_command
from app.cli.formatting import moment, one_line, plural
from app.errors import Invalid, NotFound
from app.learning.channels import ChannelLearned
from app.learning.learning import Learned
from app.learning.provenance import LearnedThing
from app.learning.sleep import SettledConversation
from app.learning.writer import Failed
from app.learning.writing_model import WritingModel
from store.records import Conversation, Turn
from store.tables.channels import ChannelMessage, Queue
from store.tables.proposals import PENDING

OWNER = Caller()


@vault_command("conversations")
@click.argument("ident", metavar="[ID]", required=False)
@click.option("--agent", "agent_id", help="Only this agent's.")
@click.option("--state", type=click.Choice(["open", "ended"]), help="Only these.")
@click.option(
    "--limit", type=click.IntRange(1, 500), default=50, show_default=True, help="How many to list."
)
@click.option("--cursor", help="Go on from the last page.")
@click.option("--end", is_flag=True, help="End it: merged into session memory and learned from.")
@click.option("--learn", is_flag=True, help="Learn from it now; without ID, from all that is due.")
@click.option("--prompt", is_flag=True, help="Show exactly what a writing model would be sent.")
@click.option("--forget", is_flag=True, help="Forget what was learned from it.")
@click.option("--delete", is_flag=True, help="Remove it and its turns for good.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def conversations(
    terminal: Terminal,
    ident: str | None,
    agent_id: str | None,
    state: str | None,
    limit: int,
    cursor: str | None,
    end: bool,
    learn: bool,
    prompt: bool,
    forget: bool,
    delete: bool,
    yes: bool,
) -> None:
    """List conversations, or show ID: what was said and what was learned from it."""
    if sum((end, learn, prompt, forget, delete)) > 1:
        raise click.UsageError(
            "One thing at a time: --end, --learn, --prompt, --forget or --delete."
        )
    if ident is None:
        if end or prompt or forget or delete:
            raise click.UsageError("Name the conversation; keepsake conversations lists them.")
        if learn:
            _learn_due(terminal)
        else:
            _list(terminal, agent_id, state, limit, cursor)
    elif end:
        _end(terminal, ident)
    elif learn:
        settled = terminal.vault.sleep.settle(ident)
        terminal.show(settled, lambda: _settled_text(settled))
    elif prompt:
        text = terminal.vault.sleep.prompt(ident)
        terminal.show({"prompt": text}, text or "No writing model is set up: nothing is sent.")
    elif forget:
        gone = terminal.vault.provenance.forget_learned(OWNER, ident)
        terminal.show(gone, _forgotten_text(len(gone.entries)))
    elif delete:
        _delete(terminal, ident, yes)
    else:
        _show(terminal, ident)


@vault_command("channels")
@click.argument("channel", metavar="[CHANNEL]", required=False)
@click.option("--agent", "agent_id", help="Only as this agent hears them.")
@click.option("--learn", is_flag=True, help="Learn now from every batch that is due.")
@click.option("--say", help="Queue a message for the agent to learn from; `-` reads it.")
@click.option("--author", default="owner", show_default=True, help="Who says it.")
@click.option("--limit", default=50, show_default=True, help="How many messages to show.")
def channels(
    terminal: Terminal,
    channel: str | None,
    agent_id: str | None,
    learn: bool,
    say: str | None,
    author: str,
    limit: int,
) -> None:
    """What waits to be learned in each channel, or the messages of CHANNEL."""
    if say is not None:
        _queue_message(terminal, channel, agent_id, author, piped() if say == "-" else say)
        return
    if learn:
        _learn_batches(terminal)
        return
    queues = terminal.vault.channels.queues(agent_id)
    if channel is None:
        terminal.show(
            {"channels": queues},
            lambda: (
                "\n".join(_queue_line(queue) for queue in queues)
                or "Nothing heard yet. Agents in team mode listen: keepsake agents set ID --team."
            ),
        )
        return
    heard = [queue.agent_id for queue in queues if queue.channel == channel]
    _show_messages(terminal, heard, channel, limit)


def _queue_message(
    terminal: Terminal, channel: str | None, agent_id: str | None, author: str, text: str
) -> None:
    if not channel or not agent_id:
        raise Invalid("Say in which CHANNEL, and with --agent who hears it.")
    heard = terminal.vault.channels.hear(
        agent_id, channel, message_id=uuid4().hex, author=author, text=text
    )
    if heard.reason == "not_team":
        raise Invalid(
            f"{agent_id} does not listen to channels: keepsake agents set {agent_id} --team."
        )
    terminal.show(heard, f"Queued for {agent_id}, to be learned from with the others of {channel}.")


def _learn_batches(terminal: Terminal) -> None:
    done = terminal.vault.channels.learn_due()

    def line(batch: ChannelLearned) -> str:
        said = plural(batch.messages, "message")
        return f"{batch.channel}: {said}, {_learned_text(batch.learned)}"

    terminal.show(
        {"batches": done},
        lambda: (
            "\n".join(line(batch) for batch in done)
            or "No batch is due: ten messages, or the oldest five minutes old."
        ),
    )


def _show_messages(terminal: Terminal, agents: list[str], channel: str, limit: int) -> None:
    service = terminal.vault.channels
    messages = [m for agent_id in agents for m in service.messages(agent_id, channel, limit)]

    def line(message: ChannelMessage) -> str:
        state = "learned" if message.batch else "waits"
        return f"{moment(message.sent_at)}  {message.author}: {one_line(message.text)}  ({state})"

    terminal.show(
        {"messages": messages},
        lambda: (
            "\n".join(line(message) for message in messages) or f"Nothing was heard in {channel}."
        ),
    )


@vault_command("writer")
@click.option("--endpoint", help="An OpenAI-compatible address like http://127.0.0.1:11434/v1.")
@click.option("--model", help="The model, as the endpoint calls it.")
@click.option(
    "--key", "ask_key", is_flag=True, help="Enter a key; piped in, it is read from there."
)
@click.option("--confirm", is_flag=True, help="Use the one this vault names, on this machine.")
@click.option("--test", is_flag=True, help="Ask it one short question.")
@click.option("--clear", is_flag=True, help="Use the built-in writer alone; drops the key.")
def writer(
    terminal: Terminal,
    endpoint: str | None,
    model: str | None,
    ask_key: bool,
    confirm: bool,
    test: bool,
    clear: bool,
) -> None:
    """Who puts what was said into lasting words: the built-in writer, or a chat model you name."""
    writing = terminal.vault.writing
    notice = ""
    if clear:
        writing.clear()
    elif endpoint is not None or model is not None or ask_key:
        held = writing.model()
        if not (endpoint or held.endpoint):
            raise Invalid("Which chat model? Name it with --endpoint and --model.")
        kept = writing.configure(
            held.endpoint if endpoint is None else endpoint,
            held.model if model is None else model,
            _entered() if ask_key else None,
        )
        notice = f"\n{kept.notice}" if kept and kept.notice else ""
    elif confirm:
        writing.confirm()
    if test and not writing.model().configured:
        raise Invalid("There is no chat model to test. Name one with --endpoint and --model.")
    if test:
        tested = writing.test()
        terminal.show(tested, f"{tested.message} ({tested.seconds:.1f} s)")
        if not tested.works:
            raise click.exceptions.Exit(1)
        return
    now = writing.model()
    terminal.show(now, _who_writes(now) + notice)


def _who_writes(now: WritingModel) -> str:
    if not now.configured:
        return "The built-in writer, on this machine. Nothing is sent anywhere."
    key = f"{'with' if now.has_key else 'without'} a key"
    if now.confirmed:
        return (
            f"{now.model} at {now.endpoint}, {key}. When it fails, the built-in writer steps in. "
            f"Today it was given about {now.tokens_today:,} of at most {now.tokens_a_day:,} tokens."
        )
    return (
        "The built-in writer, on this machine. This vault names "
        f"{now.model} at {now.endpoint}, but nobody confirmed it here, so nothing is sent. "
        f"keepsake writer --confirm sends what was said there, {key}; --clear takes it out."
    )


def _entered() -> str:
    """Never an argument: those stand in the shell's history and the list of processes."""
    if sys.stdin.isatty():
        return str(click.prompt("Key", hide_input=True))
    return sys.stdin.readline().strip()


def _list(
    terminal: Terminal, agent_id: str | None, state: str | None, limit: int, cursor: str | None
) -> None:
    page = terminal.vault.conversations.page(
        OWNER, agent_id=agent_id, state=state, limit=limit, cursor=cursor
    )
    lines = [_conversation_line(one) for one in page.conversations]
    if page.next:
        lines.append(f"\nMore: --cursor {shlex.quote(page.next)}")
    terminal.show(page, "\n".join(lines) or "No conversations yet.")


def _show(terminal: Terminal, ident: str) -> None:
    service = terminal.vault.conversations
    conversation = service.read(OWNER, ident)
    turns = service.turns(OWNER, ident)
    taken = terminal.vault.provenance.learned_from(OWNER, ident)
    terminal.show(
        {"conversation": conversation, "turns": turns, "learned": taken},
        lambda: _conversation_text(terminal, conversation, turns, taken),
    )


def _end(terminal: Terminal, ident: str) -> None:
    ended = terminal.vault.conversations.end(OWNER, ident)
    number = plural(len(ended.forgotten), "memory", "memories")
    terminal.show(ended, f"Ended; {number} of its own went to the trash.")


def _delete(terminal: Terminal, ident: str, yes: bool) -> None:
    conversation = terminal.vault.conversations.read(OWNER, ident)
    name = conversation.title or ident
    terminal.confirm(f"Remove “{name}” with everything said in it, for good?", yes)
    gone = terminal.vault.conversations.delete(OWNER, ident)
    terminal.show(
        {"id": ident, **plain(gone)}, f"Removed with {plural(gone.turns, 'turn')}. {gone.sentence}"
    )


def _learn_due(terminal: Terminal) -> None:
    report = terminal.vault.sleep.run_due()
    lines = [_settled_text(settled) for settled in report.conversations]
    lines += [f"{one.channel}: {_learned_text(one.learned)}" for one in report.channels]
    nothing = "Nothing is due." if report.ran else "Another Keepsake is learning right now."
    terminal.show(report, "\n".join((*lines, *report.notices)) or nothing)


def _conversation_line(one: Conversation) -> str:
    return f"{one.id}  {moment(one.updated_at)}  {one.agent_id}  {one.state}  {one.title}".rstrip()


def _conversation_text(
    terminal: Terminal, one: Conversation, turns: list[Turn], taken: list[LearnedThing]
) -> str:
    lines = [_conversation_line(one), ""]
    lines += [f"{turn.role}: {turn.content}" for turn in turns] or ["Nothing was kept."]
    if taken:
        lines += ["", "Learned from it:", *(f"- {_taken_text(terminal, item)}" for item in taken)]
    return "\n".join(lines)


def _taken_text(terminal: Terminal, taken: LearnedThing) -> str:
    if taken.entry is None:
        try:
            state = terminal.vault.review.read(taken.thing_id).state
        except NotFound:
            state = "gone"
        return f"{taken.sentence} ({'in the inbox' if state == PENDING else state})"
    return taken.entry.content + ("" if taken.entry.state == "active" else " (forgotten)")


def _forgotten_text(number: int) -> str:
    if not number:  # `keepsake undo` would take something else back
        return "No memory of what was learned from it is left; proposals stay in your inbox."
    them = "it" if number == 1 else "them"
    return (
        f"Forgot {plural(number, 'memory', 'memories')} learned from it. "
        f"keepsake undo brings {them} back."
    )


def _settled_text(settled: SettledConversation) -> str:
    return f"{settled.conversation_id}: {_learned_text(settled.learned)}"


def _learned_text(learned: Learned | Failed) -> str:
    if isinstance(learned, Failed):
        return learned.reason
    parts = [f"{plural(len(learned.entries), 'memory', 'memories')} kept"]
    if learned.proposals:
        parts.append(f"{len(learned.proposals)} in the inbox")
    if learned.known:
        parts.append(f"{learned.known} known already")
    return ", ".join(parts)


def _queue_line(queue: Queue) -> str:
    waiting = f"{plural(queue.waiting, 'message')} waiting"
    if queue.oldest:
        waiting += f" since {moment(queue.oldest)}"
    learned = f"{queue.learned} learned"
    if queue.last_learned_at:
        learned += f", last {moment(queue.last_learned_at)}"
    return f"{queue.channel}  ({queue.agent_id})  {waiting}; {learned}"
