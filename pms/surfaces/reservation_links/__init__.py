"""The surface of applicants: a link opens one offer, which they may accept."""

from flask import Flask


def install(app: Flask) -> None:
    """Give the application these pages."""
