"""Measures how the code hangs together: `python packaging/measure_house.py`.

Each figure is one function. A way is one thing a person or an agent does; its figure is how many of
our modules run a function meanwhile, whichever thread that is in. What runs only because a module
is being imported does not count: importing is measured by the start-up.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import measure_window  # noqa: E402  (the path above finds what it measures)
from house_figures import House  # noqa: E402


class Trace(measure_window.Way):
    """A way without a window: looks at this thread and at every one that begins meanwhile."""

    def __enter__(self) -> Trace:
        threading.setprofile(self.called)
        sys.setprofile(self.called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


# The ways


def modules_of_store(folder: Path) -> set[str]:
    """`keepsake store` over a vault that is there."""
    from ui.main import main

    arguments = ["store", "We deploy on Fridays", "--key", "deploys", "--vault", str(folder / "v")]
    _keepsake(main, ["store", "First.", "--vault", str(folder / "v")])
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


# The table


def figures() -> Iterator[tuple[str, str, str]]:
    """What is measured, the figure, and the most it should be."""
    house = House.of(ROOT)
    fullest, folder = house.fullest_folder()
    once, modules = house.imported_once()
    big, _ = house.big_classes("ui")
    knots = house.cycles()
    yield f"files in the largest folder ({folder})", str(fullest), "25"
    yield f"of {modules} modules, imported by exactly one other", f"{once / modules:.1%}", "25 %"
    yield "imports inside functions of our own modules", str(len(house.lazy_imports())), "30"
    yield "import cycles, lazy imports counted", str(len(knots)), "0"
    yield "public classes that share a name", str(len(house.shared_names())), "0"
    yield "lines kept from the formatter", str(house.unformatted()), "10"
    yield "classes over 15 methods in ui per 10,000 lines", f"{big:.1f}", "9"
    for way, most in (("store", 20), ("recall", 30), ("mcp", 26)):
        with tempfile.TemporaryDirectory() as where:
            yield f"modules run by {way}", str(len(WAYS[way](Path(where)))), str(most)
    for way, most in (("key", 36), ("save", 40)):
        with tempfile.TemporaryDirectory() as where:
            ran = measure_window.WAYS[way](Path(where))
        yield f"modules run by {way}", str(len(ran.modules)), str(most)
    yield "background jobs for one save", str(len(ran.jobs)), "4"
    yield "lines", str(house.lines()), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=[])
    parser.add_argument("--lazy", action="store_true", help="imports inside functions")
    chosen = parser.parse_args()
    for way in chosen.ways:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{way}:", *sorted(WAYS[way](Path(folder))), sep="\n  ")
    if chosen.lazy:
        for each in House.of(ROOT).lazy_imports():
            print(f"{each.importer}:{each.line} {each.imported}")
    if not chosen.ways and not chosen.lazy:
        for what, figure, most in figures():
            print(f"{what:<60} {figure:>8}" + (f"   at most {most}" if most else ""))


if __name__ == "__main__":
    main()
