"""Tables from files: bytes, text, grid, and what is broken in a row."""
