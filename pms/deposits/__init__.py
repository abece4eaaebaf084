"""Held deposits: settled, refunded, and moved on paper."""
