"""The room of what others push in."""
