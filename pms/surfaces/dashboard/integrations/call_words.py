"""Says in the reader's language what a call to a provider asks for."""

from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.channels.ask_line_name import NAMING
from pms.channels.fetch_media import FETCHING
from pms.channels.send_words import SENDING
from pms.channels.take_back_message import FORGETTING
from pms.checkouts.open_checkout import OPENING
from pms.checkouts.queries import LOOKING
from pms.contracts.queries import ENVELOPE, ENVELOPE_LOOKUP, ENVELOPE_VOID, SIGNING_PAGE
from pms.contracts.signed_copy import SIGNED_COPY

WORDS_OF_CALLS: Final[Mapping[str, LazyString]] = {
    OPENING: _("Open a payment page"),
    LOOKING: _("Ask whether a bill was paid"),
    ENVELOPE: _("Hand over a document"),
    ENVELOPE_LOOKUP: _("Ask whether a document was signed"),
    ENVELOPE_VOID: _("Take a document back from the signature service"),
    SIGNING_PAGE: _("Open a page to sign on"),
    SIGNED_COPY: _("Mail a signed contract"),
    SENDING: _("Send a message"),
    FETCHING: _("Fetch the file of a message"),
    NAMING: _("Ask LINE who wrote"),
    FORGETTING: _("Delete the file of a message that was taken back"),
}
_ANYTHING: Final = _("A call of another version of the program")


def call_words(kind: str) -> str:
    """Return what a kind of call asks for."""
    return str(WORDS_OF_CALLS.get(kind, _ANYTHING))
