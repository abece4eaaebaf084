"""Signing in as a browser does it."""
