"""What is known about one person, over all rooms: one file of it, and forgetting."""
