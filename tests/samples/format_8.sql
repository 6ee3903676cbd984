CREATE TABLE beliefs (
    source TEXT NOT NULL,
    statement TEXT NOT NULL,
    entry INTEGER REFERENCES entries (n) ON DELETE CASCADE,
    decision TEXT NOT NULL,
    agreed_at TEXT,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (source, statement)
) WITHOUT ROWID;;
CREATE INDEX beliefs_by_entry ON beliefs (entry);;
