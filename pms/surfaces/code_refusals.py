"""Says why a PIN did not open the door."""

from datetime import timedelta

from flask_babel import gettext as _

from pms.rules.sign_in_codes import CodeAnswer
from pms.surfaces.waiting import said_wait


def code_refusal(answer: CodeAnswer, wait: timedelta) -> str:
    """Return what to tell someone whose digits did not open, and what to do next."""
    match answer:
        case CodeAnswer.EXPIRED:
            told = _("This PIN is used or older than 10 minutes. Have a new one sent.")
        case CodeAnswer.SPENT:
            told = _("Five wrong tries have used this PIN up. Have a new one sent.")
        case CodeAnswer.REPLACED:
            told = _("A newer PIN was sent. Type the one in the newest mail.")
        case CodeAnswer.OTHER_SCREEN:
            told = _("The PIN belongs to another screen, the one that asked for it.")
        case CodeAnswer.LINK_INSTEAD:
            told = _("Too many wrong PINs were typed for this address today.")
        case CodeAnswer.SLOWED_DOWN:
            told = _("Too many tries. Wait %(wait)s and type it again.", wait=said_wait(wait))
        case _:
            told = _("These are not the digits that were sent. Look at the newest mail.")
    return str(told)
