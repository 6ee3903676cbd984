"""`keepsake import` and `keepsake export`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import one_line, plural
from app.errors import Invalid
from app.markdown.export import FORMATS, MARKDOWN, PAM
from app.markdown.import_plan import CHANGED, DUPLICATE, NEW, REFUSED, ImportPlan, PlanRow
from app.markdown.importers import IMPORTERS, Unrecognised
from app.markdown.importing import CHOICES, SKIP, Imported
from app.rules.fields import parse_scope

_SHOWN = 40
_NAMED = 3
_MARKS = {NEW: "+", CHANGED: "~", REFUSED: "!"}

_OTHER_FILES = (".csv", ".db", ".gz", ".html", ".json", ".jsonl", ".md", ".tar", ".txt", ".yaml")


@vault_command("export")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--scope", "scopes", multiple=True, help="Only these; repeat for several.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default=MARKDOWN,
    show_default=True,
    help="okf: Open Knowledge Format; pam: Portable AI Memory, one .json file.",
)
def export(terminal: Terminal, target: Path, scopes: tuple[str, ...], format_: str) -> None:
    """Write every memory to TARGET: a folder, or a file ending in .zip."""
    _check_target(target, format_)
    wanted = [parse_scope(scope) for scope in scopes] or None
    service = terminal.vault.export
    with _bar(terminal, "Writing") as progress:
        if format_ == PAM:
            done = service.to_portable(target, wanted, progress)
        elif target.suffix.lower() == ".zip":
            done = service.to_zip(target, wanted, progress, format=format_)
        else:
            done = service.to_folder(target, wanted, progress, format_)
    removed = f", {plural(done.removed, 'old file')} removed" if done.removed else ""
    value = asdict(done)
    terminal.show(
        {"place": value.pop("path"), **value},
        f"Exported {plural(done.entries, 'memory', 'memories')} and "
        f"{plural(done.blocks, 'block')} to {target} ({done.written} written{removed}).",
    )


def _check_target(target: Path, format: str) -> None:
    if format == PAM:
        if target.suffix.lower() != ".json" or target.is_dir():
            raise Invalid(f"Portable AI Memory is one file that ends in .json, not {target}.")
    elif target.suffix.lower() in _OTHER_FILES and not target.is_dir():
        raise Invalid(
            f"Memories are exported to a folder or a .zip of markdown, not to {target}. One .json "
            "file is --format pam."
        )
    elif target.suffix.lower() != ".zip" and target.is_file():
        raise Invalid(f"{target} is a file. Name a folder, or a file that ends in .zip.")


@vault_command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--scope", help="Put everything there; else as the files say.")
@click.option(
    "--format",
    "format_",
    type=click.Choice([i.name for i in IMPORTERS]),
    help="Else it is recognised.",
)
@click.option(
    "--conflict",
    type=click.Choice(CHOICES),
    default=SKIP,
    show_default=True,
    help="What to do with a memory that is there and differs.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@click.option("--diff", is_flag=True, help="Show what would change, line by line.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def import_(
    terminal: Terminal,
    path: Path,
    scope: str | None,
    format_: str | None,
    conflict: str,
    dry_run: bool,
    diff: bool,
    yes: bool,
) -> None:
    """Read memories from PATH: a file, a folder or a zip of any format Keepsake knows.

    Says first what is new (+), changed (~) or refused (!), and how much is here already. One undo
    takes the whole import back."""
    importing = terminal.vault.importing
    with _bar(terminal, "Reading") as progress:
        try:
            plan = importing.plan(
                path, scope=parse_scope(scope) if scope else None, format=format_, progress=progress
            )
        except Unrecognised as error:
            raise Invalid(f"{error} Name the format with --format if you know it.") from error
    if dry_run or (not yes and not terminal.as_json):
        terminal.show(_plan_value(plan), lambda: _plan_text(terminal, plan, diff))
    if dry_run:
        return
    if plan.is_empty:
        told = (*_refused_lines(plan), *_ignored_lines(plan))
        if plan.rows and plan.count(REFUSED) == len(plan.rows):
            raise Invalid("\n".join(["Nothing of it can be imported:", *told]))
        if yes or terminal.as_json:
            lines = ["Nothing to import: all of it is known or refused.", *told]
            terminal.show(_plan_value(plan), "\n".join(lines))
        return
    terminal.confirm(f"Import {_counted(plan)}?", yes)
    with _bar(terminal, "Storing") as progress:
        done = importing.apply(plan, conflict=conflict, progress=progress)
    # Who did not see the plan is told here what is missing.
    missing = [*_refused_lines(plan), *_ignored_lines(plan)] if yes else []
    terminal.show(done, "\n".join([_imported_text(done), *missing]))


def _bar(terminal: Terminal, label: str) -> _Progress:
    return _Progress(label, shown=not terminal.as_json and sys.stderr.isatty())


class _Progress:
    """A line on stderr that counts; Ctrl+C cancels and leaves nothing behind."""

    def __init__(self, label: str, shown: bool) -> None:
        self._label = label
        self._shown = shown

    def __enter__(self) -> _Progress:
        return self

    def __call__(self, done: int, total: int) -> None:
        if self._shown:
            click.echo(f"\r{self._label} {done:,} of {total:,} ", nl=False, err=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def _counted(plan: ImportPlan) -> str:
    parts = []
    for what, one, several in (
        ("entry", "memory", "memories"),
        ("block", "block", "blocks"),
        ("conversation", "conversation", "conversations"),
        ("proposal", "proposal", "proposals"),
    ):
        number = plan.count(NEW, what) + plan.count(CHANGED, what)
        if number:
            parts.append(plural(number, one, several))
    return ", ".join(parts) or "nothing"


def _plan_value(plan: ImportPlan) -> dict[str, object]:
    return {
        "format": plan.format,
        "new": plan.count(NEW),
        "changed": plan.count(CHANGED),
        "duplicate": plan.count(DUPLICATE),
        "refused": plan.count(REFUSED),
        "ignored": [{"origin": one.origin, "reason": one.reason} for one in plan.ignored],
        "rows": [
            {"origin": row.origin, "what": row.what, "status": row.status, "reason": row.reason}
            for row in plan.rows
        ],
    }


def _plan_text(terminal: Terminal, plan: ImportPlan, diff: bool) -> str:
    lines = [
        f"{plan.label}: {plan.count(NEW)} new, {plan.count(CHANGED)} changed, "
        f"{plan.count(DUPLICATE)} duplicate, {plan.count(REFUSED)} refused."
    ]
    shown = [row for row in plan.rows if row.status != DUPLICATE]
    for row in shown[:_SHOWN]:
        lines.append(_row_line(row))
        if diff and row.status == CHANGED:
            lines += [f"      {line}" for line in terminal.vault.importing.diff(row).splitlines()]
    if len(shown) > _SHOWN:
        lines.append(f"  … and {len(shown) - _SHOWN:,} more; --json lists all.")
    return "\n".join([*lines, *_ignored_lines(plan)])


def _ignored_lines(plan: ImportPlan) -> list[str]:
    """What holds no memories, a line for each reason with the first few names."""
    lines = []
    for reason, names in plan.ignored_by_reason():
        shown = ", ".join(one_line(name) for name in names[:_NAMED])
        more = f", … ({len(names):,})" if len(names) > _NAMED else ""
        lines.append(f"  - left alone: {shown}{more}: {reason}")
    return lines


def _row_line(row: PlanRow) -> str:
    what = "" if row.what in ("entry", "file") else f" ({row.what})"
    reason = f": {row.reason}" if row.reason else ""
    return f"  {_MARKS[row.status]} {one_line(row.origin)}{what}{reason}"


def _refused_lines(plan: ImportPlan) -> list[str]:
    refused = [row for row in plan.rows if row.status == REFUSED]
    lines = [_row_line(row) for row in refused[:_SHOWN]]
    if len(refused) > _SHOWN:
        lines.append(f"  … and {len(refused) - _SHOWN:,} more; --dry-run --json lists all.")
    return lines


def _imported_text(done: Imported) -> str:
    if done.group is None and done.skipped:  # `keepsake undo` would take something else back
        return (
            f"Nothing was imported, {done.skipped:,} skipped: what is there stays as it is. Where "
            "it differs, --conflict update takes the words of the files, --conflict both keeps "
            "both."
        )
    parts = [f"{plural(done.created, 'new memory', 'new memories')}"]
    for number, text in (
        (done.updated, f"{done.updated:,} updated"),
        (done.kept_both, f"{done.kept_both:,} kept beside the old"),
        (done.skipped, f"{done.skipped:,} skipped"),
        (done.refused, f"{done.refused:,} refused"),
        (done.blocks, plural(done.blocks, "block")),
        (done.conversations, plural(done.conversations, "conversation")),
        (done.proposals, f"{done.proposals:,} waiting in the review inbox"),
        (done.evicted, f"{done.evicted:,} into the trash, since the agent's memory is full"),
    ):
        if number:
            parts.append(text)
    return f"Imported: {', '.join(parts)}. keepsake undo takes all of it back."
