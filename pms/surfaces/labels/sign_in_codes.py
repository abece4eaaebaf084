"""The reasons why a PIN was refused."""

from datetime import timedelta

from flask_babel import gettext as _
from flask_babel import ngettext

from pms.rules.sign_in_codes import CodeAnswer


def format_wait(wait: timedelta) -> str:
    """Return a wait in words, rounded up: 5 seconds, 2 minutes."""
    seconds = max(int(wait.total_seconds()), 1)
    if seconds < 60:
        return str(ngettext("%(num)s second", "%(num)s seconds", seconds))
    return str(ngettext("%(num)s minute", "%(num)s minutes", -(-seconds // 60)))


def code_refusal(answer: CodeAnswer, wait: timedelta) -> str:
    """Return why a code was refused, and what to do next."""
    match answer:
        case CodeAnswer.EXPIRED:
            message = _("This PIN was used or is older than 10 minutes. Request a new one.")
        case CodeAnswer.SPENT:
            message = _("This PIN was entered wrongly five times. Request a new one.")
        case CodeAnswer.REPLACED:
            message = _("A newer PIN was sent. Enter the one from the latest email.")
        case CodeAnswer.OTHER_SCREEN:
            message = _("This PIN was requested on another screen. Enter it there.")
        case CodeAnswer.LINK_INSTEAD:
            message = _("Too many wrong PINs were entered for this address today.")
        case CodeAnswer.SLOWED_DOWN:
            message = _("Too many tries. Wait %(wait)s and try again.", wait=format_wait(wait))
        case _:
            message = _("The PIN is wrong. Check the latest email.")
    return str(message)
