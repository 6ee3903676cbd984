"""A stand-in for a model's API, on loopback: keeps every request a real client sends, so that what
reaches the model can be read, and answers each with one word.

    python packaging/stand_in_model.py PORT FILE

Understands Anthropic's messages, OpenAI's responses and chat completions and Google's generated
content, streamed or not. Each request is a line of JSON in FILE: its path and its body."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

WORD = "Done."


class StandIn(BaseHTTPRequestHandler):
    kept: Path

    def do_GET(self) -> None:
        self._send({"data": [], "object": "list"})

    def do_HEAD(self) -> None:
        self._send({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"path": self.path, "body": body}, ensure_ascii=False) + "\n")
        if "streamGenerateContent" in self.path:
            self._stream([("", generated_content())])
        elif "enerateContent" in self.path:
            self._send(generated_content())
        elif "count_tokens" in self.path:
            self._send({"input_tokens": 1})
        elif "/responses" in self.path:
            self._stream(openai_response())
        elif "/chat/completions" in self.path and body.get("stream"):
            self._stream(chat_completion())
        elif "/chat/completions" in self.path:
            self._send(chat_whole())
        elif body.get("stream"):
            self._stream(anthropic_message(body.get("model", "")))
        else:
            self._send(anthropic_whole(body.get("model", "")))

    def _send(self, value: Any) -> None:
        text = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _stream(self, events: list[tuple[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, value in events:
            data = value if isinstance(value, str) else json.dumps(value)
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {data}\n\n".encode())
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the file has it."""


def anthropic_whole(model: str) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": WORD}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_message(model: str) -> list[tuple[str, Any]]:
    begun = {**anthropic_whole(model), "content": [], "stop_reason": None}
    block = {"type": "content_block_start", "index": 0}
    text = {"type": "text_delta", "text": WORD}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    return [
        ("message_start", {"type": "message_start", "message": begun}),
        ("content_block_start", {**block, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": text}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}),
        ("message_stop", {"type": "message_stop"}),
    ]


def openai_response() -> list[tuple[str, Any]]:
    said = {"type": "output_text", "text": WORD, "annotations": []}
    item = {"type": "message", "id": "m1", "role": "assistant", "content": [said]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "r1", "status": "completed", "output": [item], "usage": usage}
    return [
        ("response.created", {"type": "response.created", "response": {"id": "r1"}}),
        (
            "response.output_item.done",
            {"type": "response.output_item.done", "output_index": 0, "item": item},
        ),
        ("response.completed", {"type": "response.completed", "response": whole}),
    ]


def chat_whole() -> dict[str, Any]:
    said = {"role": "assistant", "content": WORD}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in",
        "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def chat_completion() -> list[tuple[str, Any]]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stand-in"}
    first = {"index": 0, "delta": {"role": "assistant", "content": WORD}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return [
        ("message", {**head, "choices": [first]}),
        ("message", {**head, "choices": [last]}),
        ("message", "[DONE]"),
    ]


def generated_content() -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": WORD}]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}


def texts_in(value: Any) -> Iterator[str]:
    """Every text in what was kept of a request."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


def main() -> None:
    StandIn.kept = Path(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), StandIn).serve_forever()


if __name__ == "__main__":
    main()
