"""Each unit's calendar as others read it."""

from flask import Flask


def install(app: Flask) -> None:
    """Give the application these pages."""
