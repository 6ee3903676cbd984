"""The build backend: setuptools, with a wheel that carries one import package.

An editable install (`pip install -e .`) and a source distribution are setuptools' own.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from one_package import stage
from setuptools import build_meta
from setuptools.build_meta import (  # hooks that stay as they are
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """There is no hook for the metadata alone: whoever wants it reads the wheel."""
    here, target = Path.cwd(), Path(wheel_directory).resolve()
    with tempfile.TemporaryDirectory() as folder:
        stage(here, Path(folder))
        os.chdir(folder)
        try:
            return build_meta.build_wheel(str(target), config_settings)
        finally:
            os.chdir(here)
