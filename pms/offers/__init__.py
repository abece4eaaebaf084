"""Reservation links: a unit offered to somebody, accepted on the link."""
