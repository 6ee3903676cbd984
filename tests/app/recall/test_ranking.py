from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.recall import query as queries
from app.recall import ranking
from app.recall.query import (
    NOTHING_NEAR,
    Signs,
    nearness,
    plain,
    sureness,
    unheard,
    word_weight,
)


def test_words_and_meaning_are_each_measured_by_their_best() -> None:
    at, words = np.array([0, 1]), np.array([10.0, 5.0], np.float32)
    meaning = np.array([-0.2, 0.3, 0.6, 0.0], np.float32)
    scores = ranking.blend(at, words, meaning, np.array([True, True, True, False]))
    share = ranking.WORDS_SHARE
    expected = [share**2, (share / 2 + (1 - share) / 2) ** 2, (1 - share) ** 2, 0]
    assert np.allclose(scores, expected)


def test_what_is_not_allowed_scores_nothing_and_sets_no_measure() -> None:
    meaning = np.array([0.9, 0.5, 0.1, 0.2], np.float32)
    allowed = np.array([False, True, True, True])
    none = np.zeros(0, np.int64), np.zeros(0, np.float32)
    scores = ranking.blend(*none, meaning, allowed)
    assert scores[0] == 0
    assert np.isclose(scores[1], (1 - ranking.WORDS_SHARE) ** 2)


def test_the_least_far_is_not_taken_for_near() -> None:
    none = np.zeros(0, np.int64), np.zeros(0, np.float32)
    scores = ranking.blend(*none, np.array([0.1, 0.05], np.float32), np.ones(2, bool))
    assert scores.max() < 0.05


def test_an_entry_without_a_vector_is_neither_near_nor_far() -> None:
    meaning = np.array([0.0, 0.1, 0.5], np.float32)
    filled = ranking.with_unknown(meaning, np.ones(3, bool))
    assert 0.1 < filled[0] < 0.5


SHARE = ranking.NEIGHBOURS[0]


def lifted(
    own: list[float], created: list[int], scope: list[int], passed: float = 1.0, asking: int = -1
) -> dict[int, float]:
    around = np.full(len(own), passed, np.float32)
    onward = around.copy()
    onward[asking] *= 1 + (ranking.ANSWER if asking >= 0 else 0)
    order = np.lexsort((created, scope))
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    at, scores = ranking.with_neighbours(
        np.array(own, np.float32),
        np.ones(len(own), bool),
        order,
        position,
        np.array(scope),
        np.array(created),
        ranking.Passing(np.flatnonzero(around * np.array(own)), onward, around),
        ranking.top(np.array(own, np.float32), 300),
    )
    return dict(zip(at.tolist(), scores.tolist(), strict=True))


def test_what_was_written_next_to_a_match_is_lifted() -> None:
    scores = lifted([0, 1, 0, 0, 0, 0.0], [0, 1, 2, 3, 4, 5], [0] * 6)
    assert scores[0] == scores[2] == pytest.approx(SHARE)
    assert np.isclose(scores[3], ranking.NEIGHBOURS[1])
    assert 5 not in scores


def test_a_batch_of_one_instant_is_one_sitting_in_the_order_it_came() -> None:
    assert lifted([0, 1, 0], [7, 7, 7], [0] * 3) == pytest.approx({0: SHARE, 1: 1.0, 2: SHARE})


def test_where_nothing_hangs_together_nothing_is_passed_on() -> None:
    assert lifted([0, 1, 0], [0, 1, 2], [0] * 3, passed=0.0) == {1: 1.0}


def test_what_follows_a_question_is_lifted_more_than_what_leads_to_it() -> None:
    scores = lifted([0, 1, 0], [0, 1, 2], [0] * 3, asking=1)
    assert scores[0] == pytest.approx(SHARE)
    assert np.isclose(scores[2], SHARE * (1 + ranking.ANSWER))


def test_another_scope_or_another_sitting_lifts_nothing() -> None:
    assert lifted([1, 0], [0, 1], [0, 1])[1] == 0
    assert lifted([1, 0], [0, 10 * ranking.SITTING], [0, 0])[1] == 0


def test_a_turn_of_the_one_who_is_named_is_worth_more_and_one_that_asks_less() -> None:
    words = frozenset({"anna"})
    plain = queries.worth("Ben: I left", "Ben: I left", 13, words)
    assert queries.worth("Anna: I left", "Anna: I left", 13, words) > plain
    assert queries.worth("Ben: Is it?", "Ben: Is it?", 13, words) < plain
    assert queries.worth("Ben: Look?", "Ben: Look? [image: a dog]", 13, words) < plain


def test_the_habits_of_a_dialogue_are_looked_for_in_turns_only() -> None:
    words = frozenset({"die", "el"})
    plain = queries.worth("Then she left", "Then she left", 13, words)
    assert queries.worth("Die Katze ging", "Die Katze ging", 13, words) == plain
    assert queries.worth("Who left?", "Who left?", 13, words) == plain


@given(st.lists(st.floats(0, 1, width=32), max_size=60), st.integers(1, 70))
def test_the_top_is_what_sorting_gives(values: list[float], count: int) -> None:
    scores = np.array(values, np.float32)
    expected = sorted((s for s in scores.tolist() if s > 0), reverse=True)[:count]
    assert scores[ranking.top(scores, count)].tolist() == expected


def test_the_more_memories_there_are_the_nearer_one_must_be() -> None:
    assert nearness(0.3, 0.0, 2) > NOTHING_NEAR > nearness(0.3, 0.0, 1_000)
    assert nearness(0.3, 0.5, 1_000) > NOTHING_NEAR > nearness(0.5, 0.0, 100_000)
    assert nearness(-0.1, 0.0, 10) == 0.0
    assert nearness(0.9, 1.0, 10) == 1.0


ANSWERED = Signs(usual=0.2, spread=0.08, above=0.36, fall=0.7, unheard=0)


@pytest.mark.parametrize(
    "worse",
    [{"usual": 0.0}, {"spread": 0.05}, {"above": 0.15}, {"fall": 0.4}, {"unheard": 0.5}],
)
def test_every_sign_counts_for_how_sure_a_vault_is(worse: dict[str, float]) -> None:
    sure = sureness(0.7, ANSWERED, 1_000)
    assert 1 > sure > NOTHING_NEAR
    assert sureness(0.7, replace(ANSWERED, **worse), 1_000) < sure  # type: ignore[arg-type]
    assert sureness(0.5, ANSWERED, 1_000) < sure


def test_a_name_that_nobody_has_makes_unsure_where_the_nearest_is_as_near_as_by_chance() -> None:
    stranger = Signs(usual=0.13, spread=0.057, above=0.21, fall=0.5, unheard=1)
    assert sureness(NOTHING_NEAR, stranger, 600) < NOTHING_NEAR


def test_a_vault_that_speaks_of_little_else_is_sure_though_none_stands_out() -> None:
    tea = Signs(usual=0.41, spread=0.03, above=0.07, fall=0.0, unheard=0)
    assert sureness(0.9, tea, 55) == 0.9
    assert sureness(0.9, replace(tea, usual=0.2), 55) < NOTHING_NEAR


def test_one_who_is_known_beside_strangers_makes_less_unsure_than_strangers_alone() -> None:
    known, few, none = (sureness(0.6, replace(ANSWERED, unheard=u), 600) for u in (0, 0.9, 1))
    assert known - few > 0.1
    assert few - none > 0.05


def test_among_few_memories_only_nearness_tells() -> None:
    assert sureness(0.45, Signs(0, 0, 0, 0, 1), 10) == 0.45
    assert sureness(0.45, None, 1_000) == 0.45


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("What did Melanie paint?", 1),
        ("Did Anna see Melanie in Lisbon?", 2 / 3),  # Anna is known
        ("What did Anna paint on Monday, May 3?", 0),  # a time is no name
        ("what did melanie paint?", 0),
        ("Was hat Melanie mit der Farbe gemacht?", 0),  # German nouns are all written so
    ],
)
def test_a_name_is_unheard_when_no_memory_has_it(question: str, share: float) -> None:
    asked = plain(question)
    known = {"anna": 3}
    weights = {
        begins: word_weight(known.get(word, 0), 100) for word, begins in asked.beginnings.items()
    }
    assert unheard(asked, weights, 100) == share


def test_words_side_by_side_count_as_they_are_in_the_query() -> None:
    together = queries.side_by_side({"winter": 2.0, "tyre": 2.0, "price": 1.0})
    assert together is not None
    assert together("New winter tyres were bought") == pytest.approx(2 / 3)
    assert together("Tyres for the winter, and their price") == pytest.approx(2 / 3)
    assert together("The price of winter tyres") == pytest.approx(2 / 3)  # price is not beside tyre
    assert together("Winter is long and dark in the north, and tyres are round") == 0
    assert together("A midwinter tyre") == 0  # a part of another word
    assert queries.side_by_side({"winter": 2.0}) is None
    words = frozenset({"winter"})
    statement = queries.worth("Winter tyres", "Winter tyres", 12, words, together)
    assert statement > queries.worth("Winter tyres", "Winter tyres", 12, words)
    turn = queries.worth("Ben: winter tyres", "Ben: winter tyres", 17, words, together)
    assert turn == queries.worth("Ben: winter tyres", "Ben: winter tyres", 17, words)


def test_what_has_no_vector_yet_is_judged_by_its_words() -> None:
    assert nearness(None, 0.5, 1_000) == 0.5


def test_a_rare_word_says_more_than_a_common_one() -> None:
    assert word_weight(0, 1_000) > word_weight(10, 1_000) > word_weight(990, 1_000) > 0
    assert word_weight(4_001, 20) > 0  # counted before a filter


def test_what_was_written_in_a_named_time_or_a_week_after_counts_more() -> None:
    day = 24 * 3600 * 1_000_000
    created = np.array([0, 10 * day, 12 * day, 18 * day, 30 * day])
    factors = ranking.in_time(created, [(10 * day, 12 * day), (40 * day, 41 * day)])
    assert factors.tolist() == [1.0, 2.0, 1.5, 1.5, 1.0]
    within = [(9 * day, 60 * day), (10 * day, 12 * day)]
    assert ranking.in_time(created, within).tolist() == [1.0, 2.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("question", "fits", "does_not"),
    [
        ("When did she move?", "She moved last Friday", "She moved to Rome"),
        ("Wann zog sie um?", "Sie zog im Januar um", "Sie zog nach Rom"),
        ("How many cats has he?", "He has three cats", "He has cats"),
        ("¿Cuántos gatos tiene?", "Tiene 3 gatos", "Tiene gatos"),
        ("Where does Anna live?", "Anna lives in Lisbon", "Anna lives alone"),
    ],
)
def test_a_question_says_what_could_answer_it(question: str, fits: str, does_not: str) -> None:
    found = queries.fitting(question)
    assert found is not None
    assert found.search(fits)
    assert not found.search(does_not)


def test_other_questions_fit_anything() -> None:
    assert queries.fitting("What does Anna drink?") is None
    assert queries.fitting("the wherewithal") is None


class Written:
    """As much of a matrix as coherence looks at: entries in the order in which they came."""

    def __init__(self, vectors: np.ndarray, order: np.ndarray) -> None:
        self.columns = self
        self.usual = None
        self.created = np.zeros(len(vectors), np.int64)
        self.scope = np.zeros(len(vectors), np.int64)
        self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self._order = order

    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        return self._order, np.argsort(self._order)

    def first_rows(self) -> np.ndarray:
        return np.arange(len(self._vectors))

    def products(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", self._vectors[left], self._vectors[right])

    beside = products


def test_independent_facts_pass_nothing_on_in_whatever_order_they_came() -> None:
    drawn = np.random.default_rng(0)
    facts = drawn.normal(size=(300, 32))
    orders = [Written(facts, drawn.permutation(300)) for _ in range(40)]
    shares = np.array([ranking.coherence(each, np.arange(300)) for each in orders])  # type: ignore[arg-type]
    assert np.count_nonzero(shares) <= 0.005 * shares.size, "chance may make a stretch look alike"


def test_what_goes_on_from_one_to_the_next_belongs_together() -> None:
    drawn = np.random.default_rng(0)
    talk = [drawn.normal(size=32)]
    for _ in range(299):
        talk.append(0.6 * talk[-1] + 0.8 * drawn.normal(size=32))
    share = ranking.coherence(Written(np.array(talk), np.arange(300)), np.arange(300))  # type: ignore[arg-type]
    assert np.median(share) == 1.0
