"""A real page of another origin, in a real browser, reaches nothing."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.api.conftest import OWNER_TOKEN, Served

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
FONTS = Path(__file__).parents[3] / "resources" / "fonts"
PAGE = """<!doctype html><meta charset="utf-8"><title>elsewhere</title>
<pre id="told">waiting</pre>
<iframe name="sink" style="display:none"></iframe>
<form id="form" method="post" target="sink" enctype="text/plain" action="API/api/v1/memory/entries">
<input name='{"content": "planted by a form", "x": "' value='"}'></form>
<script>
const api = "API", token = "TOKEN", told = {};
async function attempt(name, path, options) {
  try {
    const answer = await fetch(api + path, options);
    told[name] = {type: answer.type, status: answer.status, text: await answer.text()};
  } catch (error) { told[name] = {error: String(error)}; }
}
function image(path) {
  return new Promise(done => {
    const img = new Image();
    img.onload = () => done("loaded"); img.onerror = () => done("refused"); img.src = api + path;
  });
}
function stream(path) {
  return new Promise(done => {
    const source = new EventSource(api + path);
    source.onmessage = source.onopen = () => { source.close(); done("opened"); };
    source.onerror = () => { source.close(); done("refused"); };
  });
}
(async () => {
  const bearer = {Authorization: "Bearer " + token};
  const json = {...bearer, "Content-Type": "application/json"};
  const body = JSON.stringify({content: "planted by a page"});
  await attempt("health", "/api/v1/health", {});
  await attempt("read", "/api/v1/memory/entries", {headers: bearer});
  await attempt("opaque", "/api/v1/memory/entries", {mode: "no-cors"});
  await attempt("write", "/api/v1/memory/entries", {method: "POST", headers: json, body});
  await attempt("simple", "/api/v1/memory/entries", {method: "POST", mode: "no-cors", body});
  await attempt("openapi", "/openapi.json", {});
  await attempt("mcp", "/mcp", {method: "POST", headers: json, body});
  told.image = await image("/api/v1/export");
  told.stream = await stream("/api/v1/events");
  document.getElementById("form").submit();
  setTimeout(() => { document.getElementById("told").textContent = JSON.stringify(told); }, 500);
})();
</script>"""


@pytest.fixture
def elsewhere(served: Served) -> Iterator[str]:
    """The page, on a port of its own: another origin."""
    page = PAGE.replace("API", served.url).replace("TOKEN", OWNER_TOKEN).encode()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


def shown(url: str, profile: Path) -> str:
    """What the page says once its scripts have run. A browser without any font ends itself, and the
    tests show it none of the system's: it gets ours."""
    fonts = profile.with_suffix(".conf")
    fonts.write_text(f"<fontconfig><dir>{FONTS}</dir></fontconfig>")
    ran = subprocess.run(
        [
            str(CHROMIUM),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=15000",
            "--dump-dom",
            url,
        ],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ | {"FONTCONFIG_FILE": str(fonts), "TMPDIR": str(profile.parent)},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
def test_a_page_of_another_origin_reads_and_writes_nothing(
    served: Served, elsewhere: str, short_path: Path
) -> None:
    served.owner.post("/memory/entries", json={"content": "a secret", "key": "secret"})
    before = served.vault.history.last_seq()
    dom = shown(elsewhere, short_path / "profile")
    told = json.loads(dom.split('<pre id="told">')[1].split("</pre>")[0])
    for name in ("health", "read", "write", "openapi", "mcp"):
        assert "error" in told[name], (name, told)
    for name in ("opaque", "simple"):
        assert told[name].get("type", "opaque") == "opaque", told
        assert not told[name].get("text"), told
    assert (told["image"], told["stream"]) == ("refused", "refused")
    assert "a secret" not in dom
    assert served.vault.history.last_seq() == before
    assert served.vault.entries.count() == 1
