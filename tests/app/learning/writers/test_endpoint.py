from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from app.errors import Invalid
from app.learning.writer import Facts, Failed, Summary
from app.learning.writers.endpoint import Endpoint, EndpointWriter, checked_url
from app.learning.writers.extractive import ExtractiveWriter
from app.learning.writing_model import FallbackWriter
from app.rules.facts import Line, SummaryLine
from tests.app.learning.writers.chat_server import (
    Answer,
    ChatRequest,
    at_once,
    breaks_off,
    chat_server,
    drips,
    refuses,
    says,
    silent,
    streams,
)

LINES = [
    Line("turn:a", "user", "I am vegetarian.", "2026-05-08T10:00:00.000000Z"),
    Line("turn:b", "assistant", "Noted.", "2026-05-08T10:00:01.000000Z"),
]
FACT = {
    "content": "The owner is vegetarian.",
    "kind": "preference",
    "importance": 7,
    "tags": ["Diet"],
    "turns": [1],
    "replaces": None,
}
GOOD = json.dumps({"facts": [FACT]})


class Pauses(list[float]):
    """Remembers how long it was asked to sleep, and does not."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def writer(
    url: str,
    *,
    key: str | None = None,
    seconds: float = 5.0,
    tries: int = 3,
    pauses: Callable[[float], None] = lambda _: None,
) -> EndpointWriter:
    endpoint = Endpoint(url, "small-model", seconds=seconds, tries=tries)
    return EndpointWriter(endpoint, lambda: key, sleep=pauses)


def facts(written: Facts | Failed) -> list[str]:
    assert isinstance(written, Facts), written
    return [fact.content for fact in written.facts]


def reason(written: object) -> str:
    assert isinstance(written, Failed), written
    return written.reason


def test_a_streamed_answer_becomes_facts_with_their_turns() -> None:
    with chat_server(streams(GOOD)) as server:
        written = writer(server.url).facts(LINES, ())
    assert isinstance(written, Facts)
    (fact,) = written.facts
    assert (fact.kind, fact.importance, fact.tags) == ("preference", 7, ("diet",))
    assert fact.origins == ("turn:a",)
    assert written.by == "small-model"
    assert server.seen[0]["stream"] is True


def test_a_server_that_does_not_stream_is_understood() -> None:
    with chat_server(at_once(f"Here you go:\n```json\n{GOOD}\n```")) as server:
        assert facts(writer(server.url).facts(LINES, ())) == ["The owner is vegetarian."]


def test_the_prompt_shown_is_the_prompt_sent() -> None:
    with chat_server(streams(GOOD)) as server:
        chat = writer(server.url)
        shown = chat.fact_prompt(LINES, ["Known."])
        chat.facts(LINES, ["Known."])
    assert shown is not None
    sent = [(message["role"], message["content"]) for message in server.seen[0]["messages"]]
    assert sent == list(shown.messages)
    assert server.seen[0]["model"] == shown.model
    assert set(server.seen[0]) == {"model", "messages", "temperature", "stream"}
    assert "I am vegetarian." in str(shown)


def test_prose_is_asked_to_mend_itself_once() -> None:
    with chat_server(streams("Sure! They are vegetarian."), streams(GOOD)) as server:
        assert facts(writer(server.url).facts(LINES, ())) == ["The owner is vegetarian."]
    mending = server.seen[1]["messages"]
    assert [message["role"] for message in mending[-2:]] == ["assistant", "user"]
    assert "no JSON object" in mending[-1]["content"]


def test_prose_twice_is_a_failure_that_says_so() -> None:
    with chat_server(streams("Sure! They are vegetarian.")) as server:
        assert "did not answer with the JSON" in reason(writer(server.url).facts(LINES, ()))
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "answer", ['{"facts": "none"}', '{"facts": [1]}', '{"other": []}', '{"facts": [', "{" * 5000]
)
def test_json_of_another_shape_is_not_believed(answer: str) -> None:
    with chat_server(streams(answer)) as server:
        assert isinstance(writer(server.url).facts(LINES, ()), Failed)


@pytest.mark.parametrize(
    "answer",
    [
        f"<think>\nThe shape is {{facts: []}}…\n</think>\n\n{GOOD}",  # a reasoning model of Ollama
        f"```json\n{json.dumps([FACT], indent=2)}\n```\nLet me know!",  # the list alone
        GOOD.replace("]}]}", "],},]}"),  # last commas
        f"From turns [1]: {GOOD}",
        "\ufeff" + GOOD,
    ],
)
@pytest.mark.parametrize("way", [at_once, streams])
def test_answers_as_small_models_give_them_are_understood(
    answer: str, way: Callable[[str], Answer]
) -> None:
    with chat_server(way(answer)) as server:
        assert facts(writer(server.url).facts(LINES, ())) == ["The owner is vegetarian."]
    assert len(server.seen) == 1


def test_a_refusal_is_told_and_not_asked_again() -> None:
    said = {"choices": [{"message": {"content": None, "refusal": "I can't help with that."}}]}
    with chat_server(lambda request: request.whole(json.dumps(said).encode())) as server:
        assert "it refused: I can't help" in reason(writer(server.url).facts(LINES, ()))
    assert len(server.seen) == 1
    piece = json.dumps({"choices": [{"delta": {"refusal": "No."}}]})

    def refuses_streaming(request: ChatRequest) -> None:
        request.begin_stream()
        request.raw(f"data: {piece}\n\n")

    with chat_server(refuses_streaming) as server:
        assert "it refused: No." in reason(writer(server.url).facts(LINES, ()))


def test_a_model_of_llama_cpp_that_is_being_loaded_is_waited_for() -> None:
    with chat_server(refuses(503, "Loading model"), streams(GOOD)) as server:
        assert facts(writer(server.url).facts(LINES, ())) == ["The owner is vegetarian."]


def test_everything_that_is_sent_is_counted_the_mending_too() -> None:
    counted: list[int] = []

    def afford(tokens: int) -> str:
        counted.append(tokens)
        return "" if len(counted) < 3 else "the day is full"

    with chat_server(streams("Sure!")) as server:
        chat = EndpointWriter(Endpoint(server.url, "m"), lambda: None, afford=afford)
        assert "did not answer" in reason(chat.facts(LINES, ()))
        assert "the day is full" in reason(chat.facts(LINES, ()))
    assert len(server.seen) == 2
    assert counted[1] > counted[0]


def test_a_fact_that_names_no_turn_of_the_exchange_is_dropped() -> None:
    made_up = {**FACT, "turns": [9]}
    with chat_server(streams(json.dumps({"facts": [made_up, FACT, {**FACT, "content": ""}]}))) as s:
        assert facts(writer(s.url).facts(LINES, ())) == ["The owner is vegetarian."]


def test_odd_values_are_brought_into_bounds() -> None:
    odd = {**FACT, "importance": 99, "kind": "<b>", "tags": ["x" * 99, 4], "replaces": 1}
    with chat_server(streams(json.dumps({"facts": [odd]}))) as server:
        written = writer(server.url).facts(LINES, ["Eats meat."])
    assert isinstance(written, Facts)
    (fact,) = written.facts
    assert (fact.importance, fact.kind, fact.replaces) == (10, "fact", "Eats meat.")
    assert fact.tags == ("x" * 64,)


def test_an_answer_that_breaks_off_is_asked_for_again_with_longer_pauses() -> None:
    pauses = Pauses()
    with chat_server(breaks_off(GOOD), breaks_off(GOOD), streams(GOOD)) as server:
        assert facts(writer(server.url, pauses=pauses).facts(LINES, ())) == [FACT["content"]]
    assert pauses == [1.0, 2.0]


def test_half_an_answer_is_never_used() -> None:
    with chat_server(breaks_off(GOOD)) as server:
        assert "broke off half way" in reason(writer(server.url).facts(LINES, ()))
    assert len(server.seen) == 3


def test_a_busy_server_is_given_the_time_it_asks_for() -> None:
    pauses = Pauses()
    with chat_server(refuses(429, "slow down"), streams(GOOD)) as server:
        server.headers["Retry-After"] = "7"
        assert facts(writer(server.url, pauses=pauses).facts(LINES, ())) == [FACT["content"]]
    assert pauses == [7.0]


def test_a_broken_server_is_given_up_after_its_tries() -> None:
    with chat_server(refuses(500, "boom")) as server:
        said = reason(writer(server.url).facts(LINES, ()))
    assert "HTTP 500" in said
    assert "boom" in said
    assert len(server.seen) == 3


def test_a_refused_key_is_not_tried_again() -> None:
    with chat_server(refuses(401, "bad key")) as server:
        assert "refused the key" in reason(writer(server.url, key="wrong").facts(LINES, ()))
    assert len(server.seen) == 1
    assert server.keys == ["Bearer wrong"]


def test_a_silent_server_is_not_waited_for_longer_than_told() -> None:
    with chat_server(silent(2)) as server:
        said = reason(writer(server.url, seconds=0.2, tries=1).facts(LINES, ()))
    assert "within 0.2 seconds" in said


def test_a_dripping_server_is_not_waited_for_longer_than_told() -> None:
    with chat_server(drips(3)) as server:
        said = reason(writer(server.url, seconds=0.3, tries=1).facts(LINES, ()))
    assert "within 0.3 seconds" in said


def test_a_web_page_is_no_answer() -> None:
    with chat_server(says("<html>hello</html>")) as server:
        assert "chat completions protocol" in reason(writer(server.url).facts(LINES, ()))


def test_an_endless_answer_is_cut_short() -> None:
    with chat_server(says("x" * 2_000_000)) as server:
        assert "too long" in reason(writer(server.url).facts(LINES, ()))


def test_nobody_there_is_a_failure_that_says_so() -> None:
    with chat_server(streams(GOOD)) as server:
        url = server.url
    assert "does not answer" in reason(writer(url, tries=1).facts(LINES, ()))


def test_a_key_is_never_sent_in_the_clear() -> None:
    chat = writer("http://models.example.com/v1", key="secret", tries=1)
    assert "not https" in reason(chat.facts(LINES, ()))


@pytest.mark.parametrize("url", ["ftp://x/v1", "models", "", "https://me:pw@host/v1"])
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(Invalid):
        checked_url(url)


@pytest.mark.utc
def test_a_merged_summary_inherits_the_turns_of_the_lines_it_keeps() -> None:
    earlier = [SummaryLine("Eats meat.", "2026-05-01", ("turn:0",))]
    answer = {"lines": [{"text": "Vegetarian now.", "earlier": [1], "turns": [1], "day": "soon"}]}
    with chat_server(streams(json.dumps(answer))) as server:
        summary = writer(server.url).summary(LINES, earlier, 4000)
    assert summary == Summary(
        (SummaryLine("Vegetarian now.", "2026-05-08", ("turn:0", "turn:a")),), "small-model"
    )


def test_a_summary_over_its_room_loses_its_oldest_lines() -> None:
    answer = {"lines": [{"text": f"Line {n}.", "day": "2026-05-08"} for n in range(50)]}
    with chat_server(streams(json.dumps(answer))) as server:
        summary = writer(server.url).summary(LINES, (), 60)
    assert isinstance(summary, Summary)
    assert [line.text for line in summary.lines] == ["Line 46.", "Line 47.", "Line 48.", "Line 49."]


def test_the_test_button_tells_what_is_wrong() -> None:
    with chat_server(streams("ready"), refuses(404, "no such model")) as server:
        chat = writer(server.url)
        good, bad = chat.test(), chat.test()
    assert good.works
    assert "ready" in good.message
    assert not bad.works
    assert "no such model" in bad.message


def test_the_built_in_writer_steps_in_and_says_so() -> None:
    with chat_server(refuses(500)) as server:
        both = FallbackWriter(writer(server.url), ExtractiveWriter(lambda: None))
        written, summary = both.facts(LINES, ()), both.summary(LINES, (), 4000)
    assert facts(written) == ["The owner is vegetarian."]
    assert isinstance(written, Facts)
    assert isinstance(summary, Summary)
    assert written.by == "built-in"
    assert "HTTP 500" in written.notice
    assert "built-in writer did it instead" in written.notice
    assert summary.notice
