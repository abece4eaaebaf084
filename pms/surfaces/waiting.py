"""Says how long someone has to wait."""

from datetime import timedelta

from flask_babel import ngettext


def said_wait(wait: timedelta) -> str:
    """Return a wait in words, rounded up: 5 seconds, 2 minutes."""
    seconds = max(int(wait.total_seconds()), 1)
    if seconds < 60:
        return str(ngettext("%(num)s second", "%(num)s seconds", seconds))
    return str(ngettext("%(num)s minute", "%(num)s minutes", -(-seconds // 60)))
