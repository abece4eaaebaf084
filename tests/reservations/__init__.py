"""Reservations, through the database."""
