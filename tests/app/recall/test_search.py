from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import Invalid
from app.outcomes import Saved
from app.recall.query import TYPED_HITS
from app.recall.search import MODES
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.models.embedder import ModelUnavailable
from store.records import USER, Entry, EntryDraft, Scope
from store.search import word_matches
from store.tables import fulltext
from store.tables.entry_filter import EntryFilter
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    """With the real model: what people feel is what it does."""
    opened = open_vault(tmp_path / "vault.db", clock=clock)
    yield opened
    opened.close()


def stored(vault: Vault, content: str, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def contents(vault: Vault, query: str, **how: object) -> list[str]:
    return [hit.entry.content for hit in vault.search.search(query, **how)]  # type: ignore[arg-type]


@pytest.fixture
def facts(vault: Vault, clock: FixedClock) -> Vault:
    for content, fields in (
        ("Anna adopted two kittens from the shelter", {"tags": ("pets",), "importance": 8}),
        ("The production database runs PostgreSQL 16", {"kind": "decision", "importance": 7}),
        ("Prefers tea over coffee in the morning", {"kind": "preference"}),
        ("Flight to Lisbon leaves on Friday", {"tags": ("travel",), "importance": 3}),
        ("Helix", {"key": "favourite-editor"}),
    ):
        stored(vault, content, **fields)  # type: ignore[arg-type]
        clock.forward(hours=2)
    return vault


def test_other_words_for_the_same_thing_find_it(facts: Vault) -> None:
    assert contents(facts, "Which pets does she have?")[0].startswith("Anna adopted")
    assert contents(facts, "what does the user drink at breakfast")[0].startswith("Prefers tea")


def test_the_words_of_a_key_find_its_entry(facts: Vault) -> None:
    for mode in MODES:
        assert contents(facts, "which editor?", mode=mode)[0] == "Helix"


@pytest.mark.parametrize("query", ["", "*", "all"])
def test_no_query_lists_everything_by_importance_then_recency(facts: Vault, query: str) -> None:
    assert contents(facts, query) == [
        "Anna adopted two kittens from the shelter",
        "The production database runs PostgreSQL 16",
        "Helix",
        "Prefers tea over coffee in the morning",
        "Flight to Lisbon leaves on Friday",
    ]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("tag:travel", ["Flight to Lisbon leaves on Friday"]),
        ("kind:preference drinks", ["Prefers tea over coffee in the morning"]),
        ("importance>=8", ["Anna adopted two kittens from the shelter"]),
        ("importance>=7 importance<8 database", ["The production database runs PostgreSQL 16"]),
        ('"two kittens"', ["Anna adopted two kittens from the shelter"]),
        ('"kittens two"', []),
        ("tag:travel -friday", []),
        ("agent:nobody tea", []),
    ],
)
def test_typed_filters_hold_in_every_mode(facts: Vault, typed: str, found: list[str]) -> None:
    assert contents(facts, typed) == found
    if "drinks" not in typed:
        assert contents(facts, typed, mode="keyword") == found


def test_an_excluded_word_is_nowhere(facts: Vault) -> None:
    for mode in MODES:
        assert all("tea" not in text for text in contents(facts, "morning -tea", mode=mode))
    assert len(contents(facts, "-kittens")) == 4


def test_a_filter_comes_before_the_ranking(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.recall.ranking._WORD_ROWS", 10)
    wanted = stored(vault, "garden shed", scope=Scope("agent", "claude"))
    vault.entries.store_many([EntryDraft(f"garden {n}", key=f"k{n}") for n in range(30)])
    mine = EntryFilter(scopes=(Scope("agent", "claude"),))
    for mode in ("hybrid", "keyword"):
        hits = vault.search.search("garden", mode=mode, filter=mine)
        assert [hit.entry.id for hit in hits] == [wanted.id]
        assert hits[0].keyword == 1


def test_what_is_forgotten_or_expired_is_not_found(vault: Vault, clock: FixedClock) -> None:
    gone = stored(vault, "The spare key is under the pot")
    stored(vault, "Standup moved to ten", category="daily")
    vault.entries.forget([gone.id])
    clock.forward(hours=100)
    live = EntryFilter(now=to_instant(clock()))
    for mode in MODES:
        assert contents(vault, "spare key standup", mode=mode, filter=live) == []
    assert contents(vault, "spare key", filter=EntryFilter(state="trashed")) == [gone.content]


def test_days_back_counts_from_now(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "rollback of the deployment")
    clock.forward(days=40)
    stored(vault, "deployment went well")
    recent = EntryFilter(since=plus(to_instant(clock()), days=-30))
    assert contents(vault, "deployment", filter=recent) == ["deployment went well"]
    assert contents(vault, "deployment days:30", mode="keyword") == ["deployment went well"]


def test_the_last_word_may_be_half_typed(facts: Vault) -> None:
    assert contents(facts, "prod", mode="keyword", prefix=True)[0].startswith("The production")
    assert contents(facts, "lisbon fri", mode="keyword", prefix=True)[0].startswith("Flight")
    assert facts.search.ids("kitt") == [facts.search.search("kittens")[0].entry.id]


@pytest.mark.parametrize(
    "word", ["deployment", "relational", "happiness", "studying", "generously", "infrastructure"]
)
def test_meaning_takes_no_half_typed_word_away(vault: Vault, word: str) -> None:
    wanted = stored(vault, f"All about {word} and tea.")
    stored(vault, "Something else entirely.")
    vault.embedding.embed_waiting()
    for said in (word, f"tea {word}", f"what about {word}"):
        for letters in range(len(said) - len(word) + 2, len(said) + 1):
            hits = vault.search.search(said[:letters], prefix=True)
            found = next((hit for hit in hits if hit.entry.id == wanted.id), None)
            assert found is not None, said[:letters]
            assert found.keyword > 0, said[:letters]


def test_meaning_reorders_what_words_found_and_adds_to_it(vault: Vault) -> None:
    vault.entries.store_many(
        [EntryDraft(f"garden note {n} on a gardener", key=f"n{n}") for n in range(300)]
        + [EntryDraft(f"gate {n}", key=f"g{n}") for n in range(300)]
    )
    stored(vault, "the gardenia is in the corner " * 20)
    vault.embedding.embed_waiting()
    for query in ("gard", "garden", "note garde", "ga", "corner gardeni", "gate zzz ga"):
        words = vault.search.search(query, mode="keyword", prefix=True, limit=TYPED_HITS)
        both = vault.search.search(query, prefix=True, limit=200)
        assert {hit.entry.id for hit in words} <= {hit.entry.id for hit in both}, query
        assert len(words) < len(both) <= 200
        kept = {hit.entry.id: hit for hit in both}
        assert all(kept[hit.entry.id].keyword > 0 for hit in words), query


@pytest.fixture
def many(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A large vault in small: what more than thirty memories hold is too much to rank."""
    monkeypatch.setattr(fulltext, "RANKED_ROWS", 30)
    chance, agent = random.Random(21), Scope("agent", "a")
    some = ("gardens", "garden", "gardener", "deployment", "Éclair", "studies", "study", "ginger")
    vault.entries.store_many(
        [
            EntryDraft(f"{chance.choice(some)} {chance.choice(some)} number {n}", agent, f"k{n}")
            for n in range(200)
        ]
        + [EntryDraft(f"A rare gadget, the {n}th", key=f"rare-{n}") for n in range(20)]
        + [EntryDraft(f"A giraffe beside a gadget {n}", key=f"éclat-{n}") for n in range(60)]
    )
    return vault


def typed_rows(vault: Vault, query: str, limit: int = 5, **filters: Any) -> list[int]:
    hits = vault.search.search(
        query, mode="keyword", prefix=True, limit=limit, filter=EntryFilter(**filters)
    )
    return [hit.entry.n for hit in hits]


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_glance_finds_what_the_index_would(many: Vault, data: st.DataObject) -> None:
    """Whatever is typed: too many to rank are the newest, the others as the index ranks them."""
    words = ("gardener", "gadget", "giraffe", "éclair", "studies", "number", "ginger")
    word = data.draw(st.sampled_from(words))
    typed = word[: data.draw(st.integers(1, len(word)))]
    scopes = data.draw(st.sampled_from([None, (Scope("agent", "a"),), (USER,)]))
    limit = data.draw(st.integers(1, 8))
    within = EntryFilter(scopes=scopes)
    with many.database.read() as db:
        by_index = [
            n
            for n, _ in word_matches.best(
                db, [fulltext.quoted(typed, prefix=True)], within, limit, every=True
            )
        ]
    assert typed_rows(many, typed, limit, scopes=scopes)[: len(by_index)] == by_index


def test_the_first_letters_do_not_have_the_index_read_all_that_begins_so(
    many: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = sorted(stored(many, f"Grass {n}", scope=Scope("agent", "b")).n for n in range(9))[::-1]
    many.entries.store_many(
        [EntryDraft(f"A giraffe beside a gadget {n}", key=f"éclat-b{n}") for n in range(800)]
    )
    asked: list[str] = []
    count = fulltext.frequency
    monkeypatch.setattr(fulltext, "frequency", lambda db, q: asked.append(q) or count(db, q))
    newest = [1089, 1088, 1087, 1086, 1085]
    for typed in ("g", "gi", "gir", "ecl", "Écl"):
        assert typed_rows(many, typed) == newest
    assert typed_rows(many, "gadget g") == newest
    assert typed_rows(many, "g", 30, scopes=(Scope("agent", "b"),)) == few
    assert asked
    assert not [expression for expression in asked if expression.endswith("*")]


def test_a_letter_after_other_words_narrows_what_they_find(many: Vault) -> None:
    assert len(typed_rows(many, "rare g", 40)) == 20
    assert len(typed_rows(many, "gadget be", 80)) == 60
    assert typed_rows(many, "rare gadget z") == typed_rows(many, "rare gadget")


def test_a_whole_word_comes_before_one_that_only_begins_with_it(vault: Vault) -> None:
    whole = stored(vault, "My car is at the garage")
    for number, word in enumerate(("career", "carpet", "carrot", "cargo", "carbon")):
        stored(vault, f"My {word} is at number {number}")
    vault.embedding.embed_waiting()
    hits = vault.search.search("car", prefix=True)
    assert hits[0].entry.id == whole.id
    assert len([hit for hit in hits if hit.keyword > 0]) == 6


def test_a_whole_question_is_ranked_as_if_nothing_were_being_typed(facts: Vault) -> None:
    for query in ("what does she prefer to drink", "where is the database", "is it for me"):
        typed = [hit.entry.id for hit in facts.search.search(query, prefix=True)]
        assert typed[0] == facts.search.search(query)[0].entry.id


def test_a_hit_says_why_and_shows_where(facts: Vault) -> None:
    hit = facts.search.search("database")[0]
    assert [hit.snippet[a:b] for a, b in hit.matches] == ["database"]
    assert 0 < hit.score <= 1
    assert hit.keyword == 1
    assert "“database”" in hit.why


@pytest.fixture
def teas(vault: Vault) -> Vault:
    """So many that they are judged in more than one block."""
    sorts = ["green", "black", "white", "sweet", "bitter", "spiced", "iced", "smoked", "herbal"]
    tastes = ["milk", "honey", "lemon", "ginger", "mint", "sugar", "rum", "salt", "jasmine"]
    tastes += ["cream", "cinnamon", "cardamom", "butter"]
    vault.entries.store_many(
        [EntryDraft(f"Likes {sort} tea with {taste}") for sort in sorts for taste in tastes]
    )
    vault.embedding.embed_waiting()
    return vault


@pytest.mark.parametrize("query", ["some tea", "a drink with ginger", "zebra quantum xylophone"])
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_score_is_the_same_however_many_are_asked_for(teas: Vault, query: str, mode: str) -> None:
    def scored(limit: int, prefix: bool = False) -> list[tuple[str, float]]:
        hits = teas.search.search(query, mode=mode, limit=limit, prefix=prefix)
        return [(hit.entry.id, hit.score) for hit in hits]

    everything, typed = scored(300), dict(scored(300, prefix=True))
    assert [score for _, score in everything] == sorted((s for _, s in everything), reverse=True)
    for limit in (1, 3, 7, 20, 101):
        assert scored(limit) == everything[:limit], limit
        assert set(scored(limit, prefix=True)) <= typed.items(), limit


def test_scores_of_a_hopeless_query_are_low(facts: Vault) -> None:
    sure = facts.search.search("production database postgresql")[0].score
    lost = facts.search.search("zebra quantum xylophone")
    assert sure > 0.9
    assert all(hit.score < 0.35 for hit in lost)


def test_what_was_written_next_to_a_match_comes_along(vault: Vault, clock: FixedClock) -> None:
    start = to_instant(clock())
    talk = [
        "Ben: How was the pottery workshop?",
        "Mia: Lovely, and I made a bowl for my mother.",
        "Ben: Great.",
    ]
    filler = [
        f"Ben: Unrelated remark about {word} number {i}."
        for i, word in enumerate(["rain", "trains", "football", "taxes", "lunch", "music"] * 3)
    ]
    for number, content in enumerate([*filler[:9], *talk, *filler[9:]]):
        stored(vault, content, created_at=plus(start, seconds=number))
    vault.embedding.embed_waiting()
    assert talk[1] in contents(vault, "pottery workshop", limit=2)


def test_a_match_by_words_beats_noise_while_most_vectors_are_missing(vault: Vault) -> None:
    wanted = stored(vault, "How was the pottery workshop?")
    for number in range(12):
        stored(vault, f"Unrelated remark about rain and taxes number {number}.")
    vault.embedding.embed_fresh(None, seconds=0.001)
    assert vault.search.search("pottery workshop")[0].entry.id == wanted.id


def test_what_follows_a_match_without_a_vector_is_not_lifted_over_it(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = stored(vault, "How was the pottery workshop?")
    for number in range(12):
        stored(vault, f"Unrelated remark about rain and taxes number {number}.")
    vault.embedding.embed_fresh(None, seconds=60)
    monkeypatch.setattr(vault.embedding, "embed_fresh", lambda *_, **__: 0)
    with vault.database.write() as db:
        db.execute("DELETE FROM vectors WHERE n = :n", {"n": wanted.n})
        db.execute("DELETE FROM word_vectors WHERE n = :n", {"n": wanted.n})
    first, second, *_ = vault.search.search("pottery workshop")
    assert first.entry.id == wanted.id
    assert second.score < 0.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "query",
    [
        "?!…",
        "the of and",
        "x" * 100_000,
        "tea " * 25_000,
        "🎉",
        "我喜欢喝茶",
        "مرحبا",
        '"',
        "*x*",
        "NEAR(tea coffee)",
        "^tea",
        "-",
        "--",
        "a AND OR NOT b",
        "content:tea",
        "{tea}",
        "\x00tea",
        "\ud800",
        "tea)",
        "' OR 1=1 --",
    ],
)
def test_odd_input_is_never_an_error(facts: Vault, query: str, mode: str) -> None:
    for prefix in (False, True):
        hits = facts.search.search(query, mode=mode, prefix=prefix)
        assert len({hit.entry.id for hit in hits}) == len(hits)


def test_an_unknown_mode_or_limit_is_refused(vault: Vault) -> None:
    with pytest.raises(Invalid, match="hybrid, keyword, semantic"):
        vault.search.search("tea", mode="psychic")
    with pytest.raises(Invalid, match="from 1 to"):
        vault.search.search("tea", limit=0)


class NoModel(FakeEmbedder):
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        raise ModelUnavailable("Install something.")


def test_without_a_model_words_still_find(tmp_path: Path, clock: FixedClock) -> None:
    vault = open_vault(tmp_path / "v.db", clock=clock, embedder=lambda _: NoModel())
    stored(vault, "Prefers tea")
    assert contents(vault, "tea") == ["Prefers tea"]
    with pytest.raises(ModelUnavailable):
        vault.search.search("tea", mode="semantic")
    vault.close()


def test_every_word_by_importance_then_recency(facts: Vault) -> None:
    assert facts.search.matching("the") == [
        facts.search.search(text)[0].entry.id
        for text in ("adopted kittens", "production database", "prefers tea")
    ]
    assert facts.search.matching("the coffee -kittens") == [
        facts.search.search("prefers tea")[0].entry.id
    ]


def test_opening_a_vault_loads_neither_numpy_nor_the_model(tmp_path: Path) -> None:
    open_vault(tmp_path / "v.db").close()
    code = (
        "import sys; from pathlib import Path; from app.vault import open_vault;"
        f"v = open_vault(Path({str(tmp_path / 'v.db')!r})); v.search.search('tea', mode='keyword');"
        "print([m for m in ('numpy', 'onnxruntime', 'tokenizers', 'torch') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("喜欢", ["她非常喜欢猫和咖啡"]),
        ("猫", ["她非常喜欢猫和咖啡"]),
        ("喜欢咖啡的人", ["她非常喜欢猫和咖啡"]),
        ('"猫和咖啡"', ["她非常喜欢猫和咖啡"]),
        ('"猫咖啡"', []),
        ("东京", ["東京 trip: 东京铁塔 iPhone拍照"]),
        ("拍照", ["東京 trip: 东京铁塔 iPhone拍照"]),
        ("iPhone", ["東京 trip: 东京铁塔 iPhone拍照"]),
        ("カメラ", ["新しいカメラを買う"]),
        ("喜欢 -咖啡", []),
        ("狗", []),
    ],
)
def test_text_without_spaces_is_found_by_a_part_of_it(
    vault: Vault, query: str, found: list[str]
) -> None:
    stored(vault, "她非常喜欢猫和咖啡")
    stored(vault, "東京 trip: 东京铁塔 iPhone拍照")
    stored(vault, "新しいカメラを買う")
    hits = vault.search.search(query, mode="keyword")
    assert [hit.entry.content for hit in hits] == found
    typed = vault.search.search(query, mode="keyword", prefix=True)
    assert [hit.entry.content for hit in typed] == found
    for hit in hits:
        assert hit.matches


def test_the_matches_of_text_without_spaces_are_marked_as_one(vault: Vault) -> None:
    stored(vault, "她非常喜欢猫和咖啡")
    hit = vault.search.search("喜欢猫", mode="keyword")[0]
    assert [hit.snippet[start:end] for start, end in hit.matches] == ["喜欢猫"]
    vault.entries.change(hit.entry.id, {"content": "她不喝茶"})
    assert vault.search.search("喜欢", mode="keyword") == []
    assert vault.search.search("喝茶", mode="keyword")


def test_a_named_month_finds_what_was_written_then(vault: Vault, clock: FixedClock) -> None:
    said = {}
    for month in (1, 2, 3):
        clock.at = datetime(2026, month, 10, 9, tzinfo=UTC)
        entry = vault.entries.store(EntryDraft("We decided on the database")).entry  # type: ignore[union-attr]
        said[entry.id] = month
    vault.embedding.embed_waiting()
    clock.at = datetime(2026, 4, 30, tzinfo=UTC)
    for text, month in (("decided in February", 2), ("decided in March 2026", 3)):
        hit = vault.search.search(f"What was {text}?")[0]
        assert said[hit.entry.id] == month
        assert "at the time you name" in hit.why


def test_parts_of_words_are_held_and_counted_beyond_the_page(vault: Vault) -> None:
    for number in range(30):
        vault.entries.store(EntryDraft(f"Credentials of service {number}", importance=3))
    vault.entries.store(EntryDraft("The incredible hulk", importance=9))
    vault.entries.store(EntryDraft("Nothing of the kind"))
    found, total = vault.search.holding("cred", EntryFilter(), 5)
    assert (len(found), total) == (5, 31)
    assert found[0].content == "The incredible hulk"
    rest, _ = vault.search.holding("cred", EntryFilter(), 50, offset=5)
    assert len({entry.id for entry in (*found, *rest)}) == 31
    for query, number in (
        ("cred -hulk", 30),
        ('"service 7"', 1),
        ("importance>=9", 1),
        ("CREDENTIALS importance>=9", 0),
        ("!?", 0),
        ("*", 32),
    ):
        assert (query, vault.search.holding(query, EntryFilter(), 50)[1]) == (query, number)


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("Wir verteidigen die Burg bei Nacht.", "Wer hat die Verteidigung der Burg gewollt?"),
        ("La captura de los jugadores fue ayer.", "¿Cuántas capturas han hecho los jugadores?"),
        ("Мы подписали договор с банком.", "Когда мы подписали все договоры?"),
    ],
)
def test_other_forms_of_a_word_are_found_in_its_language(
    vault: Vault, fact: str, question: str
) -> None:
    pytest.importorskip("snowballstemmer")
    vault.entries.store(EntryDraft(fact))
    (hit,) = vault.search.search(question, mode="keyword")
    assert hit.entry.content == fact


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_the_memory_of_that_very_name_comes_first(vault: Vault, mode: str) -> None:
    vault.entries.store(EntryDraft("Frankfurt, three nodes.", key="deploy_target"))
    vault.entries.store(
        EntryDraft("Tag, wait for green, deploy_target, then deploy_target again.", key="release")
    )
    first, second = vault.search.search("Deploy_Target", mode=mode)
    assert (first.entry.key, second.entry.key) == ("deploy_target", "release")
    assert first.score >= second.score
    (best,) = vault.search.search("Deploy_Target", mode=mode, limit=1)
    assert best == first


def test_words_are_looked_for_beside_the_model_and_alone_alike(
    facts: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = "Which kittens or which coffee?"
    monkeypatch.setattr("app.recall.embedding.available_cores", lambda: 2)
    beside = facts.search.search(asked)
    monkeypatch.setattr("app.recall.embedding.available_cores", lambda: 1)
    assert facts.search.search(asked) == beside


def test_who_looks_for_words_waits_for_no_connection(
    facts: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.recall.embedding.available_cores", lambda: 2)
    monkeypatch.setattr("store.file.database.MOST_AT_ONCE", 1)
    monkeypatch.setattr("store.file.database.PATIENCE_SECONDS", "nobody waits")  # or it raises
    facts.search.search("kittens")
    others_done = threading.Event()
    facts.embedding.beside(others_done.set)  # after what that search began
    assert others_done.wait(30)
    assert contents(facts, "Which coffee?")[0].startswith("Prefers tea")


def test_a_vault_that_is_closed_is_read_by_nobody(
    facts: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.recall.embedding.available_cores", lambda: 2)
    begun, ended = threading.Event(), threading.Event()

    def read() -> None:
        with facts.database.read():
            begun.set()
            time.sleep(0.2)
            ended.set()

    facts.embedding.beside(read)
    assert begun.wait(30)
    facts.close()
    assert ended.is_set()
    assert not facts.path.with_name(f"{facts.path.name}-shm").exists()


def test_searches_at_once_find_what_each_finds_alone(facts: Vault) -> None:
    asked = ["Which pets?", "database", "tea or coffee", "a flight to Lisbon", "which editor"] * 4
    alone = [facts.search.search(query) for query in asked]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(facts.search.search, asked)) == alone
