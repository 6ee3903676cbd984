"""The MCP door: the same memory in the words each agent already speaks."""
