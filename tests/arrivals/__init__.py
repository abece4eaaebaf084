"""Bookings and what changes them, through the use cases and on both databases."""
