"""JSON and its rows, read without trusting them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.markdown.source_files import MOST_FILE_BYTES, SourceFile


def load(file: SourceFile) -> Any:
    """The file's JSON value. Raises ValueError with the reason."""
    try:
        return json.loads(file.text(MOST_FILE_BYTES))
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not valid JSON (line {error.lineno}: {error.msg})") from error
    except RecursionError as error:
        raise ValueError("its JSON is nested too deeply") from error


def try_load(file: SourceFile) -> Any:
    """The value, or None where there is none to be had: for recognising a format."""
    try:
        return load(file)
    except ValueError:
        return None


def rows(value: object, *names: str) -> list[Mapping[str, Any]]:
    """The objects of a list, or of the list under one of `names`, or the one object itself."""
    if isinstance(value, Mapping):
        for name in names:
            if isinstance(value.get(name), Sequence) and not isinstance(value[name], str):
                return rows(value[name])
        return [value]
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def text(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds words."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def texts(value: object) -> Iterator[str]:
    """Every piece of text of a list of pieces, some of which are objects with a `text`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, Mapping):
                if item.get("type", "text") == "text" and isinstance(item.get("text"), str):
                    yield item["text"]
            elif isinstance(item, str):
                yield item
