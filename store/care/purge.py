"""The one purge: every column that can hold a person's words, and how they go from it.

The list drives the erasing of an entry, a block or its past, a proposal, a conversation, a scope
and everything, in the vault and in each copy of it. A test reads the schema and fails for a column
of text that stands in neither list.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from store.care import origin_erasure
from store.care.pieces import Pieces, Sought, strings_in
from store.care.removal import Found, Removal, found
from store.file.database import Connection, Row
from store.tables.vectors import PART

NOTHING = Pieces()


def _among(name: str) -> str:
    return f"IN (SELECT value FROM json_each(:{name}))"


@dataclass(frozen=True, slots=True)
class WordColumns:
    """Columns of one table that hold words. `goes`: which rows lose them; with `emptied` the row
    stays without them. `quotes`: the row may repeat what anybody said, so that its words go
    wherever they are found; it is named by `by`."""

    table: str
    columns: tuple[str, ...]
    goes: str
    counted: str = ""
    emptied: str = ""
    quotes: bool = False
    by: tuple[str, ...] = ("id",)

    @property
    def named(self) -> str:
        return self.counted or f"_{self.table}"


_THINGS = " UNION ALL ".join(
    f"SELECT value FROM json_each(:{name})"
    for name in ("entries", "blocks", "versions", "proposals", "conversations", "logged")
)
_TOLD = """EXISTS (SELECT 1 FROM json_each(entry_ids) t WHERE t.value IN (
    SELECT value FROM json_each(:entries)
    UNION ALL SELECT 'block:' || value FROM json_each(:blocks)
    UNION ALL SELECT 'block:' || value FROM json_each(:versions)
    UNION ALL SELECT 'proposal:' || value FROM json_each(:proposals)
    UNION ALL SELECT 'turn:' || value FROM json_each(:turns)
    UNION ALL SELECT value FROM json_each(:origins) WHERE :said))"""
_WRITTEN = f"""EXISTS (SELECT 1 FROM json_each(thing_ids) t WHERE t.value IN ({_THINGS}
    UNION ALL SELECT value FROM json_each(:turns) UNION ALL SELECT value FROM json_each(:runs)))"""
_OF_ROWS = f"n IN (SELECT n FROM entries WHERE id {_among('entries')})"

# In this order: what is found by way of another table comes before it.
WORDS: tuple[WordColumns, ...] = (
    WordColumns("calls", ("asked", "call"), "'agent:' || agent_id = :scope", "calls"),
    WordColumns(
        "calls",
        ("asked",),
        f"asked <> '' AND {_TOLD}",
        "calls",
        emptied="asked = ''",
        quotes=True,
        by=("n",),
    ),
    # The route that was asked, with what stood in its path.
    WordColumns("calls", ("call",), "0", "calls", emptied="call = '-'", quotes=True, by=("n",)),
    WordColumns(
        "idempotency",
        ("body", "idempotency_key"),
        f"caller = :scope OR {_WRITTEN}",
        "replies",
        quotes=True,
        by=("caller", "idempotency_key"),
    ),
    WordColumns(
        "change_groups",
        ("reason",),
        f"""reason <> '' AND id IN (SELECT group_id FROM changes WHERE thing_id IN ({_THINGS}))""",
        emptied="reason = ''",
        quotes=True,
    ),
    WordColumns(
        "changes",
        ("before", "after"),
        f"thing_id IN ({_THINGS})",
        "versions",
        emptied="before = NULL, after = NULL, compacted = 1",
    ),
    WordColumns(
        "mirror_files",
        ("path", "base"),
        f"""entry_id {_among("entries")} OR (entry_id = '' AND mirror_id IN
            (SELECT mirror_id FROM mirror_files WHERE entry_id {_among("entries")}))""",
    ),
    WordColumns(  # a file that waits in the inbox
        "mirror_files",
        ("path", "base"),
        f"""base <> '' AND entry_id LIKE 'waiting:%' AND mirror_id IN
            (SELECT id FROM mirrors WHERE scope {_among("scopes")})""",
        emptied="base = ''",
    ),
    WordColumns("mirrors", ("problem",), "0", emptied="problem = ''", quotes=True),
    WordColumns(
        "drafts",
        ("payload", "slot"),
        f"""substr(slot, instr(slot, ':') + 1) {_among("entries")} OR slot IN
            (SELECT 'block:' || scope || '/' || name FROM blocks WHERE id {_among("blocks")})
            OR EXISTS (SELECT 1 FROM json_each(:scopes) s
                        WHERE substr(slot, 1, length(s.value) + 7) = 'block:' || s.value || '/')""",
        "drafts",
    ),
    WordColumns("proposals", ("payload", "reason"), f"id {_among('proposals')}", "proposals"),
    WordColumns("turns", ("content",), f"id {_among('turns')}", "turns"),
    WordColumns(
        "channel_messages",
        ("text", "author", "channel", "message_id"),
        f"n {_among('messages')}",
        "messages",
    ),
    WordColumns("conversations", ("title",), f"id {_among('conversations')}", "conversations"),
    WordColumns(
        "learned",
        ("sentence",),
        f"""entry_id {_among("blocks")} OR entry_id {_among("summaries")}
        OR origin IN (SELECT 'turn:' || value FROM json_each(:turns))
        OR origin IN (SELECT 'message:' || value FROM json_each(:messages))""",
    ),
    WordColumns(  # a mark without words stays: what was erased or turned down is not learned again
        "learned",
        ("sentence",),
        f"""sentence <> '' AND
            (entry_id {_among("entries")} OR entry_id {_among("proposals")})""",
        emptied="sentence = ''",
    ),
    WordColumns("block_vectors", ("vector",), f"block_id {_among('versions')}"),
    WordColumns("blocks", ("content", "name"), f"id {_among('blocks')}", "blocks"),
    WordColumns("vectors", ("vector",), _OF_ROWS, "vectors"),
    WordColumns("word_vectors", ("words",), _OF_ROWS),
    WordColumns(
        "matrix_parts",
        ("entries", "vectors"),
        f"first IN (SELECT n / {PART} * {PART} FROM entries WHERE id {_among('entries')})",
    ),
    WordColumns(
        "beliefs",
        ("statement", "source"),
        f"entry IN (SELECT n FROM entries WHERE id {_among('entries')})",
        "beliefs of others",
        quotes=True,
        by=("source", "statement"),
    ),
    WordColumns("handed_out", ("path",), f"entry_id {_among('entries')}"),
    WordColumns(
        "saved_searches", ("name", "query"), "0", "saved searches", quotes=True, by=("name",)
    ),
    # Its triggers take it out of the word index, the tags and the queues.
    WordColumns(
        "entries",
        ("key", "content", "hook", "tags", "extra", "pairs", "category", "kind"),
        f"id {_among('entries')}",
        "entries",
    ),
)
_UNREAD = {
    *(("vectors", "vector"), ("word_vectors", "words"), ("block_vectors", "vector")),
    *(("matrix_parts", "entries"), ("matrix_parts", "vectors")),
}
# Made from the rows above by the engine or by triggers, and gone with them.
DERIVED = {
    "entry_tags": ("tag",),
    "fulltext": ("key", "content", "hook", "tags", "pairs"),
    # Written anew by app/sync as a step of every erase; copies of a vault lose it whole.
    "sync_document": ("data",),
}
# Ids, digests, times, and words of the program or about it.
WORDLESS: dict[str, tuple[str, ...]] = {
    "vault": ("name", "value"),
    "settings": ("name", "value"),
    "entries": (
        *("id", "scope", "source", "state", "created_at", "written_at", "updated_at"),
        *("expires_at", "true_from", "true_until", "verified_at", "stale_after", "digest"),
        "muted_for",  # ids of agents
    ),
    "vectors": ("model", "text_digest"),
    "word_vectors": ("model",),
    "matrix_parts": ("format",),
    "block_vectors": ("block_id", "line_digest", "model"),
    "blocks": ("id", "scope", "source", "created_at", "updated_at", "digest"),
    "agents": (
        *("id", "name", "token_hash", "profile", "created_at", "updated_at", "revoked_at"),
        "last_seen_at",
    ),
    "change_groups": ("at", "actor", "action"),
    "changes": ("action", "thing", "thing_id", "scope"),
    "proposals": (
        *("id", "agent_id", "action", "scope", "thing_id", "state", "created_at", "updated_at"),
    ),
    "conversations": (
        *("id", "agent_id", "workspace_id", "state", "created_at", "updated_at", "ended_at"),
        "learned_at",
    ),
    "turns": ("id", "conversation_id", "role", "created_at", "digest"),
    "learned": ("entry_id", "origin"),
    "channel_messages": ("agent_id", "sent_at", "received_at", "batch", "learned_at"),
    "drafts": ("saved_at",),
    "leases": ("name", "holder", "until"),
    "idempotency": ("caller", "request_digest", "at", "thing_ids"),
    "conflicts": (
        *("difference", "noticed_at", "older_written", "newer_written", "settled", "settled_at"),
    ),
    "beliefs": ("decision", "agreed_at", "seen_at"),
    "calls": ("at", "agent_id", "door", "entry_ids", "status"),
    "mirrors": ("id", "folder", "scope", "writer", "state", "created_at"),
    "mirror_files": ("mirror_id", "entry_id", "file_digest", "seen_at"),
    "kept_apart": ("written_at",),
    "entry_use": ("used_at",),
    "handed_out": ("at", "way", "entry_id", "scope"),
    # Paths stand there only until their files are gone.
    "erasures": ("id", "at", "removal", "removed", "files", "backups", "steps", "hindrances"),
    "erased_things": ("thing", "id"),
    "erased_files": ("mirror_id", "path_digest", "file_digest", "note_digest"),
    "machines": ("id", "name", "public_key", "heard_at", "removed_at", "waits"),
    "sync_outbox": ("data",),  # sealed with a key that is not in the vault, and emptied by an erase
}


def purge(db: Connection, removal: Removal, pieces: Sought = NOTHING) -> dict[str, int]:
    """Delete all of it and everything that repeats its words, in the caller's transaction. Counts
    by what; names of what says nothing to a person begin with `_`. `pieces`: words to look for
    where somebody quoted them, beside this file's own."""
    if removal.everything:
        return _purge_all(db)
    told = found(db, removal)
    own = _pieces_of(db, told)
    counts = Counter(origin_erasure.remove_lines(db, told))
    for words in _present(db):
        counts[words.named] += _carry_out(db, words, words.goes, told)
    counts += Counter(purge_quotes(db, own))
    if pieces.adds_to(own):
        counts += Counter(purge_quotes(db, pieces))
    return {name: number for name, number in counts.items() if number}


def pieces_of(db: Connection, removal: Removal) -> Pieces:
    """Everything this file says of what goes, past versions too: to look for afterwards."""
    return _pieces_of(db, found(db, removal))


_PROSE = {  # of the columns above, those in which a person or an agent says something
    ("entries", "content"),
    ("entries", "hook"),
    ("blocks", "content"),
    ("turns", "content"),
    ("channel_messages", "text"),
    ("learned", "sentence"),
}
_PROSE_FIELDS = {"content", "hook", "text", "new"}  # of what the log and a proposal keep as JSON


def prose_of(db: Connection, removal: Removal) -> set[str]:
    """What goes says in whole sentences, its past versions too: keys, tags and names left out."""
    told = found(db, removal)
    texts: set[str] = set()
    for words in _present(db):
        if words.quotes:
            continue
        for column in words.columns:
            in_json = column in ("before", "after", "payload") and words.table != "drafts"
            if (words.table, column) not in _PROSE and not in_json:
                continue
            rows = db.execute(f"SELECT {column} FROM {words.table} WHERE {words.goes}", told)
            for (value,) in rows.fetchall():
                texts |= set(_prose_in(json.loads(value or "null"))) if in_json else {str(value)}
    return texts - {""}


def _prose_in(value: object) -> Iterator[str]:
    """The prose among the fields of a record, however deep it lies."""
    if isinstance(value, list):
        for one in value:
            yield from _prose_in(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in _PROSE_FIELDS and isinstance(one, str):
                yield one
            else:
                yield from _prose_in(one)


def call_names(told: Found) -> list[str]:
    """What goes, as the log of calls names it."""
    marks = {"entries": "", "blocks": "block:", "proposals": "proposal:", "turns": "turn:"}
    return [f"{mark}{one}" for name, mark in marks.items() for one in json.loads(str(told[name]))]


def prose_that_stays(db: Connection, removal: Removal) -> Iterator[str]:
    """What entries and blocks say that this removal leaves."""
    told = found(db, removal)
    for table in ("entries", "blocks"):
        rows = db.execute(
            f"SELECT content FROM {table} WHERE NOT :everything AND id NOT {_among(table)}", told
        )
        yield from (str(content) for (content,) in rows)


def purge_quotes(db: Connection, pieces: Sought) -> dict[str, int]:
    """Empty the rows that repeat these words. A word that memory which stays says as well is
    nobody's trace. Counts by what."""
    suspects = list(_suspects(db, pieces)) if pieces else []
    said = {word for *_, held in suspects for word in held}
    traces = said - said_elsewhere(db, said)
    counts: Counter[str] = Counter()
    for words, row, whole, held in suspects:
        if whole or held & traces:
            where = " AND ".join(f"{name} = :{name}" for name in words.by)
            values = dict(zip(words.by, row, strict=True))
            counts[words.named] += _carry_out(db, words, where, values)
    return dict(counts)


def empty_quotes(db: Connection) -> int:
    """Take the words out of every row that may quote somebody's: for a copy of which nobody knows
    any more what to look for. How many rows."""
    number = 0
    for words in _present(db):
        if words.quotes and words.table != "saved_searches":
            filled = " OR ".join(f"{column} NOT IN ('', '-', x'')" for column in words.columns)
            number += _carry_out(db, words, filled, {})
    return number


def said_elsewhere(db: Connection, words: Iterable[str]) -> set[str]:
    """Which of these words stand in memory that stays, or in the program's own records."""
    left = set(words)
    columns = {(one.table, name) for one in WORDS if not one.quotes for name in one.columns}
    columns -= {(one.table, name) for one in WORDS if one.quotes for name in one.columns}
    columns |= {(table, name) for table, names in WORDLESS.items() for name in names}
    for table, column in sorted((columns - _UNREAD) & columns_of(db)):
        if not left:
            break
        rows = db.execute(
            f"""SELECT w.value FROM json_each(:words) w WHERE EXISTS
                (SELECT 1 FROM {table} WHERE instr(lower({column}), w.value))""",
            {"words": json.dumps(sorted(left), ensure_ascii=False)},
        )
        left -= {row[0] for row in rows.fetchall()}
    return set(words) - left


_OTHERS = ("sqlite_", "_sqlite_", "pending_erasures")  # the engine's, the steps', an older format's


def texts_of(db: Connection) -> Iterator[str | bytes]:
    """Everything that any row of ours says in this file, and the names and statements of its
    tables. What stands in a table that somebody else put there is no reason to leave it."""
    ours = {*(one.table for one in WORDS), *WORDLESS, *DERIVED}
    columns = sorted(
        (table, column)
        for table, column in columns_of(db) - _UNREAD
        if table in ours or table.startswith(_OTHERS)
    )
    for table, column in [*columns, ("sqlite_schema", "sql"), ("sqlite_schema", "name")]:
        rows = db.execute(f"SELECT DISTINCT {column} FROM {table}")
        yield from (value for (value,) in rows if isinstance(value, str | bytes))


def columns_of(db: Connection) -> set[tuple[str, str]]:
    """(table, column) of all that is in this file, views and the index's own tables left out."""
    rows = db.execute(
        """SELECT t.name, c.name FROM pragma_table_list t, pragma_table_xinfo(t.name) c
            WHERE t.schema = 'main' AND t.type = 'table'"""
    )
    return {(table, column) for table, column in rows.fetchall()}


def _present(db: Connection) -> list[WordColumns]:
    """The list, without what a copy of an older format does not have yet."""
    there = columns_of(db)
    found_here = []
    for words in WORDS:
        columns = tuple(name for name in words.columns if (words.table, name) in there)
        if columns:
            found_here.append(replace(words, columns=columns))
    return found_here


def _purge_all(db: Connection) -> dict[str, int]:
    """Agents, their tokens and the settings stay: they say nothing of the owner's memory."""
    counts: Counter[str] = Counter()
    for words in _present(db):
        if words.table in ("mirrors", "changes", "change_groups"):
            db.execute(f"UPDATE {words.table} SET {words.emptied}")
        else:
            gone = db.execute(f"DELETE FROM {words.table} RETURNING 1").fetchall()
            counts[words.named] += len(gone)
    db.execute("DELETE FROM entry_use")
    return {name: number for name, number in counts.items() if number}


def _pieces_of(db: Connection, told: Found) -> Pieces:
    texts: list[str] = []
    for words in _present(db):
        if words.quotes or (words.table, words.columns[0]) in _UNREAD:
            continue
        rows = db.execute(
            f"SELECT {', '.join(words.columns)} FROM {words.table} WHERE {words.goes}", told
        )
        texts += [
            text
            for row in rows.fetchall()
            for value in row
            if isinstance(value, str)
            for text in strings_in(value)
        ]
    return Pieces.of(texts)


def _suspects(
    db: Connection, pieces: Sought
) -> Iterator[tuple[WordColumns, Row, bool, frozenset[str]]]:
    """Rows that repeat a text whole, or some of its words."""
    for words in _present(db):
        if not words.quotes:
            continue
        texts = ", ".join(f"CAST({column} AS TEXT)" for column in words.columns)
        rows = db.execute(f"SELECT {', '.join(words.by)}, {texts} FROM {words.table}")
        for row in rows.fetchall():
            key, values = row[: len(words.by)], row[len(words.by) :]
            found_in = [pieces.repeated_in(value) for value in values if value]
            held = frozenset(word for _, some in found_in for word in some)
            if held or any(whole for whole, _ in found_in):
                yield words, key, any(whole for whole, _ in found_in), held


def _carry_out(db: Connection, words: WordColumns, where: str, values: Found) -> int:
    if words.emptied:
        sql = f"UPDATE OR REPLACE {words.table} SET {words.emptied} WHERE {where} RETURNING 1"
    else:
        sql = f"DELETE FROM {words.table} WHERE {where} RETURNING 1"
    return len(db.execute(sql, values).fetchall())
