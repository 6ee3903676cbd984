"""`keepsake hydrate`, `why`, `correct`, `pin`, `unpin`: the owner as a caller of its memory. And
`upkeep`, which asks the vault's own: no caller has it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from app.access.caller_scope import Caller
from app.care.upkeep import UpkeepReport
from app.cli.command import DASHES_ALLOWED, Terminal, piped, vault_command
from app.cli.entries import named
from app.cli.formatting import moment, plural, typed_time
from app.errors import ConflictError, Invalid
from app.hydration.preview import LastStart, LiveHydration
from app.mcp.workspaces import workspace_named
from app.memory import call_log
from app.outcomes import Conflict, Saved
from app.rules.explanation import Explanation
from app.rules.fields import hydration_fields, parse_scope
from app.rules.hydration import OVERVIEW, Hydration
from app.rules.policy import ARCHIVAL_MODES, Run
from app.rules.verdict import Item
from app.rules.visibility import Standing
from store.instants import Instant
from store.records import OWNER


def _workspace_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--workspace",
        default="",
        metavar="NAME|PATH",
        callback=lambda _ctx, _param, text: workspace_named(text) if text else "",
        help="The workspace it works in.",
    )(function)


def policy_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The memory policy of one run; what is not said is the agent's own."""
    options = (
        click.option(
            "--archival-mode",
            type=click.Choice(ARCHIVAL_MODES),
            help="Archival lines for the message: auto, only by recall (tool_only), or off.",
        ),
        click.option("--archival-limit", type=int, help="With auto: at most so many lines."),
        click.option("--archival-min-score", type=float, help="With auto: of at least this score."),
        click.option(
            "--include-user-core/--no-user-core", default=None, help="The core block about you."
        ),
        click.option(
            "--include-agent-core/--no-agent-core", default=None, help="The agent's core block."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _text_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How it is printed, and whether that counts as telling the agent."""
    options = (
        click.option(
            "--text",
            "only_text",
            is_flag=True,
            help="Exactly the text the agent gets. You look: the agent was not told.",
        ),
        click.option(
            "--tell",
            is_flag=True,
            help="The same for a script that hands it to the agent: it was told, and its calls "
            "say so.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@vault_command("hydrate")
@click.option("--agent", "agent_id", required=True, help="Whose start of a run.")
@_workspace_option
@click.option("--conversation", default="", help="The run it is in.")
@click.option("--budget", type=int, help="Bytes; default: the agent's.")
@click.option("--message", default="", help="The user's message, for archival_mode auto.")
@policy_options
@_text_options
@click.option("--as-of", help="What it would have been told then, with the profile it had.")
@click.option("--all", "everything", is_flag=True, help="List all that was left out.")
def hydrate(
    terminal: Terminal,
    agent_id: str,
    workspace: str,
    conversation: str,
    budget: int | None,
    message: str,
    only_text: bool,
    tell: bool,
    as_of: str | None,
    everything: bool,
    **policy: object,
) -> None:
    """What an agent is told at the start of a run, and why each memory is in or out.

    To look tells nobody anything. Only with --tell does it count as a start of the agent's: in
    `keepsake calls`, and among those who were told what you erase."""
    wishes = {name: value for name, value in policy.items() if value is not None}
    standing = Standing(workspace, conversation)
    if as_of is not None:
        if tell:
            raise Invalid("--as-of looks at the past; what is told now is --tell without it.")
        agent = terminal.vault.agents.read(agent_id)
        then = typed_time("--as-of", as_of, terminal.vault.clock())
        run = Run(agent, standing, budget, message, wishes)
        _show_past(terminal, run, then, only_text, everything)
        return
    found = terminal.memory.hydration.hydrate(
        agent_id=agent_id,
        standing=standing,
        budget=budget,
        message=message,
        policy=wishes,
        everything=everything,
    )
    if tell:
        shown = call_log.items(found.included)
        terminal.vault.calls.record(agent_id, "cli", "hydrate", message, shown)
    if (only_text or tell) and not terminal.as_json:
        sys.stdout.write(found.text)
        return
    items = list(found.overview(None if everything else OVERVIEW))
    run = Run(terminal.vault.agents.read(agent_id), Standing(workspace, conversation), budget)
    last = LiveHydration(terminal.vault).last_start(run, found)
    told = hydration_fields(found, items) | {"last_start": asdict(last) if last else None}
    terminal.show(told, lambda: _hydration_text(found, items, last))


def _show_past(
    terminal: Terminal, run: Run, then: Instant, only_text: bool, everything: bool
) -> None:
    past = LiveHydration(terminal.vault).answer_as_of(run, then)
    found = past.hydration
    items = list(found.overview(None if everything else OVERVIEW))
    if past.lost:
        gone = plural(past.lost, "thing")
        click.echo(f"No longer kept: {gone} of then.", err=True)
    if only_text and not terminal.as_json:
        sys.stdout.write(found.text)
        return
    terminal.show(hydration_fields(found, items), lambda: _hydration_text(found, items, None))


@vault_command("preload")
@click.argument("message")
@click.option("--agent", "agent_id", required=True, help="Whose memories.")
@_workspace_option
@click.option("--conversation", default="", help="The run it is in.")
@click.option("--limit", type=click.IntRange(1, 500), help="Default: the agent's recall budget.")
@click.option("--budget", type=click.IntRange(0), help="Bytes; default: no bound.")
@click.option("--min-relevance", type=click.FloatRange(0, 1), help="Default: as in the settings.")
@_text_options
def preload(
    terminal: Terminal,
    message: str,
    agent_id: str,
    workspace: str,
    conversation: str,
    limit: int | None,
    budget: int | None,
    min_relevance: float | None,
    only_text: bool,
    tell: bool,
) -> None:
    """The memories that match MESSAGE (`-` reads it from standard input), as an agent that is about
    to answer it gets them.

    To look tells nobody anything; with --tell the agent was told."""
    said = piped() if message == "-" else message
    agent = terminal.vault.agents.read(agent_id)
    memory = terminal.vault.memory_for(Caller(agent, workspace, conversation))
    found = memory.finding.preload(
        said, limit=limit, budget=budget, min_relevance=min_relevance, looking=not tell
    )
    if tell:
        terminal.vault.calls.record(agent.id, "cli", "preload", said, [e.id for e in found.entries])
    if (only_text or tell) and not terminal.as_json:
        sys.stdout.write(found.text)
        return
    shown = list(zip(found.entries, found.scores, found.whys, strict=True))
    terminal.show(
        {
            "text": found.text,
            "matches": [{"entry": e, "score": score, "why": why} for e, score, why in shown],
        },
        lambda: (
            "\n".join(
                f"{score:.2f}  {entry.key}  [{entry.scope}]  {why}" for entry, score, why in shown
            )
            or "Nothing in memory matches this message."
        ),
    )


def _hydration_text(found: Hydration, items: list[Item], last: LastStart | None) -> str:
    lines = [
        f"{found.used:,} of {found.budget:,} bytes, about "
        f"{plural(found.tokens_estimate, 'token')}; {plural(len(found.included), 'thing')} in, "
        f"{found.left_out:,} out"
    ]
    if last is not None:
        lines.append(
            f"the first {last.kept:,} of {last.used:,} bytes are as at its last start, "
            f"{moment(last.at)}"
        )
    for item in items:
        mark = "✓" if item.included else "✗"
        lines.append(f"{mark} {item.bytes:>6,}  {item.key}  [{item.scope}]  {item.why}")
    hidden = found.left_out + len(found.included) - len(items)
    return "\n".join([*lines, f"… and {hidden:,} more; --all lists them"] if hidden else lines)


@vault_command("why")
@click.argument("key")
@click.option("--agent", "agent_id", help="One agent; without it, every agent as a row.")
@click.option("--scope", help="Where the key is, when several scopes have it.")
@_workspace_option
@click.option("--conversation", default="", help="The run it is in.")
@click.option("--budget", type=int, help="Bytes; default: the agent's.")
def why(
    terminal: Terminal,
    key: str,
    agent_id: str | None,
    scope: str | None,
    workspace: str,
    conversation: str,
    budget: int | None,
) -> None:
    """Why an agent knows the memory KEY, or not, and what would change that."""
    entry = named(terminal, key, scope)
    memory = terminal.memory
    if agent_id is None:
        views = memory.hydration.why_for_all(entry.id)
        rows = [(view.agent.id, view.explanation) for view in views]
    else:
        standing = Standing(workspace, conversation)
        answer = memory.hydration.why(entry.id, agent_id=agent_id, standing=standing, budget=budget)
        rows = [(agent_id, answer)]
    answers = [
        {"agent_id": name, "key": entry.key, "id": entry.id, **explanation_answer(answer)}
        for name, answer in rows
    ]
    terminal.show(
        answers[0] if agent_id is not None else answers,
        lambda: "\n".join(_why_text(*row) for row in rows) or "There is no agent yet.",
    )


def explanation_answer(answer: Explanation) -> dict[str, object]:
    return {
        "visible": answer.visible,
        "hydrated": answer.hydrated,
        "reason": answer.reason,
        "why": answer.sentence,
        "remedies": answer.remedies,
    }


def _why_text(agent_id: str, answer: Explanation) -> str:
    sees = "is told it" if answer.hydrated else "sees it" if answer.visible else "does not see it"
    line = f"{agent_id} {sees}: {answer.sentence}"
    if not answer.remedies:
        return line
    return f"{line}\n    to change that: " + ", or ".join(r.sentence for r in answer.remedies)


@vault_command("upkeep")
@click.option("--dry-run", is_flag=True, help="Only tell what would go.")
def upkeep(terminal: Terminal, dry_run: bool) -> None:
    """Put what is past its lifetime into the trash, as one change that can be undone; what lay
    there long enough is erased."""
    report = terminal.vault.upkeep.run(dry_run=dry_run, actor=OWNER)
    terminal.show({"report": report, "by_rule": report.by_rule}, lambda: _upkeep_text(report))


def _upkeep_text(report: UpkeepReport) -> str:
    verb = "would go" if report.dry_run else "went"
    lines = [f"{plural(len(report.taken), 'memory', 'memories')} {verb} to the trash."]
    lines += [f"  {one.key}  [{one.scope}]  {one.sentence}" for one in report.taken]
    if report.erased:
        goes = "would be" if report.dry_run else "was" if report.erased == 1 else "were"
        lines.append(f"{report.erased:,} that lay in the trash long enough {goes} erased for good.")
    if report.group is not None:
        them = "it" if len(report.taken) == 1 else "them"
        lines.append(f"keepsake undo {report.group} brings {them} back with a fresh life.")
    return "\n".join(lines)


@vault_command("correct", context_settings=DASHES_ALLOWED)
@click.argument("key")
@click.argument("content")
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--expected-updated-at", help="Correct only if it has not changed since then.")
@click.option("--reason", default="", help="Kept in the history.")
def correct(
    terminal: Terminal,
    key: str,
    content: str,
    scope: str | None,
    expected_updated_at: str | None,
    reason: str,
) -> None:
    """Forget what the memory KEY says and store CONTENT in its place, as one change.

    `-` reads the content from standard input."""
    entry = named(terminal, key, scope)
    text = piped() if content == "-" else content
    outcome = terminal.memory.entries.correct(
        entry.id, text, expected_updated_at=expected_updated_at or entry.updated_at, reason=reason
    )
    if isinstance(outcome, Conflict):
        raise ConflictError(
            f"{key} was changed meanwhile; nothing was written. Read it again.", outcome.current
        )
    assert isinstance(outcome, Saved)
    terminal.show(outcome.entry, f"Corrected {outcome.entry.key}. keepsake undo takes it back.")


@vault_command("pin")
@click.argument("key", required=False)
@click.option("--line", help="A line of the scope's archival block, instead of a key.")
@click.option("--scope", help="Where the key or the block is; default for a line: user.")
def pin(terminal: Terminal, key: str | None, line: str | None, scope: str | None) -> None:
    """Make the memory KEY core, or move an archival --line to the core block."""
    _check_one(key, line)
    if line is not None:
        moved = terminal.memory.core.pin_line(line, parse_scope(scope or "user"))
        terminal.show(moved, "Moved the line to the core block.")
        return
    outcome = terminal.memory.core.pin(named(terminal, str(key), scope).id)
    assert isinstance(outcome, Saved)
    terminal.show(outcome.entry, f"{outcome.entry.key} is core now.")


@vault_command("unpin")
@click.argument("key", required=False)
@click.option("--line", help="A line of the scope's core block, instead of a key.")
@click.option("--scope", help="Where the key or the block is; default for a line: user.")
@click.option("--category", help="Default: the category it had before.")
def unpin(
    terminal: Terminal, key: str | None, line: str | None, scope: str | None, category: str | None
) -> None:
    """Make the core memory KEY an ordinary one, or move a core --line to the archival block."""
    _check_one(key, line)
    if line is not None:
        moved = terminal.memory.core.unpin_line(line, parse_scope(scope or "user"))
        terminal.show(moved, "Moved the line to the archival block.")
        return
    outcome = terminal.memory.core.unpin(named(terminal, str(key), scope).id, category)
    assert isinstance(outcome, Saved)
    entry = outcome.entry
    end = f", until {moment(entry.expires_at)}" if entry.expires_at else ""
    terminal.show(entry, f"{entry.key} is {entry.category} now{end}.")


def _check_one(key: str | None, line: str | None) -> None:
    if (key is None) == (line is None):
        raise click.UsageError("Name either a memory's key or a block's --line.")
