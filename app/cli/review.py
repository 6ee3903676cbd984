"""`keepsake review list`, `approve`, `reject`, `edit`. They ask the vault's review: deciding is the
owner's alone, and no part of a caller's memory."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import entry_line, moment, one_line, plural, typed_time
from app.errors import ConflictError, Invalid
from app.outcomes import Conflict, KeyTaken
from app.review.conflicts import BOTH, NEWER, OLDER, Disagreement
from app.review.inbox import FieldChange, Inbox, WaitingProposal
from app.review.review import Approved
from app.text.hidden import revealed
from store.records import JOIN, Proposal
from store.tables.proposals import PENDING

_ACTION_TEXTS = {
    "promote": "make {what} core",
    "demote": "make {what} an ordinary memory",
    "block": "write the {what} block",
    "edit": "edit the {what} block",
    JOIN: "be let into the workspace {what}",
}


@click.group()
def review() -> None:
    """Decide what agents under review may write."""


@vault_command("list", review)
@click.option("--agent", "agent_id", help="Only this agent's.")
@click.option("--state", type=click.Choice(["pending", "approved", "rejected"]), default="pending")
def list_proposals(terminal: Terminal, agent_id: str | None, state: str) -> None:
    """What waits in the inbox, oldest first."""
    found = terminal.vault.review.listed(state, agent_id)
    terminal.show(
        {"proposals": found},
        lambda: "\n".join(_line(terminal, one) for one in found) or "The inbox is empty.",
    )


@vault_command("show", review)
@click.argument("ident", metavar="ID")
def show_proposal(terminal: Terminal, ident: str) -> None:
    """One proposal in full: the text, what it replaces, every field."""
    proposal = terminal.vault.review.read(ident)
    inbox = _inbox(terminal)
    shown = inbox.shown(proposal)
    said = [f"{turn.role}: {turn.content}" for turn in inbox.said(shown)]
    fields = {one.name: {"before": one.before, "after": one.after} for one in shown.fields}
    value = {"proposal": proposal, "before": shown.before, "after": shown.after, "fields": fields}
    terminal.show(
        {**value, "said": said, "hidden": shown.hidden}, lambda: _whole(terminal, shown, said)
    )


def _whole(terminal: Terminal, shown: WaitingProposal, said: Sequence[str]) -> str:
    parts = [_line(terminal, shown.proposal)]
    if said:
        parts.append("Said:\n" + indented(revealed("\n".join(said))))
    if shown.before and shown.before != shown.after:
        parts.append(f"Now:\n{indented(revealed(shown.before))}")
    if shown.after:
        parts.append(f"Proposed:\n{indented(revealed(shown.after))}")
    return "\n\n".join(parts)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


@vault_command("approve", review)
@click.argument("ids", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait.")
@click.option("--content", help="Store this instead of the proposed content (one id).")
@click.option("--force", is_flag=True, help="Also over what changed since.")
def approve(
    terminal: Terminal, ids: tuple[str, ...], everything: bool, content: str | None, force: bool
) -> None:
    """Do what was proposed."""
    inbox = terminal.vault.review
    chosen = [one.id for one in inbox.listed()] if everything else list(ids)
    if everything and not chosen:
        _show_approved(terminal, [], [], "The inbox is empty.")
        return
    if not chosen:
        raise click.UsageError("Which proposals? Name their ids, or say --all.")
    if content is not None or force:
        if len(chosen) != 1:
            raise click.UsageError("--content and --force take exactly one proposal.")
        _approve_one(terminal, chosen[0], content, force)
        return
    done, left = inbox.approve_many(chosen)
    text = f"Approved {plural(len(done), 'proposal')}.{_evicted_text(done)}"
    if left:
        text += (
            f" {len(left)} could not be: what they change was changed since, or the memory of "
            "their agent is full. keepsake review approve ID says which."
        )
    _show_approved(terminal, done, left, text)


def _evicted_text(done: Sequence[Approved]) -> str:
    keys = [entry.key for one in done for entry in one.evicted]
    return f" Into the trash to make room: {', '.join(keys)}." if keys else ""


def _show_approved(
    terminal: Terminal, done: Sequence[Approved], left: Sequence[Proposal], text: str
) -> None:
    evicted = [entry.key for one in done for entry in one.evicted]
    told = {"approved": [one.proposal for one in done], "left": left, "evicted": evicted}
    terminal.show(told, text)


def _approve_one(terminal: Terminal, ident: str, content: str | None, force: bool) -> None:
    inbox = terminal.vault.review
    payload = None if content is None else with_content(inbox.read(ident), content)
    outcome = inbox.approve(ident, payload, force=force)
    if isinstance(outcome, Conflict):
        raise ConflictError("It was changed since; --force writes over it.", outcome.current)
    if isinstance(outcome, KeyTaken):
        raise ConflictError(f"The key {outcome.key} is taken in that scope.", outcome.entry)
    _show_approved(terminal, [outcome], [], f"Approved 1 proposal.{_evicted_text([outcome])}")


@vault_command("reject", review)
@click.argument("ids", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that wait.")
@click.option("--reason", default="", help="Kept in the history.")
def reject(terminal: Terminal, ids: tuple[str, ...], everything: bool, reason: str) -> None:
    """Close proposals without writing. `keepsake undo` brings them back."""
    inbox = terminal.vault.review
    chosen = [one.id for one in inbox.listed()] if everything else list(ids)
    if everything and not chosen:
        terminal.show({"rejected": []}, "The inbox is empty.")
        return
    if not chosen:
        raise click.UsageError("Which proposals? Name their ids, or say --all.")
    closed = inbox.reject(chosen, reason=reason)
    terminal.show({"rejected": closed}, f"Rejected {plural(len(closed), 'proposal')}.")


@vault_command("edit", review)
@click.argument("ident", metavar="ID")
@click.option("--content", help="Another content.")
@click.option("--payload", help="The whole payload, as JSON.")
def edit(terminal: Terminal, ident: str, content: str | None, payload: str | None) -> None:
    """Change what is proposed; it keeps waiting."""
    if (content is None) == (payload is None):
        raise click.UsageError("Give either --content or --payload.")
    proposal = terminal.vault.review.read(ident)
    wanted = _parsed(str(payload)) if content is None else with_content(proposal, content)
    changed = terminal.vault.review.edit(ident, wanted)
    terminal.show(changed, lambda: _line(terminal, changed))


def with_content(proposal: Proposal, content: str) -> dict[str, object]:
    """The proposal's payload with another content, wherever its action keeps it."""
    if proposal.action in ("change", "correct"):
        fields = proposal.payload.get("fields")
        assert isinstance(fields, dict)
        return {**proposal.payload, "fields": {**fields, "content": content}}
    if proposal.action in ("store", "block"):
        return {**proposal.payload, "content": content}
    raise Invalid(f"A proposal to {proposal.action} has no content.")


def _parsed(text: str) -> dict[str, object]:
    try:
        payload = json.loads(text)
    except ValueError as error:
        raise Invalid(f"--payload is not JSON: {error}.") from error
    if not isinstance(payload, dict):
        raise Invalid("--payload is a JSON object.")
    return payload


def _inbox(terminal: Terminal) -> Inbox:
    return Inbox(terminal.vault)


def _line(terminal: Terminal, proposal: Proposal) -> str:
    inbox = _inbox(terminal)
    shown = inbox.shown(proposal)
    what = str(proposal.payload.get("name") or shown.title)
    action_text = _ACTION_TEXTS.get(proposal.action, f"{proposal.action} {{what}}").format(
        what=one_line(revealed(what))
    )
    reason = f" ({revealed(proposal.reason)})" if proposal.reason else ""
    would = "would" if proposal.state == PENDING else "wanted to"
    where = "" if proposal.action == JOIN else f" in {proposal.scope}"
    first = (
        f"{proposal.id}  {moment(proposal.created_at)}  {proposal.agent_id} {would} {action_text}"
        f"{where}{reason}"
    )
    return "\n".join([first, *(f"    {line}" for line in _text_lines(inbox, shown))])


def _text_lines(inbox: Inbox, shown: WaitingProposal) -> list[str]:
    if shown.problem and shown.proposal.state == PENDING:
        return [shown.problem]
    if shown.proposal.action == "forget":
        gone = inbox.would_go(shown.proposal)
        return [f"{entry.key}: {one_line(entry.content)}" for entry in gone]
    text = [one_line(revealed(shown.after))] if shown.after else []
    return [*text, *map(_field_line, shown.fields), *_hidden_line(shown)]


def _field_line(change: FieldChange) -> str:
    was = "" if change.before in (None, "", []) else f"{_value_text(change.before)} → "
    return f"{change.name}: {was}{_value_text(change.after)}"


def _value_text(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return one_line(revealed(text), most=1000) if value not in (None, "", []) else "(nothing)"


def _hidden_line(shown: WaitingProposal) -> list[str]:
    if not shown.hidden:
        return []
    return [
        f"It holds {plural(shown.hidden, 'character')} that nobody sees; they are spelt ⟨U+…⟩ here "
        "and left out of what agents get."
    ]


@vault_command("conflicts")
@click.argument("key", required=False)
@click.option("--with", "other", help="The other memory, where KEY contradicts several.")
@click.option("--new-from", help="The new one is true from then on: a day, a time, or today.")
@click.option("--both", is_flag=True, help="Both are true.")
@click.option("--old", is_flag=True, help="The old one stays, the new one goes to the trash.")
def conflicts(
    terminal: Terminal,
    key: str | None,
    other: str | None,
    new_from: str | None,
    both: bool,
    old: bool,
) -> None:
    """Memories that cannot both be true; with KEY and an answer, settles the one KEY is in."""
    service = terminal.vault.conflicts
    service.catch_up()
    found = [
        one
        for one in service.listed()
        if key is None or key in (one.older.key, one.newer.key, one.older.id, one.newer.id)
    ]
    if other is not None:
        found = [one for one in found if other in (one.older.key, one.newer.key)]
    answers = [NEWER] * (new_from is not None) + [BOTH] * both + [OLDER] * old
    if not answers:
        terminal.show([_plain(one) for one in found], "\n\n".join(map(_sides, found)) or _NONE)
        return
    if key is None or len(answers) > 1:
        raise click.UsageError("Name one memory, and one of --new-from, --both and --old.")
    if len(found) != 1:
        keys = ", ".join(f"{one.older.key} and {one.newer.key}" for one in found)
        raise Invalid(f"{key} contradicts several: {keys}. Say --with." if found else _NONE)
    when = None if new_from is None else typed_time("--new-from", new_from, terminal.vault.clock())
    done = service.settle(found[0].older.id, found[0].newer.id, answers[0], when)
    undo = f" keepsake undo {done.group} takes it back." if done.group else ""
    terminal.show({"how": done.how, "change": done.group}, f"Settled.{undo}")


_NONE = "No contradiction was noticed. One told in quite other words mostly is not."


def _plain(one: Disagreement) -> dict[str, object]:
    return {
        "older": one.older,
        "newer": one.newer,
        "difference": one.difference,
        "noticed_at": one.noticed_at,
        "told": one.told.key,
    }


def _sides(one: Disagreement) -> str:
    return "\n".join(
        (
            f"{one.difference}: {one.told.key} comes first until you settle it",
            f"  old  {moment(one.older.written_at)}  {entry_line(one.older)}",
            f"  new  {moment(one.newer.written_at)}  {entry_line(one.newer)}",
        )
    )
