"""The writing model the owner configured, and the writer made of it.

Without an endpoint the built-in writer works alone and nothing leaves the machine. With one it
stands behind it: an endpoint that fails costs quality, never a conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.access.secret_store import Kept, SecretStore
from app.errors import Invalid
from app.learning.writer import Facts, Failed, Prompt, Summary, Writer
from app.learning.writers.endpoint import Endpoint, EndpointWriter, Tested, checked_url
from app.learning.writers.extractive import ExtractiveWriter, SentenceEmbedder
from app.rules.learning import Line, SummaryLine
from app.settings import Settings


class FallbackWriter:
    """`first`, and where it fails `then`: a conversation is never lost to a broken endpoint."""

    def __init__(self, first: Writer, then: Writer) -> None:
        self._first = first
        self._then = then

    @property
    def name(self) -> str:
        return self._first.name

    @property
    def local(self) -> bool:
        return self._first.local

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts | Failed:
        found = self._first.facts(lines, known)
        if not isinstance(found, Failed):
            return found
        instead = self._then.facts(lines, known)
        if isinstance(instead, Failed):
            return instead
        return replace(instead, notice=_notice(found, self._then))

    def summary(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Summary | Failed:
        found = self._first.summary(lines, earlier, room)
        if not isinstance(found, Failed):
            return found
        instead = self._then.summary(lines, earlier, room)
        if isinstance(instead, Failed):
            return instead
        return replace(instead, notice=_notice(found, self._then))

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        return self._first.fact_prompt(lines, known)

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        return self._first.summary_prompt(lines, earlier, room)


def _notice(failure: Failed, then: Writer) -> str:
    return f"{failure.reason}. The {then.name} writer did it instead."


KEY_NAME = "writer-key"


@dataclass(frozen=True, slots=True)
class WritingModel:
    """As the settings dialog shows it; the key itself is never shown."""

    endpoint: str
    model: str
    has_key: bool

    @property
    def configured(self) -> bool:
        return bool(self.endpoint and self.model)


class Writing:
    """`secrets` is asked for at first need: reaching a keyring takes time."""

    def __init__(
        self,
        settings: Settings,
        secrets: Callable[[], SecretStore],
        embedder: Callable[[], SentenceEmbedder | None],
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._built_in = ExtractiveWriter(embedder)

    def model(self) -> WritingModel:
        endpoint = str(self._settings["writer_endpoint"])
        has_key = bool(endpoint) and bool(self._secrets().read(KEY_NAME))
        return WritingModel(endpoint, str(self._settings["writer_model"]), has_key)

    def configure(self, endpoint: str, model: str, key: str | None = None) -> Kept | None:
        """Use this endpoint from now on. `key` None keeps the one there is, empty drops it; what
        comes back says where a new key went."""
        address = checked_url(endpoint)
        if not model.strip():
            raise Invalid("Name the model, as the endpoint calls it.")
        kept = self._keep_key(key)
        self._settings.set("writer_endpoint", address)
        self._settings.set("writer_model", model.strip())
        return kept

    def clear(self) -> None:
        """The built-in writer alone again; the key is dropped."""
        self._secrets().drop(KEY_NAME)
        self._settings.reset("writer_endpoint")
        self._settings.reset("writer_model")

    def writer(self) -> Writer:
        """Who writes now, by the settings as they are."""
        chat = self._chat(
            str(self._settings["writer_endpoint"]), str(self._settings["writer_model"])
        )
        return FallbackWriter(chat, self._built_in) if chat else self._built_in

    def test(
        self, endpoint: str | None = None, model: str | None = None, key: str | None = None
    ) -> Tested:
        """Ask the endpoint one short question; values given are tried before they are saved."""
        address = checked_url(
            str(self._settings["writer_endpoint"]) if endpoint is None else endpoint
        )
        name = str(self._settings["writer_model"]) if model is None else model.strip()
        if not name:
            raise Invalid("Name the model, as the endpoint calls it.")
        chat = EndpointWriter(
            self._endpoint(address, name), self._key if key is None else lambda: key
        )
        return chat.test()

    def _chat(self, endpoint: str, model: str) -> EndpointWriter | None:
        if not endpoint or not model:
            return None
        return EndpointWriter(self._endpoint(endpoint, model), self._key)

    def _endpoint(self, endpoint: str, model: str) -> Endpoint:
        return Endpoint(endpoint, model, seconds=float(self._settings["writer_seconds"]))

    def _key(self) -> str | None:
        return self._secrets().read(KEY_NAME)

    def _keep_key(self, key: str | None) -> Kept | None:
        if key is None:
            return None
        if not key.strip():
            self._secrets().drop(KEY_NAME)
            return None
        return self._secrets().keep(KEY_NAME, key.strip())
