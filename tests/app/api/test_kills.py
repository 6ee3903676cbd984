"""kill -9 the real server under load: all that it acknowledged is in the vault, which is sound.

Several clients write as fast as they are answered. The process dies at a random moment, the vault
is opened again and compared with what the clients were told, and the next server goes on with it.
The long run: `pytest -m slow -n0 tests/app/api/test_kills.py -s`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from app.vault import Vault, open_vault
from store.records import EntryDraft, Scope

ROOT = Path(__file__).parents[3]
TOKEN = "the-owner-of-these-kills"
CLIENTS = 4
KEYS = 25  # of each client
BLOCKS = ("core", "archival")
LONGEST = 0.5  # seconds of writing before the kill

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")


@dataclass
class Thing:
    """An entry under its key, or a block, as its writer was told it is. None is not there."""

    content: str | None = None
    ident: str = ""
    updated_at: str | None = None
    asked: tuple[str | None, ...] = ()  # what it may be as well: a request that got no answer


@dataclass
class Writer:
    """A client with a workspace of its own, so that it knows what must be there."""

    name: str
    chance: random.Random
    entries: dict[str, Thing] = field(default_factory=dict)
    blocks: dict[str, Thing] = field(default_factory=dict)
    forgotten: dict[str, str] = field(default_factory=dict)  # id → content
    acknowledged: int = 0
    failure: BaseException | None = None

    @property
    def scope_fields(self) -> dict[str, str]:
        return {"scope": "workspace", "workspace_id": self.name}

    def write_on(self, url: str, begun: threading.Barrier) -> None:
        """Until the server is gone."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        try:
            with httpx.Client(
                base_url=f"{url}/api/v1/memory", headers=headers, trust_env=False, timeout=60
            ) as client:
                begun.wait(60)
                while True:
                    self._write(client)
        except httpx.TransportError:
            return
        except BaseException as error:  # told by the test, which waits for this thread
            self.failure = error

    def _write(self, client: httpx.Client) -> None:
        if self.chance.random() < 0.2:
            self._block(client)
            return
        thing = self.entries.setdefault(f"{self.name}-{self.chance.randrange(KEYS)}", Thing())
        if thing.content is None or self.chance.random() < 0.3:
            self._store(client, thing)
        elif self.chance.random() < 0.7:
            self._change(client, thing)
        else:
            self._forget(client, thing)

    def _store(self, client: httpx.Client, thing: Thing) -> None:
        key = next(key for key, known in self.entries.items() if known is thing)
        text = self._words()
        body = {**self.scope_fields, "key": key, "content": text}
        told = self._sent(thing, text, lambda: client.post("/entries", json=body))
        thing.ident = told["id"]

    def _change(self, client: httpx.Client, thing: Thing) -> None:
        text, path = self._words(), f"/entries/{thing.ident}"
        self._sent(thing, text, lambda: client.patch(path, json={"content": text}))

    def _forget(self, client: httpx.Client, thing: Thing) -> None:
        assert thing.content is not None
        ident, content = thing.ident, thing.content
        self._sent(thing, None, lambda: client.delete(f"/entries/{ident}"))
        self.forgotten[ident] = content

    def _block(self, client: httpx.Client) -> None:
        name = self.chance.choice(BLOCKS)
        thing = self.blocks.setdefault(name, Thing())
        text = f"- {self._words()}"
        body = {"content": text, "expected_updated_at": thing.updated_at}
        told = self._sent(
            thing, text, lambda: client.put(f"/blocks/{name}", params=self.scope_fields, json=body)
        )
        thing.updated_at = told["updated_at"]

    def _sent(
        self, thing: Thing, content: str | None, send: Callable[[], httpx.Response]
    ) -> dict[str, str]:
        """The write is acknowledged when its answer is there, whole; until then it may or may
        not have happened."""
        thing.asked = (content,)
        answer = send()
        assert answer.is_success, answer.text
        thing.content, thing.asked = content, ()
        self.acknowledged += 1
        told: dict[str, str] = answer.json()
        return told

    def _words(self) -> str:
        return f"{self.name} said {self.chance.getrandbits(64):x} " + "and so on " * 20


@contextmanager
def served(vault: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`keepsake serve` in a process of its own, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ui.main", "serve", "--port", "0", "--quiet", "--vault", str(vault)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "KEEPSAKE_OWNER_TOKEN": TOKEN},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, "the server did not start"
        yield process, str(json.loads(line)["url"])
    finally:
        process.kill()
        process.wait(60)
        process.stdout.close()


def write_until_killed(vault: Path, writers: list[Writer], seconds: float) -> None:
    """Killed so long after each of the writers was answered once."""
    begun = threading.Barrier(len(writers) + 1)
    before = [writer.acknowledged for writer in writers]
    with served(vault) as (process, url):
        threads = [threading.Thread(target=w.write_on, args=(url, begun)) for w in writers]
        for thread in threads:
            thread.start()
        begun.wait(60)
        while process.poll() is None and any(
            w.acknowledged == n and not w.failure for w, n in zip(writers, before, strict=True)
        ):
            time.sleep(0.002)
        time.sleep(seconds)
        assert process.poll() is None, "it ended by itself"
        process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(90)
    for writer in writers:
        if writer.failure is not None:
            raise writer.failure


def check(vault: Vault, writers: list[Writer]) -> list[str]:
    """What was acknowledged and is not there; the writers learn how their last requests ended."""
    assert [finding for finding in vault.doctor.examine() if not finding.ok] == []
    with vault.database.read() as db:
        rows = db.execute("SELECT id, content, state FROM entries").fetchall()
    kept = {ident: (content, state) for ident, content, state in rows}
    lost: list[str] = []
    for writer in writers:
        scope = Scope("workspace", writer.name)
        for key, thing in writer.entries.items():
            entry = vault.entries.find(scope, key)
            found = entry.content if entry else None
            if found not in (thing.content, *thing.asked):
                lost.append(f"{key}: {thing.content!r} was acknowledged, {found!r} is there")
            if found is None and None in thing.asked and thing.content is not None:
                writer.forgotten[thing.ident] = thing.content  # by the request without an answer
            thing.content, thing.asked = found, ()
            thing.ident = entry.id if entry else ""
        for name, thing in writer.blocks.items():
            block = vault.blocks.find(scope, name)
            found = block.content if block else None
            if found not in (thing.content, *thing.asked):
                lost.append(f"block {name}: {thing.content!r} was acknowledged, not {found!r}")
            thing.content, thing.asked = found, ()
            thing.updated_at = block.updated_at if block else None
        for ident, content in writer.forgotten.items():
            if kept.get(ident) != (content, "trashed"):
                lost.append(f"{ident} was forgotten and is {kept.get(ident)}")
    return lost


def kill(folder: Path, kills: int) -> int:
    """How many writes were acknowledged before the kills; every one of them is there."""
    path = folder / "v.db"
    fresh = open_vault(path)
    fresh.settings.set("api_rate", 0)
    fresh.close()
    chance = random.Random(500)
    writers = [Writer(f"w{n}", random.Random(n)) for n in range(CLIENTS)]
    for number in range(kills):
        write_until_killed(path, writers, chance.uniform(0, LONGEST))
        vault = open_vault(path)
        try:
            lost = check(vault, writers)
        finally:
            vault.close()
        assert lost == [], f"after kill {number + 1}: {lost}"
    return sum(writer.acknowledged for writer in writers)


def test_what_is_not_as_it_was_acknowledged_is_told(vault: Vault) -> None:
    writer = Writer("w0", random.Random(0))
    scope = Scope("workspace", "w0")
    vault.entries.store(EntryDraft("as told", scope, "kept"))
    vault.entries.store(EntryDraft("older", scope, "changed"))
    writer.entries = {
        "kept": Thing("as told"),
        "changed": Thing("newer", asked=("newest",)),
        "gone": Thing("was here"),
        "half": Thing(None, asked=("perhaps",)),
    }
    writer.blocks = {"core": Thing("- a line")}
    writer.forgotten = {"unknown": "in the trash"}
    lost = check(vault, [writer])
    assert [line.split(":")[0].split(" was")[0] for line in lost] == [
        "changed",
        "gone",
        "block core",
        "unknown",
    ]
    assert len(check(vault, [writer])) == 1, "the forgotten one; the rest is known as it is now"


@pytest.mark.timeout(300)
def test_what_the_api_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    assert kill(tmp_path, 3) >= 3 * CLIENTS


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_what_the_api_acknowledged_survives_500_kills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writes = kill(tmp_path, 500)
    with capsys.disabled():
        sys.stdout.write(f"\n500 kills, {writes:,} acknowledged writes, 0 lost, integrity ok\n")
    assert writes >= 500 * CLIENTS
