"""People who want to move in: their enquiries, viewings, and the waitlist."""
