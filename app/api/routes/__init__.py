"""One module per noun; each makes its router from what it needs."""
