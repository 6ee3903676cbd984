"""The writers: one that selects sentences on this machine, one that asks a chat endpoint."""
