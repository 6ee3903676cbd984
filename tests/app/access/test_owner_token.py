"""The owner's token: made once, kept where secrets are kept."""

from __future__ import annotations

import pytest

from app.access.owner_token import VARIABLE, owner_token, renewed_owner_token
from app.access.secret_store import FileSecrets, Kept
from app.errors import Invalid


class MemorySecrets:
    """A keyring that works."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}

    def read(self, name: str) -> str | None:
        return self.held.get(name)

    def keep(self, name: str, secret: str) -> Kept:
        self.held[name] = secret
        return Kept("keyring")

    def drop(self, name: str) -> None:
        self.held.pop(name, None)


def test_it_is_made_at_first_need_and_the_same_after() -> None:
    secrets = MemorySecrets()
    made = owner_token(secrets, {})
    again = owner_token(secrets, {})
    assert made.token == again.token
    assert len(made.token) > 40
    assert (made.where, made.notice) == ("keyring", "")


def test_the_environment_overrides_and_keeps_nothing() -> None:
    secrets = MemorySecrets()
    assert owner_token(secrets, {VARIABLE: "sixteen-or-longer"}).token == "sixteen-or-longer"
    assert secrets.held == {}


@pytest.mark.parametrize("weak", ["", "short", "é" * 20, "line\nbreak-in-the-token"])
def test_a_weak_token_in_the_environment_is_refused(weak: str) -> None:
    with pytest.raises(Invalid, match=VARIABLE):
        owner_token(MemorySecrets(), {VARIABLE: weak})


def test_where_there_is_no_keyring_the_owner_is_told(tmp_path: object) -> None:
    made = owner_token(FileSecrets(tmp_path), {})  # type: ignore[arg-type]
    assert made.where == "file"
    assert "readable by you alone" in made.notice


def test_another_one_takes_its_place() -> None:
    secrets = MemorySecrets()
    old = owner_token(secrets, {}).token
    new = renewed_owner_token(secrets).token
    assert new != old
    assert owner_token(secrets, {}).token == new
