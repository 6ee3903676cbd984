"""What the editor has in hand, as values: the form's state, what changed, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from app.entries.drafts import Draft
from app.rules.fields import parse_scope
from store.records import Entry, EntryDraft
from ui.memory.field_form import Fields


@dataclass(frozen=True, slots=True)
class Form:
    """Everything a person can set on a memory."""

    key: str = ""
    content: str = ""
    fields: Fields = field(default_factory=Fields)

    @staticmethod
    def of(entry: Entry) -> Form:
        return Form(entry.key, entry.content, Fields.of(entry))

    @staticmethod
    def of_draft(draft: Draft, before: Form) -> Form:
        """The draft over what was there; a field it does not know stays."""
        kept: dict[str, Any] = dict(draft.fields)
        names = ("category", "kind", "importance", "hook", "expires_at")
        fields = replace(before.fields, **{name: kept[name] for name in names if name in kept})
        if "scope" in kept:
            fields = replace(fields, scope=parse_scope(str(kept["scope"])))
        if isinstance(kept.get("tags"), list):
            fields = replace(fields, tags=tuple(kept["tags"]))
        key, content = kept.get("key", before.key), kept.get("content", before.content)
        return Form(str(key), str(content), fields)

    def plain(self) -> dict[str, object]:
        return {"key": self.key, "content": self.content, **self.fields.plain()}

    def changes_from(self, entry: Entry) -> dict[str, object]:
        """The fields of `entry` that the form would change."""
        wanted: dict[str, object] = {
            "key": self.key.strip() or entry.key,
            "content": self.content,
            "scope": self.fields.scope,
            "category": self.fields.category,
            "kind": self.fields.kind,
            "importance": self.fields.importance,
            "tags": self.fields.tags,
            "hook": self.fields.hook,
            "expires_at": self.fields.expires_at,
        }
        return {name: value for name, value in wanted.items() if getattr(entry, name) != value}

    def as_new(self) -> EntryDraft:
        fields = self.fields
        return EntryDraft(
            content=self.content,
            scope=fields.scope,
            key=self.key.strip() or None,
            hook=fields.hook,
            category=fields.category,
            kind=fields.kind,
            importance=fields.importance,
            tags=fields.tags,
            expires_at=fields.expires_at,
        )

    @property
    def size(self) -> int:
        return len(self.content.encode())

    @property
    def empty(self) -> bool:
        return not self.content.strip() and not self.key.strip()


def slot_of(entry: Entry) -> str:
    return slot_of_id(entry.id)


def slot_of_id(ident: str) -> str:
    return f"entry:{ident}"
