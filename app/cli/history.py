"""`keepsake history`, `undo`, `redo`. They ask the vault's history, which is the owner's alone: a
caller's memory tells only what happened to one entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.access.caller_scope import Caller
from app.cli.command import Terminal, vault_command
from app.cli.entries import key_refused, named_anywhere
from app.cli.formatting import moment, one_line, typed_time
from app.errors import NotFound
from app.history.history import History, Undone, Version
from app.outcomes import KeyTaken
from app.text.words import plural
from store.records import JOIN, OWNER, Change, ChangeGroup
from store.tables.change_log import ABOUT

if TYPE_CHECKING:
    from app.vault import Vault


LOOKED_AT = 8  # a larger action is counted, not named
_CHANGE_TEXTS = {
    "proposed": "made {what}",
    "mirrored": "took in {what} from a mirrored folder",
    "pinned": "made {what} core",
    "unpinned": "made {what} an ordinary memory",
    "block": "wrote {what}",
    "session": "updated {what}",
    "agent": "set up the agent {what}",
    "configured": "changed the agent {what}",
    "rotated": "gave the agent {what} a new token",
    "revoked": "shut out the agent {what}",
    "started": "started the conversation {what}",
    "appended": "went on with the conversation {what}",
    "renamed": "renamed the conversation {what}",
    "ended": "ended the conversation {what}",
    "upkeep": "tidied away {what}",
    "undo": "undid change {undoes} ({what})",
    "redo": "did change {undoes} again ({what})",
    "reloaded": "put a backup in place",
}
_VERSION_TEXTS = {
    "created": "stored",
    "pruned": "tidied away",
    "undone": "undid a change",
    "redone": "did it again",
}
_NOUNS = {
    "entry": ("memory", "memories"),
    "block": ("block", "blocks"),
    "agent": ("agent", "agents"),
    "proposal": ("proposal", "proposals"),
    "conversation": ("conversation", "conversations"),
}


def group_line(vault: Vault, group: ChangeGroup) -> str:
    undone = "  (undone)" if group.undone_by else ""
    return f"{_deed_line(vault, group)}{undone}"


def _deed_line(vault: Vault, group: ChangeGroup) -> str:
    """What was done, without whether it still stands."""
    text = change_text(group, touched(vault, group))
    return f"{group.id:>6}  {moment(group.at)}  {group.actor} {text}{_reason_text(group)}"


def _reason_text(group: ChangeGroup) -> str:
    """Of a restore the log keeps the name of what was there before, not of what came."""
    if not group.reason:
        return ""
    before = group.action == "reloaded"
    return f"; what was there is kept as {group.reason}" if before else f": {group.reason}"


def change_text(group: ChangeGroup, what: str) -> str:
    pattern = _CHANGE_TEXTS.get(group.action)
    if pattern is None:
        return f"{group.action} {what}"
    return pattern.format(what=what, undoes=group.undoes)


def version_text(change: Change, group: ChangeGroup) -> str:
    """What made this version. One that came with a larger action, such as a correction, is named
    by it."""
    larger = change.action == "created" and group.action not in _CHANGE_TEXTS
    return group.action if larger else _VERSION_TEXTS.get(change.action, change.action)


def touched(vault: Vault, group: ChangeGroup) -> str:
    """By name when it is one thing, else how many."""
    lines = vault.history.feed(group.id - 1, min(group.size, LOOKED_AT))
    about = ABOUT.get(group.action, "entry")
    main = [line for line in lines if line.thing == about]
    main = main or [line for line in lines if line.thing == lines[0].thing]
    names = dict.fromkeys(_name(vault, line) for line in main)
    if group.size <= LOOKED_AT and len(names) == 1:
        return next(iter(names))
    number = len({line.thing_id for line in main}) if group.size <= LOOKED_AT else group.size
    mixed = group.size > LOOKED_AT and len(main) < len(lines)
    return plural(number, *(("thing",) if mixed else _NOUNS.get(main[0].thing, ("thing",))))


def _name(vault: Vault, line: Change) -> str:
    ident = line.thing_id
    if line.thing == "entry":
        found = vault.memory.entries.read_many([ident])
        return found[0].key if found else "a memory that was erased"
    if line.thing == "block":
        blocks = vault.memory.blocks.listed([line.scope])
        names = [block.name for block in blocks if block.id == ident]
        return f"the {names[0]} block of {line.scope}" if names else f"a block of {line.scope}"
    if line.thing == "proposal":
        return _proposal_name(vault, ident)
    if line.thing == "conversation":
        try:
            return f"“{vault.conversations.read(Caller(), ident).title or ident}”"
        except NotFound:
            return ident
    return "everything" if line.thing == "vault" else ident


def _proposal_name(vault: Vault, ident: str) -> str:
    try:
        proposal = vault.review.read(ident)
    except NotFound:
        return "a proposal"
    named = vault.memory.entries.read_many([proposal.thing_id]) if proposal.thing_id else []
    payload = proposal.payload
    name = payload.get("key") or payload.get("name") or (named[0].key if named else "")
    if proposal.action in ("block", "edit"):
        deed = "edit" if proposal.action == "edit" else "write"
        return f"the proposal to {deed} the {name} block"
    deed = "be let into" if proposal.action == JOIN else proposal.action
    return f"the proposal to {deed} {name}".rstrip()


def _actor(name: str) -> str:
    """An agent by its id; a folder as the log names it."""
    return name if name.startswith("folder:") else f"agent:{name}"


@vault_command("history")
@click.argument("key", required=False)
@click.option("--scope", help="Where the key is, when several scopes have it.")
@click.option("--agent", help="What this agent did, or the files of `folder:NAME`.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50)
def history(
    terminal: Terminal, key: str | None, scope: str | None, agent: str | None, limit: int
) -> None:
    """The versions of the memory KEY, or the vault's latest actions."""
    if key is None:
        actor = _actor(agent) if agent else None
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
    found = _versions_of(events, entry_id)
    while found and (ident := _corrected_from(events, *found[-1])):
        correction = found[-1][1].id
        try:
            older = _versions_of(events, ident)
        except NotFound:  # erased
            break
        found += [one for one in older if one[1].id != correction]
    return found


def _versions_of(events: History, ident: str) -> list[tuple[Version, ChangeGroup]]:
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
        f"{change.seq:>6}  {moment(change.at)}  {change.actor} {version_text(change, group)}"
        f"{reason}\n        {content}"
    )


@vault_command("undo")
@click.argument("group", type=int, required=False)
@click.option("--as", "new_key", help="Another key, when its own was taken meanwhile.")
@click.option("--agent", help="Everything this agent or `folder:NAME` did, with --since.")
@click.option("--since", help="A time like 2026-11-16T09:00Z, a day, `today`, `yesterday` or `7d`.")
def undo(
    terminal: Terminal,
    group: int | None,
    new_key: str | None,
    agent: str | None,
    since: str | None,
) -> None:
    """Take back your latest action, or the action GROUP from `keepsake history`."""
    if agent or since:
        if not (agent and since) or group:
            raise click.UsageError(
                "Undoing an agent's work takes --agent and --since, and no number."
            )
        at = typed_time("--since", since, terminal.vault.clock())
        done = terminal.vault.history.undo_since(_actor(agent), at)
        terminal.show(done, f"Undid {plural(len(done), 'action')} of {agent}.")
        return
    events = terminal.vault.history
    outcome = events.undo(group, key=new_key) if group else events.undo_last(OWNER, key=new_key)
    _show_undone(terminal, outcome, "Undid")


@vault_command("redo")
def redo(terminal: Terminal) -> None:
    """Do again what you undid last."""
    _show_undone(terminal, terminal.vault.history.redo_last(OWNER), "Did again")


def _show_undone(terminal: Terminal, outcome: Undone | KeyTaken, verb: str) -> None:
    if isinstance(outcome, KeyTaken):
        raise key_refused(outcome)
    terminal.show(outcome, f"{verb}: {_deed_line(terminal.vault, outcome.undid).strip()}")
