CREATE TABLE matrix_parts (
    first INTEGER PRIMARY KEY,
    format TEXT NOT NULL,
    change INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    entries BLOB NOT NULL,
    vectors BLOB NOT NULL
);;
CREATE TRIGGER matrix_parts_delete AFTER DELETE ON entries BEGIN
    DELETE FROM matrix_parts WHERE first = old.n / 2048 * 2048;
END;;
