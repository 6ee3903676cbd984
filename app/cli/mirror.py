"""`keepsake mirror`, `keepsake memory` and `keepsake promote`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from app.access.workspace_names import workspace_of_folder
from app.cli.command import Terminal, vault_command
from app.cli.entries import named
from app.cli.formatting import plural
from app.errors import Invalid, NotFound, Refused
from app.hooks.kept_memories import KeptMemories, KeptPlaces
from app.markdown.mirror.mirrors import ACCEPT, RESTORE, Synced
from app.markdown.notes import promote as promote_note
from app.markdown.projection import BUDGET, FILES, Projection, Projections
from app.mcp.workspaces import workspace_named
from app.rules.fields import parse_scope
from store.records import OWNER, Entry
from store.tables.mirrors import HALTED, Mirror


@click.group("mirror")
def mirror() -> None:
    """Keep folders and scopes in step, both ways."""


@vault_command("add", mirror)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--scope", default="user", show_default=True, help="What to mirror there.")
@click.option(
    "--writer",
    default=OWNER,
    show_default=True,
    help="Whose writes edits of the files are: owner, or agent:ID.",
)
def mirror_add(terminal: Terminal, folder: Path, scope: str, writer: str) -> None:
    """Mirror a scope in FOLDER. Notes that are there already come in."""
    if writer != OWNER:
        terminal.vault.agents.read(writer.removeprefix("agent:"))
        writer = f"agent:{writer.removeprefix('agent:')}"
    _show_synced(terminal, [terminal.vault.mirrors.add(folder, parse_scope(scope), writer)])


@vault_command("list", mirror)
def mirror_list(terminal: Terminal) -> None:
    """The mirrored folders and how they are."""
    mirrors = terminal.vault.mirrors.listed()
    lines: list[str] = []
    for one in mirrors:
        lines.append(f"{one.folder}  [{one.scope}] {one.state}")
        if one.state == HALTED:
            lines += _halted_lines(one)[1:]
        elif one.problem:
            lines.append(f"  {one.problem}")
    terminal.show({"mirrors": mirrors}, "\n".join(lines) or "No folder is mirrored.")


@vault_command("remove", mirror)
@click.argument("folder")
def mirror_remove(terminal: Terminal, folder: str) -> None:
    """Stop mirroring FOLDER. Its files and the memories stay."""
    gone = terminal.vault.mirrors.remove(folder)
    terminal.show(gone, f"{gone.folder} is no longer mirrored; its files are still there.")


@vault_command("sync", mirror)
@click.argument("folder", required=False)
@click.option("--restore", "answer", flag_value=RESTORE, help="After a halt: write what vanished.")
@click.option("--accept", "answer", flag_value=ACCEPT, help="After a halt: forget what vanished.")
def mirror_sync(terminal: Terminal, folder: str | None, answer: str | None) -> None:
    """Bring FOLDER, or every mirror, in step now."""
    mirrors = terminal.vault.mirrors
    if folder is None:
        if answer:
            raise click.UsageError("Name the folder that --restore or --accept is about.")
        _show_synced(terminal, mirrors.sync_all())
    else:
        _show_synced(terminal, [mirrors.sync(mirrors.named(folder).id, answer)])


class _NoteGroup(click.Group):
    """`memory edit NOTE` is a command; `memory NOTE` shows a note."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            return "show", self.commands["show"], args
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = [word for word in args if not word.startswith("-")]
        if "--help" not in args and (not names or names[0] not in self.commands):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("memory", cls=_NoteGroup)
def memory() -> None:
    """The notes of a workspace: `memory` shows the index, `memory NOTE` one note.

    `memory edit [NOTE]` opens a note, or the index, in your editor. The workspace is the current
    folder's unless --workspace names another."""


def _workspace_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--workspace", metavar="NAME|PATH", help="Else the one of the current folder."
    )(function)


@vault_command("show", memory)
@click.argument("note", required=False)
@_workspace_option
def memory_show(terminal: Terminal, note: str | None, workspace: str | None) -> None:
    """Show the index, or one NOTE."""
    notes = terminal.vault.notes
    workspace_name = _workspace_name(workspace)
    if note is not None:
        found = notes.find(workspace_name, note)
        terminal.show(found.entry, found.entry.content)
        return
    index = notes.index(workspace_name)
    folder = notes.open(workspace_name)
    terminal.show(
        {
            "workspace": workspace_name,
            "folder": folder,
            "index": index,
            "notes": notes.listed(workspace_name),
        },
        f"{index.rstrip()}\n\nIn {folder}",
    )


@vault_command("edit", memory)
@click.argument("note", required=False)
@_workspace_option
def memory_edit(terminal: Terminal, note: str | None, workspace: str | None) -> None:
    """Open NOTE, or the index, in $VISUAL or $EDITOR. Agents see the edit at their next call."""
    notes = terminal.vault.notes
    workspace_name = _workspace_name(workspace)
    path, before = notes.text(workspace_name, note)
    command_line = _editor(path)
    folder = Path(tempfile.mkdtemp(prefix="keepsake-edit-"))
    keep = False
    try:
        draft = folder / path.name
        draft.touch(mode=0o600)
        draft.write_text(before, encoding="utf-8", newline="")
        subprocess.run([*command_line, str(draft)], check=False)
        after = draft.read_bytes().decode("utf-8", "replace")
        if after == before:
            terminal.show({"changed": False}, "Nothing was changed.")
            return
        keep = True  # from here on the draft is the person's work, until it is taken in
        try:
            synced = notes.edit(workspace_name, path, after, instead_of=before)
        except Refused as error:
            raise Refused(f"{error} Your text is in {draft}.") from error
        keep = False
    finally:
        if not keep:
            shutil.rmtree(folder)
    _show_synced(terminal, [synced])


@vault_command("promote")
@click.argument("note")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where your agents look for skills.",
)
@click.option("--name", help="Of the skill; else the note's own.")
@click.option("--description", help="When to use it; else the note's hook.")
@click.option("--replace", is_flag=True, help="Write an existing skill anew.")
@click.option("--scope", help="Where the note is, when several scopes have it.")
@_workspace_option
def promote(
    terminal: Terminal,
    note: str,
    folder: Path,
    name: str | None,
    description: str | None,
    replace: bool,
    scope: str | None,
    workspace: str | None,
) -> None:
    """Make NOTE a skill: FOLDER/NAME/SKILL.md, with the fields agents look for."""
    entry = _entry_for(terminal, note, scope, workspace)
    path = promote_note(entry, folder, name=name, description=description, replace=replace)
    terminal.vault.export.note_skill(path, entry.id)
    terminal.show({"path": path, "entry": entry.id}, f"{entry.key} is a skill now: {path}")


def _entry_for(terminal: Terminal, note: str, scope: str | None, workspace: str | None) -> Entry:
    if workspace is None:
        try:
            return named(terminal, note.removesuffix(".md"), scope)
        except NotFound:
            if scope is not None:
                raise
    return terminal.vault.notes.find(_workspace_name(workspace), note).entry


def _workspace_name(workspace: str | None) -> str:
    return workspace_named(workspace) if workspace else workspace_of_folder(Path.cwd())


def _editor(path: Path) -> list[str]:
    """The words that start an editor: the person's own choice, else one that is usually there."""
    chosen = (os.environ.get(name, "") for name in ("VISUAL", "EDITOR"))
    usual = ("notepad",) if os.name == "nt" else ("nano", "vim", "vi")
    for command in (*chosen, *usual):
        command_line = shlex.split(command, posix=os.name != "nt")
        if command_line and shutil.which(command_line[0]):
            return command_line
    raise Invalid(f"No editor was found. Set VISUAL or EDITOR, or edit {path} yourself.")


def _show_synced(terminal: Terminal, rounds: list[Synced]) -> None:
    lines = []
    for done in rounds:
        tally = done.tally
        if done.waiting:
            lines.append(f"{done.mirror.folder}: {done.waiting}; try again when it is done.")
        elif done.mirror.state == HALTED:
            lines += _halted_lines(done.mirror)
        else:
            lines.append(f"{done.mirror.folder} is in step ({_tally_text(done)}).")
        lines += [f"  both versions kept: {path}" for path in tally.conflicts]
        lines += [f"  ! {path}: {reason}" for path, reason in sorted(tally.refused.items())]
    terminal.show({"mirrors": rounds}, "\n".join(lines) or "No folder is mirrored.")
    if any(done.mirror.state == HALTED for done in rounds):
        raise click.exceptions.Exit(1)


def _halted_lines(halted: Mirror) -> list[str]:
    command = f"keepsake mirror sync {shlex.quote(str(halted.folder))}"
    return [
        f"{halted.folder} halted:",
        f"  {halted.problem}",
        f"  {command} --restore   writes what vanished again",
        f"  {command} --accept    forgets what vanished",
    ]


def _tally_text(done: Synced) -> str:
    tally = done.tally
    parts = [
        f"{number} {word}"
        for number, word in (
            (tally.created, "new from files"),
            (tally.changed, "changed from files"),
            (tally.forgotten, "forgotten"),
            (tally.proposed, "proposed"),
            (tally.written, "written"),
            (tally.removed, "removed"),
        )
        if number
    ]
    return ", ".join(parts) or "nothing to do"


@vault_command("found", mirror)
@click.option("--add", "adding", is_flag=True, help="Keep all of them in step, after one question.")
@click.option(
    "--review/--as-trusted",
    default=True,
    show_default=True,
    help="Whether what the agent writes there waits for you, or goes by its trust.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def mirror_found(terminal: Terminal, adding: bool, review: bool, yes: bool) -> None:
    """Memories that Claude Code, Codex and Gemini CLI keep themselves, and the scope of each.

    What their agent changes there is its own write, and waits in your inbox unless you say
    --as-trusted."""
    places = KeptPlaces(terminal.vault)
    found = [one for one, in_step in places.listed() if not in_step]
    lines = [_found_line(one) for one in found]
    if not adding or not found:
        hint = "keepsake mirror found --add keeps them in step with the vault."
        terminal.show(found, "\n".join([*lines, hint]) if found else "There are none that are new.")
        return
    click.echo("\n".join(lines), err=True)
    terminal.confirm(f"Keep {plural(len(found), 'place')} in step with this vault?", yes)
    done = [(one, places.keep(one, review=review)) for one in found]
    for kept, lines_taken in done:
        if isinstance(lines_taken, int):
            click.echo(f"{kept.place}: {lines_taken} new", err=True)
    _show_synced(terminal, [synced for _, synced in done if not isinstance(synced, int)])


def _found_line(kept: KeptMemories) -> str:
    things = plural(kept.notes, "line" if kept.is_list else "note")
    return f"{kept.place}  [{kept.scope}] {things} of {kept.client}"


@vault_command("project")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option("--workspace", metavar="NAME|PATH", help="Whose memories; the folder's by default.")
@click.option("--file", "files", multiple=True, type=click.Choice(FILES), help="Only these.")
@click.option("--budget", type=int, default=BUDGET, show_default=True, help="Bytes at most.")
@click.option("--tag", default="", help="Only memories with this tag.")
@click.option("--preview", is_flag=True, help="Only print what would stand there.")
@click.option("--remove", is_flag=True, help="Take it out again.")
@click.option("--refresh", is_flag=True, help="Bring every project up to the vault.")
def project(
    terminal: Terminal,
    folder: Path,
    workspace: str | None,
    files: tuple[str, ...],
    budget: int,
    tag: str,
    preview: bool,
    remove: bool,
    refresh: bool,
) -> None:
    """Put the memories of a workspace into AGENTS.md, GEMINI.md and (by an import) CLAUDE.md of
    FOLDER, between two marks, and keep them current. The rest of a file is never touched."""
    projections = Projections(terminal.vault.database, terminal.vault.clock)
    where = folder.resolve()
    if refresh:
        changed = projections.refresh()
    elif remove:
        changed = projections.remove(where)
    else:
        named = workspace_named(workspace) if workspace else workspace_of_folder(where)
        wanted = Projection(str(where), named, files or FILES, budget, tag)
        if preview:
            text = projections.body(wanted)
            terminal.show({"text": text}, text or "No memory of that workspace fits.")
            return
        changed = projections.add(wanted)
    done = "\n".join(str(path) for path in changed)
    terminal.show({"changed": changed}, done or "Nothing had to be changed.")
