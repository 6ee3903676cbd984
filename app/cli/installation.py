"""`keepsake completions` and `keepsake update`: about the program, not about a vault."""

from __future__ import annotations

import json
import re
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import click
from click.shell_completion import get_completion_class

from app.cli.command import build
from app.errors import Refused
from app.version import our_version

INDEX = "https://pypi.org/pypi"
DISTRIBUTION = "keepsake-desk"
PATIENCE_SECONDS = 10
WAYS = (
    f"`uv tool upgrade {DISTRIBUTION}`, `pipx upgrade {DISTRIBUTION}` or the new package, "
    "as you installed this one."
)


@click.command("completions")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completions(shell: str) -> None:
    """Print what makes SHELL complete keepsake's commands and options.

    bash: eval "$(keepsake completions bash)" in ~/.bashrc, zsh likewise in ~/.zshrc; fish:
    keepsake completions fish > ~/.config/fish/completions/keepsake.fish"""
    click.echo(completion_script(shell))


def completion_script(shell: str) -> str:
    kind = get_completion_class(shell)
    if kind is None:
        raise ValueError(f"click completes no {shell}")
    return kind(build(lambda *_: 0), {}, "keepsake", "_KEEPSAKE_COMPLETE").source()


@click.command("update")
@click.option("--index", default=INDEX, show_default=True, help="The package index to ask.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def update(index: str, as_json: bool) -> None:
    """Ask the package index once whether a newer Keepsake is published.

    Nothing asks by itself; this sends the name of the package, and nothing about you."""
    ours, newest = our_version(), newest_published(index)
    newer = newest is not None and _numbers(newest) > _numbers(ours)
    if as_json:
        click.echo(json.dumps({"installed": ours, "published": newest, "newer": newer}))
    elif newest is None:
        click.echo(f"{DISTRIBUTION} is not published at {index}; this is {ours}.")
    elif newer:
        click.echo(f"{newest} is published; this is {ours}. To install it: {WAYS}")
    else:
        click.echo(f"This is {ours}; nothing newer is published.")


def newest_published(index: str = INDEX) -> str | None:
    """Returns the newest release, None where there is none. Raises Refused without an answer."""
    if not re.match(r"https?://", index):
        raise Refused(f"{index} is no address of a package index; it begins with https://.")
    request = Request(f"{index}/{DISTRIBUTION}/json", headers={"User-Agent": "keepsake"})
    try:
        with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return str(json.load(answer)["info"]["version"])
    except HTTPError as error:
        error.close()
        if error.code == 404:
            return None
        raise Refused(f"{index} answered {error.code}; ask again later.") from error
    except (URLError, TimeoutError) as error:
        reason = getattr(error, "reason", error)
        raise Refused(f"{index} cannot be reached: {reason}. Nothing was changed.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f"{index} gave no answer of a package index.") from error


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))
