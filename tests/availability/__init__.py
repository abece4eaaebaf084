"""What is free, through the database."""
