"""Sheets sent by operators: from bytes to typed cells, with the line and column of each refusal."""
