"""A program written for mem0's service, with only another host: python real_client.py URL TOKEN"""

from __future__ import annotations

import os
import sys
import tempfile

os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": tempfile.mkdtemp()}

from mem0 import MemoryClient

client = MemoryClient(api_key=sys.argv[2], host=sys.argv[1])
(added,) = client.add("I am vegetarian", user_id="ada", metadata={"topic": "food"})["results"]
client.add("I love steak", user_id="ben", expiration_date="2099-01-01")
client.add([{"role": "user", "content": "The tests are red"}], run_id="made-up", user_id="ada")

diet = client.search("do I love steak?", filters={"user_id": "ben"}, top_k=3)["results"]
assert [row["memory"] for row in diet] == ["I love steak"], diet
run = client.search("red", filters={"run_id": "made-up"})["results"]
assert [row["run_id"] for row in run] == ["made-up"], run
assert client.get_all(filters={"user_id": "ben"}, page=1, page_size=10)["count"] == 1
assert client.get(added["id"])["metadata"] == {"topic": "food"}
assert client.update(added["id"], text="I am vegan")["memory"] == "I am vegan"
assert {one["name"] for one in client.users()["results"]} >= {"ada", "ben"}
client.delete(added["id"])
events = [one["event"] for one in client.history(added["id"])]
assert events == ["ADD", "UPDATE", "DELETE"], events
client.delete_all(user_id="ben")
assert client.get_all(filters={"user_id": "ben"})["count"] == 0
refusal = ""
try:
    client.add("x", user_id="ada", custom_instructions="be brief")
except Exception as error:
    refusal = str(error)
assert "custom_instructions is not supported here" in refusal, refusal
client.delete_all(run_id="made-up")
