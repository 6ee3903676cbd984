"""mem0's words over the same memory: its self-hosted server's routes and its service's."""
