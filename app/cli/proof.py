"""`keepsake test` and `keepsake expect`: what the owner demands of memory, and whether it holds."""

from __future__ import annotations

import time
from pathlib import Path

import click

from app.cli.command import Terminal, vault_command
from app.cli.formatting import plural
from app.errors import Invalid
from app.outcomes import Saved
from app.proof.checks import CheckResult, Checks, broken_by, junit
from app.proof.expectations import FORMS, expectation_draft, read_sentence


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
            forms = "\n  ".join(FORMS)
            raise Invalid(f"This is not understood: {sentence}\nWrite one like:\n  {forms}")
    lines = "\n".join(f"- {sentence}" for sentence in sentences)
    saved = terminal.memory.entries.store(expectation_draft(lines, key))
    assert isinstance(saved, Saved)  # the owner's writes never wait
    terminal.show(saved.entry, f"Expected, as {saved.entry.key}. keepsake test checks it.")


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
    if report is not None:
        report.write_text(junit(results, time.perf_counter() - began), "utf-8")
    terminal.show({"results": [_fields(one) for one in results]}, lambda: _text(results))
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
