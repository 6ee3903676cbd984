"""Memories as files that people own: notes, indexes, exports, imports and mirrored folders."""
