"""Domain rules: pure functions over days, yen and frozen facts, one chapter a file."""
