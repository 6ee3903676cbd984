"""The same memory over MCP, with the protocol's own SDK: `pip install mcp`.

    keepsake agents add mcp-example           # prints the token
    KEEPSAKE_TOKEN=… python agent_with_mcp.py

It starts `keepsake mcp` itself; no server has to run."""

import asyncio
import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVER = StdioServerParameters(
    command=os.environ.get("KEEPSAKE", "keepsake"), args=["mcp"], env=dict(os.environ)
)


async def main() -> None:
    async with stdio_client(SERVER) as (read, write), ClientSession(read, write) as session:
        welcome = await session.initialize()
        print("It is told when it connects:", welcome.instructions, sep="\n")
        tools = await session.list_tools()
        print("Tools:", ", ".join(tool.name for tool in tools.tools))
        fact = {"content": "Releases go out on Tuesdays.", "key": "release_day"}
        await session.call_tool("memory_store", fact)
        found = await session.call_tool("memory_recall", {"query": "when do we release?"})
        print("Recalled:", found.content[0].text)


asyncio.run(main())
