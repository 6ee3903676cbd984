"""`keepsake store`, `capture`, `list`, `forget`, `restore`: the owner as a caller of its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from app.cli.command import Terminal, piped, vault_command
from app.cli.formatting import entry_line, entry_whole, plural, typed_time
from app.errors import ConflictError, Invalid, NotFound
from app.outcomes import UNSET, Conflict, Forgotten, KeyTaken, Proposed, Saved
from app.rules.fields import parse_scope
from app.rules.visibility import muted_name
from store.instants import Instant, plus, to_instant
from store.records import ACTIVE, CLOUD, EVERYBODY, TRASHED, Entry, EntryDraft, Hearing, Scope
from store.tables.entry_filter import ORDERS, EntryFilter


@click.command("capture")
@click.option(
    "--vault",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The vault's file. Default: KEEPSAKE_VAULT, or the one in your data folder.",
)
@click.pass_context
def capture(ctx: click.Context, vault: Path | None) -> None:
    """Open quick capture: a small window over whatever you do, for one thing to remember.

    The running window shows it at once; without one, Keepsake starts. Bind this command to a key in
    your desktop's settings."""
    top = ctx.find_root()
    ctx.exit(top.obj(vault or top.params.get("vault"), bool(top.params.get("ephemeral")), True))


@vault_command("store")
@click.argument("content")
@click.option("--key", help="A stable name; storing it again updates the entry.")
@click.option("--scope", help="user (default), agent:ID, workspace:NAME, conversation:ID.")
@click.option(
    "--category",
    help="core (default), daily or any word; workspace and conversation belong to one: say which "
    "with --scope.",
)
@click.option("--kind", help="fact (default), preference, decision, … or any word.")
@click.option("--importance", type=int, help="1 to 10; 5 is usual.")
@click.option("--tag", "tags", multiple=True, help="Repeat for several.")
@click.option("--hook", help="One line for the index: when this matters.")
@click.option("--expires", help="When it ends, like 2026-12-24T18:00.")
@click.option("--true-from", help="When what it says begins to hold: a day or a time.")
@click.option("--true-until", help="When it stops holding; it is found by questions about then.")
@click.option("--mute", "muted_for", multiple=True, help="Never told to: an agent's id, cloud, *.")
@click.option("--expected-updated-at", help="Write only if it has not changed since then.")
@click.option("--reason", default="", help="Kept in the history.")
def store(
    terminal: Terminal,
    content: str,
    key: str | None,
    scope: str | None,
    category: str | None,
    kind: str | None,
    importance: int | None,
    tags: tuple[str, ...],
    hook: str | None,
    expires: str | None,
    true_from: str | None,
    true_until: str | None,
    muted_for: tuple[str, ...],
    expected_updated_at: str | None,
    reason: str,
) -> None:
    """Remember CONTENT (`-` reads it from standard input)."""
    home = terminal.memory.reach.home(category, scope)
    draft = EntryDraft(
        content=piped() if content == "-" else content,
        scope=home.scope,
        key=key,
        hook=hook,
        category=category,
        kind=kind,
        importance=importance,
        tags=tags or None,
        expires_at=expires,
        true_from=_typed(terminal, "--true-from", true_from),
        true_until=_typed(terminal, "--true-until", true_until),
        muted_for=muted_for or None,
    )
    outcome = terminal.asking_about_secrets(
        lambda memory: memory.entries.store(
            draft,
            reason=reason,
            expected_updated_at=expected_updated_at or UNSET,
            elsewhere=home.elsewhere,
        )
    )
    if isinstance(outcome, Conflict):
        raise ConflictError(
            "It was changed since you read it; nothing was written. Read it again "
            f"(keepsake recall {key}) and store with its new updated_at.",
            outcome.current,
        )
    assert isinstance(outcome, Saved)
    _show_stored(terminal, outcome)


def _typed(terminal: Terminal, option: str, text: str | None) -> Instant | None:
    return None if text is None else typed_time(option, text, terminal.vault.clock())


def _show_stored(terminal: Terminal, outcome: Saved) -> None:
    entry = outcome.entry
    if outcome.notice:
        click.echo(f"{outcome.notice} keepsake settings says what happens with such.", err=True)
    ended = entry.expires_at is not None and entry.expires_at <= to_instant(terminal.vault.clock())
    terminal.show(
        entry,
        f"{'Stored' if outcome.created else 'Updated'} {entry.key}."
        + went_text(outcome.evicted)
        + (" Its end is past already, so nobody is shown it: give another --expires." * ended),
    )


def went_text(evicted: Sequence[Entry]) -> str:
    if not evicted:
        return ""
    keys = ", ".join(entry.key for entry in evicted)
    return f" The memory of {evicted[0].scope} is full: {keys} went into the trash for it."


def filter_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        (
            click.option("--scope", "scopes", multiple=True, help="Repeat for several."),
            click.option("--category", "categories", multiple=True, help="Repeat for several."),
            click.option("--kind", "kinds", multiple=True, help="Repeat for several."),
            click.option("--tag", "tags", multiple=True, help="All of these tags."),
            click.option("--min-importance", type=click.IntRange(1, 10)),
            click.option("--days-back", type=click.FloatRange(0, 100_000), help="Written since."),
            click.option("--true-at", help="Only what is true then: a day or a time."),
            click.option("--trash", is_flag=True, help="Look in the trash."),
        )
    ):
        function = option(function)
    return function


def made_filter(
    terminal: Terminal,
    scopes: tuple[str, ...],
    categories: tuple[str, ...],
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    min_importance: int | None,
    days_back: float | None,
    true_at: str | None,
    trash: bool,
) -> EntryFilter:
    now = to_instant(terminal.vault.clock())
    moment = _typed(terminal, "--true-at", true_at)
    return EntryFilter(
        scopes=tuple(parse_scope(scope) for scope in scopes) or None,
        categories=categories,
        kinds=kinds,
        tags=tags,
        min_importance=min_importance,
        since=plus(now, days=-days_back) if days_back is not None else None,
        state=TRASHED if trash else ACTIVE,
        now=None if trash else now,
        hearing=Hearing((), true_at=moment) if moment else None,
    )


@vault_command("list")
@filter_options
@click.option("--order", type=click.Choice(list(ORDERS)), default="rank")
@click.option("--limit", type=click.IntRange(1, 1000), default=50)
@click.option("--cursor", help="Go on from the last page.")
@click.option("--as-of", help="What was believed then; with --true-at, about another time.")
def list_entries(
    terminal: Terminal,
    order: str,
    limit: int,
    cursor: str | None,
    as_of: str | None,
    **filters: Any,
) -> None:
    """List memories, most important first."""
    wanted = made_filter(terminal, **filters)
    if then := _typed(terminal, "--as-of", as_of):
        believed = terminal.memory.history.believed(then, wanted)[:limit]
        lines = "\n".join(map(entry_line, believed)) or "Nothing was believed then."
        terminal.show({"entries": believed, "next": None}, lines)
        return
    page = terminal.memory.entries.page(wanted, limit, cursor, order)

    def listing_text() -> str:
        lines = [entry_line(entry) for entry in page.entries]
        if page.next:
            total = terminal.memory.entries.count(wanted)
            lines.append(f"\n{len(page.entries):,} of {total:,}; more: --cursor {page.next}")
        return "\n".join(lines) if lines else "Nothing here."

    terminal.show({"entries": page.entries, "next": page.next}, listing_text)


@vault_command("forget")
@click.argument("keys", nargs=-1, required=True)
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--reason", default="", help="Kept in the history.")
def forget(terminal: Terminal, keys: tuple[str, ...], scope: str | None, reason: str) -> None:
    """Put memories, by key or id, in the trash. `keepsake undo` brings them back."""
    entries = [named(terminal, key, scope) for key in keys]
    done = terminal.memory.entries.forget([entry.id for entry in entries], reason=reason)
    assert isinstance(done, Forgotten)
    terminal.show(
        {"group": done.group, "forgotten": done.entries},
        f"Forgot {plural(len(done.entries), 'memory', 'memories')}. keepsake undo brings "
        f"{'it' if len(done.entries) == 1 else 'them'} back.",
    )


@vault_command("truth")
@click.argument("key")
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--from", "true_from", help="When it begins to hold: a day or a time.")
@click.option("--until", "true_until", help="When it stops holding.")
@click.option("--ask-after", "stale_after", help="When it should be asked about again.")
@click.option(
    "--always", is_flag=True, help="Takes its times away: it holds as long as it is there."
)
def truth(
    terminal: Terminal, key: str, scope: str | None, always: bool, **times: str | None
) -> None:
    """Say when a memory is true."""
    entry = named(terminal, key, scope)
    fields: dict[str, object] = dict.fromkeys(("true_from", "true_until")) if always else {}
    for name, text in times.items():
        if text is not None:
            fields[name] = _typed(terminal, f"--{name.removeprefix('true_')}", text)
    if not fields:
        raise Invalid("Say --from, --until, --ask-after or --always.")
    _show_changed(terminal, entry, fields)


@vault_command("mute")
@click.argument("key")
@click.argument("who", nargs=-1)
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--off", is_flag=True, help="Tell it again, to WHO or to everybody.")
def mute(terminal: Terminal, key: str, who: tuple[str, ...], scope: str | None, off: bool) -> None:
    """Keep a memory and never tell it to WHO: ids of agents, cloud for agents that use a cloud
    model, or * for all (the usual)."""
    entry = named(terminal, key, scope)
    if off:
        kept = tuple(name for name in entry.muted_for if who and name not in map(muted_name, who))
    else:
        kept = (*entry.muted_for, *(who or (EVERYBODY,)))
    _show_changed(terminal, entry, {"muted_for": kept})
    known = {EVERYBODY, CLOUD, *(agent.id for agent in terminal.vault.agents.list())}
    for name in [] if off else dict.fromkeys(map(muted_name, who)):
        if name not in known:
            click.echo(f"There is no agent {name} yet.", err=True)


def _show_changed(terminal: Terminal, entry: Entry, fields: dict[str, object]) -> None:
    outcome = terminal.memory.entries.change(entry.id, fields)
    assert isinstance(outcome, Saved)
    terminal.show(outcome.entry, entry_whole(outcome.entry))


@vault_command("restore")
@click.argument("key")
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--as", "new_key", help="Another key, when its own was taken meanwhile.")
@click.option("--version", "seq", type=int, help="A change's number, from keepsake history KEY.")
def restore(
    terminal: Terminal, key: str, scope: str | None, new_key: str | None, seq: int | None
) -> None:
    """Bring a memory back from the trash, or an earlier version of it."""
    if seq is not None:
        entry = named_anywhere(terminal, key, scope)
        brought = terminal.memory.history.bring_back(entry.id, seq)
        if isinstance(brought, KeyTaken):
            raise key_refused(brought)
        assert not isinstance(brought, Proposed)
        terminal.show(brought, f"{brought.key} is again as change {seq} left it.")
        return
    entry = named(terminal, key, scope, state=TRASHED)
    outcome = terminal.memory.entries.restore([entry.id], key=new_key)
    if isinstance(outcome, KeyTaken):
        raise key_refused(outcome)
    terminal.show(outcome.entries, "".join(f"Restored {e.key}." for e in outcome.entries))


def named_anywhere(terminal: Terminal, name: str, scope: str | None = None) -> Entry:
    """Like `named`, in the trash too when nothing else is meant."""
    try:
        return named(terminal, name, scope)
    except NotFound as error:
        try:
            return named(terminal, name, scope, state=TRASHED)
        except NotFound:
            raise error from None


def key_refused(taken: KeyTaken) -> Invalid:
    return Invalid(
        f"The key {taken.key} was taken meanwhile; nothing was changed. "
        f"Say --as {taken.suggestion}, or any other key."
    )


def named(terminal: Terminal, name: str, scope: str | None = None, state: str = ACTIVE) -> Entry:
    """The entry that a person means by a key or an id; says so when several could be meant."""
    entries = terminal.memory.entries
    with suppress(NotFound):
        return entries.read(name)
    wanted: Scope | None = parse_scope(scope) if scope else None
    found = entries.with_key(name, wanted, state)
    if not found and state == TRASHED and entries.with_key(name, wanted, ACTIVE):
        raise Invalid(
            f"{name} is not in the trash. An earlier version: --version, with a number "
            f"from keepsake history {name}."
        )
    if not found:
        where = f" in {scope}" if scope else ""
        if state == TRASHED:
            raise NotFound(
                f"There is no memory {name!r}{where} in the trash. See keepsake list --trash."
            )
        close = get_close_matches(name, (e.key for e in entries.page(limit=1000).entries), 1, 0.8)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise NotFound(f"There is no memory {name!r}{where}.{meant} See keepsake list.")
    if len({entry.scope for entry in found}) > 1:
        choices = ", ".join(f"--scope {entry.scope}" for entry in found)
        raise Invalid(f"Several scopes have {name}; say which: {choices}.")
    return found[0]
