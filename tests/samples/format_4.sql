CREATE TABLE machines (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    heard_at TEXT NOT NULL,
    removed_at TEXT NOT NULL,
    waits TEXT NOT NULL
) WITHOUT ROWID;;
CREATE TABLE sync_document (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    data BLOB NOT NULL
);;
CREATE TABLE sync_outbox (
    counter INTEGER PRIMARY KEY,
    data BLOB NOT NULL
);;
