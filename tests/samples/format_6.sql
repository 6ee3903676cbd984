ALTER TABLE entries ADD COLUMN true_from TEXT;;
ALTER TABLE entries ADD COLUMN true_until TEXT;;
ALTER TABLE entries ADD COLUMN verified_at TEXT;;
ALTER TABLE entries ADD COLUMN stale_after TEXT;;
ALTER TABLE entries ADD COLUMN muted_for TEXT NOT NULL DEFAULT '[]';;
CREATE INDEX entries_timed ON entries (n)
    WHERE true_from IS NOT NULL OR true_until IS NOT NULL;;
CREATE INDEX entries_muted ON entries (n) WHERE muted_for <> '[]';;
CREATE INDEX entries_stale ON entries (stale_after) WHERE stale_after IS NOT NULL;;
CREATE TABLE conflicts (
    older INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    newer INTEGER NOT NULL REFERENCES entries (n) ON DELETE CASCADE,
    withheld INTEGER NOT NULL,
    difference TEXT NOT NULL,
    noticed_at TEXT NOT NULL,
    older_written TEXT NOT NULL,
    newer_written TEXT NOT NULL,
    settled TEXT NOT NULL,
    settled_at TEXT,
    PRIMARY KEY (older, newer)
) WITHOUT ROWID;;
CREATE INDEX conflicts_by_newer ON conflicts (newer);;
CREATE INDEX conflicts_open ON conflicts (noticed_at) WHERE settled = '';;
