"""Reservation links: a unit offered to a person, who accepts it on the link."""
