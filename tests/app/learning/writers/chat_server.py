"""A chat endpoint on this machine that speaks the real protocol, well or badly, as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[["ChatRequest"], None]


class ChatRequest(BaseHTTPRequestHandler):
    """One request, with the ways to answer it."""

    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append(json.loads(body))
        self.server.keys.append(self.headers.get("Authorization"))
        number = min(len(self.server.seen), len(self.server.answers)) - 1
        with suppress(OSError):  # the client may have had enough
            self.server.answers[number](self)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def whole(self, body: bytes, status: int = 200, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()

    def event(self, piece: str | None, finish: str | None = None) -> None:
        delta = {} if piece is None else {"content": piece}
        value = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        self.raw(f"data: {json.dumps(value)}\n\n")

    def raw(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers: list[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), ChatRequest)
        self.answers = answers
        self.headers: dict[str, str] = {}
        self.seen: list[dict] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def chat_server(*answers: Answer) -> Iterator[ChatServer]:
    """The n-th request gets the n-th answer, later ones the last."""
    server = ChatServer(list(answers))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def streams(text: str) -> Answer:
    """The answer in small pieces, as models send it."""

    def answer(request: ChatRequest) -> None:
        request.begin_stream()
        request.raw(": keep-alive\n\n")
        for start in range(0, len(text), 7):
            request.event(text[start : start + 7])
        request.event(None, "stop")
        request.raw("data: [DONE]\n\n")

    return answer


def at_once(text: str) -> Answer:
    """A server that does not stream."""
    value = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    return lambda request: request.whole(json.dumps(value).encode())


def breaks_off(text: str) -> Answer:
    def answer(request: ChatRequest) -> None:
        request.begin_stream()
        request.event(text[: len(text) // 2])

    return answer


def drips(seconds: float) -> Answer:
    """Sends a little, often, and never ends within `seconds`."""

    def answer(request: ChatRequest) -> None:
        request.begin_stream()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            request.event(" ")
            time.sleep(0.02)

    return answer


def silent(seconds: float) -> Answer:
    def answer(request: ChatRequest) -> None:
        time.sleep(seconds)
        request.whole(b"{}")

    return answer


def refuses(status: int, message: str = "") -> Answer:
    body = json.dumps({"error": {"message": message}}).encode()
    return lambda request: request.whole(body, status)


def says(body: str) -> Answer:
    return lambda request: request.whole(body.encode(), kind="text/html")
