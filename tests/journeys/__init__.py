"""Journeys of the office, walked in a browser."""
