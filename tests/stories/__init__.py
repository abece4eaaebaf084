"""Whole tenancies through the use cases, on a real database."""
