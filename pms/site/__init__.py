"""Editorial content of the public website."""
