from __future__ import annotations

from pathlib import Path

import pytest

from app.access.secret_store import FileSecrets, Secrets
from app.errors import Invalid
from app.learning.writing_model import Writing
from app.settings import Settings
from app.vault import Vault
from tests.app.learning.writers.chat_server import chat_server, refuses, streams


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
    vault.settings.set("writer_endpoint", "http://127.0.0.1:1/v1")
    vault.settings.set("writer_model", "small")
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


def test_clearing_takes_the_key_away_too(writing: Writing, secrets: Secrets) -> None:
    writing.configure("http://127.0.0.1:9/v1", "small", "k3y")
    writing.clear()
    assert not writing.model().configured
    assert secrets.read("writer-key") is None


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
