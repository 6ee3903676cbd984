"""Setting memory right in one step: correct a wrong entry, merge several that say the same, pin
what matters to core, unpin it.

Each is one change group, so one undo takes it back. The methods that take a Recorder are the same
inside a larger action, such as an approval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from app.blocks.blocks import Blocks
from app.entries.entries import Entries, found, matches
from app.errors import Invalid, NotFound, Refused
from app.outcomes import UNSET, Conflict, Expected, Saved
from app.rules import fields as field_rules
from app.rules.blocks import lines_of, with_line, without_line
from app.rules.fields import clean_draft
from app.rules.visibility import parse_muted_tags
from store.file.database import Connection, Database
from store.instants import Clock
from store.records import (
    ACTIVE,
    OWNER,
    SET,
    Block,
    Entry,
    EntryDraft,
    EntryFields,
    Scope,
    entry_names,
)
from store.tables import blocks as block_rows
from store.tables import change_log, settings
from store.tables import entries as rows
from store.tables.change_log import Recorder, recording

_OF_THE_TEXT = ("content", "expires_at", "verified_at")  # said of the wrong text, not the right one
UNPINNED = "memory"  # the category of an unpinned entry that never had another


@dataclass(frozen=True, slots=True)
class LineMoved:
    """A fact moved between the archival and the core block of its scope."""

    core: Block
    archival: Block
    group: int


class Corrections:
    def __init__(self, database: Database, entries: Entries, blocks: Blocks, clock: Clock) -> None:
        self._database = database
        self._entries = entries
        self._blocks = blocks
        self._clock = clock

    def correct(
        self,
        ident: str,
        content: str,
        *,
        fields: Mapping[str, object] | None = None,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
        actor: str = OWNER,
        source: str | None = None,
    ) -> Saved | Conflict:
        """Forget what is wrong and store what is right, in its place and with its reason."""
        patch = field_rules.clean_fields({**(fields or {}), "content": content})
        with self._recording(actor, "corrected", reason) as rec:
            entry = found(rec.db, ident)
            if not matches(entry, expected_updated_at):
                return Conflict(entry)
            return Saved(self.put_right(rec, entry, patch, source or actor), rec.group, True)

    def merge(
        self,
        keep: str,
        others: Sequence[str],
        content: str,
        *,
        tags: Sequence[str] | None = None,
        actor: str = OWNER,
    ) -> Saved:
        """`keep` gets `content`, `tags` (None: the tags of all) and the highest importance,
        and is told to nobody who was not told one of them; `others` go to the trash. Both sources
        stay in the history."""
        others = [ident for ident in dict.fromkeys(others) if ident != keep]
        if not others:
            raise Invalid("Merging takes at least two memories.")
        content = field_rules.clean_content(content)
        with self._recording(actor, "merged", "") as rec:
            kept = found(rec.db, keep)
            gone = [found(rec.db, ident) for ident in others]
            every = dict.fromkeys(tag for entry in (kept, *gone) for tag in entry.tags)
            left = tuple(every if tags is None else tags)[: field_rules.TAGS_MOST]
            muted_tags = parse_muted_tags(settings.text(rec.db, "muted_tags"))
            for entry in gone:
                if entry.state == ACTIVE:
                    rows.trash(rec, entry, "merged")
            patch: EntryFields = {
                "content": content,
                "tags": left,
                "importance": max(entry.importance for entry in (kept, *gone)),
                "muted_for": field_rules.muted_together((kept, *gone), left, muted_tags),
            }
            return Saved(self._entries.writes.amend(rec, kept, patch, actor), rec.group, False)

    def pin(self, ident: str, *, actor: str = OWNER, reason: str = "") -> Saved:
        """Make an entry core."""
        with self._recording(actor, "pinned", reason) as rec:
            entry = self.put_pin(rec, ident, None, actor)
            return Saved(entry, rec.group, False)

    def unpin(
        self, ident: str, category: str | None = None, *, actor: str = OWNER, reason: str = ""
    ) -> Saved:
        """Give a core entry back the category it had, or the one named."""
        with self._recording(actor, "unpinned", reason) as rec:
            entry = self.put_unpin(rec, ident, category, actor)
            return Saved(entry, rec.group, False)

    def pin_line(
        self, scope: Scope, text: str, *, actor: str = OWNER, reason: str = ""
    ) -> LineMoved:
        """Move a line of the scope's archival block to its core block."""
        with self._recording(actor, "pinned", reason) as rec:
            archival, core = self.move_line(rec, scope, text, "archival", "core", actor)
            return LineMoved(core, archival, rec.group)

    def unpin_line(
        self, scope: Scope, text: str, *, actor: str = OWNER, reason: str = ""
    ) -> LineMoved:
        """Move a line of the scope's core block to its archival block."""
        with self._recording(actor, "unpinned", reason) as rec:
            core, archival = self.move_line(rec, scope, text, "core", "archival", actor)
            return LineMoved(core, archival, rec.group)

    # Inside a larger action

    def put_right(self, rec: Recorder, entry: Entry, patch: EntryFields, source: str) -> Entry:
        """`patch` is clean and has a content; what it leaves out stays as it was."""
        if entry.state != ACTIVE:
            raise Refused(f"{entry.key} is in the trash already; store what is right instead.")
        self._entries.writes.take_out(rec, [entry])
        kept = {
            name: getattr(entry, name)
            for name in (*entry_names(SET), "extra")
            if name not in _OF_THE_TEXT
        }
        if entry.category != "daily":
            kept["expires_at"] = entry.expires_at
        draft = EntryDraft(**{**kept, **patch})
        return self._entries.writes.put(rec, clean_draft(draft), source)

    def put_pin(self, rec: Recorder, ident: str, category: str | None, source: str) -> Entry:
        entry = _active(rec.db, ident)
        return self._entries.writes.amend(rec, entry, {"category": category or "core"}, source)

    def put_unpin(self, rec: Recorder, ident: str, category: str | None, source: str) -> Entry:
        entry = _active(rec.db, ident)
        if entry.category != "core":
            return entry
        wanted = field_rules.clean_word("category", category or _category_before(rec.db, ident))
        if wanted == "core":
            raise Invalid("Unpinning needs a category other than core.")
        return self._entries.writes.amend(rec, entry, {"category": wanted}, source)

    def move_line(
        self, rec: Recorder, scope: Scope, text: str, origin: str, target: str, source: str
    ) -> tuple[Block, Block]:
        block = block_rows.read(rec.db, scope, origin)
        if block is None:
            raise NotFound(f"There is no {origin} block in {scope}.")
        text = next((line for _, line in lines_of(text)), text.strip())
        rest = without_line(block.content, text)
        there = block_rows.read(rec.db, scope, target)
        moved = self._blocks.put(
            rec, scope, target, with_line(there.content if there else "", text), source
        )
        return self._blocks.put(rec, scope, origin, rest, source), moved

    def _recording(self, actor: str, action: str, reason: str) -> AbstractContextManager[Recorder]:
        return recording(
            self._database, actor=actor, action=action, reason=reason, clock=self._clock
        )


def joined(entries: Sequence[Entry]) -> str:
    """The texts one after the other, each said once: a start for the merged memory."""
    texts = dict.fromkeys(entry.content.strip() for entry in entries)
    return "\n\n".join(text for text in texts if text)


SAME_TEXT = 90.0  # of a hundred


def said_once(
    entries: Sequence[Entry], progress: Callable[[int, int], None] | None = None
) -> list[Entry]:
    """Those whose text says more than a slip of the pen beside one already taken."""
    from rapidfuzz import fuzz

    kept: list[Entry] = []
    for number, entry in enumerate(entries):
        if progress:
            progress(number, len(entries))
        alike = (fuzz.ratio(one.content, entry.content, score_cutoff=SAME_TEXT) for one in kept)
        if not any(alike):
            kept.append(entry)
    return kept


def _active(db: Connection, ident: str) -> Entry:
    entry = found(db, ident)
    if entry.state != ACTIVE:
        raise Refused(f"{entry.key} is in the trash; restore it first.")
    return entry


def _category_before(db: Connection, ident: str) -> str:
    """The last category the entry had that was not core."""
    for change in change_log.of_thing(db, ident):
        category = (change.before or {}).get("category")
        if category and category != "core":
            return str(category)
    return UNPINNED
