"""The writer that asks a chat model: any endpoint that speaks OpenAI's chat completions.

Nothing is sent unless the owner configured it, and then exactly the prompt shown and no more.
Answers are streamed, bounded in time and size, retried when the fault may pass, checked, and
mended once when they are not the JSON asked for. Every other outcome is `Failed` with a reason.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from app.errors import Invalid
from app.rules.session import within
from app.writer import Facts, Failed, Line, Prompt, Summary, SummaryLine
from app.writers import prompts
from app.writers.prompts import Messages, NotTheShape

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 1_000_000
LOOPBACK = ("127.0.0.1", "localhost", "::1")

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask. `url` is the base, as OpenAI's clients take it: `https://host/v1`."""

    url: str
    model: str
    seconds: float = 60.0  # for one answer, from first byte sent to last received
    tries: int = 3
    pause: float = 1.0  # before the second try; doubles after each

    @property
    def chat_url(self) -> str:
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


@dataclass(frozen=True, slots=True)
class Tested:
    """What the Test button tells: whether the endpoint answers, and how."""

    works: bool
    message: str
    seconds: float


class _Passing(Exception):
    """A fault that may be gone in a moment; `after` is how long the server asks to wait."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class _Lasting(Exception):
    """A fault that asking again will not mend."""


def checked_url(url: str) -> str:
    """An endpoint's address as we may use it. Raises Invalid."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Invalid(f"{url!r} is not an address like https://api.example.com/v1.")
    if parts.username or parts.password:
        raise Invalid("Keep the key out of the address; it has a field of its own.")
    return url.strip()


class EndpointWriter:
    local = False

    def __init__(
        self,
        endpoint: Endpoint,
        key: Callable[[], str | None],
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._key = key
        self._sleep = sleep
        self._now = now

    @property
    def name(self) -> str:
        return self._endpoint.model

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts | Failed:
        messages = prompts.fact_messages(lines, known)
        found = self._ask(messages, lambda answer: prompts.read_facts(answer, lines, known))
        return found if isinstance(found, Failed) else Facts(found, self.name)

    def summary(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Summary | Failed:
        messages = prompts.summary_messages(lines, earlier, room)
        found = self._ask(messages, lambda answer: prompts.read_summary(answer, lines, earlier))
        return found if isinstance(found, Failed) else Summary(within(found, room), self.name)

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        return self._prompt(prompts.fact_messages(lines, known))

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        return self._prompt(prompts.summary_messages(lines, earlier, room))

    def test(self) -> Tested:
        """One short question, so that the owner knows the address, model and key are right."""
        began = self._now()
        try:
            answer = self._complete((("user", "Answer with the single word: ready"),))
        except (_Passing, _Lasting) as fault:
            return Tested(False, str(fault), self._now() - began)
        return Tested(True, f"{self.name} answered: {answer.strip()[:80]}", self._now() - began)

    def _prompt(self, messages: Messages) -> Prompt:
        return Prompt(self._endpoint.chat_url, self._endpoint.model, messages)

    def _ask(self, messages: Messages, read: Callable[[str], Read]) -> Read | Failed:
        """The answer as `read` takes it; asked to mend itself once."""
        try:
            answer = self._persist(messages)
            try:
                return read(answer)
            except NotTheShape as problem:
                mended = self._persist(
                    (
                        *messages,
                        ("assistant", answer[:20_000]),
                        ("user", prompts.REPAIR.format(problem=problem)),
                    )
                )
            return read(mended)
        except NotTheShape as problem:
            return self._failed(f"it did not answer with the JSON asked for: {problem}")
        except (_Passing, _Lasting) as fault:
            return self._failed(str(fault))

    def _failed(self, reason: str) -> Failed:
        return Failed(self.name, f"The writing model {self.name} could not be used: {reason}")

    def _persist(self, messages: Messages) -> str:
        """Asked again after faults that may pass, each time waiting twice as long."""
        pause = self._endpoint.pause
        for left in range(self._endpoint.tries - 1, -1, -1):
            try:
                return self._complete(messages)
            except _Passing as fault:
                if not left:
                    raise
                self._sleep(min(max(pause, fault.after), 30.0))
                pause *= 2
        raise AssertionError("at least one try")

    def _complete(self, messages: Messages) -> str:
        import httpx

        prompt = self._prompt(messages)
        body = {
            "model": prompt.model,
            "messages": [{"role": role, "content": text} for role, text in prompt.messages],
            "temperature": 0,
            "stream": True,
        }
        deadline = self._now() + self._endpoint.seconds
        try:
            with (
                httpx.Client(timeout=self._endpoint.seconds, follow_redirects=False) as client,
                client.stream(
                    "POST", prompt.endpoint, json=body, headers=self._headers()
                ) as response,
            ):
                _check_status(response)
                return self._text_of(response, deadline)
        except httpx.TimeoutException as error:
            raise self._too_slow() from error
        except (httpx.TransportError, httpx.StreamError) as error:
            raise _Passing(f"{prompt.endpoint} does not answer ({error})") from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise _Lasting(f"{prompt.endpoint} is not an address ({error})") from error

    def _headers(self) -> dict[str, str]:
        key = self._key()
        if not key:
            return {}
        parts = urlsplit(self._endpoint.url)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise _Lasting("its address is not https, and the key is not sent in the clear")
        if not key.isascii() or not key.isprintable():
            raise _Lasting("the key holds characters no key has; enter it again")
        return {"Authorization": f"Bearer {key}"}

    def _too_slow(self) -> _Passing:
        return _Passing(f"no whole answer within {self._endpoint.seconds:g} seconds")

    def _text_of(self, response: httpx.Response, deadline: float) -> str:
        """The whole answer: streamed as server-sent events, or at once by servers that do not."""
        streamed = "event-stream" in response.headers.get("content-type", "")
        if not streamed:
            return _whole(b"".join(self._bounded(response.iter_bytes(), deadline)))
        parts: list[str] = []
        for line in self._lines(response, deadline):
            if not line.startswith("data:"):
                continue
            event = line[5:].strip()
            if event == "[DONE]":
                return "".join(parts)
            piece, finished = _delta(event)
            parts.append(piece)
            if finished:
                return "".join(parts)
        raise _Passing("the answer broke off half way")

    def _lines(self, response: httpx.Response, deadline: float) -> Iterator[str]:
        held = b""
        for chunk in self._bounded(response.iter_bytes(), deadline):
            *whole, held = (held + chunk).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", "replace").rstrip("\r")
        if held:
            yield held.decode("utf-8", "replace")

    def _bounded(self, chunks: Iterator[bytes], deadline: float) -> Iterator[bytes]:
        # httpx's time-out is per read: a server that drips would hold us for ever.
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > MOST_BYTES:
                raise _Lasting("the answer is too long")
            if self._now() > deadline:
                raise self._too_slow()
            yield chunk


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status == 200:
        return
    said = _reason_in(response)
    if status in (401, 403):
        raise _Lasting(f"it refused the key (HTTP {status}){said}")
    if status == 404:
        raise _Lasting(f"there is no such address or model (HTTP 404){said}")
    if status in (408, 409, 425, 429) or status >= 500:
        raise _Passing(f"it is not able to answer now (HTTP {status}){said}", _wait(response))
    raise _Lasting(f"it answered HTTP {status}{said}")


def _reason_in(response: httpx.Response) -> str:
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > 4_000:
            break
    try:
        error = json.loads(body)["error"]
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, TypeError):
        return ""
    return f": {' '.join(str(text).split())[:200]}"


def _wait(response: httpx.Response) -> float:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdigit() else 0.0


def _whole(body: bytes) -> str:
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise _Lasting("it does not speak the chat completions protocol") from error
    if not isinstance(text, str):
        raise _Lasting("it does not speak the chat completions protocol")
    return text


def _delta(event: str) -> tuple[str, bool]:
    """The text of one event, and whether it says the answer is complete."""
    try:
        value = json.loads(event)
        if "error" in value:
            raise _Passing(f"it stopped with an error: {str(value['error'])[:200]}")
        choice = value["choices"][0] if value.get("choices") else {}
        piece = (choice.get("delta") or {}).get("content") or ""
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise _Passing("the stream holds what is no event of the protocol") from error
    return str(piece), bool(choice.get("finish_reason"))
