"""Measures how the code hangs together: `python packaging/measure_house.py --ways store mcp`.

Each figure is one function. A way is one thing a person or an agent does; its figure is how many of
our modules run a function meanwhile, whichever thread that is in. What runs only because a module
is being imported does not count: importing is measured by the start-up.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("app", "store", "ui", "resources")
sys.path.insert(0, str(ROOT))


class Trace:
    """Collects the modules of ours that run a function while it records."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._recording = False

    def __enter__(self) -> Trace:
        """From here on every new thread is looked at, and this one."""
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        self._recording = True
        try:
            yield
        finally:
            self._recording = False

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if not self._recording or event != "call":
            return
        path = frame.f_code.co_filename
        if not path.startswith(str(ROOT)):
            return
        parts = Path(path).relative_to(ROOT).with_suffix("").parts
        if parts[0] in PACKAGES and not _importing(frame):
            self.modules.add(".".join(parts).removesuffix(".__init__"))


def _importing(frame: FrameType | None) -> bool:
    """Whether a module's own code is on the stack: then it runs because that module is loaded."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
        frame = frame.f_back
    return False


# The ways


def modules_of_store(folder: Path) -> set[str]:
    """`keepsake store` over a vault that is there."""
    from ui.main import main

    arguments = ["store", "We deploy on Fridays", "--key", "deploys", "--vault", str(folder / "v")]
    _keepsake(main, ["list", "--vault", str(folder / "v")])
    with Trace() as trace, trace.recording():
        _keepsake(main, arguments)
    return trace.modules


def modules_of_recall(folder: Path) -> set[str]:
    """POST /memory/recall, by meaning, as an agent, when all that was stored has its vector. The
    application is called without a server around it, so that nothing else goes on beside it."""
    import anyio
    import httpx

    from app.api.application import build
    from app.vault import open_vault

    with Trace() as trace, contextlib.closing(open_vault(folder / "v")) as vault:
        _, token = vault.agents.add("ana")
        app = build(vault, "kps_of-the-owner", 80)

        async def recall() -> None:
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url="http://127.0.0.1/api/v1/memory",
                headers={"Authorization": f"Bearer {token}"},
            ) as agent:
                stored = {"content": "We deploy on Fridays, never on Mondays", "key": "deploys"}
                (await agent.post("/entries", json=stored)).raise_for_status()
                await agent.post("/recall", json={"query": "what is there?"})
                vault.calls.close()  # its thread would write these calls during the next
                with trace.recording():
                    found = await agent.post("/recall", json={"query": "when do we deploy?"})
            assert found.json()["matches"], found.text

        anyio.run(recall)
    return trace.modules


def modules_of_mcp(folder: Path) -> set[str]:
    """memory_store with a key, through a client of the SDK."""
    import anyio
    from mcp.client.client import Client

    from app.mcp.server import MemoryServer
    from app.mcp.session import Seat
    from app.vault import open_vault

    with Trace() as trace, contextlib.closing(open_vault(folder / "v")) as vault:
        _, token = vault.agents.add("ana")
        seat = Seat(vault, token)

        async def store() -> None:
            server = MemoryServer(lambda _: seat, vault.history.last_seq).server
            async with Client(server) as client:
                await client.list_tools()
                with trace.recording():
                    done = await client.call_tool(
                        "memory_store", {"content": "We deploy on Fridays", "key": "deploys"}
                    )
                assert not done.is_error, done

        anyio.run(store)
    return trace.modules


WAYS: dict[str, Callable[[Path], set[str]]] = {
    "store": modules_of_store,
    "recall": modules_of_recall,
    "mcp": modules_of_mcp,
}


def _keepsake(main: Callable[[], None], arguments: list[str]) -> None:
    sys.argv = ["keepsake", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()


# Figures that are read from the source


def imports_in_functions(packages: tuple[str, ...] = ("app", "store", "ui")) -> list[str]:
    """Imports of our own modules that wait until a function runs, as `file:line module`."""
    found: set[tuple[str, int, str]] = set()
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    place = path.relative_to(ROOT).as_posix()
                    found |= {(place, line, name) for line, name in _imported(function)}
    return [f"{place}:{line} {name}" for place, line, name in sorted(found)]


def _imported(function: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(function):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        yield from ((node.lineno, name) for name in names if name.split(".")[0] in PACKAGES)  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=[])
    parser.add_argument("--lazy", action="store_true", help="imports inside functions")
    parser.add_argument("--names", action="store_true", help="each one, not only how many")
    chosen = parser.parse_args()
    for way in chosen.ways:
        with tempfile.TemporaryDirectory() as folder:
            found = sorted(WAYS[way](Path(folder)))
        print(f"modules that run in {way}: {len(found)}")
        if chosen.names:
            print("\n".join(f"  {name}" for name in found))
    if chosen.lazy:
        lazy = imports_in_functions()
        print(f"imports inside functions: {len(lazy)}")
        if chosen.names:
            print("\n".join(f"  {one}" for one in lazy))


if __name__ == "__main__":
    main()
