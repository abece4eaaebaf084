"""People who want to move in: here, their viewings."""
