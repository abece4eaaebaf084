"""Tables of any file: bytes to text to grid, with what is broken in it."""
