"""People who want to move in: their viewings, and the waitlist."""
