"""What happened to a memory, as far back as one caller may know, and bringing a version back."""

from __future__ import annotations

from app.errors import Invalid, Refused
from app.memory.entries import proposed_change
from app.memory.services import MemoryPart
from app.outcomes import KeyTaken, Proposed
from store.records import Change, Entry, Scope

_BROUGHT_BACK = ("content", "hook", "category", "kind", "importance", "tags")


class CallerHistory(MemoryPart):
    __slots__ = ()

    def of(self, ident: str) -> list[Change]:
        """Newest first, as far back as the caller could see it."""
        self.reach.entry(ident)
        return self.reach.changes(self.services.history.of(ident))

    def bring_back(self, ident: str, seq: int) -> Entry | KeyTaken | Proposed:
        """Make the version that change `seq` left the current one."""
        entry = self.reach.entry(ident)
        if seq not in {change.seq for change in self.of(ident)}:
            raise Invalid(
                f"Change {seq} did not make a version of {entry.key}. What was there before a "
                "correction comes back by undoing the correction."
            )
        version = next(v for v in self.services.history.versions(ident) if v.change.seq == seq)
        was = version.fields or {}
        # The version may have been elsewhere: bringing it back writes there too.
        if self.reach.writes_now(entry.scope, Scope.of(str(was.get("scope", entry.scope)))):
            return self.services.history.bring_back(ident, seq, actor=self.reach.caller.actor)
        if not was:
            raise Refused("That version is not kept any more: its content was compacted.")
        fields = {name: was[name] for name in _BROUGHT_BACK}
        return proposed_change(self, "change", entry, fields, "")
