"""The law: pure functions over days, yen and frozen facts, one chapter of the specification a file."""
