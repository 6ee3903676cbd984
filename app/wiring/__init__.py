"""The rooms of the composition root: how the services of each larger part are wired.

app/vault.py imports one of these modules when the first service of its part is asked for.
"""
