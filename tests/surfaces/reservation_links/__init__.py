"""The surface of applicants: what a reservation link opens, and for whom."""
