"""Finding by meaning and by words, and the two tools deep-research clients expect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.errors import Invalid
from app.mcp.actions.entries import ALL_WORDS, listed, recall_key, several, with_more
from app.mcp.tool import (
    ToolAnswer,
    entries_text,
    entry_json,
    entry_text,
    indented,
    json_answer,
    plural,
    scope_json,
)
from app.memory import call_log
from app.recall.search import Match, anything_near
from store.instants import plus
from store.records import Entry
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.mcp.session import McpCall

TITLE_CHARS = 80
LEAST = 0.005  # what scores less is shown as 0.00 and has nothing to do with the question
NOTHING_NEAR = "Nothing in memory is close to that."
_JOURNAL_MORE = "Ask for fewer days, a category or more words, or set limit (at most 1,000)."


def recall(
    call: McpCall,
    *,
    key: str | None = None,
    query: str | None = None,
    limit: int | None = None,
    kind: str | Sequence[str] = (),
    tags: str | Sequence[str] = (),
) -> ToolAnswer:
    """By key: that entry or an empty answer. By query: the nearest entries and archival lines; of
    certain kinds or with certain tags the entries alone, for lines have neither."""
    if key and not query:
        return recall_key(call, key=key)
    if query is None:
        raise Invalid("What are you looking for? Send key (exact) or query (by meaning).")
    budget = call.memory.finding.recall_budget  # the owner's word on how many one recall may bring
    most = budget if limit is None else min(limit, budget)
    wanted = EntryFilter(kinds=several(kind), tags=several(tags))
    if query.strip().lower() in ALL_WORDS:
        here = replace(wanted, scopes=call.memory.reach.working())
        return listed(call, here, most, more="Ask for what you are looking for.")
    return _matches(call, call.memory.finding.recall(query, filter=wanted, limit=most))


def recall_archival(call: McpCall, *, query: str, limit: int = 10) -> ToolAnswer:
    """Archival lines of the blocks the agent may read, best first."""
    no_entries = EntryFilter(ids=())
    return _matches(call, call.memory.finding.recall(query, filter=no_entries, limit=limit))


def search_journal(
    call: McpCall,
    *,
    query: str = "",
    kind: str | Sequence[str] = (),
    days_back: int = 30,
    limit: int = 50,
) -> ToolAnswer:
    """Full text, ordered by importance and then by recency."""
    wanted = EntryFilter(
        scopes=call.memory.reach.working(),
        kinds=several(kind),
        since=plus(call.memory.reach.now, days=-float(days_back)),
    )
    if query.strip().lower() in ALL_WORDS:
        return listed(call, wanted, limit, more=_JOURNAL_MORE)
    found, total = call.memory.finding.holding(query, wanted, limit)
    call.used(found)
    text = entries_text(found, "No memories match.", call.memory.finding.told_day)
    return ToolAnswer(
        with_more(text, len(found), total, _JOURNAL_MORE),
        {"entries": [entry_json(entry) for entry in found], "total": total},
    )


# What deep-research clients call


def search(call: McpCall, *, query: str, limit: int = 20) -> ToolAnswer:
    """Ids and titles; `fetch` brings the text."""
    if query.strip().lower() in ALL_WORDS:
        found = call.memory.entries.page(EntryFilter(), limit).entries
    else:
        found = [hit.entry for hit in call.memory.finding.search(query, limit=limit)]
    call.shown_ids += [entry.id for entry in found]
    data = {"results": [_result(entry) for entry in found]}
    return json_answer(data, indent=None)


def fetch(call: McpCall, *, id: str) -> ToolAnswer:
    entry = call.memory.entries.read(id)
    call.used([entry])
    metadata: dict[str, Any] = {
        name: value
        for name, value in entry_json(entry).items()
        if name not in ("id", "content") and value not in (None, "", [])
    }
    data = {**_result(entry), "text": entry.content, "metadata": metadata}
    return json_answer(data, indent=None)


def _result(entry: Entry) -> dict[str, str]:
    title = entry.hook or entry.key
    short = title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1] + "…"
    return {"id": entry.id, "title": short, "url": f"keepsake://entry/{entry.id}"}


# Parts


def _matches(call: McpCall, found: Sequence[Match]) -> ToolAnswer:
    found = [match for match in found if match.score >= LEAST] or found[:1]
    call.shown_ids += call_log.matches(found)
    waiting = call.memory.finding.waiting()
    day = call.memory.finding.told_day
    text = "\n\n".join(_match_text(match, day) for match in found)
    near = anything_near(found)
    if not near:
        text = NOTHING_NEAR if not text else f"{NOTHING_NEAR} The nearest there is:\n\n{text}"
    if waiting:
        memories = plural(waiting, "memory", "memories")
        text += f"\n\n{memories} cannot be found by meaning yet; ask again in a moment."
    return ToolAnswer(
        text,
        {"matches": [_match_json(match) for match in found], "waiting": waiting, "near": near},
    )


def _match_text(match: Match, day: str) -> str:
    score = f"score {match.score:.2f}"
    if match.entry:
        return entry_text(match.entry, score, day)
    return f"archival line of {match.scope} [{score}]:\n{indented(match.content)}"


def _match_json(match: Match) -> dict[str, Any]:
    if match.entry:
        entry = match.entry
        identity: dict[str, Any] = {"id": entry.id, "key": entry.key, "kind": entry.kind}
        identity |= {"tags": list(entry.tags), "written_at": entry.written_at}
    else:
        assert match.line is not None
        identity = {"block": "archival", "line": match.line.line}
    return {
        "type": match.type,
        **identity,
        **scope_json(match.scope),
        "score": match.score,
        "content": match.content,
        "why": match.why,
    }
