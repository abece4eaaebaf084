"""Tells an address of this very site from any other text."""

from urllib.parse import urlsplit

_LONGEST = 1500


def safe_path(text: str | None) -> str | None:
    """Return an address of this very site, `None` for any other text."""
    if not text or len(text) > _LONGEST or not text.startswith("/") or not text.isprintable():
        return None
    # Browsers read a backslash as a slash, and two slashes as another host.
    if text.startswith(("//", "/\\")) or "\\" in text.partition("?")[0]:
        return None
    parts = urlsplit(text)
    return None if parts.scheme or parts.netloc else text
