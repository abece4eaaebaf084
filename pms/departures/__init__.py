"""How tenancies end: notices, what they cost, and soft departures."""
