"""`keepsake beliefs` and `passport`: what other assistants say of the owner, and what sets them
right."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import moment, one_line, plural, write_report
from app.errors import Invalid
from app.proof.beliefs import (
    AGREE,
    DIFFERS,
    IGNORED,
    ONLY_THEY,
    ONLY_YOU,
    WRONG,
    Belief,
    Beliefs,
    Compared,
)
from app.proof.passport import CHARACTERS, LEAST, MOST, SIZE, UNITS, Passports
from app.rules.fields import entry_fields

_SHOWN = 40
_HEADINGS = {
    DIFFERS: "They say otherwise",
    ONLY_THEY: "Only they say",
    ONLY_YOU: "Only you say",
    AGREE: "You agree",
}


@vault_command("beliefs")
@click.argument("source_file", metavar="FILE|-")
@click.option("--from", "source", help="Who says it. Default: as the file shows, else other.")
@click.option("--take", multiple=True, type=int, metavar="N", help="Take over statement N.")
@click.option("--wrong", multiple=True, type=int, metavar="N", help="Statement N is wrong.")
@click.option("--ignore", multiple=True, type=int, metavar="N", help="Not to be asked again.")
@click.option("--all", "everything", is_flag=True, help="List all, also what you agree on.")
def beliefs(
    terminal: Terminal,
    source_file: str,
    source: str | None,
    take: tuple[int, ...],
    wrong: tuple[int, ...],
    ignore: tuple[int, ...],
    everything: bool,
) -> None:
    """Compare what another assistant says about you with your memory.

    FILE is an export of ChatGPT, Claude or Gemini, a memory file, or a text with its answer to
    "what do you know about me?"; - reads that answer from standard input. The numbers before the
    statements are what --take, --wrong and --ignore name."""
    service = Beliefs(terminal.vault, terminal.memory)
    if source_file == "-":
        said = service.read_text(sys.stdin.read())
    else:
        said = service.read(Path(source_file))
    name = source or said.source or "other"
    found = service.compare(said.statements, name)
    for number in take:
        row = _numbered(found, number)
        service.take_over(name, row.they, row.entry)
    for numbers, decision in ((wrong, WRONG), (ignore, IGNORED)):
        for number in numbers:
            row = _numbered(found, number)
            service.decide(name, row.they, decision, row.entry)
    if take or wrong or ignore:
        found = service.compare(said.statements, name)
    terminal.show(_value(found), lambda: _text(found, everything))


def _numbered(found: Compared, number: int) -> Belief:
    if not 1 <= number <= len(found.rows):
        raise Invalid(f"There is no statement {number}; they are numbered to {len(found.rows)}.")
    return found.rows[number - 1]


def _value(found: Compared) -> dict[str, object]:
    return {
        "source": found.source,
        "counts": {verdict: found.counted(verdict) for verdict in _HEADINGS},
        "rows": [_fields(row) for row in (*found.rows, *found.yours)],
    }


def _fields(row: Belief) -> dict[str, object]:
    return {
        "they_say": row.they or None,
        "you_say": entry_fields(row.entry) if row.entry is not None else None,
        "verdict": row.verdict,
        "sure": row.sure,
        "difference": row.why or None,
        "topic": row.topic or None,
        "decision": row.decision or None,
        "last_agreed": row.agreed_at,
    }


def _text(found: Compared, everything: bool) -> str:
    numbers = {id(row): number for number, row in enumerate(found.rows, 1)}
    lines = []
    for verdict, heading in _HEADINGS.items():
        some = [row for row in (*found.rows, *found.yours) if row.verdict == verdict]
        lines.append(f"{heading}: {len(some):,}")
        if verdict == AGREE and not everything:
            continue
        shown = some if everything else some[:_SHOWN]
        for row in shown:
            lines += [f"  {line}" for line in _row(row, numbers.get(id(row)))]
        if len(some) > len(shown):
            lines.append(f"  … and {len(some) - len(shown):,} more; --all lists them.")
    lines.append(f'keepsake passport --for "{found.source}" writes what sets them right.')
    return "\n".join(lines)


def _row(row: Belief, number: int | None) -> list[str]:
    agreed = f", last agreed {moment(row.agreed_at)}" if row.agreed_at else ""
    decided = f" [{row.decision}]" if row.decision else ""
    lines = []
    if row.they:
        lines.append(f"{number}. they: {one_line(row.they, 200)}{decided}")
    if row.entry is not None:
        differs = f" ({row.why})" if row.why else ""
        sure = f" {row.sure:.2f}{differs}{agreed}" if row.they else agreed.lstrip(",")
        lines.append(f"   you:  {one_line(row.entry.content, 200)} [{row.entry.key}]{sure}")
    return lines


@vault_command("passport")
@click.option("--size", type=click.IntRange(LEAST, MOST), default=SIZE, show_default=True)
@click.option("--unit", type=click.Choice(UNITS), default=CHARACTERS, show_default=True)
@click.option("--for", "source", default="", help="Whom it is for, as in keepsake beliefs --from.")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this file."
)
def passport(terminal: Terminal, size: int, unit: str, source: str, output: Path | None) -> None:
    """The shortest text that sets another assistant right about you.

    What it has wrong comes first, then what it lacks, in the order of hydration. What is muted for
    it, or for cloud models, is never in it."""
    made = Passports(terminal.vault).passport(source, size, unit)
    if output is not None:
        write_report(output, made.text)
    left = f", {plural(made.left_out, 'memory', 'memories')} left out" if made.left_out else ""
    said = f"{made.used:,} of {made.size:,} {made.unit}{left}"
    if output is not None:
        terminal.show(made, f"{said}, written to {output}.")
        return
    terminal.show(made, made.text.rstrip("\n") or "There is nothing to set right.")
    if not terminal.as_json and sys.stderr.isatty():
        click.echo(said, err=True)
