"""Queries for availability, calculated from reservations; it has no tables."""
