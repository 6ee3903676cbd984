"""/memory/blocks: compare-and-set and edits, in the shape of the first clients."""

from __future__ import annotations

from tests.app.api.conftest import Served

CORE = "/memory/blocks/core"


def test_a_block_is_created_read_and_replaced_by_compare_and_set(served: Served) -> None:
    assert served.owner.get(CORE).status_code == 404
    made = served.owner.put(CORE, json={"content": "- one", "expected_updated_at": None})
    assert made.status_code == 201
    again = served.owner.put(CORE, json={"content": "- two", "expected_updated_at": None})
    assert (again.status_code, again.json()["current"]["content"]) == (409, "- one")
    stamp = served.owner.get(CORE).json()["updated_at"]
    naive = stamp.removesuffix("Z")
    good = served.owner.put(CORE, json={"content": "- two", "expected_updated_at": naive})
    assert good.status_code == 200
    late = served.owner.put(CORE, json={"content": "- three", "expected_updated_at": stamp})
    assert late.status_code == 409
    left_out = served.owner.put(CORE, json={"content": "- three"})
    assert left_out.status_code == 422


def test_if_match_stands_for_the_expectation(served: Served) -> None:
    made = served.owner.put(CORE, json={"content": "- one", "expected_updated_at": None})
    both = {"content": "- two", "expected_updated_at": made.json()["updated_at"]}
    tag = {"If-Match": made.headers["etag"]}
    assert served.owner.put(CORE, json=both, headers=tag).status_code == 200
    wrong = {"content": "- two", "expected_updated_at": None}
    assert served.owner.put(CORE, json=wrong, headers=tag).status_code == 422


def test_edits_are_all_or_nothing(served: Served) -> None:
    served.owner.put(CORE, json={"content": "- tea\n- milk", "expected_updated_at": None})
    edits = [{"oldText": "tea", "newText": "coffee"}, {"oldText": "none", "newText": "x"}]
    assert served.owner.patch(CORE, json={"edits": edits}).status_code == 422
    assert served.owner.get(CORE).json()["content"] == "- tea\n- milk"
    done = served.owner.patch(CORE, json={"edits": edits[:1]})
    assert done.json()["content"] == "- coffee\n- milk"


def test_scopes_are_apart_and_all_lists_them_all(served: Served) -> None:
    _, client = served.agent("claude")
    scope = {"scope": "agent", "agent_id": "claude"}
    body = {"content": "- mine", "expected_updated_at": None}
    assert client.put(CORE, params=scope, json=body).status_code == 201
    assert client.get(CORE).status_code == 404
    assert client.get(CORE, params={"scope": "agent"}).json()["agent_id"] == "claude"
    assert served.owner.get("/memory/blocks").json()["blocks"] == []
    everything = served.owner.get("/memory/blocks", params={"scope": "all"}).json()["blocks"]
    assert [block["content"] for block in everything] == ["- mine"]


def test_a_block_over_its_limit_is_413(served: Served) -> None:
    body = {"content": "x" * 5000, "expected_updated_at": None}
    answer = served.owner.put(CORE, json=body)
    assert (answer.status_code, answer.json()["code"]) == (413, "MEM-006")


def test_an_unknown_block_is_422(served: Served) -> None:
    assert served.owner.get("/memory/blocks/other").status_code == 422


def test_creating_a_block_that_is_there_says_so(served: Served) -> None:
    body = {"content": "- x", "expected_updated_at": None}
    served.owner.put("/memory/blocks/core", json=body)
    again = served.owner.put("/memory/blocks/core", json=body)
    assert again.status_code == 409
    assert again.json()["detail"] == "There is a core block already; nothing was written."
    assert again.json()["current"]["content"] == "- x"


def test_a_scope_without_its_id_is_asked_for_by_the_field(served: Served) -> None:
    answer = served.owner.get("/memory/blocks", params={"scope": "workspace"})
    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "Which workspace? Send workspace_id.",
    )
