"""Which version of Keepsake this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def our_version() -> str:
    """The installed version; "0" in a source tree that is not installed."""
    try:
        return version("keepsake-desk")
    except PackageNotFoundError:
        return "0"
