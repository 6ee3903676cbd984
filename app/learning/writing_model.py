"""The writing model the owner configured, and the writer made of it.

Without an endpoint the built-in writer works alone and nothing leaves the machine. With one it
stands behind it: an endpoint that fails costs quality, never a conversation.

The endpoint is a setting of the vault, whose file may be somebody else's. So the person at this
machine confirms it before anything is sent, and a key goes to the origin it was entered for alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.access.secret_store import Kept, SecretStore
from app.confirmed import WRITERS, Confirmed
from app.errors import Invalid, Refused
from app.learning.writer import Facts, Failed, Prompt, Summary, Writer
from app.learning.writers.endpoint import Endpoint, EndpointWriter, Tested, checked_url
from app.learning.writers.extractive import ExtractiveWriter, SentenceEmbedder
from app.rules.facts import Line, SummaryLine
from app.settings import Settings
from store.file.database import Connection, Database
from store.instants import Clock, to_instant
from store.tables import vault_values

LEDGER = "writer_tokens"


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


class TokenLedger:
    """How many tokens a writing model was given today, noted in the vault for every process."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    @property
    def most(self) -> int:
        return int(self._settings["writer_tokens_per_day"])

    def spent(self) -> int:
        """Since midnight, UTC."""
        with self._database.read() as db:
            return self._today(db)[1]

    def take(self, tokens: int) -> str:
        """Count them in, if the day still has room; else why not."""
        with self._database.write() as db:
            day, spent = self._today(db)
            if spent + tokens <= self.most:
                vault_values.put(db, LEDGER, f"{day} {spent + tokens}")
                return ""
        return (
            f"it was given {spent:,} tokens today, and this would be {tokens:,} more than the "
            f"{self.most:,} you allow a day (writer_tokens_per_day)"
        )

    def _today(self, db: Connection) -> tuple[str, int]:
        today = to_instant(self._clock())[:10]
        day, _, spent = (vault_values.read(db, LEDGER) or "").partition(" ")
        return today, int(spent) if day == today else 0


class UnconfirmedWriter:
    """Stands for a chat model that nobody confirmed on this machine: it sends nothing."""

    local = False  # so that the background run settles, which tells the person why

    def __init__(self, model: str, endpoint: str) -> None:
        self.name = model
        self._endpoint = endpoint

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts | Failed:
        return Failed(self.name, unconfirmed(self.name, self._endpoint))

    def summary(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Summary | Failed:
        return Failed(self.name, unconfirmed(self.name, self._endpoint))

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        return None

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        return None


def unconfirmed(model: str, endpoint: str) -> str:
    return (
        f"This vault names {model} at {endpoint}, which is not confirmed on this machine, so "
        "nothing is sent there (keepsake writer --confirm)"
    )


def _notice(failure: Failed, then: Writer) -> str:
    return f"{failure.reason}. The {then.name} writer did it instead."


KEY_NAME = "writer-key"
"""Followed by the origin it is for. Alone it is a key that was kept before keys had one."""
_PORTS = {"http": 80, "https": 443}


def origin_of(address: str) -> str:
    """Scheme, host and port, read as the request will read them."""
    import httpx

    try:
        url = httpx.URL(address)
    except httpx.InvalidURL as error:
        raise Invalid(f"{address!r} is not an address like https://api.example.com/v1.") from error
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}:{url.port or _PORTS.get(url.scheme, 0)}"


def key_name(address: str) -> str:
    return f"{KEY_NAME} {origin_of(address)}"


@dataclass(frozen=True, slots=True)
class WritingModel:
    """As the settings dialog shows it; the key itself is never shown. `confirmed` says that the
    person at this machine named the endpoint or agreed to it; the tokens are what it was given
    since midnight, UTC, and what it may be."""

    endpoint: str
    model: str
    has_key: bool
    confirmed: bool = False
    tokens_today: int = 0
    tokens_a_day: int = 0

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
        confirmed: Confirmed | None = None,
        ledger: TokenLedger | None = None,
    ) -> None:
        self._settings = settings
        self._ledger = ledger
        self._secrets = secrets
        self._built_in = ExtractiveWriter(embedder)
        self._confirmed = confirmed or Confirmed(WRITERS)

    def model(self) -> WritingModel:
        endpoint, model = self._named()
        confirmed = endpoint in self._confirmed
        has_key = bool(endpoint) and bool(self._kept_key(endpoint, confirmed))
        today, most = (self._ledger.spent(), self._ledger.most) if self._ledger else (0, 0)
        return WritingModel(endpoint, model, has_key, confirmed, today, most)

    def configure(self, endpoint: str, model: str, key: str | None = None) -> Kept | None:
        """Use this endpoint from now on. `key` None keeps the one there is for its origin, empty
        drops it; what comes back says where a new key went."""
        address = checked_url(endpoint)
        if not model.strip():
            raise Invalid("Name the model, as the endpoint calls it.")
        held, _ = self._named()
        if held and origin_of(held) == origin_of(address):
            self._bind_key(address)
        kept = self._keep_key(address, key)
        self._settings.set("writer_endpoint", address)
        self._settings.set("writer_model", model.strip())
        self._confirmed.add(address)
        return kept

    def confirm(self) -> WritingModel:
        """The person at this machine agrees to the endpoint the vault names. A key that was kept
        before keys had an origin is for this one from now on."""
        endpoint, model = self._named()
        if not (endpoint and model):
            raise Invalid(
                "There is no chat model to confirm. Name one with --endpoint and --model."
            )
        checked_url(endpoint)
        self._bind_key(endpoint)
        self._confirmed.add(endpoint)
        return self.model()

    def clear(self) -> None:
        """The built-in writer alone again; the key is dropped, unless it never was this vault's to
        use."""
        endpoint, _ = self._named()
        if endpoint in self._confirmed:
            self._secrets().drop(key_name(endpoint))
        self._secrets().drop(KEY_NAME)
        self._settings.reset("writer_endpoint")
        self._settings.reset("writer_model")

    def writer(self) -> Writer:
        """Who writes now, by the settings as they are."""
        endpoint, model = self._named()
        if not endpoint or not model:
            return self._built_in
        if endpoint not in self._confirmed:
            return FallbackWriter(UnconfirmedWriter(model, endpoint), self._built_in)
        return FallbackWriter(self._chat(endpoint, model), self._built_in)

    @property
    def built_in(self) -> Writer:
        """The one on this machine, which sends nothing."""
        return self._built_in

    def test(
        self, endpoint: str | None = None, model: str | None = None, key: str | None = None
    ) -> Tested:
        """Ask the endpoint one short question; values given are tried before they are saved."""
        held, named = self._named()
        address = checked_url(held if endpoint is None else endpoint)
        name = named if model is None else model.strip()
        if not name:
            raise Invalid("Name the model, as the endpoint calls it.")
        if address == held and address not in self._confirmed:
            raise Refused(f"{unconfirmed(name, address)}.")
        chat = self._chat(address, name, None if key is None else lambda: key)
        return chat.test()

    def _named(self) -> tuple[str, str]:
        """The endpoint and the model, as the vault's file has them."""
        settings = self._settings
        return str(settings["writer_endpoint"]).strip(), str(settings["writer_model"])

    def _chat(
        self, endpoint: str, model: str, key: Callable[[], str | None] | None = None
    ) -> EndpointWriter:
        address = Endpoint(endpoint, model, seconds=float(self._settings["writer_seconds"]))
        return EndpointWriter(
            address,
            key or (lambda: self._secrets().read(key_name(endpoint))),
            afford=self._ledger.take if self._ledger is not None else lambda tokens: "",
        )

    def _kept_key(self, endpoint: str, confirmed: bool) -> str | None:
        """The key that is, or once it is confirmed would be, sent there."""
        key = self._secrets().read(key_name(endpoint))
        return key if key or confirmed else self._secrets().read(KEY_NAME)

    def _bind_key(self, endpoint: str) -> None:
        held = self._secrets().read(KEY_NAME)
        if held is None:
            return
        if self._secrets().read(key_name(endpoint)) is None:
            self._secrets().keep(key_name(endpoint), held)
        self._secrets().drop(KEY_NAME)

    def _keep_key(self, endpoint: str, key: str | None) -> Kept | None:
        if key is None:
            return None
        if not key.strip():
            self._secrets().drop(key_name(endpoint))
            return None
        return self._secrets().keep(key_name(endpoint), key.strip())
