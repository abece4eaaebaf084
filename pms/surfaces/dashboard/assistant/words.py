"""Says what an answer cost, and why the model's words were not used."""

from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.rules.chat_cost import THOUSAND
from pms.rules.checked_reply import ReplyProblem
from pms.site.talk_to_visitor import CUT_OFF, RESTING

_PROBLEMS: Final[Mapping[str, LazyString]] = {
    ReplyProblem.EMPTY: _("The model wrote nothing."),
    ReplyProblem.TOO_LONG: _("The model wrote too much."),
    ReplyProblem.UNKNOWN_ROOM: _("The model named a room that is none of yours."),
    ReplyProblem.UNCONFIRMED_ROOM: _("The model named a room that cannot be offered today."),
    ReplyProblem.UNCONFIRMED_DAY: _("The model named a day that is not confirmed."),
    ReplyProblem.UNFOUNDED_OFFER: _("The model offered something without naming a room."),
    ReplyProblem.UNKNOWN_AMOUNT: _("The model named an amount that stands nowhere."),
    ReplyProblem.UNKNOWN_ADDRESS: _("The model named an address that stands nowhere."),
}


def cost_words(thousandths: int) -> str:
    """Return a cost in yen, to the thousandth where it is less than a whole one."""
    whole, part = divmod(thousandths, THOUSAND)
    shown = f"{part:03d}".rstrip("0")
    return f"¥{whole:,}.{shown}" if shown else f"¥{whole:,}"


def failure_words(failure: str) -> str:
    """Return why an answer is the retrieved one; what a provider said stays in its words."""
    if failure == CUT_OFF:
        return str(_("The answer of the model was cut off."))
    if failure == RESTING:
        return str(_("The model failed three times within a minute and rests."))
    kind, _colon, reason = failure.partition(": ")
    if kind == "reply":
        return str(_PROBLEMS.get(reason, reason))
    return str(_("The provider: %(reason)s", reason=reason or failure))
