"""The labels of provider calls, and of the reasons why a provider's event waits."""

from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString, lazy_gettext

from pms.channels.messages import FORGETTING
from pms.channels.payment_events import NOT_YEN
from pms.channels.sending import FETCHING, NAMING, SENDING
from pms.checkouts.open_bills import LOOKING
from pms.checkouts.payment_pages import OPENING
from pms.collections.choices import CANCELLING, CARD_LOOKUP, CARD_PAGE, CARD_REMOVAL
from pms.collections.collected_bills import CHARGING
from pms.collections.collected_bills import LOOKING as COLLECTION_LOOKUP
from pms.contracts.queries import ENVELOPE, ENVELOPE_LOOKUP, ENVELOPE_VOID, SIGNING_PAGE
from pms.contracts.signing import SIGNED_COPY
from pms.workspaces.integrations import TESTING

CALL_LABELS: Final[Mapping[str, LazyString]] = {
    OPENING: lazy_gettext("Open a payment page"),
    LOOKING: lazy_gettext("Check whether a bill was paid"),
    CARD_PAGE: lazy_gettext("Open a page to enter a card"),
    CARD_LOOKUP: lazy_gettext("Check which card was entered"),
    CARD_REMOVAL: lazy_gettext("Delete a stored card"),
    CHARGING: lazy_gettext("Collect a bill by card or at a store"),
    COLLECTION_LOOKUP: lazy_gettext("Check whether a bill was collected"),
    CANCELLING: lazy_gettext("Cancel a convenience store number"),
    ENVELOPE: lazy_gettext("Send a document to the signature service"),
    ENVELOPE_LOOKUP: lazy_gettext("Check whether a document was signed"),
    ENVELOPE_VOID: lazy_gettext("Withdraw a document from the signature service"),
    SIGNING_PAGE: lazy_gettext("Prepare the signing page"),
    SIGNED_COPY: lazy_gettext("Email a signed contract"),
    SENDING: lazy_gettext("Send a message"),
    FETCHING: lazy_gettext("Fetch the attachment of a message"),
    NAMING: lazy_gettext("Look up LINE senders"),
    TESTING: lazy_gettext("Test the connection"),
    FORGETTING: lazy_gettext("Delete the attachment of an unsent message"),
}
_ANYTHING: Final = lazy_gettext("A request from another version of the system")


def call_label(kind: str) -> str:
    """Return the label of a kind of call."""
    return str(CALL_LABELS.get(kind, _ANYTHING))


_REASON_LABELS: Final[dict[str, LazyString]] = {
    NOT_YEN: lazy_gettext("Only yen can be recorded; this is another currency."),
    "The payment has no bill in metadata.entryId.": lazy_gettext(
        "The payment has no bill in metadata.entryId."
    ),
    "The bill named in the payment is not in this workspace.": lazy_gettext(
        "The bill named in the payment is not in this workspace."
    ),
    "The payment that went back is not known here.": lazy_gettext(
        "The refunded payment was not found."
    ),
    "The reservation is settled. Record this money as a refund of its deposit.": lazy_gettext(
        "The reservation is settled. Record this money as a refund of the deposit."
    ),
    "The payment that is disputed is not known here.": lazy_gettext(
        "The disputed payment was not found."
    ),
    "The unsent message is not available.": lazy_gettext(
        "This message was unsent by its sender and is not available."
    ),
}


def event_reason_label(reason: str | None) -> str:
    """Return the label of a reason."""
    return str(_REASON_LABELS.get(reason or "", reason or ""))
