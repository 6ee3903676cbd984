"""The OpenAPI document is kept: schemathesis tries every operation, in all its phases when slow.

The figure printed is how many requests the server answered. The long run:
`pytest -m slow tests/app/api/test_contract.py -s`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.api.conftest import OWNER_TOKEN, Served

SCHEMATHESIS = shutil.which("schemathesis") or str(Path(sys.executable).parent / "schemathesis")
# Left out: `/events` never ends. A string of spaces fits the schema and is no memory, so what is
# rightly formed may be refused.
LEFT_OUT = ("--exclude-path", "/api/v1/events", "--exclude-checks", "positive_data_acceptance")


def tried(
    served: Served,
    token: str,
    folder: Path,
    *options: str,
    phases: str = "examples,coverage,fuzzing,stateful",
) -> int:
    """How many requests were made, none of which broke the document."""
    served.vault.settings.set("api_rate", 0)
    served.owner.get(served.url + "/openapi.json")  # once it is made, a busy machine tells it too
    before = served.answered
    ran = subprocess.run(
        [
            SCHEMATHESIS,
            "run",
            served.url + "/openapi.json",
            "-H",
            f"Authorization: Bearer {token}",
            *LEFT_OUT,
            "--no-color",
            "--no-shrink",
            "--generation-database",
            "none",
            "--phases",
            phases,
            *options,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    return served.answered - before


@pytest.mark.timeout(400)
def test_two_thousand_requests_keep_to_the_document(served: Served, tmp_path: Path) -> None:
    number = tried(served, OWNER_TOKEN, tmp_path, "--seed", "1", phases="examples,coverage")
    assert number >= 2_000


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ten_thousand_requests_keep_to_the_document(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, token = served.vault.agents.add("claude", workspaces=["shop"], team=True)
    number = tried(served, OWNER_TOKEN, tmp_path, "-n", "60")
    number += tried(served, token, tmp_path, "-n", "40")
    with capsys.disabled():
        sys.stdout.write(f"\n{number:,} requests, none against the document\n")
    assert number >= 10_000


def test_every_operation_declares_every_problem_it_may_answer(served: Served) -> None:
    document = served.owner.get(served.url + "/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            declared = set(operation["responses"])
            assert {
                "400",
                "401",
                "403",
                "404",
                "405",
                "409",
                "413",
                "415",
                "422",
                "429",
                "503",
                "507",
            } <= declared, (method, path)
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert list(response["content"]) == ["application/problem+json"]


def test_every_operation_says_what_it_is_for(served: Served) -> None:
    document = served.owner.get(served.url + "/openapi.json").json()
    found = [one for methods in document["paths"].values() for one in methods.values()]
    assert all(operation.get("description") for operation in found)
    assert len({operation["operationId"] for operation in found}) == len(found)


def test_every_schema_has_a_name_of_its_own(served: Served) -> None:
    document = served.owner.get(served.url + "/openapi.json").json()
    schemas = document["components"]["schemas"]
    assert [name for name in schemas if "__" in name or "-" in name] == []  # told apart by module
    assert {name: schema["title"] for name, schema in schemas.items()} == {n: n for n in schemas}
