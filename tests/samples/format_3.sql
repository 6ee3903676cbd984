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
DROP TABLE pending_erasures;;
