"""An agent that remembers, in thirty lines: `pip install keepsake-client`.

    keepsake agents add thirty-lines          # prints the token
    keepsake serve                            # or open the window
    KEEPSAKE_TOKEN=… MODEL_URL=http://127.0.0.1:11434/v1 MODEL=llama3.2 python agent_with_client.py

The model is any that speaks OpenAI's chat completions, such as Ollama's on your own machine."""

import os
import sys

import httpx
from keepsake_client import Keepsake

MODEL_URL, MODEL = os.environ["MODEL_URL"], os.environ.get("MODEL", "llama3.2")
KEY = {"Authorization": f"Bearer {os.environ.get('MODEL_KEY', 'none')}"}


def answer(memory: str, message: str) -> str:
    asked = [{"role": "system", "content": memory}, {"role": "user", "content": message}]
    body = {"model": MODEL, "messages": asked}
    reply = httpx.post(f"{MODEL_URL}/chat/completions", json=body, headers=KEY, timeout=120)
    return str(reply.raise_for_status().json()["choices"][0]["message"]["content"])


with Keepsake() as client:  # KEEPSAKE_URL and KEEPSAKE_TOKEN
    told = client.memory.hydrate().text  # what it should know from the start
    for line in sys.stdin:
        message = line.strip()
        if message.startswith("remember "):
            client.memory.store(message.removeprefix("remember "))
            print("Noted.")
        elif message:
            more = client.memory.preload(message).text  # what this one message calls for
            print(answer(f"{told}\n{more}", message))
