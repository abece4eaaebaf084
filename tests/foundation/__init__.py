"""The ground under every room."""
