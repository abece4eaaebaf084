"""Notices to people: what happened, who is told, by which way, and whether they saw it."""
