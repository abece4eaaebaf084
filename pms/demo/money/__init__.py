"""The money of the demo: every ledger as the use cases would have written it, kept as rows."""
