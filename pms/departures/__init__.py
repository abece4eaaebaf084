"""The end of tenancies: notices, their penalties, and expected departures."""
