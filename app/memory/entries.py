"""Entries as one caller has them: store, read, list, change, correct, forget, restore."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from app.access.caller_scope import Caller
from app.access.secret_policy import (
    NOTHING,
    SCANNED,
    Noticed,
    noticed,
    redacted_draft,
    sentence,
)
from app.entries.entries import PAGE_MOST, matches, with_defaults
from app.errors import CredentialFound, Invalid, NotAllowed
from app.memory.services import MemoryPart
from app.outcomes import (
    UNSET,
    Changed,
    Conflict,
    Expected,
    Forgotten,
    KeyTaken,
    Proposed,
    Restored,
    Saved,
    StoredMany,
)
from app.rules import fields as field_rules
from app.text.credentials import SUSPECT, redacted
from store.records import ACTIVE, OWNERS, USER, Entry, EntryDraft, Scope, entry_names
from store.tables.entry_filter import EntryFilter, Page

_OWNERS_FIELDS = entry_names(OWNERS)


class CallerEntries(MemoryPart):
    """Each write happens, becomes a proposal or is refused, as the caller's trust has it."""

    __slots__ = ()

    def store(
        self,
        draft: EntryDraft,
        *,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
        if_new: Mapping[str, str | None] | None = None,
        elsewhere: Sequence[Scope] = (),
    ) -> Saved | Conflict | Proposed:
        """Upsert by scope and key. Take the draft's scope from `reach.home`, and with it the
        scopes `elsewhere`, from which an entry of that key moves here. When an agent's memory was
        made is the vault's to say. `if_new` is what an entry that is not there yet is given
        besides."""
        caller = self.reach.caller
        if caller.agent is not None:
            draft = replace(draft, created_at=None, written_at=None)
            draft = self._beside_unknown(draft, (draft.scope, *elsewhere))
        said = [name for name in _OWNERS_FIELDS if getattr(draft, name)]
        self._check_owners_fields(said, draft.scope)
        now = self.reach.writes_now(draft.scope)
        found = credentials(self, [getattr(draft, name) for name in SCANNED])
        if found is not NOTHING:
            draft = redacted_draft(draft, found)
        if now and not must_wait(caller, found):
            outcome = self.services.entries.store(
                draft,
                actor=caller.actor,
                expected_updated_at=expected_updated_at,
                reason=reason,
                if_new=if_new,
                elsewhere=elsewhere,
            )
            return told(self._weighed_against(outcome), found)
        draft = field_rules.clean_draft(draft)
        current, others = self.services.entries.held(draft, caller.actor, elsewhere)
        if not matches(current, expected_updated_at):
            return Conflict(current, creating=expected_updated_at is None)
        whole = with_defaults(draft, current, if_new, self.reach.now)
        why = with_notice(reason, found)
        if others:
            self.proposed("forget", others[0].scope, _ids(others), others[0].id, reason)
        return told(self._proposed_store(whole, current, why), found)

    def _weighed_against(self, outcome: Saved | Conflict) -> Saved | Conflict:
        """With what an agent's write contradicts, looked for by its words; what has its key in
        another scope is noticed in the background. Of what made room for it, what the agent is
        never told is not named."""
        agent = self.reach.caller.agent
        if agent is None or not isinstance(outcome, Saved):
            return outcome
        if outcome.evicted:
            named = tuple(gone for gone in outcome.evicted if not self.reach.is_muted(gone))
            outcome = replace(outcome, evicted=named)
        entry = outcome.entry
        if not self.services.entries.anything_alike(entry):
            return outcome
        seen = [
            one
            for one in self.services.conflicts.notice(entry)
            if self.reach.knows(one.than(entry))
        ]
        return replace(
            outcome,
            contradicts=tuple(one.than(entry) for one in seen),
            withheld=any(one.told.id != entry.id for one in seen),
        )

    def _proposed_store(self, draft: EntryDraft, current: Entry | None, reason: str) -> Proposed:
        """Propose a clean draft over the entry its writer saw, which may move with it."""
        if current is not None and current.scope != draft.scope:
            fields: dict[str, object] = {**field_rules.given(draft), "scope": draft.scope}
            return proposed_change(self, "change", current, fields, reason)
        caller = self.reach.caller
        proposal = self.services.review.propose_store(
            caller.name, draft, current, reason, source=caller.actor
        )
        return Proposed(proposal)

    def store_many(
        self, drafts: Sequence[EntryDraft], *, action: str = "stored", reason: str = ""
    ) -> StoredMany | list[Proposed]:
        """All of them as one undoable group, or a proposal for each: also for those that look as
        if they held a credential."""
        caller = self.reach.caller
        if caller.agent is not None:
            drafts = [self._beside_unknown(draft, (draft.scope,)) for draft in drafts]
        if self.reach.writes_now(*{draft.scope for draft in drafts}):
            suspect, plain = self._sorted(drafts)
            self.services.review.check_room(caller.name, len(suspect))
            stored = self.services.entries.store_many(
                plain, actor=caller.actor, action=action, reason=reason
            )
            return replace(stored, proposed=len([self.store(d, reason=reason) for d in suspect]))
        self.services.review.check_room(caller.name, len(drafts))  # all or none
        outcomes = [self.store(draft, reason=reason) for draft in drafts]
        return [outcome for outcome in outcomes if isinstance(outcome, Proposed)]

    def read(self, ident: str) -> Entry:
        return self.reach.entry(ident)

    def read_many(self, idents: Sequence[str]) -> list[Entry]:
        """Those that are there; what is not, is left out."""
        return self.reach.entries(idents)

    def find(self, key: str, scope: Scope | None = None) -> Entry | None:
        """The entry of that key, in the nearest scope that has one."""
        return next(iter(self.reach.entries_of_key(key, scope)), None)

    def with_key(self, key: str, scope: Scope | None = None, state: str = ACTIVE) -> list[Entry]:
        """Every entry of that key: for the owner the newest first and, if asked, in the trash; for
        an agent those it may see, the nearest scope first."""
        if self.reach.caller.agent is None:
            return self.services.entries.with_key(key, scope, state)
        if state != ACTIVE:
            self._owner_only("looks into the trash")
        return self.reach.entries_of_key(key, scope)

    def page(
        self,
        filter: EntryFilter | None = None,
        limit: int = 50,
        cursor: str | None = None,
        order: str = "rank",
    ) -> Page:
        wanted = self.reach.limited(filter or EntryFilter())
        return self.services.entries.page(wanted, limit, cursor, order)

    def every(self, filter: EntryFilter) -> list[Entry]:
        """All of them, in the order of the list."""
        page = self.page(filter, PAGE_MOST)
        found = list(page.entries)
        while page.next is not None:
            page = self.page(filter, PAGE_MOST, page.next)
            found += page.entries
        return found

    def ids(self, filter: EntryFilter, order: str = "rank") -> list[str]:
        return self.services.entries.ids(self.reach.limited(filter), order)

    def count(self, filter: EntryFilter | None = None) -> int:
        return self.services.entries.count(self.reach.limited(filter or EntryFilter()))

    def change(
        self,
        ident: str,
        fields: Mapping[str, object],
        *,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
    ) -> Saved | Conflict | KeyTaken | Proposed:
        caller = self.reach.caller
        entry = None if self.reach.is_owner else self.reach.entry(ident)
        if entry is not None:
            self._check_owners_fields(fields, entry.scope)
        now = entry is None or self._writes_now(entry, fields)
        found, fields = self._weighed(fields)
        if entry is None or (now and not must_wait(caller, found)):
            outcome = self.services.entries.change(
                ident,
                fields,
                expected_updated_at=expected_updated_at,
                actor=self.reach.actor,
                reason=reason,
            )
            if isinstance(outcome, KeyTaken) and not self.reach.knows(outcome.entry):
                raise Invalid(f"The key {outcome.key} cannot be had; {outcome.suggestion} can.")
            return told(outcome, found)
        if not matches(entry, expected_updated_at):
            return Conflict(entry)
        clean = field_rules.clean_fields(fields)
        why = with_notice(reason, found)
        return told(proposed_change(self, "change", entry, clean, why), found)

    def change_many(
        self,
        idents: Sequence[str],
        fields: Mapping[str, object],
        *,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
    ) -> Changed:
        """The same change to many, as one undoable group. Only the owner does this."""
        self._owner_only("changes many memories at once")
        return self.services.entries.change_many(
            idents, fields, add_tags=add_tags, remove_tags=remove_tags
        )

    def merge(
        self, keep: str, others: Sequence[str], content: str, *, tags: Sequence[str] | None = None
    ) -> Saved:
        """One memory that says what several said; the others go to the trash. Only the owner does
        this."""
        self._owner_only("merges memories")
        return self.services.corrections.merge(keep, others, content, tags=tags)

    def correct(
        self,
        ident: str,
        content: str,
        fields: Mapping[str, object] | None = None,
        *,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
    ) -> Saved | Conflict | Proposed:
        """Forget what is wrong and store what is right, as one change."""
        entry = self.reach.entry(ident)
        self._check_owners_fields(fields or (), entry.scope)
        now = self._writes_now(entry, fields or {})
        found, patch = self._weighed({**(fields or {}), "content": content})
        if now and not must_wait(self.reach.caller, found):
            outcome = self.services.corrections.correct(
                ident,
                str(patch["content"]),
                fields={name: value for name, value in patch.items() if name != "content"},
                expected_updated_at=expected_updated_at,
                reason=reason,
                actor=self.reach.actor,
            )
            return told(outcome, found)
        if not matches(entry, expected_updated_at):
            return Conflict(entry)
        clean = field_rules.clean_fields(patch)
        why = with_notice(reason, found)
        return told(proposed_change(self, "correct", entry, clean, why), found)

    def forget(self, idents: Sequence[str], *, reason: str = "") -> Forgotten | Proposed:
        """All of them or, when one is not there, none."""
        if not idents:
            raise Invalid("Which memory? Name at least one to forget.")
        agent = self.reach.caller.agent
        found = [] if agent is None else [self.reach.entry(ident) for ident in idents]
        if self.reach.writes_now(*{entry.scope for entry in found}):
            return self.services.entries.forget(idents, actor=self.reach.actor, reason=reason)
        return self.proposed("forget", found[0].scope, _ids(found), found[0].id, reason)

    def restore(
        self, idents: Sequence[str], *, key: str | None = None, rename: bool = False
    ) -> Restored | KeyTaken:
        """Out of the trash, under another key if its own was taken; `rename` finds one. Only the
        owner does this."""
        self._owner_only("takes memories out of the trash")
        return self.services.entries.restore(idents, key=key, rename=rename)

    def _owner_only(self, does: str) -> None:
        if self.reach.caller.agent is not None:
            raise NotAllowed(f"Only the owner {does}.")

    def _beside_unknown(self, draft: EntryDraft, scopes: Sequence[Scope]) -> EntryDraft:
        """The draft under another key where its own is of a memory that the agent is never told:
        it neither reads what is there nor writes over it."""
        if not draft.key or not self.reach.anything_muted():
            return draft
        key = field_rules.clean_key(draft.key)
        number, free = 1, key
        while any(
            holder is not None and not self.reach.knows(holder)
            for holder in (self.services.entries.find(scope, free) for scope in scopes)
        ):
            number += 1
            free = f"{key[:190]}-{number}"
        return draft if free == key else replace(draft, key=free)

    def says_as_owner(self, scope: Scope) -> bool:
        """Whether the caller's word on who confirmed a memory, and who is never told it, is the
        owner's: a folder of the user's memory is. In a workspace anybody edits the files."""
        caller = self.reach.caller
        return caller.is_owner or (caller.agent is None and scope == USER)

    def _check_owners_fields(self, names: Iterable[str], scope: Scope) -> None:
        said = [name for name in names if name in _OWNERS_FIELDS]
        if said and not self.says_as_owner(scope):
            raise NotAllowed(f"Only the owner says {said[0]}; leave it out.")

    def _sorted(self, drafts: Sequence[EntryDraft]) -> tuple[list[EntryDraft], list[EntryDraft]]:
        """Those that wait for a credential in them, and the others as they are kept."""
        waiting: list[EntryDraft] = []
        kept: list[EntryDraft] = []
        for draft in drafts:
            found = credentials(self, [getattr(draft, name) for name in SCANNED])
            waits = must_wait(self.reach.caller, found)
            (waiting if waits else kept).append(redacted_draft(draft, found))
        return waiting, kept

    def _weighed(self, fields: Mapping[str, object]) -> tuple[Noticed, Mapping[str, object]]:
        """The credentials in these fields, and the fields as they are kept."""
        texts = {name: str(fields[name]) for name in SCANNED if fields.get(name)}
        found = credentials(self, list(texts.values()))
        if not found.redacted:
            return found, fields
        kept = {name: redacted(text, found.redacted) for name, text in texts.items()}
        return found, {**fields, **kept}

    def _writes_now(self, entry: Entry, fields: Mapping[str, object]) -> bool:
        """Where the entry is, and where the fields would move it."""
        target = fields.get("scope", entry.scope)
        if not isinstance(target, Scope):
            target = field_rules.parse_scope(str(target))
        return self.reach.writes_now(entry.scope, target)


Told = TypeVar("Told")


def credentials(part: MemoryPart, texts: Sequence[str | None]) -> Noticed:
    """The likely credentials in these texts. Raises CredentialFound for the owner's own write
    where the owner wants to be asked."""
    caller = part.reach.caller
    if caller.allows_secrets or not any(text and SUSPECT.search(text) for text in texts):
        return NOTHING
    found = noticed(part.services.settings, texts)
    if found.asked and caller.is_owner:
        raise CredentialFound(sentence(found.asked))
    return found


def must_wait(caller: Caller, found: Noticed) -> bool:
    return found is not NOTHING and bool(found.waits) and not caller.is_owner


def with_notice(reason: str, found: Noticed) -> str:
    return " ".join(part for part in (reason, found.sentence) if part)


def told(outcome: Told, found: Noticed) -> Told:
    """The outcome with what was noticed, for who wrote it."""
    if found is NOTHING or not isinstance(outcome, Saved | Proposed):
        return outcome
    return replace(outcome, notice=found.sentence)


def proposed_change(
    part: MemoryPart, action: str, entry: Entry, fields: Mapping[str, object], reason: str
) -> Proposed:
    """Propose clean fields for an entry, over the state its writer saw."""
    payload: dict[str, object] = {
        "fields": {name: _plain(value) for name, value in fields.items()},
        "expected_updated_at": entry.updated_at,
        "key": entry.key,
    }
    return part.proposed(action, entry.scope, payload, entry.id, reason)


def _ids(entries: Sequence[Entry]) -> dict[str, object]:
    return {"ids": [entry.id for entry in entries]}


def _plain(value: object) -> object:
    if isinstance(value, Scope):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
