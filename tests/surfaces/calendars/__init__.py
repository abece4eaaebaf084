"""Each unit's calendar, as a channel reads it."""
