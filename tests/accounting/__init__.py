"""Journals for the accountant, closed months and files."""
