ALTER TABLE entries ADD COLUMN pairs TEXT NOT NULL DEFAULT '';;  -- derived (store/unspaced.py)
DROP TRIGGER IF EXISTS vectors_insert;;  -- one statement a batch instead (store/entries.py)
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
CREATE INDEX kept_apart_by_entry ON kept_apart (n);;
