"""Sheets an operator sends: from bytes to typed cells, every refusal with its line and column."""
