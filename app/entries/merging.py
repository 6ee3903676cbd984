"""Several memories into one: the kept one says it all, the others go to the trash, one undo."""

from __future__ import annotations

from collections.abc import Sequence

from app.entries.entries import Entries, found
from app.errors import Invalid
from app.outcomes import Saved
from app.rules import fields as field_rules
from store.file.database import Database
from store.instants import Clock
from store.records import ACTIVE, OWNER, Entry, EntryFields
from store.tables import entries as rows
from store.tables.change_log import recording


def joined(entries: Sequence[Entry]) -> str:
    """The texts one after the other, each said once: a start for the merged memory."""
    texts = dict.fromkeys(entry.content.strip() for entry in entries)
    return "\n\n".join(text for text in texts if text)


class Merging:
    def __init__(self, database: Database, entries: Entries, clock: Clock) -> None:
        self._database = database
        self._entries = entries
        self._clock = clock

    def merge(
        self,
        keep: str,
        others: Sequence[str],
        content: str,
        *,
        tags: Sequence[str] | None = None,
        actor: str = OWNER,
    ) -> Saved:
        """`keep` gets `content`, `tags` (None: the tags of all) and the highest importance;
        `others` go to the trash. Both sources stay in the history, and one undo takes all of it
        back."""
        others = [ident for ident in dict.fromkeys(others) if ident != keep]
        if not others:
            raise Invalid("Merging takes at least two memories.")
        content = field_rules.clean_content(content)
        with recording(self._database, actor=actor, action="merged", clock=self._clock) as rec:
            kept = found(rec.db, keep)
            gone = [found(rec.db, ident) for ident in others]
            every = dict.fromkeys(tag for entry in (kept, *gone) for tag in entry.tags)
            for entry in gone:
                if entry.state == ACTIVE:
                    rows.trash(rec, entry, "merged")
            patch: EntryFields = {
                "content": content,
                "tags": tuple(every if tags is None else tags)[: field_rules.TAGS_MOST],
                "importance": max(entry.importance for entry in (kept, *gone)),
            }
            return Saved(self._entries.writes.amend(rec, kept, patch, actor), rec.group, False)
