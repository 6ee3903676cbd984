"""`keepsake block show`, `set`, `edit`: the owner as a caller of its memory."""

from __future__ import annotations

import click

from app.blocks.blocks import BlockSaved
from app.cli.command import DASHES_ALLOWED, Terminal, piped, vault_command
from app.cli.formatting import moment, plural
from app.errors import ConflictError, NotFound
from app.outcomes import Conflict, Proposed
from app.rules.blocks import Edit, Gauge, length_notice, template
from app.rules.fields import parse_scope
from store.records import BLOCK_NAMES, Block

NAME = click.Choice(BLOCK_NAMES)


@click.group()
def block() -> None:
    """Read and write blocks: core, archival, summary, session."""


@vault_command("show", block)
@click.argument("name", type=NAME, required=False)
@click.option("--scope", help="user (default), agent:ID, workspace:NAME.")
def show(terminal: Terminal, name: str | None, scope: str | None) -> None:
    """Show the block NAME, or without a name list all blocks."""
    memory = terminal.memory
    if name is None:
        found = memory.blocks.listed([parse_scope(scope)] if scope else None)
        lines = [f"{one.name}  [{one.scope}]  {_full(terminal, one)}" for one in found]
        terminal.show({"blocks": found}, "\n".join(lines) or "There are no blocks yet.")
        return
    block_scope = parse_scope(scope or "user")
    if name == "summary" and terminal.memory.blocks.find(name, block_scope) is None:
        terminal.show(
            {"name": name, "scope": block_scope, "content": template(name), "updated_at": None},
            template(name),
        )
        return
    try:
        one = memory.blocks.read(name, block_scope)
    except NotFound as error:
        raise NotFound(f"{error} Write it with `keepsake block set {name}`.") from error
    terminal.show(one, f"{one.content}\n\n({_full(terminal, one)})")


@vault_command("set", block, context_settings=DASHES_ALLOWED)
@click.argument("name", type=NAME)
@click.argument("content")
@click.option("--scope", default="user", help="user (default), agent:ID, workspace:NAME.")
@click.option("--expected-updated-at", help="The updated_at you read; `null` to create.")
@click.option("--yes", is_flag=True, help="Replace what is there without asking.")
@click.option("--reason", default="", help="Kept in the history.")
def set_block(
    terminal: Terminal,
    name: str,
    content: str,
    scope: str,
    expected_updated_at: str | None,
    yes: bool,
    reason: str,
) -> None:
    """Put CONTENT (`-` reads standard input) in place of the block NAME.

    Over a block that is there, it asks unless --expected-updated-at says which one you read."""
    block_scope = parse_scope(scope)
    expected: str | None = expected_updated_at
    if expected_updated_at is None:
        current = terminal.memory.blocks.find(name, block_scope)
        if current is not None:
            expected = current.updated_at
            terminal.confirm(
                f"Replace the {_full(terminal, current)}?",
                yes,
                otherwise=f"--expected-updated-at {expected}",
            )
    elif expected_updated_at == "null":
        expected = None
    outcome = terminal.memory.blocks.replace(
        name,
        piped() if content == "-" else content,
        expected_updated_at=expected,
        scope=block_scope,
        reason=reason,
    )
    _show_outcome(terminal, outcome)


@vault_command("edit", block)
@click.argument("name", type=NAME)
@click.option("--old", "olds", multiple=True, required=True, help="Text that is there once.")
@click.option("--new", "news", multiple=True, required=True, help="What to put in its place.")
@click.option("--scope", default="user", help="user (default), agent:ID, workspace:NAME.")
@click.option("--reason", default="", help="Kept in the history.")
def edit(
    terminal: Terminal,
    name: str,
    olds: tuple[str, ...],
    news: tuple[str, ...],
    scope: str,
    reason: str,
) -> None:
    """Change parts of the block NAME: pairs of --old and --new, all or nothing."""
    if len(olds) != len(news):
        raise click.UsageError("Give one --new for each --old.")
    edits = [Edit(old, new) for old, new in zip(olds, news, strict=True)]
    _show_outcome(
        terminal, terminal.memory.blocks.edit(name, edits, scope=parse_scope(scope), reason=reason)
    )


def _show_outcome(terminal: Terminal, outcome: BlockSaved | Conflict | Proposed) -> None:
    if isinstance(outcome, Conflict):
        if outcome.creating and isinstance(outcome.current, Block):
            raise ConflictError(
                f"There is a {outcome.current.name} block already; nothing was written. Show it "
                "and use its updated_at.",
                outcome.current,
            )
        raise ConflictError(
            "The block is not what you read; nothing was written. Show it again and use its "
            "updated_at.",
            outcome.current,
        )
    assert isinstance(outcome, BlockSaved)
    block = outcome.block
    notice = length_notice(block.name, block.content)
    terminal.show(block, f"Saved the {_full(terminal, block)}. {notice}".rstrip())


def _full(terminal: Terminal, one: Block) -> str:
    found: Gauge = terminal.memory.blocks.gauge(one)
    entries = f", {found.entries} of {found.entry_limit} entries" if found.entry_limit else ""
    return (
        f"{one.name} block: {found.characters:,} of {found.character_limit:,} characters{entries}, "
        f"{plural(found.lines, 'line')}, about {plural(found.tokens_estimate, 'token')}, "
        f"changed {moment(one.updated_at)} by {one.source}"
    )
