"""`keepsake history`, `undo`, `redo`."""

from __future__ import annotations

import click

from app.cli.deeds import group_line, version_deed
from app.cli.entries import key_refused, named_anywhere
from app.cli.terminal import Terminal, vault_command
from app.cli.words import moment, one_line, plural, typed_time
from app.errors import NotFound
from app.history import History, Undone, Version
from app.outcomes import KeyTaken
from store.records import OWNER, ChangeGroup


@vault_command("history")
@click.argument("key", required=False)
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--agent", help="What this agent did.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50)
def history(
    terminal: Terminal, key: str | None, scope: str | None, agent: str | None, limit: int
) -> None:
    """The versions of the memory KEY, or the vault's latest actions."""
    if key is None:
        actor = f"agent:{agent}" if agent else None
        groups = terminal.vault.history.groups(actor=actor, limit=limit)
        terminal.show(
            {"changes": groups},
            lambda: (
                "\n".join(group_line(terminal.vault, group) for group in groups)
                or "Nothing has happened yet."
            ),
        )
        return
    entry = named_anywhere(terminal, key, scope)
    versions = _line_of_descent(terminal.vault.history, entry.id)[:limit]
    terminal.show(
        {"id": entry.id, "key": entry.key, "versions": [_version(*one) for one in versions]},
        lambda: "\n".join(_version_line(*one) for one in versions),
    )


def _line_of_descent(events: History, entry_id: str) -> list[tuple[Version, ChangeGroup]]:
    """The versions of an entry, newest first, then those of the one it was corrected from."""
    found = _told_versions(events, entry_id)
    while found and (ident := _corrected_from(events, *found[-1])):
        correction = found[-1][1].id
        try:
            older = _told_versions(events, ident)
        except NotFound:  # erased
            break
        found += [one for one in older if one[1].id != correction]
    return found


def _told_versions(events: History, ident: str) -> list[tuple[Version, ChangeGroup]]:
    return [
        (version, events.groups(before=version.change.group + 1, limit=1)[0])
        for version in events.versions(ident)
    ]


def _corrected_from(events: History, first: Version, group: ChangeGroup) -> str | None:
    """A correction forgets the wrong entry and creates the right one next; only lines of blocks
    that said the same may come between."""
    born = first.change
    if born.action != "created" or group.action not in ("corrected", "approved"):
        return None
    earlier = [line for line in events.changes_of(group.id) if line.seq < born.seq]
    for line in reversed(earlier):
        if line.thing != "block":
            return line.thing_id if (line.thing, line.action) == ("entry", "forgot") else None
    return None


def _version(version: Version, group: ChangeGroup) -> dict[str, object]:
    change = version.change
    return {
        "seq": change.seq,
        "group": change.group,
        "at": change.at,
        "actor": change.actor,
        "action": change.action,
        "reason": group.reason,
        "entry_id": change.thing_id,
        "entry": version.fields,
    }


def _version_line(version: Version, group: ChangeGroup) -> str:
    change = version.change
    content = one_line(str(version.fields["content"])) if version.fields else "(no longer kept)"
    reason = f": {group.reason}" if group.reason else ""
    return (
        f"{change.seq:>6}  {moment(change.at)}  {change.actor} {version_deed(change, group)}"
        f"{reason}\n        {content}"
    )


@vault_command("undo")
@click.argument("group", type=int, required=False)
@click.option("--as", "new_key", help="Another key, when its own was taken meanwhile.")
@click.option("--agent", help="Everything this agent did, with --since.")
@click.option("--since", help="A time like 2026-11-16T09:00Z, a day, `today`, `yesterday` or `7d`.")
def undo(
    terminal: Terminal, group: int | None, new_key: str | None, agent: str | None,
    since: str | None,
) -> None:  # fmt: skip
    """Take back your latest action, or the action GROUP from `keepsake history`."""
    if agent or since:
        if not (agent and since) or group:
            raise click.UsageError(
                "Undoing an agent's work takes --agent and --since, and no number."
            )
        at = typed_time("--since", since, terminal.vault.clock())
        done = terminal.vault.history.undo_since(f"agent:{agent}", at)
        terminal.show(done, f"Undid {plural(len(done), 'action')} of {agent}.")
        return
    events = terminal.vault.history
    outcome = events.undo(group, key=new_key) if group else events.undo_last(OWNER, key=new_key)
    _tell(terminal, outcome, "Undid")


@vault_command("redo")
def redo(terminal: Terminal) -> None:
    """Do again what you undid last."""
    _tell(terminal, terminal.vault.history.redo_last(OWNER), "Did again")


def _tell(terminal: Terminal, outcome: Undone | KeyTaken, verb: str) -> None:
    if isinstance(outcome, KeyTaken):
        raise key_refused(outcome)
    terminal.show(outcome, f"{verb}: {group_line(terminal.vault, outcome.undid).strip()}")
