"""A LangGraph agent whose long-term memory is Keepsake: `pip install langgraph keepsake-client`.

    keepsake agents add langgraph-example     # prints the token
    keepsake serve
    KEEPSAKE_TOKEN=… MODEL_URL=http://127.0.0.1:11434/v1 python langgraph_agent.py "Where am I?"

Three steps: recall what the message calls for, answer, keep what the person asked to be kept."""

import os
import sys
from typing import TypedDict

import httpx
from keepsake_client import Keepsake
from langgraph.graph import END, START, StateGraph

client = Keepsake()


class State(TypedDict, total=False):
    message: str
    memory: str
    answer: str


def recall(state: State) -> State:
    told = client.memory.hydrate().text
    return {"memory": f"{told}\n{client.memory.preload(state['message']).text}"}


def respond(state: State) -> State:
    system = {"role": "system", "content": state["memory"]}
    body = {
        "model": os.environ.get("MODEL", "llama3.2"),
        "messages": [system, {"role": "user", "content": state["message"]}],
    }
    reply = httpx.post(f"{os.environ['MODEL_URL']}/chat/completions", json=body, timeout=120)
    return {"answer": reply.raise_for_status().json()["choices"][0]["message"]["content"]}


def keep(state: State) -> State:
    if state["message"].lower().startswith("remember "):
        client.memory.store(state["message"][len("remember ") :])
    return {}


graph = StateGraph(State)
for name, step in (("recall", recall), ("respond", respond), ("keep", keep)):
    graph.add_node(name, step)
graph.add_edge(START, "recall")
graph.add_edge("recall", "respond")
graph.add_edge("respond", "keep")
graph.add_edge("keep", END)

print(graph.compile().invoke({"message": " ".join(sys.argv[1:])})["answer"])
