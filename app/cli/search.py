"""`keepsake recall` and `keepsake search`: the owner as a caller of its memory."""

from __future__ import annotations

from typing import Any

import click

from app.cli.command import Terminal, harmless, vault_command
from app.cli.entries import filter_options, made_filter
from app.cli.formatting import entry_whole, one_line, plural
from app.errors import NotFound
from app.recall.search import MODES, Hit, Match, anything_near
from app.rules.fields import parse_scope
from store.instants import to_instant
from store.models.embedder import ModelUnavailable
from store.tables.entry_filter import EntryFilter


@vault_command("recall")
@click.argument("text")
@click.option("--scope", help="Only there.")
@click.option("--limit", type=click.IntRange(1, 500), default=10, show_default=True)
@click.option("--min-score", type=click.FloatRange(0, 1), help="From 0 to 1.")
def recall(
    terminal: Terminal, text: str, scope: str | None, limit: int, min_score: float | None
) -> None:
    """The memory with the key TEXT; if there is none, the nearest by words and meaning."""
    now = to_instant(terminal.vault.clock())
    wanted = parse_scope(scope) if scope else None
    found = [
        entry
        for entry in terminal.memory.entries.with_key(text, wanted)
        if entry.expires_at is None or entry.expires_at > now
    ]
    if found:
        terminal.show({"entries": found}, "\n\n".join(entry_whole(entry) for entry in found))
        return
    matches = terminal.memory.finding.recall(
        text,
        filter=EntryFilter(scopes=(wanted,) if wanted else None, now=now),
        limit=limit,
        min_score=min_score,
    )
    _warn_without_meaning(terminal, text)
    if not matches:
        raise NotFound(f"Nothing is remembered under {text!r}, nor near it. See keepsake list.")
    near = anything_near(matches)
    if not near and not terminal.as_json:
        click.echo("Nothing in memory is close to that. The nearest there is:", err=True)
    terminal.show(
        {"matches": [_match(match) for match in matches], "near": near}, lambda: _lines(matches)
    )


@vault_command("search")
@click.argument("query")
@filter_options
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--why", is_flag=True, help="Say why each was found, and by which part.")
def search(
    terminal: Terminal, query: str, mode: str, limit: int, why: bool, **filters: Any
) -> None:
    """Memories that match QUERY by words and meaning.

    QUERY may hold filters: tag:travel kind:fact importance>=7 "exact words" -without."""
    hits = terminal.memory.finding.search(
        query, mode=mode, filter=made_filter(terminal, **filters), limit=limit
    )
    if mode != "keyword":
        _warn_without_meaning(terminal, query)
    terminal.show(
        {"matches": [_hit(hit) for hit in hits]},
        lambda: "\n".join(_hit_line(hit, why) for hit in hits) or "Nothing matches.",
    )


def _warn_without_meaning(terminal: Terminal, query: str) -> None:
    """Says what meaning could not find: a model of one's own that is not there, or memories that
    have no vector yet."""
    if terminal.vault.settings["embedding_model"]:
        try:
            terminal.vault.embedding.query(query)
        except ModelUnavailable as error:
            click.echo(harmless(f"Found by words alone. {error}"), err=True)
            return
    waiting = terminal.memory.finding.waiting()
    if waiting:
        memories = plural(waiting, "memory is", "memories are")
        notice = f"{memories} not found by meaning yet: ask again, or let keepsake serve run."
        click.echo(notice, err=True)


def _hit(hit: Hit) -> dict[str, object]:
    return {
        "entry": hit.entry,
        "score": hit.score,
        "keyword": hit.keyword,
        "meaning": hit.meaning,
        "snippet": hit.snippet,
        "matches": hit.matches,
        "why": hit.why,
    }


def _hit_line(hit: Hit, why: bool) -> str:
    entry = hit.entry
    lines = [
        f"{hit.score:.2f}  {entry.key}  [{entry.scope} · {entry.category}]",
        f"      {one_line(hit.snippet)}",
    ]
    if why:
        lines.append(f"      {hit.why} (words {hit.keyword:.2f}, meaning {hit.meaning:.2f})")
    return "\n".join(lines)


def _match(match: Match) -> dict[str, object]:
    identity: dict[str, object] = (
        {"id": match.entry.id, "key": match.entry.key}
        if match.entry
        else {"block": "archival", "line": match.line and match.line.line}
    )
    return {
        "type": match.type,
        **identity,
        "scope": match.scope,
        "score": match.score,
        "content": match.content,
        "why": match.why,
    }


def _lines(matches: list[Match]) -> str:
    return "\n".join(
        f"{match.score:.2f}  {match.entry.key if match.entry else 'archival'}  [{match.scope}]\n"
        f"      {one_line(match.content)}"
        for match in matches
    )
