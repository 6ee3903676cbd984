"""An agent of OpenAI's Agents SDK with Keepsake's tools: `pip install openai-agents`.

    keepsake agents add agents-sdk            # prints the token
    KEEPSAKE_TOKEN=… MODEL_URL=http://127.0.0.1:11434/v1 python openai_agents.py "Where do I live?"

The SDK does not show a server's instructions to the model; the agent asks for the same text with
`memory_hydrate` and gives it as its own."""

import asyncio
import os
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI

set_tracing_disabled(True)  # or a trace of every run goes to OpenAI


async def main() -> None:
    keepsake = {
        "command": os.environ.get("KEEPSAKE", "keepsake"),
        "args": ["mcp"],
        "env": dict(os.environ),
    }
    model = OpenAIChatCompletionsModel(
        os.environ.get("MODEL", "llama3.2"),
        AsyncOpenAI(base_url=os.environ["MODEL_URL"], api_key=os.environ.get("MODEL_KEY", "none")),
    )
    async with MCPServerStdio(params=keepsake, client_session_timeout_seconds=30) as server:
        told = (await server.call_tool("memory_hydrate", {})).content[0].text
        agent = Agent("Assistant", instructions=told, mcp_servers=[server], model=model)
        print((await Runner.run(agent, " ".join(sys.argv[1:]))).final_output)


asyncio.run(main())
