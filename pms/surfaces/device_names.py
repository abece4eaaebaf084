"""Names the browser of a request in words its owner recognises."""

from typing import Final

from flask import request

# The first that fits: browsers name those they descend from as well.
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS X", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux"),
)  # fmt: skip


def device_name() -> str:
    """Return the browser in words its owner recognises: Chrome, Windows."""
    agent = request.user_agent.string
    found = (
        next((name for mark, name in marks if mark in agent), None)
        for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))
