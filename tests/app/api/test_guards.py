"""Websites reach nothing; bodies are bounded in kind, size and time."""

from __future__ import annotations

import logging
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from app.api.middleware import OurHostOnly, Rates, our_hosts
from app.errors import TooMany
from store.file.locks import WriteLock
from tests.app.api.conftest import OWNER_TOKEN, Served
from tests.app.api.routes_under_test import Operation, operations
from tests.fakes import Lag

FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost",
    "localhost.evil.example:{port}",
    "127.0.0.1.nip.io:{port}",
    "127.0.0.2:{port}",
    "0.0.0.0:{port}",
    "2130706433:{port}",
    "127.1:{port}",
    "user@127.0.0.1:{port}",
    "127.0.0.1:{port}.evil.example",
    "[::]:{port}",
    "[::1%25lo]:{port}",
    "127.0.0.1:0{port}",
)
FOREIGN_ORIGINS = (
    "null",
    "http://evil.example",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1",
    "http://localhost:1",
    "http://127.0.0.1:{port}.evil.example",
    "chrome-extension://abc",
    "file://",
    "http://evil.example:{port}",
    "moz-extension://x",
)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {OWNER_TOKEN}"}
    with httpx.Client(headers=headers, trust_env=False, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def all_operations(shared: Served) -> list[Operation]:
    shared.vault.settings.set("api_rate", 0)
    return operations(shared.owner.get(shared.url + "/openapi.json").json())


def assert_refused(response: httpx.Response) -> None:
    assert response.status_code == 403
    assert response.json()["code"] == "MEM-008"
    assert_no_cors(response)


def assert_no_cors(response: httpx.Response) -> None:
    assert not [name for name in response.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_reaches_nothing_on_any_route(
    shared: Served, client: httpx.Client, all_operations: list[Operation], host: str
) -> None:
    named = host.format(port=urlsplit(shared.url).port)
    before = shared.vault.history.last_seq()
    for operation in all_operations:
        assert_refused(operation.send(client, shared.url, headers={"Host": named}))
    assert shared.vault.history.last_seq() == before


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_reaches_nothing_on_any_route(
    shared: Served, client: httpx.Client, all_operations: list[Operation], origin: str
) -> None:
    named = origin.format(port=urlsplit(shared.url).port)
    before = shared.vault.history.last_seq()
    for operation in all_operations:
        assert_refused(operation.send(client, shared.url, headers={"Origin": named}))
    assert shared.vault.history.last_seq() == before


def test_a_preflight_is_never_answered_with_leave(
    shared: Served, client: httpx.Client, all_operations: list[Operation]
) -> None:
    asked = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    for path in {operation.path for operation in all_operations}:
        assert_refused(client.options(shared.url + path, headers=asked))
        without = client.options(shared.url + path)
        assert without.status_code == 405
        assert_no_cors(without)


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_what_a_plain_form_can_send_is_not_read(
    shared: Served, client: httpx.Client, all_operations: list[Operation], kind: str
) -> None:
    for operation in all_operations:
        if operation.method in ("post", "put", "patch"):
            response = operation.send(
                client, shared.url, content=b'{"content": "x"}', headers={"Content-Type": kind}
            )
            assert response.status_code == 415, operation


def test_what_a_browser_says_came_from_another_site_is_refused(
    shared: Served, client: httpx.Client
) -> None:
    for site in ("cross-site", "same-site"):
        response = client.get(shared.url + "/api/v1/health", headers={"Sec-Fetch-Site": site})
        assert_refused(response)


def test_our_own_origin_may_use_it(shared: Served, client: httpx.Client) -> None:
    headers = {"Origin": shared.url, "Sec-Fetch-Site": "same-origin"}
    response = client.get(shared.url + "/api/v1/stats", headers=headers)
    assert response.status_code == 200
    assert_no_cors(response)


def test_two_host_headers_are_none() -> None:
    guard = OurHostOnly(None, our_hosts(1234))  # type: ignore[arg-type]
    host = (b"host", b"127.0.0.1:1234")
    assert guard.refusal({"headers": [host]}) is None
    assert guard.refusal({"headers": [host, host]}) is not None
    assert guard.refusal({"headers": []}) is not None


def test_a_body_over_the_limit_is_413_declared_or_chunked(
    shared: Served, client: httpx.Client
) -> None:
    url = shared.url + "/api/v1/memory/entries"
    kind = {"Content-Type": "application/json"}
    large = b'{"content": "' + b"x" * (5 * 1024 * 1024) + b'"}'
    pieces = (large[start : start + 65_536] for start in range(0, len(large), 65_536))
    for content in (large, pieces):
        response = client.post(url, content=content, headers=kind)  # type: ignore[arg-type]
        assert (response.status_code, response.json()["code"]) == (413, "MEM-006")


def test_malformed_bodies_are_400_and_wrong_ones_422(shared: Served, client: httpx.Client) -> None:
    url = shared.url + "/api/v1/memory/entries"
    kind = {"Content-Type": "application/json"}
    deep = b"[" * 100_000
    for body in (b"{", b"\xff\xfe", b"nope", deep, b'{"importance": ' + b"9" * 5000 + b"}"):
        response = client.post(url, content=body, headers=kind)
        assert (response.status_code, response.json()["code"]) == (400, "MEM-005"), body[:20]
    provenance, number = b'{"content": "x", "source": "me"}', b'{"content": "x", "importance": "9"}'
    half = b'{"content": "\\ud800"}'
    for body in (b"[]", b"null", half, b'{"content": 5}', b"{}", provenance, number):
        response = client.post(url, content=body, headers=kind)
        assert (response.status_code, response.json()["code"]) == (422, "MEM-005"), body


def test_every_answer_carries_the_request_id_it_was_given_or_a_new_one(
    shared: Served, client: httpx.Client
) -> None:
    url = shared.url + "/api/v1/stats"
    given = client.get(url, headers={"X-Request-ID": "trace-1.a_b"})
    assert given.headers["x-request-id"] == "trace-1.a_b"
    for wrong in ("a b", "x" * 200, "é"):
        made = client.get(url, headers={"X-Request-ID": wrong.encode()})
        assert made.headers["x-request-id"] != wrong
        assert len(made.headers["x-request-id"]) == 16


def test_nothing_is_cached_on_the_way(shared: Served, client: httpx.Client) -> None:
    assert client.get(shared.url + "/api/v1/stats").headers["cache-control"] == "no-store"


def test_a_connection_that_never_asks_is_closed(
    shared: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.serving.HEADER_SECONDS", 0.2)
    address = urlsplit(shared.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as slow:
        slow.sendall(b"GET /api/v1/health HT")
        assert slow.recv(100) == b""  # left open, it would be a TimeoutError


def test_a_head_that_comes_in_pieces_is_whole_all_the_same(
    shared: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.serving.HEADER_SECONDS", 0.4)
    address = urlsplit(shared.url)
    head = f"GET /api/v1/health HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode()
    with socket.create_connection((address.hostname, address.port), timeout=5) as slow:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in (head[:-3], head[-3:-2], head[-2:-1], head[-1:]):
            slow.sendall(piece)
            time.sleep(0.02)
        assert slow.recv(10_000).startswith(b"HTTP/1.1 200")
        time.sleep(0.5)  # past the deadline: the connection was asked, so it stays
        slow.sendall(head)
        assert b"HTTP/1.1 200" in slow.recv(10_000)


def test_a_bucket_gives_a_minutes_worth_then_the_rate() -> None:
    now = [0.0]
    rates = Rates(lambda: 60, lambda: now[0])
    for _ in range(60):
        rates.take("a")
    with pytest.raises(TooMany) as refused:
        rates.take("a")
    assert refused.value.retry_after == pytest.approx(1)
    rates.take("b")
    now[0] = 1.0
    rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")


def test_a_rate_of_zero_is_no_limit() -> None:
    rate = 0
    rates = Rates(lambda: rate, lambda: 0.0)
    for _ in range(1000):
        rates.take("a")
    rate = 1
    rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")


def lines_with(text: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Those of the log; a request is noted once its answer is on its way."""
    end = time.monotonic() + 20
    while not (found := [m for r in caplog.records if text in (m := r.getMessage())]):
        assert time.monotonic() < end, "never noted"
        time.sleep(0.01)
    return found


def test_a_path_writes_nothing_of_its_own_into_the_log(
    shared: Served, client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "keepsake.api"):
        url = f"{shared.url}/%1b]0;owned%07%1b[2J%0aFORGED%C2%9B"
        assert client.get(url, headers={"Origin": "http://evil.example"}).status_code == 403
        (line,) = lines_with("FORGED", caplog)
    assert line.isprintable()
    assert "/%1B%5D0%3Bowned%07%1B%5B2J%0AFORGED%C2%9B" in line


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/openid-configuration",
        "/register",
    ],
)
def test_a_client_without_a_token_learns_that_there_is_no_sign_in(
    shared: Served, path: str
) -> None:
    for method in ("GET", "POST"):
        answer = httpx.request(method, shared.url + path, trust_env=False)
        assert (answer.status_code, answer.json()["code"]) == (404, "MEM-002")
        assert "Authorization: Bearer" in answer.json()["detail"]


@pytest.mark.parametrize("mebibytes", [5, 20])
def test_a_client_that_sends_all_before_it_reads_gets_its_413(
    shared: Served, mebibytes: int
) -> None:
    request = urllib.request.Request(
        f"{shared.url}/api/v1/memory/entries",
        data=b" " * (mebibytes * 1024 * 1024),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {OWNER_TOKEN}"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30)
    assert refused.value.code == 413
    refused.value.close()


def test_the_openapi_document_says_where_the_api_is(shared: Served) -> None:
    document = shared.owner.get(f"{shared.url}/openapi.json").json()
    assert document["servers"] == [{"url": shared.url}]
    titles = [schema.get("title") for schema in document["components"]["schemas"].values()]
    assert len(titles) == len(set(titles))
    for name, schema in document["components"]["schemas"].items():
        for example in schema.get("examples", ()):
            assert set(schema.get("required", ())) <= example.keys(), name


def test_writers_behind_a_stuck_lock_keep_nobody_from_reading(served: Served) -> None:
    """Another program holds the vault's write lock; sixty calls wait for it."""
    stuck = WriteLock(served.vault.path)
    assert stuck.acquire(10)
    try:
        with ThreadPoolExecutor(60) as pool:
            body = {"content": "waits"}
            writes = [
                pool.submit(served.owner.post, "/memory/entries", json=body) for _ in range(60)
            ]
            time.sleep(1)
            with Lag() as lag:
                began = time.monotonic()
                assert served.owner.get("/memory/entries").status_code == 200
                took = time.monotonic() - began
            stuck.release()
            assert {write.result().status_code for write in writes} == {201}
    finally:
        stuck.release()
    assert took < 1 + lag.seconds, (took, lag.seconds)
