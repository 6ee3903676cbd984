"""What others believe about the owner: read, compared, decided, kept and erased."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.errors import Invalid
from app.proof.beliefs import AGREE, DIFFERS, ONLY_THEY, Beliefs, Compared
from app.proof.passport import Passports
from app.proof.statements import about_owner, statements_of, unnamed
from app.rules.same_fact import compared
from app.text.owner_names import owner_names
from app.vault import Vault, open_vault
from store.records import EntryDraft
from store.tables import beliefs as rows

LENA = "Lena Hartmann, 34, lives in Hamburg-Ottensen. Pronouns she/her."
ANSWER = """Here's what I know about you:

### Personal
- **Name:** Anna
- You live in Bonn and your dog is called Rex. You're vegetarian.
- Family:
  - Two daughters, Lena and Mia
1. **Work**: You work as a nurse; you have been there since 2019.

| Category | Detail |
|---|---|
| Editor | Helix |
| Diet | You don't eat meat |

**Interests**
You like cycling, and you enjoy opera. The user prefers short answers.[1]
Du wohnst in Leipzig und deine Katze heißt Mimi. Kaffee trinkst du ohne Zucker.

1. [2024-12-10]. User has a peanut allergy.
Let me know if you'd like me to forget something!
Is there anything else?
"""


def test_an_answer_is_taken_apart() -> None:
    found = [(one.topic, one.text) for one in statements_of(ANSWER)]
    assert found == [
        ("Personal", "Name: Anna"),
        ("Personal", "You live in Bonn"),
        ("Personal", "Your dog is called Rex."),
        ("Personal", "You're vegetarian."),
        ("Family", "Two daughters, Lena and Mia"),
        ("Work", "You work as a nurse"),
        ("Work", "You have been there since 2019."),
        ("Personal", "Editor: Helix"),
        ("Diet", "You don't eat meat"),
        ("Interests", "You like cycling"),
        ("Interests", "You enjoy opera."),
        ("Interests", "The user prefers short answers."),
        ("Interests", "Du wohnst in Leipzig"),
        ("Interests", "Deine Katze heißt Mimi."),
        ("Interests", "Kaffee trinkst du ohne Zucker."),
        ("Interests", "User has a peanut allergy."),
    ]


@pytest.mark.parametrize(
    ("said", "owners"),
    [
        ("You live in Bonn.", "Lives in Bonn."),
        ("You're vegetarian.", "Is vegetarian."),
        ("You've moved to Oslo.", "Has moved to Oslo."),
        ("You usually have tea.", "Usually has tea."),
        ("Your dog is called Rex.", "The dog is called Rex."),
        ("The user's dog is called Rex.", "The dog is called Rex."),
        ("User works at Acme.", "Works at Acme."),
        ("You can't stand opera.", "Hates opera."),
        ("You can swim.", "Can swim."),
        ("Du bist Lehrerin.", "Ist Lehrerin."),
        ("Du arbeitest bei Acme.", "Arbeitet bei Acme."),
        ("Deine Katze heißt Mimi.", "Die Katze heißt Mimi."),
        ("Kaffee trinkst du schwarz.", "Kaffee trinkt schwarz."),
    ],
)
def test_a_statement_is_said_as_a_memory_says_it(said: str, owners: str) -> None:
    assert about_owner(said) == owners


@pytest.mark.parametrize(
    ("said", "memory", "why"),
    [
        ("Works at Bosch.", "Works for Siemens.", "pattern"),
        ("The exam is on 4 April.", "The exam is on 14 March.", "date"),
        ("Does not use an inhaler daily.", "Has asthma and uses an inhaler daily.", "negation"),
        ("Lives in a WG in Bonn.", "Lives in a Wohngemeinschaft in Bonn.", ""),
        ("Lives in Bonn.", "Lives in Bonn.", ""),
        ("The sister lives in Oslo.", "Lives in Oslo.", None),
        ("Lives in Lyon.", "Farida lives in Lyon.", None),
        ("Lives in Madrid.", "Farida lives in Lyon.", None),
    ],
)
def test_one_fact_is_told_from_another(said: str, memory: str, why: str | None) -> None:
    found = compared(said, memory, 0.8, 0.5)
    assert (found.why if found.same else None) == why


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "real" / "vault.db")
    yield opened
    opened.close()


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault" / "vault.db")
    for key, content in (
        ("home", "Lives in Bonn."),
        ("work", "Works for Siemens."),
        ("tea", "Drinks green tea."),
        ("illness", "Has type 1 diabetes."),
    ):
        opened.entries.store(EntryDraft(content, key=key, category="core"))
    yield opened
    opened.close()


def verdicts(found: Compared) -> dict[str, str]:
    return {row.they: row.verdict for row in found.rows}


SAYS = ["You live in Bonn.", "You work at Bosch.", "You own a sailing boat."]


def test_what_they_say_stands_beside_what_you_say(vault: Vault) -> None:
    found = Beliefs(vault).compare(SAYS, "ChatGPT")
    assert verdicts(found) == dict(zip(SAYS, (AGREE, DIFFERS, ONLY_THEY), strict=True))
    assert found.source == "chatgpt"
    assert [row.entry.key for row in found.yours if row.entry] == ["illness", "tea"]
    assert found.rows[0].agreed_at is not None
    assert found.rows[1].agreed_at is None
    assert found.rows[1].why == "pattern"


def test_when_both_last_agreed_is_kept_per_source(vault: Vault) -> None:
    service = Beliefs(vault)
    first = service.compare(["You live in Bonn."], "chatgpt").rows[0]
    later = service.compare(["You live in Berlin."], "chatgpt").rows[0]
    assert (later.verdict, later.agreed_at) == (DIFFERS, first.agreed_at)
    assert service.compare(["You live in Berlin."], "claude").rows[0].agreed_at is None
    assert service.sources() == ["chatgpt", "claude"]


def test_decisions_are_remembered_until_taken_back(vault: Vault) -> None:
    service = Beliefs(vault)
    service.compare(SAYS, "chatgpt")
    service.decide("chatgpt", SAYS[2], "ignored")
    assert service.compare(SAYS, "chatgpt").rows[2].decision == "ignored"
    service.decide("chatgpt", SAYS[2], "")
    assert service.compare(SAYS, "chatgpt").rows[2].decision == ""
    with pytest.raises(Invalid, match="Who says it"):
        service.compare(SAYS, " ")


def test_taking_over_is_one_undoable_change(vault: Vault) -> None:
    service = Beliefs(vault)
    found = service.compare(SAYS, "chatgpt")
    new = service.take_over("chatgpt", found.rows[2].they)
    changed = service.take_over("chatgpt", found.rows[1].they, found.rows[1].entry)
    assert (new.entry.content, changed.entry.content) == ("Owns a sailing boat.", "Works at Bosch.")
    assert set(verdicts(service.compare(SAYS, "chatgpt")).values()) == {AGREE}
    vault.history.undo(changed.group)
    assert vault.entries.read(changed.entry.id).content == "Works for Siemens."


def test_what_is_kept_goes_with_the_memory(vault: Vault) -> None:
    service = Beliefs(vault)
    found = service.compare(SAYS, "chatgpt")
    service.decide("chatgpt", "You once lived in Bonn.", "wrong", found.rows[0].entry)
    home = found.rows[0].entry
    assert home is not None
    vault.erasure.erase([home.id])
    with vault.database.read() as db:
        assert [row.statement for row in rows.of_source(db, None)] == ["You work at Bosch."]


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def chatgpt() -> list[dict[str, Any]]:
    def told(ident: str, at: float, **content: Any) -> dict[str, Any]:
        message = {"author": {"role": "user"}, "create_time": at, "content": content}
        return {"id": ident, "message": message, "parent": None, "children": []}

    old = told("a", 1.0, content_type="model_editable_context", model_set_context="1. Old.")
    new = told(
        "b",
        2.0,
        content_type="model_editable_context",
        model_set_context="1. [2025-03-01]. User lives in Bonn.\n2. [2025-03-02]. Likes tea.",
    )
    return [
        {"title": "One", "mapping": {"a": old}, "current_node": "a"},
        {"title": "Two", "mapping": {"b": new}, "current_node": "b"},
    ]


def test_the_exports_of_accounts_are_read(vault: Vault, tmp_path: Path) -> None:
    service = Beliefs(vault)
    said = service.read(write(tmp_path / "conversations.json", chatgpt()))
    assert (said.source, [one.text for one in said.statements]) == (
        "chatgpt",
        ["User lives in Bonn.", "Likes tea."],
    )
    claude = [{"conversations_memory": "**Work**\n\nAnna is a nurse. She lives in Bonn."}]
    said = service.read(write(tmp_path / "memories.json", claude))
    assert (said.source, len(said.statements)) == ("claude", 2)
    gemini = [
        {
            "header": "Gemini Apps",
            "title": "Prompted What do you know about me?",
            "time": "2026-05-01T08:00:00.000Z",
            "products": ["Gemini Apps"],
            "safeHtmlItem": [{"html": "<p>Here is what I know:</p><ul><li>You sail.</li></ul>"}],
        },
        {
            "header": "Gemini Apps",
            "title": "Prompted Hello",
            "time": "2026-04-01T08:00:00.000Z",
            "products": ["Gemini Apps"],
            "safeHtmlItem": [{"html": "<p>Hi &amp; welcome</p>"}],
        },
    ]
    path = write(tmp_path / "MyActivity.json", gemini)
    said = service.read(path)
    assert (said.source, [one.text for one in said.statements]) == ("gemini", ["You sail."])
    plan = vault.importing.plan(path)
    assert (plan.format, plan.count("new", "conversation")) == ("gemini", 2)
    with pytest.raises(Invalid, match="paste its answer"):
        service.read(write(tmp_path / "conversations.json", chatgpt()[:0] or [{"mapping": {}}]))


def test_cancelling_a_comparison_keeps_nothing(vault: Vault) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Beliefs(vault).compare(SAYS, "chatgpt", stop)
    assert Beliefs(vault).sources() == []


@pytest.mark.parametrize(
    ("key", "identity"),
    [
        ("name", "Lena Hartmann, 34, lives in Hamburg-Ottensen. Pronouns she/her."),
        ("k1", "My name is Lena Hartmann."),
        ("k1", "Heißt Lena Hartmann."),
        ("about-me", "Name: Lena Hartmann"),
        ("profile", "Lena Hartmann (34), Hamburg."),
        ("me", "Lena Hartmann wohnt in Kiel."),
    ],
)
def test_who_the_owner_is_is_known_from_their_memory(key: str, identity: str) -> None:
    assert owner_names([(key, identity)]) == ("lena hartmann", "lena")


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("brother", "Jonas Weber, 41, lives in Kiel."),
        ("k1", "The cat is called Lena Hartmann."),
        ("k1", "The company's name is Brightleaf."),
        ("name", "Likes tea."),
        ("profile", "Prefers Python over Go."),
        ("about-me", "Speaks German and English."),
        ("me", "Uses Linux, Vim and tmux."),
        ("bio", "Software Engineer at Acme."),
    ],
)
def test_somebody_else_is_not_the_owner(key: str, text: str) -> None:
    assert owner_names([(key, text)]) == ()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Lena Hartmann, 34, lives in Kiel. Pronouns she/her.", "Lives in Kiel. Pronouns she/her."),
        ("Lena wohnt in Kiel.", "Wohnt in Kiel."),
        ("Lena's dog is called Rex.", "The dog is called Rex."),
        ("Lenas Hund heißt Rex.", "Der Hund heißt Rex."),
        ("Lena and Marie run Brightleaf.", "Lena and Marie run Brightleaf."),
        ("Ida has swimming lessons; Lena takes her.", "Ida has swimming lessons; Lena takes her."),
        ("Lena Hartmann", "Lena Hartmann"),
        ("Lenain is a painter.", "Lenain is a painter."),
    ],
)
def test_a_sentence_with_the_owners_name_is_one_about_the_owner(text: str, plain: str) -> None:
    assert unnamed(text, ("lena hartmann", "lena")) == plain


@pytest.mark.parametrize(
    ("they", "verdict"),
    [
        ("You live in Bremen.", DIFFERS),
        ("Lena lives in Bremen.", DIFFERS),
        ("You live in Hamburg-Ottensen.", AGREE),
        ("Du wohnst in Bremen.", DIFFERS),
        ("Wohnt in Bremen.", DIFFERS),
    ],
)
def test_what_memory_says_by_the_owners_name_is_said_of_the_owner(
    real: Vault, they: str, verdict: str
) -> None:
    said = LENA.replace("lives", "wohnt") if they.startswith("Du") else LENA
    real.entries.store(EntryDraft(said, key="name", category="core"))
    real.entries.store(EntryDraft("Jonas Weber, 41, lives in Kiel.", key="brother"))
    (row,) = Beliefs(real).compare([they], "chatgpt").rows
    assert row.verdict == verdict
    assert row.entry is not None
    assert row.entry.content == said
    assert said in Passports(real).passport("chatgpt").text or verdict == AGREE
