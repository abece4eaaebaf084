"""Papers: what they say, how they are numbered, and that each leaves once."""
