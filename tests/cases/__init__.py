"""Worked cases of the law as files, and what runs them: `python -m tests.cases FILE`."""
