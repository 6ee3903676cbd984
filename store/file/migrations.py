"""The vault's schema, as numbered steps in one sqlite-utils migration set. A step that people's
vaults have taken is never edited: another one follows it.

Tables and indexes are made through sqlite-utils where it has the words. It has none for CHECK,
UNIQUE inside a table, WITHOUT ROWID, AUTOINCREMENT, partial indexes, triggers, or full-text tables
of a chosen name: those are SQL.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from store.cjk_pairs import index_text
from store.errors import NewerVault, NotAVault
from store.file.database import Connection
from store.file.schema_tools import going_with, migration_set, tools_over

if TYPE_CHECKING:
    from sqlite_utils import Database as UtilsDatabase

APPLICATION_ID = 0x4B505341  # "KPSA": tells our files from any other SQLite file

Step = Callable[["UtilsDatabase"], None]


def step_1_vault(db: UtilsDatabase) -> None:
    _run(db, _SCHEMA_1)
    for queue in ("fulltext_queue", "vector_queue"):  # entries not yet indexed by word, by meaning
        db.table(queue).create({"n": int}, pk="n")
    # When an entry was last used by an agent; outside the change log.
    db.table("entry_use").create(
        {"n": int, "used_at": str, "uses": int},
        pk="n",
        not_null=("used_at", "uses"),
        foreign_keys=[going_with("entry_use", "n", "entries", "n")],
    )
    # The spine's actions; an id is the number of its first change.
    db.table("change_groups").create(
        {
            "id": int,
            "at": str,
            "actor": str,
            "action": str,
            "reason": str,
            "size": int,
            "undoes": int,
            "undone_by": int,
        },
        pk="id",
        not_null=("at", "actor", "action", "reason", "size"),
    )
    for name, table, columns in (
        ("change_groups_by_actor", "change_groups", ("actor", "id")),
        ("changes_by_thing", "changes", ("thing_id",)),
        ("conversations_by_agent", "conversations", ("agent_id", "updated_at")),
        ("turns_by_conversation", "turns", ("conversation_id", "n")),
        ("learned_by_origin", "learned", ("origin",)),
        ("calls_by_agent", "calls", ("agent_id", "n")),
    ):
        db.table(table).create_index(columns, name)


def step_2_pairs(db: UtilsDatabase) -> None:
    """Words of scripts without spaces, what the owner said is not the same, and batches that queue
    for vectors in one statement."""
    entries = db.table("entries")
    entries.add_column("pairs", str, not_null_default="")  # derived (store/cjk_pairs.py)
    _run(db, _SCHEMA_2)
    db.table("kept_apart").create_index(("n",), "kept_apart_by_entry")
    texts = db.execute("SELECT n, key, content, hook, tags FROM entries")
    pairs = ((index_text(*row[1:4], *json.loads(row[4])), row[0]) for row in texts)
    db.conn.executemany(
        "UPDATE entries SET pairs = ? WHERE n = ?", [pair for pair in pairs if pair[0]]
    )
    db.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
    db.execute("DELETE FROM fulltext_queue")


def step_3_erasures(db: UtilsDatabase) -> None:
    """What an erase still has to do, what must not come back, and what was handed out. Erasures
    that a reader kept from completing have only the file left to do."""
    _run(db, _SCHEMA_3)
    db.execute(
        """INSERT INTO erasures (id, at, removal, removed, files, backups, steps, hindrances)
           SELECT id, at, '{}', '{}', '[]', '[]', '["file"]', '[]' FROM pending_erasures"""
    )
    db.execute("DROP TABLE pending_erasures")
    for thing, table in (
        ("entry", "entries"),
        ("block", "blocks"),
        ("conversation", "conversations"),
    ):
        db.execute(
            f"""INSERT INTO erased_things SELECT DISTINCT thing, thing_id FROM changes
                 WHERE thing = '{thing}' AND action = 'erased'
                   AND thing_id NOT IN (SELECT id FROM {table})"""
        )


def step_4_machines(db: UtilsDatabase) -> None:
    """The owner's other machines, and the document they share."""
    _run(db, _SCHEMA_MACHINES)


def step_5_words(db: UtilsDatabase) -> None:
    """A short vector for each word; made in the background for what is there already."""
    _run(db, _SCHEMA_WORDS)


def step_6_truth(db: UtilsDatabase) -> None:
    """When a memory holds, when a person confirmed it, who is never told it; and which memories
    contradict each other."""
    entries = db.table("entries")
    for name in ("true_from", "true_until", "verified_at", "stale_after"):
        entries.add_column(name, str)
    entries.add_column("muted_for", str, not_null_default="[]")
    _run(db, _SCHEMA_TRUTH)


def step_7_matrix(db: UtilsDatabase) -> None:
    """What a search reads first, where there are many entries."""
    _run(db, _SCHEMA_MATRIX)


def step_8_beliefs(db: UtilsDatabase) -> None:
    """What other assistants say of the owner: when it agreed with a memory, what was said to it."""
    _run(db, _SCHEMA_BELIEFS)


def step_9_turns(db: UtilsDatabase) -> None:
    """The order in which hydration tries memories, and how short each is told at least."""
    _run(db, _SCHEMA_TURNS)


STEPS: tuple[Step, ...] = (
    step_1_vault,
    step_2_pairs,
    step_3_erasures,
    step_4_machines,
    step_5_words,
    step_6_truth,
    step_7_matrix,
    step_8_beliefs,
    step_9_turns,
)


def _run(db: UtilsDatabase, statements: str) -> None:
    for statement in statements.split(";;"):
        if statement.strip():
            db.execute(statement)


_SCHEMA_1 = """
CREATE TABLE vault (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;;

CREATE TABLE entries (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    hook TEXT NOT NULL,
    category TEXT NOT NULL,
    kind TEXT NOT NULL,
    importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    rank INTEGER NOT NULL,          -- importance, then written_at, as one number: the list's order
    tags TEXT NOT NULL,             -- JSON array
    source TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'trashed')),
    created_at TEXT NOT NULL,
    written_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    expires_at TEXT,
    extra TEXT NOT NULL,            -- JSON object
    digest BLOB NOT NULL
);;
CREATE UNIQUE INDEX entries_by_key ON entries (scope, key) WHERE state = 'active';;
CREATE INDEX entries_by_rank ON entries (rank) WHERE state = 'active';;
CREATE INDEX entries_by_scope ON entries (scope, rank) WHERE state = 'active';;
CREATE INDEX entries_by_category ON entries (category, rank) WHERE state = 'active';;
CREATE INDEX entries_by_kind ON entries (kind, rank) WHERE state = 'active';;
CREATE INDEX entries_expiring ON entries (expires_at) WHERE expires_at IS NOT NULL;;
CREATE INDEX entries_trashed ON entries (updated_at) WHERE state = 'trashed';;

CREATE TABLE entry_tags (
    tag TEXT NOT NULL, rank INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (tag, rank, n)
) WITHOUT ROWID;;
CREATE TRIGGER entry_tags_update AFTER UPDATE OF tags, rank ON entries
WHEN new.tags <> old.tags OR (new.rank <> old.rank AND new.tags <> '[]') BEGIN
    DELETE FROM entry_tags
     WHERE n = old.n AND rank = old.rank AND tag IN (SELECT value FROM json_each(old.tags));
    INSERT INTO entry_tags SELECT value, new.rank, new.n FROM json_each(new.tags);
END;;
CREATE TRIGGER entry_tags_delete AFTER DELETE ON entries WHEN old.tags <> '[]' BEGIN
    DELETE FROM entry_tags
     WHERE n = old.n AND rank = old.rank AND tag IN (SELECT value FROM json_each(old.tags));
END;;

-- Words. Derived: rows wait in fulltext_queue until they are indexed (store/tables/fulltext.py).
CREATE VIRTUAL TABLE fulltext USING fts5 (
    key, content, hook, tags,
    content = 'entries', content_rowid = 'n', tokenize = 'porter unicode61 remove_diacritics 2'
);;
INSERT INTO fulltext (fulltext, rank) VALUES ('secure-delete', 1);;
CREATE TRIGGER fulltext_update AFTER UPDATE OF key, content, hook, tags ON entries
WHEN new.key <> old.key OR new.content <> old.content OR new.hook <> old.hook
  OR new.tags <> old.tags
BEGIN
    INSERT INTO fulltext (fulltext, rowid, key, content, hook, tags)
        SELECT 'delete', old.n, old.key, old.content, old.hook, old.tags
         WHERE NOT EXISTS (SELECT 1 FROM fulltext_queue WHERE n = old.n);
    INSERT OR IGNORE INTO fulltext_queue (n) VALUES (new.n);
END;;
CREATE TRIGGER fulltext_delete AFTER DELETE ON entries BEGIN
    INSERT INTO fulltext (fulltext, rowid, key, content, hook, tags)
        SELECT 'delete', old.n, old.key, old.content, old.hook, old.tags
         WHERE NOT EXISTS (SELECT 1 FROM fulltext_queue WHERE n = old.n);
    DELETE FROM fulltext_queue WHERE n = old.n;
END;;

-- Meaning. Derived: the in-memory matrix follows `seq`; another model's rows are replaced.
CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    n INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    part INTEGER NOT NULL,          -- which window of a long text
    model TEXT NOT NULL,            -- the embedder's identity
    text_digest BLOB NOT NULL,      -- of the text that was embedded: unchanged text is never redone
    vector BLOB NOT NULL,
    UNIQUE (n, part)
);;
CREATE TRIGGER vectors_insert AFTER INSERT ON entries BEGIN
    INSERT INTO vector_queue (n) VALUES (new.n);
END;;
CREATE TRIGGER vectors_update AFTER UPDATE OF key, content, hook ON entries
WHEN new.key <> old.key OR new.content <> old.content OR new.hook <> old.hook BEGIN
    INSERT OR IGNORE INTO vector_queue (n) VALUES (new.n);
END;;
CREATE TRIGGER vectors_delete AFTER DELETE ON entries BEGIN
    DELETE FROM vector_queue WHERE n = old.n;
END;;
CREATE TABLE block_vectors (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    line_digest BLOB NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (block_id, line_digest)
) WITHOUT ROWID;;

CREATE TABLE blocks (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    digest BLOB NOT NULL,
    UNIQUE (scope, name)
);;

CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    token_hash BLOB UNIQUE,
    profile TEXT NOT NULL,          -- JSON: trust, dialect, budgets, layers …
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revoked_at TEXT,
    last_seen_at TEXT,
    calls INTEGER NOT NULL DEFAULT 0
);;

-- The spine.
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    group_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    thing TEXT NOT NULL,
    thing_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    before TEXT,                    -- JSON of the changed fields only
    after TEXT,
    compacted INTEGER NOT NULL DEFAULT 0
);;

CREATE TABLE proposals (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    action TEXT NOT NULL,
    scope TEXT NOT NULL,
    thing_id TEXT NOT NULL,
    payload TEXT NOT NULL,          -- JSON
    reason TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);;
CREATE INDEX proposals_pending ON proposals (agent_id, created_at) WHERE state = 'pending';;

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'ended')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    ended_at TEXT,
    learned_at TEXT,
    learned_n INTEGER NOT NULL DEFAULT 0,  -- facts were taken from its turns up to this one
    merged_n INTEGER NOT NULL DEFAULT 0    -- its turns up to this one are in the session block
);;
CREATE TABLE turns (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at TEXT NOT NULL,
    digest BLOB NOT NULL
);;
CREATE TABLE learned (              -- which turns or channel messages a learned thing came from
    entry_id TEXT NOT NULL,         -- an entry, a proposal, or the session block a line is in
    origin TEXT NOT NULL,           -- turn:<id> or message:<n>
    sentence TEXT NOT NULL,
    PRIMARY KEY (entry_id, origin, sentence)
) WITHOUT ROWID;;
CREATE TABLE channel_messages (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    message_id TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    received_at TEXT NOT NULL,
    batch TEXT,                     -- NULL while it waits
    learned_at TEXT,
    UNIQUE (agent_id, channel, message_id)
);;
CREATE INDEX channel_messages_waiting ON channel_messages (agent_id, channel, n)
    WHERE batch IS NULL;;

CREATE TABLE drafts (               -- what the window has not saved yet
    slot TEXT PRIMARY KEY,          -- entry:<id>, block:<id>, new:<id>
    payload TEXT NOT NULL,
    saved_at TEXT NOT NULL
) WITHOUT ROWID;;
CREATE TABLE saved_searches (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID;;

CREATE TABLE leases (               -- background work that must run once across processes
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, until TEXT NOT NULL
) WITHOUT ROWID;;

CREATE TABLE idempotency (
    caller TEXT NOT NULL, idempotency_key TEXT NOT NULL, request_digest BLOB NOT NULL,
    status INTEGER NOT NULL, body BLOB NOT NULL, at TEXT NOT NULL, thing_ids TEXT NOT NULL,
    PRIMARY KEY (caller, idempotency_key)
) WITHOUT ROWID;;
CREATE TABLE calls (                -- what an agent asked and was told
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    door TEXT NOT NULL,             -- api, mcp, cli
    call TEXT NOT NULL,             -- the route or tool
    asked TEXT NOT NULL,
    entry_ids TEXT NOT NULL,        -- JSON: which entries it was told
    status TEXT NOT NULL
);;

CREATE TABLE pending_erasures (     -- erased, but a reader still holds the old pages
    id TEXT PRIMARY KEY, at TEXT NOT NULL, receipt TEXT NOT NULL
) WITHOUT ROWID;;

CREATE TABLE mirrors (
    id TEXT PRIMARY KEY,            -- the one in the folder's marker file
    folder TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    writer TEXT NOT NULL,           -- whose writes its edits are: owner, agent:<id>, workspace
    state TEXT NOT NULL,            -- running, halted
    problem TEXT NOT NULL,
    seq INTEGER NOT NULL,           -- the change it has followed the vault to
    created_at TEXT NOT NULL
);;
CREATE TABLE mirror_files (         -- what both sides last agreed on
    mirror_id TEXT NOT NULL REFERENCES mirrors (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    entry_id TEXT NOT NULL,         -- empty for the index
    file_digest BLOB NOT NULL,
    base TEXT NOT NULL,             -- the entry as a note
    seen_at TEXT NOT NULL,          -- the entry's updated_at
    PRIMARY KEY (mirror_id, path)
) WITHOUT ROWID
"""

_SCHEMA_2 = """
DROP TRIGGER IF EXISTS vectors_insert;;  -- one statement a batch instead (store/tables/entries.py)
DROP TRIGGER fulltext_update;;
DROP TRIGGER fulltext_delete;;
DROP TABLE fulltext;;
CREATE VIRTUAL TABLE fulltext USING fts5 (
    key, content, hook, tags, pairs,
    content = 'entries', content_rowid = 'n', tokenize = 'porter unicode61 remove_diacritics 2'
);;
INSERT INTO fulltext (fulltext, rank) VALUES ('secure-delete', 1);;
CREATE TRIGGER fulltext_update AFTER UPDATE OF key, content, hook, tags ON entries
WHEN new.key <> old.key OR new.content <> old.content OR new.hook <> old.hook
  OR new.tags <> old.tags
BEGIN
    INSERT INTO fulltext (fulltext, rowid, key, content, hook, tags, pairs)
        SELECT 'delete', old.n, old.key, old.content, old.hook, old.tags, old.pairs
         WHERE NOT EXISTS (SELECT 1 FROM fulltext_queue WHERE n = old.n);
    INSERT OR IGNORE INTO fulltext_queue (n) VALUES (new.n);
END;;
CREATE TRIGGER fulltext_delete AFTER DELETE ON entries BEGIN
    INSERT INTO fulltext (fulltext, rowid, key, content, hook, tags, pairs)
        SELECT 'delete', old.n, old.key, old.content, old.hook, old.tags, old.pairs
         WHERE NOT EXISTS (SELECT 1 FROM fulltext_queue WHERE n = old.n);
    DELETE FROM fulltext_queue WHERE n = old.n;
END;;

CREATE TABLE kept_apart (           -- alike, but the owner said they are not the same
    judgement INTEGER NOT NULL,
    n INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    written_at TEXT NOT NULL,       -- the text that was judged
    PRIMARY KEY (judgement, n)
) WITHOUT ROWID;;
"""

_SCHEMA_3 = """
CREATE TABLE erasures (             -- erased, but not from everywhere yet; no word of what it was
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    removal TEXT NOT NULL,          -- JSON: ids by what they are of
    removed TEXT NOT NULL,          -- JSON: counts
    files TEXT NOT NULL,            -- JSON: mirrored files that are to go
    backups TEXT NOT NULL,          -- JSON: names of those there were
    steps TEXT NOT NULL,            -- JSON: what is left to do
    hindrances TEXT NOT NULL        -- JSON: what kept it from being done, and where
) WITHOUT ROWID;;
CREATE TABLE erased_things (        -- neither a backup nor anything else brings these back
    thing TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (thing, id)
) WITHOUT ROWID;;
CREATE TABLE erased_files (         -- nor does a mirrored file that turns up again
    mirror_id TEXT NOT NULL,
    path_digest BLOB NOT NULL,
    file_digest BLOB NOT NULL,
    note_digest BLOB NOT NULL,      -- of its key and when it was made: a changed copy has the same
    gone INTEGER NOT NULL,          -- whether it was seen to be gone
    PRIMARY KEY (mirror_id, path_digest, file_digest)
) WITHOUT ROWID;;
CREATE TABLE handed_out (           -- copies that nobody can follow: named before an erase
    n INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    way TEXT NOT NULL,              -- export, skill
    path TEXT NOT NULL,             -- empty for what went through the API
    scope TEXT NOT NULL,            -- empty for everything
    entry_id TEXT NOT NULL          -- empty where it was not one memory alone
);;
"""

_SCHEMA_MACHINES = """
CREATE TABLE machines (             -- those that share the folder, this one too
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,       -- its last file that is in our document
    heard_at TEXT NOT NULL,
    removed_at TEXT NOT NULL,       -- empty while it takes part
    waits TEXT NOT NULL             -- why its next file cannot be read yet
) WITHOUT ROWID;;
CREATE TABLE sync_document (        -- updates of the document that all machines share
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    data BLOB NOT NULL
);;
CREATE TABLE sync_outbox (          -- files of ours that are not in the folder yet
    counter INTEGER PRIMARY KEY,
    data BLOB NOT NULL              -- sealed: nobody reads it without the machines' key
);;
"""


_SCHEMA_WORDS = """
CREATE TABLE word_vectors (         -- derived: a few bytes a word, compared one by one
    n INTEGER PRIMARY KEY REFERENCES entries (n) ON DELETE CASCADE,
    model TEXT NOT NULL,
    words BLOB NOT NULL             -- empty where the model does not read the script
);;
"""


_SCHEMA_TRUTH = """
-- What is not simply true now, and what somebody is never told: few, and asked for with every read.
CREATE INDEX entries_timed ON entries (n)
    WHERE true_from IS NOT NULL OR true_until IS NOT NULL;;
CREATE INDEX entries_muted ON entries (n) WHERE muted_for <> '[]';;
CREATE INDEX entries_stale ON entries (stale_after) WHERE stale_after IS NOT NULL;;
CREATE TABLE conflicts (            -- two memories that cannot both be true now
    older INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    newer INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    withheld INTEGER NOT NULL,       -- which of them agents are not told until it is settled
    difference TEXT NOT NULL,       -- key, pattern, name, number, date, negation
    noticed_at TEXT NOT NULL,
    older_written TEXT NOT NULL,    -- the texts that were compared
    newer_written TEXT NOT NULL,
    settled TEXT NOT NULL,          -- empty while it is open; newer, both, older
    settled_at TEXT,
    PRIMARY KEY (older, newer)
) WITHOUT ROWID;;
CREATE INDEX conflicts_by_newer ON conflicts (newer);;
CREATE INDEX conflicts_open ON conflicts (noticed_at) WHERE settled = '';;
"""


_SCHEMA_MATRIX = """
CREATE TABLE matrix_parts (         -- derived: entries and vectors as a search holds them in memory
    first INTEGER PRIMARY KEY,      -- the entries from this row number on, as many as make a part
    format TEXT NOT NULL,           -- the embedder's identity, and which columns there are
    change INTEGER NOT NULL,        -- as of this line of the log
    seq INTEGER NOT NULL,           -- and this vector
    entries BLOB NOT NULL,          -- what filters ask for, column by column
    vectors BLOB NOT NULL           -- eight bits a number
);;
CREATE TRIGGER matrix_parts_delete AFTER DELETE ON entries BEGIN
    DELETE FROM matrix_parts WHERE first = old.n / 2048 * 2048;
END;;
"""


_SCHEMA_BELIEFS = """
CREATE TABLE beliefs (              -- what others say of the owner, as far as something came of it
    source TEXT NOT NULL,           -- whose belief it is, as the owner calls them
    statement TEXT NOT NULL,
    entry INTEGER REFERENCES entries (n) ON DELETE CASCADE,  -- the memory it was compared with
    decision TEXT NOT NULL,         -- empty, wrong, ignored
    agreed_at TEXT,                 -- when it and the memory last said the same
    seen_at TEXT NOT NULL,          -- when they last said it
    PRIMARY KEY (source, statement)
) WITHOUT ROWID;;
CREATE INDEX beliefs_by_entry ON beliefs (entry);;
"""


# What store.records.by_others says, for SQL.
BY_OTHERS = """((scope = 'user' AND source <> 'owner' AND source NOT GLOB 'import:*'
                 AND source NOT GLOB 'folder:*')
                OR (scope GLOB 'workspace:*' AND source <> 'owner'
                    AND source NOT GLOB 'import:*'))"""
CORE_RANK = f"CASE category WHEN 'core' THEN 2 - {BY_OTHERS} ELSE 0 END"


def _least_bytes() -> str:
    """SQL for the bytes of key and content that are surely told. What may be left out of them
    counts for nothing: the blanks around a text; of a text with characters that nobody sees, but
    for those that most often stand beside a seen one, all of it."""
    seen = "content"
    for character in "\r\u00ad\u200b\u200d\ufe0f":
        seen = f"replace({seen}, char({ord(character)}), '')"
    unseen = _spelt(
        "\x01-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f"
        "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
        "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    )
    blanks = _spelt(
        "\t\n \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
        "\u202f\u205f\u3000"
    )
    # Plain text is told by its length, and European text by few ranges: the whole class takes long.
    unquoted = "replace(replace(content, char(10), ''), '\"', '')"
    european = _spelt("\t\n -~\u00a0-\u00ac\u00ae-\u034e")
    return f"""(CASE WHEN key GLOB '*[^!-~]*' THEN 0 ELSE length(key) END
      + CASE WHEN octet_length(content) = length(content) AND NOT instr(content, char(127))
              AND octet_length(json_quote({unquoted})) = octet_length({unquoted}) + 2
             THEN octet_length(trim(content, {blanks}))
             WHEN instr(content, char(0)) THEN 0
             WHEN content NOT GLOB '*[^' || {european} || ']*'
             THEN octet_length(trim(content, {blanks}))
             WHEN {seen} GLOB '*[' || {unseen} || ']*' THEN 0
             ELSE octet_length(trim({seen}, {blanks})) END)"""


def _spelt(characters: str) -> str:
    return f"char({', '.join(str(ord(character)) for character in characters)})"


LEAST_BYTES = _least_bytes()
_SCHEMA_TURNS = f"""
CREATE INDEX entries_by_turn ON entries (scope, {CORE_RANK}, written_at, id)
    WHERE state = 'active';;
CREATE INDEX entries_by_least_bytes ON entries (scope, {LEAST_BYTES}) WHERE state = 'active';;
"""


def version(db: Connection) -> int:
    """How many steps the file has taken; 0 for a file with nothing in it.

    Raises NotAVault for somebody else's database and NewerVault for one from the future."""
    application_id = db.execute("PRAGMA application_id").fetchone()[0]
    taken: int = db.execute("PRAGMA user_version").fetchone()[0]
    if application_id == APPLICATION_ID:
        if taken > len(STEPS):
            raise NewerVault(
                f"This vault was written by a newer Keepsake (format {taken}; this one knows "
                f"{len(STEPS)}). Update Keepsake; the file was not touched."
            )
        return taken
    if application_id or taken or db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        raise NotAVault(
            "This is an SQLite database of another program, not a Keepsake vault. "
            "It was not touched; name another file with --vault."
        )
    return 0


def migrate(db: Connection, steps: tuple[Step, ...] = STEPS) -> None:
    """Take every pending step inside the caller's transaction, so a file is old or new, never
    between, and processes that open a new file together do not race."""
    migrations = migration_set("keepsake")
    for step in steps:
        migrations()(step)
    migrations.apply(tools_over(db))
    db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    db.execute(f"PRAGMA user_version={len(steps)}")
