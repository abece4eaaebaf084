"""Questions about what is free; no tables, everything is worked out from reservations."""
