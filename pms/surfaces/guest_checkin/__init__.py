"""The surface of guests: a link opens one booking, on a phone, without an account."""

from flask import Flask


def install(app: Flask) -> None:
    """Give the application these pages."""
