from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
import pytest

from app.access.secret_store import FileSecrets, Secrets
from app.errors import Invalid, Refused
from app.learning.writer import Failed
from app.learning.writing_model import TokenLedger, Writing, origin_of
from app.rules.facts import Line
from app.settings import Settings
from app.vault import Vault, open_vault
from tests.app.learning.talks import VEGETARIAN, an_agent, ended_talk
from tests.app.learning.writers.chat_server import chat_server, refuses, streams
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(None, FileSecrets(tmp_path / "secrets"))


@pytest.fixture
def writing(vault: Vault, secrets: Secrets) -> Writing:
    return Writing(vault.settings, lambda: secrets, lambda: None)


def test_without_an_endpoint_the_built_in_writer_works_alone(writing: Writing) -> None:
    assert not writing.model().configured
    assert writing.writer().name == "built-in"
    assert writing.writer().local


def test_looking_for_the_writer_does_not_touch_the_keyring(vault: Vault) -> None:
    def reached() -> Secrets:
        raise AssertionError("the keyring was reached")

    writing = Writing(vault.settings, reached, lambda: None)
    assert writing.writer().local
    writing.configure("http://127.0.0.1:1/v1", "small")
    assert not writing.writer().local


def test_a_model_is_used_from_the_moment_it_is_configured(writing: Writing) -> None:
    kept = writing.configure(" http://127.0.0.1:9/v1 ", " small ", "k3y")
    assert kept is not None
    assert kept.where == "file"
    model = writing.model()
    assert (model.endpoint, model.model, model.has_key) == ("http://127.0.0.1:9/v1", "small", True)
    assert writing.writer().name == "small"


def test_the_key_is_in_no_setting(writing: Writing, vault: Vault) -> None:
    writing.configure("http://127.0.0.1:9/v1", "small", "k3y-of-mine")
    assert "k3y-of-mine" not in str(Settings(vault.database).all())
    assert b"k3y-of-mine" not in vault.path.read_bytes()


def test_no_key_given_keeps_the_one_there_is_and_an_empty_one_drops_it(writing: Writing) -> None:
    writing.configure("http://127.0.0.1:9/v1", "small", "k3y")
    assert writing.configure("http://127.0.0.1:9/v1", "other") is None
    assert writing.model().has_key
    writing.configure("http://127.0.0.1:9/v1", "other", "")
    assert not writing.model().has_key


def test_clearing_takes_the_key_away_too(writing: Writing, tmp_path: Path) -> None:
    writing.configure("http://127.0.0.1:9/v1", "small", "k3y")
    writing.clear()
    assert not writing.model().configured
    assert "k3y" not in FileSecrets(tmp_path / "secrets").path.read_text()


@pytest.mark.parametrize(("endpoint", "model"), [("nonsense", "small"), ("https://x/v1", " ")])
def test_what_cannot_work_is_refused_and_changes_nothing(
    writing: Writing, endpoint: str, model: str
) -> None:
    with pytest.raises(Invalid):
        writing.configure(endpoint, model, "k3y")
    assert writing.model().endpoint == ""


def test_values_are_tried_before_they_are_saved(writing: Writing) -> None:
    with chat_server(streams("ready"), refuses(401)) as server:
        assert writing.test(server.url, "small", "k3y").works
        assert not writing.test(server.url, "small", "wrong").works
        assert server.keys == ["Bearer k3y", "Bearer wrong"]
    assert not writing.model().configured


# A vault's file may be somebody else's


class Knocks:
    """A listening socket that counts who comes, and answers nobody."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.05)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._count, daemon=True)
        self.count = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def __enter__(self) -> Knocks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._socket.close()

    def _count(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.count += 1
            connection.close()


@contextmanager
def foreign_vault(path: Path, endpoint: str, secrets: Secrets) -> Iterator[Vault]:
    """A vault whose file names an endpoint that nobody entered on this machine, with an ended
    conversation to learn from."""
    clock = FixedClock()
    made = open_vault(path, clock=clock, embedder=lambda _: FakeEmbedder(), secrets=secrets)
    made.settings.set("writer_endpoint", endpoint)
    made.settings.set("writer_model", "small")
    made.settings.set("writer_seconds", 1)
    ended_talk(made, an_agent(made), VEGETARIAN)
    yield made
    made.close()


def test_the_endpoint_of_a_foreign_vault_gets_no_request_at_all(
    tmp_path: Path, secrets: Secrets
) -> None:
    secrets.keep("writer-key", "k3y-of-mine")
    with Knocks() as knocks, foreign_vault(tmp_path / "v.db", knocks.url, secrets) as vault:
        assert not vault.writing.model().confirmed
        report = vault.sleep.run_due()
        talk = ended_talk(vault, an_agent(vault, "Other"), "I live in Lisbon.")
        again = vault.sleep.settle(talk.id)
        with pytest.raises(Refused, match="keepsake writer --confirm"):
            vault.writing.test()
        with pytest.raises(Refused, match="keepsake writer --confirm"):
            vault.writing.test(knocks.url, "small")
        assert vault.sleep.prompt(talk.id) == ""
        assert knocks.count == 0
        learned = [entry.content for entry in vault.entries.page().entries]
        assert "The owner is vegetarian." in learned
        assert "The owner lives in Lisbon." in learned
        assert not isinstance(again.learned, Failed)
        assert "not confirmed on this machine" in again.learned.notice
        assert any("not confirmed on this machine" in notice for notice in report.notices)


def test_an_endpoint_is_confirmed_once_per_machine_outside_the_vault(
    tmp_path: Path, secrets: Secrets
) -> None:
    with chat_server(streams("ready")) as server:
        with foreign_vault(tmp_path / "v.db", server.url, secrets) as vault:
            vault.writing.confirm()
            assert vault.writing.model().confirmed
            assert vault.writing.test().works
            assert not vault.writing.writer().local
            vault.settings.set("writer_endpoint", server.url + "/elsewhere")
            assert not vault.writing.model().confirmed
        with foreign_vault(tmp_path / "w.db", server.url, secrets) as other:
            assert other.writing.model().confirmed
        kept = Path(platformdirs.user_state_path("keepsake")) / "confirmed.json"
        assert kept.stat().st_mode & 0o777 == 0o600
        kept.unlink()
        with foreign_vault(tmp_path / "x.db", server.url, secrets) as moved:
            assert not moved.writing.model().confirmed


def test_a_key_goes_to_no_other_origin_than_the_one_it_was_entered_for(
    writing: Writing, vault: Vault
) -> None:
    with chat_server(streams("ready")) as mine, chat_server(streams("ready")) as other:
        writing.configure(mine.url, "small", "k3y-of-mine")
        writing.configure(other.url, "small")
        assert not writing.model().has_key
        assert writing.test().works
        assert other.keys == [None]
        writing.configure(mine.url + "/", "small")
        assert writing.model().has_key
        assert writing.test().works
        assert mine.keys == ["Bearer k3y-of-mine"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://API.example.com/v1", "https://api.example.com:443/other", True),
        ("http://example.com/v1", "http://example.com:80", True),
        ("http://example.com/v1", "https://example.com/v1", False),
        ("http://127.0.0.1:1234/v1", "http://127.0.0.1:1235/v1", False),
        ("http://[::1]:1/v1", "http://[::1]:1/", True),
        ("http://example.com/v1", "http://example.com.evil.org/v1", False),
    ],
)
def test_origins_are_scheme_host_and_port(one: str, other: str, same: bool) -> None:
    assert (origin_of(one) == origin_of(other)) is same


def test_a_key_of_before_is_bound_to_what_is_confirmed_next(
    tmp_path: Path, secrets: Secrets
) -> None:
    secrets.keep("writer-key", "old-key")
    with (
        chat_server(streams("ready")) as server,
        foreign_vault(tmp_path / "v.db", server.url, secrets) as vault,
    ):
        assert vault.writing.model().has_key
        vault.writing.confirm()
        assert secrets.read("writer-key") is None
        assert vault.writing.model().tokens_today == 0
        assert vault.writing.test().works
        assert vault.writing.model().tokens_today > 0
        assert server.keys == ["Bearer old-key"]
        vault.writing.clear()
        assert "old-key" not in FileSecrets(tmp_path / "secrets").path.read_text()


def test_a_key_of_before_does_not_follow_a_new_address(writing: Writing, secrets: Secrets) -> None:
    secrets.keep("writer-key", "old-key")
    writing.configure("http://127.0.0.1:9/v1", "small")
    assert not writing.model().has_key


def test_there_must_be_something_to_confirm(writing: Writing) -> None:
    with pytest.raises(Invalid, match="no chat model"):
        writing.confirm()


def test_a_day_has_so_many_tokens_and_says_when_they_are_spent(vault: Vault) -> None:
    vault.settings.set("writer_tokens_per_day", 250)
    ledger = TokenLedger(vault.database, vault.settings, vault.clock)
    assert [ledger.take(101), ledger.take(101)] == ["", ""]
    assert "202 tokens today, and this would be 101 more than the 250" in ledger.take(101)
    assert ledger.spent() == 202
    vault.clock.forward(days=1)  # type: ignore[attr-defined]
    assert ledger.take(101) == ""
    assert ledger.spent() == 101


def test_the_model_shows_what_it_cost_today_and_the_prompt_what_it_will(vault: Vault) -> None:
    with chat_server(streams('{"facts": []}')) as server:
        vault.writing.configure(server.url, "small")
        lines = [Line("turn:1", "user", "I live in Oslo.", "2026-04-30T12:00:00.000000Z")]
        prompt = vault.writing.writer().fact_prompt(lines, [])
        assert prompt is not None
        assert f"about {prompt.tokens:,} tokens" in str(prompt)
        vault.writing.writer().facts(lines, [])
    assert vault.writing.model().tokens_today == prompt.tokens
    assert vault.writing.model().tokens_a_day == 200_000
