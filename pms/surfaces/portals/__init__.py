"""The portals of residents and of owners: a mailed code opens what belongs to the address."""

from flask import Flask
from flask_wtf.csrf import CSRFProtect


def install(app: Flask, csrf: CSRFProtect) -> None:
    """Give the application these pages."""
