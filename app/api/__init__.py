"""The localhost API: REST under /api/v1, thin over the services. Imported only when it serves."""
