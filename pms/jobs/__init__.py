"""Timed and long work, done by a process of its own beside the web server."""
