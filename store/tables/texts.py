"""Every text that people and agents wrote, whichever table it is in."""

from __future__ import annotations

from collections.abc import Iterator

from store.file.database import Connection

_TEXTS = (
    """SELECT 'memory', key, scope || iif(state = 'trashed', ' (trash)', ''),
              key || char(10) || content || char(10) || hook || char(10) || extra
         FROM entries ORDER BY n""",
    "SELECT 'block', name, scope, content FROM blocks ORDER BY scope, name",
    "SELECT 'turn', id, 'conversation:' || conversation_id, content FROM turns ORDER BY n",
    """SELECT 'message', message_id, 'channel:' || channel, text
         FROM channel_messages ORDER BY n""",
    """SELECT 'proposal', id, scope, payload || char(10) || reason FROM proposals
        WHERE state = 'pending' ORDER BY created_at, id""",
)


def all_texts(db: Connection) -> Iterator[tuple[str, str, str, str]]:
    """(what, name, where, text) of each, as it is now; versions in the log are not among them."""
    for statement in _TEXTS:
        yield from db.execute(statement)
