"""Journals for accounting: monthly journals, closed months, and the chart of accounts."""
