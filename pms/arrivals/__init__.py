"""Arriving tenancies: bookings, imports from sheets, take-overs and move-ins."""
