"""Domain rules: pure functions over days, yen and frozen facts, one chapter of the law a file."""
