"""What is known about one person: the file of it, and what is forgotten."""
