"""Journals for the accountant: each month's, closed months, and the accounts of the office."""
