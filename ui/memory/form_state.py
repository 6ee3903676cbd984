"""What the editor has in hand, as values: the form's state, what changed, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from app.entries.drafts import Draft
from app.rules.fields import parse_scope
from store.records import Entry, EntryDraft
from ui.memory.field_form import FIELD_NAMES, Fields


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
        known = {name: kept[name] for name in FIELD_NAMES if name in kept}
        if "scope" in known:
            known["scope"] = parse_scope(str(known["scope"]))
        if "tags" in known:
            known["tags"] = tuple(known["tags"])
        fields = replace(before.fields, **known)
        key, content = kept.get("key", before.key), kept.get("content", before.content)
        return Form(str(key), str(content), fields)

    def plain(self) -> dict[str, object]:
        return {"key": self.key, "content": self.content, **self.fields.plain()}

    def changes_from(self, entry: Entry) -> dict[str, object]:
        """The fields of `entry` that the form would change."""
        wanted = self.fields.values() | {
            "key": self.key.strip() or entry.key,
            "content": self.content,
        }
        return {name: value for name, value in wanted.items() if getattr(entry, name) != value}

    def as_new(self) -> EntryDraft:
        values: dict[str, Any] = self.fields.values()
        return EntryDraft(self.content, key=self.key.strip() or None, **values)

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
