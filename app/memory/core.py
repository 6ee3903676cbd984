"""Making memories core and ordinary again, as one caller may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.memory.services import MemoryPart
from app.outcomes import Proposed, Saved
from store.records import USER, Scope

if TYPE_CHECKING:
    from app.entries.corrections import LineMoved


class CallerCore(MemoryPart):
    """Core is what an agent is always told: entries of that category, lines of the core block."""

    __slots__ = ()

    def pin(self, ident: str, *, reason: str = "") -> Saved | Proposed:
        """Make an entry core."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self.services.corrections.pin(
                ident, actor=self.reach.caller.actor, reason=reason
            )
        return self.proposed("promote", entry.scope, {"key": entry.key}, ident, reason)

    def unpin(
        self, ident: str, category: str | None = None, *, reason: str = ""
    ) -> Saved | Proposed:
        """Give a core entry back the category it had, or the one named."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self.services.corrections.unpin(
                ident, category, actor=self.reach.caller.actor, reason=reason
            )
        payload = {"key": entry.key, "category": category}
        return self.proposed("demote", entry.scope, payload, ident, reason)

    def pin_line(self, text: str, scope: Scope = USER, *, reason: str = "") -> LineMoved | Proposed:
        """Move an archival line to the core block of its scope."""
        if self.reach.writes_now(scope):
            return self.services.corrections.pin_line(
                scope, text, actor=self.reach.caller.actor, reason=reason
            )
        return self.proposed("promote", scope, {"line": text}, "", reason)

    def unpin_line(
        self, text: str, scope: Scope = USER, *, reason: str = ""
    ) -> LineMoved | Proposed:
        """Move a line of the core block to the archival block of its scope."""
        if self.reach.writes_now(scope):
            return self.services.corrections.unpin_line(
                scope, text, actor=self.reach.caller.actor, reason=reason
            )
        return self.proposed("demote", scope, {"line": text}, "", reason)
