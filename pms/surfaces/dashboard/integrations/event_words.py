"""Says in the reader's language why an event waits for a person; others stand as they were told."""

from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.channels.take_payment_event import NOT_YEN

_WORDS: Final[dict[str, LazyString]] = {
    NOT_YEN: _("Only yen are booked, and this is another currency."),
    "The payment names no entry in metadata.entryId.": _(
        "The payment names no entry in metadata.entryId."
    ),
    "The entry that the payment names is not in this workspace.": _(
        "The entry that the payment names is not in this workspace."
    ),
    "The payment that went back is not known here.": _(
        "The payment that went back is not known here."
    ),
    "The reservation is settled. Record this money as a refund of its deposit.": _(
        "The reservation is settled. Record this money as a refund of its deposit."
    ),
    "The payment that is disputed is not known here.": _(
        "The payment that is disputed is not known here."
    ),
    "The message that was taken back is not here.": _(
        "The message that was taken back is not here."
    ),
}


def reason_words(reason: str | None) -> str:
    """Return a reason in words."""
    return str(_WORDS.get(reason or "", reason or ""))
