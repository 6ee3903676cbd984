"""`keepsake expect` and `test`: what the owner demands of memory, and whether it holds. `bisect`
and `blame`: since which change it does not, and which memory is behind a sentence. `still-true`:
what the owner confirms."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import click

from app.cli.command import DASHES_ALLOWED, Terminal, harmless, plain, vault_command
from app.cli.entries import named
from app.cli.formatting import entry_line, moment, one_line, plural, typed_time, write_report
from app.errors import ConflictError, Invalid
from app.outcomes import Conflict, Forgotten, Saved
from app.proof.bisect import Bisect, first_bad
from app.proof.blame import Blame, Source
from app.proof.checks import CheckResult, Checks, broken_by, judge, junit, way_back
from app.proof.expectations import FORMS, expectation_draft, read_sentence
from app.proof.still_true import StillTrue, TodaysCards, TruthCard
from app.rules.still_true import CONTRADICTED, DUE
from store.records import ChangeGroup, Entry


@vault_command("expect")
@click.argument("sentences", nargs=-1, required=True)
@click.option("--key", help="The test's name; one of that name is replaced.")
def expect(terminal: Terminal, sentences: tuple[str, ...], key: str | None) -> None:
    """Demand something of memory: a test that is run after every change.

    A sentence reads like one of these:

    \b
      Asked "where do we deploy?", claude gets `deploy_target` among the first 3.
      Asked "what do I drink?", claude gets `tea` before `coffee`.
      claude is told `deploy_target`.
      cursor is never told anything tagged `health`.
      `tea` beats `coffee` for claude.
      Core stays under 6 KB for claude.
    """
    for sentence in sentences:
        if not read_sentence("", "", sentence).sort:
            raise _not_understood(sentence)
    lines = "\n".join(f"- {sentence}" for sentence in sentences)
    saved = terminal.memory.entries.store(expectation_draft(lines, key))
    assert isinstance(saved, Saved)  # the owner's writes never wait
    terminal.show(saved.entry, f"Expected, as {saved.entry.key}. keepsake test checks it.")


def _not_understood(sentence: str) -> Invalid:
    forms = "\n  ".join(FORMS)
    return Invalid(f"This is not understood: {sentence}\nWrite one like:\n  {forms}")


@vault_command("test")
@click.option(
    "--junit",
    "report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a JUnit report to this file.",
)
def test(terminal: Terminal, report: Path | None) -> None:
    """Check every expectation. Ends with 1 if one is red.

    A red one names the change that broke it, as far as it is known, and how to undo it."""
    began = time.perf_counter()
    results = Checks(terminal.vault).run()
    took = time.perf_counter() - began
    terminal.show({"results": [_fields(one) for one in results]}, lambda: _text(results))
    if report is not None:
        write_report(report, junit(results, took))
    if any(not one.passed for one in results):
        raise click.exceptions.Exit(1)


def _fields(one: CheckResult) -> dict[str, object]:
    return {
        "test": one.expectation.test,
        "sentence": one.expectation.sentence,
        "passed": one.passed,
        "reason": one.reason,
        "broken_by": one.group,
        "suspects": one.suspects,
        "cause": one.cause,
    }


def _text(results: list[CheckResult]) -> str:
    if not results:
        return "Nothing is expected yet. Begin with keepsake expect --help."
    lines = []
    for one in results:
        lines.append(f"{'green' if one.passed else 'RED  '}  {one.expectation.sentence}")
        if not one.passed:
            lines += [f"       {text}" for text in (one.reason, broken_by(one)) if text]
    red = sum(not one.passed for one in results)
    verdict = f"{red} of {plural(len(results), 'expectation')} red." if red else "All as expected."
    return "\n".join([*lines, verdict])


@vault_command("bisect")
@click.option("--agent", "agent_id", help="Whose text is judged, by you.")
@click.option(
    "--expect", "sentence", help="Let this sentence judge instead, as in keepsake expect."
)
@click.option("--workspace", default="", help="The workspace the agent works in.")
@click.option("--good", type=int, default=0, help="The last change after which it was right.")
@click.option("--bad", type=int, help="A change after which it was wrong. Default: now.")
def bisect(
    terminal: Terminal,
    agent_id: str | None,
    sentence: str | None,
    workspace: str,
    good: int,
    bad: int | None,
) -> None:
    """Find the change since which an agent is told the wrong thing.

    Walks the change log by halves. You read the exact text the agent got after a change and say
    whether it was good; or a sentence judges, without asking."""
    if (agent_id is None) == (sentence is None):
        raise click.UsageError("Say --agent to judge yourself, or --expect to let a sentence.")
    vault = terminal.vault
    walk = Bisect(vault, good, bad)
    if sentence is not None:
        asked, found = _by_sentence(terminal, walk, sentence)
    else:
        asked, found = _by_person(terminal, walk, str(agent_id), workspace)
    back = way_back(found)
    terminal.show(
        {"change": found, "changes": vault.history.details(found.id), "questions": asked},
        lambda: (
            f"After {plural(asked, 'question')}, of {plural(len(walk.groups), 'change')}:\n"
            f"{_change_line(terminal, found)}\n{back}"
        ),
    )


def _change_line(terminal: Terminal, group: ChangeGroup) -> str:
    names = ", ".join(terminal.vault.history.names([group]).get(group.id, ()))
    about = f" ({names})" if names else ""
    return f"change {group.id}, {moment(group.at)}: {group.actor} {group.action}{about}"


def _by_sentence(terminal: Terminal, walk: Bisect, sentence: str) -> tuple[int, ChangeGroup]:
    expected = read_sentence("", "", sentence)
    if not expected.sort:
        raise _not_understood(sentence)
    agent = terminal.vault.agents.read(expected.agent) if expected.agent else None
    asked = 0

    def good(place: int) -> bool:
        nonlocal asked
        asked += 1
        return judge(expected, walk.after(place), agent)[0]

    if not good(-1):
        raise Invalid("It was not so before the first of these changes either. Move --good.")
    found = first_bad(walk.groups, good)
    return asked, found


def _by_person(
    terminal: Terminal, walk: Bisect, agent_id: str, workspace: str
) -> tuple[int, ChangeGroup]:
    if not sys.stdin.isatty():
        raise Invalid("Nobody can be asked here. Let a sentence judge: --expect.")
    agent, halving, asked = terminal.vault.agents.read(agent_id), walk.start(), 0
    while (middle := halving.middle) is not None:
        text = walk.after(middle).told(agent, workspace).text
        left = plural(halving.questions_left, "question")
        click.echo(harmless(f"{text}\n--- After {_change_line(terminal, walk.groups[middle])}"))
        good = click.prompt(f"--- Good or bad? At most {left} left (g, b)", value_proc=is_good)
        asked += 1
        halving = halving.judged(good)
    return asked, halving.found


def is_good(answer: str) -> bool:
    """What a person answers, whole or by its first letter."""
    word = answer.strip().lower()
    if word not in ("g", "good", "b", "bad"):
        raise click.UsageError("Say g (good) or b (bad).")
    return word.startswith("g")


@vault_command("blame", context_settings=DASHES_ALLOWED)
@click.argument("sentence")
@click.option("--agent", help="Who said it: what it was told comes first.")
@click.option("--limit", type=click.IntRange(1, 40), default=3, show_default=True)
def blame(terminal: Terminal, sentence: str, agent: str | None, limit: int) -> None:
    """The memories that something an assistant said most likely came from.

    Each with how sure it is, when it was last told, who wrote it, and the turn that taught it."""
    found = Blame(terminal.vault).sentence(sentence, agent=agent, limit=limit)
    terminal.show(
        {"sources": [{**plain(one), "verdict": one.verdict} for one in found]},
        lambda: "\n".join(map(_source_text, found)) or "No memory says anything like it.",
    )


def _source_text(one: Source) -> str:
    lines = [
        f"{one.sure:.2f} {one.verdict} (words {one.words:.2f}, meaning {one.meaning:.2f})",
        *(f"  {line}" for line in entry_line(one.entry).splitlines()),
    ]
    if one.written is not None:
        at = moment(one.written.at)
        lines.append(f"  written by {one.written.actor} on {at}, change {one.written.group}")
    for turn in one.turns:
        said = one_line(turn.content)
        lines.append(f"  taught by {turn.role} on {moment(turn.created_at)}: {said}")
    if one.call is not None:
        call = one.call
        asked = f": {one_line(call.asked, 60)}" if call.asked else ""
        lines.append(f"  last told to {call.agent_id} on {moment(call.at)} by {call.call}{asked}")
    else:
        lines.append("  told to nobody, as far as the log of calls goes back")
    lines.append(f"  keepsake correct {shlex.quote(one.entry.key)} sets it right")
    return "\n".join(lines)


@vault_command("still-true")
@click.option("--yes", "yes", metavar="KEY", help="It is still true.")
@click.option("--no", "no", metavar="KEY", help="It is not; say one of the next three, too.")
@click.option("--forget", is_flag=True, help="With --no: put it in the trash.")
@click.option("--until", help="With --no: it was true until then, a day or a time.")
@click.option("--instead", metavar="TEXT", help="With --no: what is true instead.")
@click.option("--scope", help="Where the key is, when several scopes have it.")
def still_true(
    terminal: Terminal,
    yes: str | None,
    no: str | None,
    forget: bool,
    until: str | None,
    instead: str | None,
    scope: str | None,
) -> None:
    """Which memories to confirm today, and your answers.

    Confirmed ones come back rarely. No agent can confirm anything."""
    service = StillTrue(terminal.vault)
    ways = forget + (until is not None) + (instead is not None)
    if (yes and no) or ways != bool(no):
        raise click.UsageError(
            "Say --yes KEY, or --no KEY with one of --forget, --until and --instead."
        )
    if not (yes or no):
        terminal.vault.conflicts.catch_up()
        found = service.today()
        terminal.show(_cards(found), lambda: _asked_today(found))
        return
    entry = named(terminal, yes or no or "", scope)
    outcome = _answered(terminal, service, entry, forget, until, instead)
    if isinstance(outcome, Conflict):
        raise ConflictError(f"{entry.key} was changed meanwhile; nothing was written.")
    left = outcome.entries[0] if isinstance(outcome, Forgotten) else outcome.entry
    terminal.show({"entry": left, "change": outcome.group}, _answer_text(left, outcome))


def _answered(
    terminal: Terminal,
    service: StillTrue,
    entry: Entry,
    forget: bool,
    until: str | None,
    instead: str | None,
) -> Saved | Forgotten | Conflict:
    if forget:
        return service.forget(entry.id)
    if until is not None:
        when = typed_time("--until", until, terminal.vault.clock())
        return service.until(entry.id, when, entry.updated_at)
    if instead is not None:
        return service.instead(entry.id, instead, entry.updated_at)
    return service.yes(entry.id, entry.updated_at)


def _answer_text(entry: Entry, outcome: Saved | Forgotten) -> str:
    if isinstance(outcome, Forgotten):
        words = f"Forgot {entry.key}."
    elif entry.true_until is not None:
        words = f"{entry.key} was true until {moment(entry.true_until)}."
    else:
        again = f"asked again after {moment(entry.stale_after)}" if entry.stale_after else ""
        words = f"Confirmed {entry.key}; {again or 'it does not grow old'}."
    return f"{words} keepsake undo {outcome.group} takes it back."


def _cards(found: TodaysCards) -> dict[str, object]:
    cards = [{"entry": one.entry, "reason": one.reason, "other": one.other} for one in found.cards]
    share = {"confirmed": found.confirmed, "core": found.core}
    return {"cards": cards, "answered_today": found.answered, **share}


def _asked_today(found: TodaysCards) -> str:
    lines = [f"{_why(card)}\n  {entry_line(card.entry)}" for card in found.cards]
    lines.append(
        f"You confirmed {found.confirmed} of {plural(found.core, 'core memory', 'core memories')}."
    )
    if not found.cards:
        return f"Nothing to confirm today. {lines[-1]}"
    return "\n".join([*lines, "Say --yes KEY, or --no KEY with --forget, --until or --instead."])


def _why(card: TruthCard) -> str:
    entry = card.entry
    if card.reason == CONTRADICTED:
        return f"contradicts {card.other.key}" if card.other is not None else "contradicted"
    if card.reason == DUE:
        return f"last confirmed {moment(entry.verified_at or '')}"
    return f"never confirmed, written {moment(entry.written_at)}"
