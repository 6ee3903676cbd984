"""What an action did, in a person's words: `owner forgot diet`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.words import moment, plural
from app.errors import NotFound
from app.reach import Caller
from store.records import Change, ChangeGroup

if TYPE_CHECKING:
    from app.vault import Vault

LOOKED_AT = 8  # a larger action is counted, not named
_DEEDS = {
    "proposed": "made {what}",
    "mirrored": "took in {what} from a mirrored folder",
    "pinned": "made {what} core",
    "unpinned": "made {what} an ordinary memory",
    "block": "wrote {what}",
    "session": "updated {what}",
    "agent": "set up the agent {what}",
    "started": "started the conversation {what}",
    "appended": "went on with the conversation {what}",
    "renamed": "renamed the conversation {what}",
    "ended": "ended the conversation {what}",
    "upkeep": "tidied away {what}",
    "undo": "undid change {undoes} ({what})",
    "redo": "did change {undoes} again ({what})",
    "reloaded": "put a backup in place",
}
_VERSIONS = {"created": "stored", "pruned": "tidied away", "undone": "undid a change"}
# What an action is about, when it touches several sorts of things; memories unless named here.
_ABOUT = {
    "block": "block", "edited": "block", "session": "block", "agent": "agent",
    "started": "conversation", "appended": "conversation", "renamed": "conversation",
    "ended": "conversation",
}  # fmt: skip
_NOUNS = {
    "entry": ("memory", "memories"), "block": ("block", "blocks"), "agent": ("agent", "agents"),
    "proposal": ("proposal", "proposals"), "conversation": ("conversation", "conversations"),
}  # fmt: skip


def group_line(vault: Vault, group: ChangeGroup) -> str:
    reason = f": {group.reason}" if group.reason else ""
    undone = "  (undone)" if group.undone_by else ""
    return (
        f"{group.id:>6}  {moment(group.at)}  {group.actor} {deed(group, touched(vault, group))}"
        f"{reason}{undone}"
    )


def deed(group: ChangeGroup, what: str) -> str:
    pattern = _DEEDS.get(group.action, f"{group.action} {{what}}")
    return pattern.format(what=what, undoes=group.undoes)


def version_deed(change: Change, group: ChangeGroup) -> str:
    """What made this version. One that came with a larger action, such as a correction, is named
    by it."""
    larger = change.action == "created" and group.action not in _DEEDS
    return group.action if larger else _VERSIONS.get(change.action, change.action)


def touched(vault: Vault, group: ChangeGroup) -> str:
    """By name when it is one thing, else how many."""
    lines = vault.history.feed(group.id - 1, min(group.size, LOOKED_AT))
    about = _ABOUT.get(group.action, "entry")
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
        found = vault.entries.read_many([ident])
        return found[0].key if found else "a memory that was erased"
    if line.thing == "block":
        names = [block.name for block in vault.blocks.listed([line.scope]) if block.id == ident]
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
    named = vault.entries.read_many([proposal.thing_id]) if proposal.thing_id else []
    payload = proposal.payload
    name = payload.get("key") or payload.get("name") or (named[0].key if named else "")
    return f"the proposal to {proposal.action} {name}".rstrip()
