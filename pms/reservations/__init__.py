"""Reservations, the tenancy records: a resident is a reservation."""
