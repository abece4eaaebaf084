"""Real servers that the tests start for themselves and stop again."""
