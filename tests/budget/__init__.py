"""The request budget: exact, rolling, per key, on every storage."""
