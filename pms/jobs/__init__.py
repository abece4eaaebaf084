"""Timed and long work, done by the worker process beside the web server."""
