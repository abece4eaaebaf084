"""Offers: a unit offered by a link, accepted once, with exactly the terms that were offered."""
