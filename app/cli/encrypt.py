"""`keepsake encrypt`, `keepsake decrypt` and `keepsake unlock`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click

from app.care.encryption import Done, Encryption
from app.care.vault_key import given_key, in_two_lines, new_key, open_ring, read_key, recovery_key
from app.cli.command import Terminal, vault_command
from app.cli.formatting import plural, size_text
from app.default_vault import default_path
from app.errors import Invalid, Refused, WrongKey
from store.care.conversion import Converted

TRIES = 3  # at a terminal
_DROP = click.option(
    "--drop-backups", is_flag=True, help="Remove the vault's backups instead of converting them."
)
_YES = click.option("--yes", is_flag=True, help="Do not ask.")


@vault_command("encrypt")
@click.option("--new-key", "renew", is_flag=True, help="Give an encrypted vault another key.")
@_DROP
@click.option("--make-key", is_flag=True, help="Print a new key for KEEPSAKE_KEY, and end.")
@_YES
def encrypt(terminal: Terminal, renew: bool, drop_backups: bool, make_key: bool, yes: bool) -> None:
    """Encrypt the vault and its backups. Shows the recovery key, once: write it down.

    The key is kept in the system's keyring, or is the one given in KEEPSAKE_KEY or in the file
    KEEPSAKE_KEY_FILE names. Close the window and end keepsake serve first."""
    if make_key:
        made = recovery_key(new_key())
        terminal.show({"key": made}, made)
        return
    vault = _vault(terminal)
    if vault.encrypted != renew:
        raise Refused(
            f"{vault.path} is encrypted already; --new-key gives it another key."
            if vault.encrypted
            else f"{vault.path} is not encrypted yet, so it has no key to replace: leave out "
            "--new-key."
        )
    vault.check_free()
    chosen = vault.choose()
    written = recovery_key(chosen.key) if chosen.where == "made" else None
    if written and not terminal.as_json and (yes or sys.stdin.isatty()):
        click.echo(_to_write_down(chosen.key))
    needed = "both the keyring and the recovery key" if written else "the key you gave"
    terminal.confirm(
        f"Encrypt {vault.path} now? Who loses {needed} loses the memories.",
        yes,
    )
    with _watched(terminal, "Encrypting") as progress:
        done = vault.encrypt(chosen, drop_backups=drop_backups, progress=progress)
    kept = "in the keyring" if written else "the one you gave"
    terminal.show(
        {
            **_done_json(vault, done),
            "recovery_key": written,
            "key": "keyring" if written else "given",
        },
        f"Encrypted {_extent(done.converted)}. The key is {kept}.{_notices(done)}",
    )


@vault_command("decrypt")
@_DROP
@_YES
def decrypt(terminal: Terminal, drop_backups: bool, yes: bool) -> None:
    """Make the vault and its backups plain files again, and forget the key."""
    vault = _vault(terminal)
    vault.key()
    vault.check_free()
    terminal.confirm(
        f"Decrypt {vault.path}? Whoever gets at the file can read it then, and its key is taken "
        "out of the keyring.",
        yes,
    )
    with _watched(terminal, "Decrypting") as progress:
        done = vault.decrypt(drop_backups=drop_backups, progress=progress)
    terminal.show(_done_json(vault, done), f"Decrypted {_extent(done.converted)}.{_notices(done)}")


@vault_command("unlock")
def unlock(terminal: Terminal) -> None:
    """Keep the key of an encrypted vault from elsewhere in the keyring.

    Asks for the recovery key, or reads it from standard input."""
    vault = _vault(terminal)
    vault.check_locked()
    given = given_key()
    vault.unlock(given if given is not None else _typed(vault))
    terminal.show(
        {"vault": vault.path, "unlocked": True},
        f"{vault.path} opens on this machine from now on: its key is in the keyring.",
    )


@vault_command("lock")
def lock(terminal: Terminal) -> None:
    """Take the key of an encrypted vault out of the keyring.

    From then on each command asks for it, `keepsake --ask COMMAND`, and no program of yours opens
    the vault without you. Have the recovery key at hand: it is kept nowhere here."""
    vault = _vault(terminal)
    vault.lock()
    terminal.show(
        {"vault": vault.path, "locked": True},
        f"{vault.path} opens with its recovery key only: keepsake --ask COMMAND. What runs already "
        "keeps it open; end keepsake serve and close the window.",
    )


def _vault(terminal: Terminal) -> Encryption:
    if terminal.ephemeral:
        raise Refused("A throw-away vault is gone when the command ends; there is nothing to lock.")
    return Encryption(terminal.path or default_path(), open_ring())


def _typed(vault: Encryption) -> bytes:
    """Never an argument: those are seen by every program of the machine."""
    if not sys.stdin.isatty():
        key = read_key(sys.stdin.readline())
        vault.check(key)
        return key
    for _ in range(TRIES - 1):
        try:
            key = read_key(click.prompt("Recovery key", err=True))
            vault.check(key)
        except (Invalid, WrongKey) as error:
            click.echo(str(error), err=True)
        else:
            return key
    return read_key(click.prompt("Recovery key", err=True))


@contextmanager
def _watched(terminal: Terminal, label: str) -> Iterator[Callable[[int, int, str], None]]:
    """How far it is, for who watches a terminal."""
    if terminal.as_json or not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    with click.progressbar(length=100, label=label, file=sys.stderr) as bar:

        def advance(done: int, total: int, name: str) -> None:
            bar.update(100 * done // max(total, 1) - bar.pos)

        yield advance


def _to_write_down(key: bytes) -> str:
    first, second = in_two_lines(key)
    return (
        "The recovery key of this vault. It is shown this once: write it down, and keep it away "
        f"from this machine.\n\n    {first}\n    {second}\n"
    )


def _done_json(vault: Encryption, done: Done) -> dict[str, object]:
    return {
        "vault": vault.path,
        "encrypted": vault.encrypted,
        **asdict(done.converted),
        "notice": done.notice,
    }


def _extent(done: Converted) -> str:
    extent = f"{size_text(done.size)} and {plural(done.backups, 'backup')}"
    if done.dropped:
        extent = f"{size_text(done.size)}, removed {plural(done.dropped, 'backup')}"
    return f"{extent}, in {done.seconds:.1f} s"


def _notices(done: Done) -> str:
    notice = f" {done.notice}" if done.notice else ""
    if not done.converted.overwritten:
        notice += " The old bytes could not be overwritten before they were given up."
    return notice
