"""What reservations are billed and what they paid: append-only, every balance a question."""
