"""The reasons why a call to a provider failed, in the reader's language."""

import re
from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.rules.message_words import (
    EMPTY_FILE,
    KEPT_ELSEWHERE,
    NO_PICTURE,
    NO_PROVIDER,
    NO_REASON,
    TOO_LARGE,
    TOO_SLOW,
    UNREADABLE_SECRET,
    WINDOW_CLOSED,
)
from pms.surfaces.page_templates import gettext

_UNREADABLE: Final = _("The provider's answer cannot be read.")
_INCOMPLETE: Final = _("The provider's answer is incomplete.")
_NO_ADDRESS: Final = _("The provider's address cannot be used. Enter it again.")
_NO_WAY: Final = _("The provider cannot be reached.")
_NOT_SAFE: Final = _("There is no secure connection to the provider.")
_BROKEN: Final = _("A system error prevented this. See the log for the reason.")

_WORDS: Final[Mapping[str, LazyString]] = {
    WINDOW_CLOSED: _(
        "WhatsApp only allows free text within 24 hours of the person's last message. Wait "
        "for their message or use another channel."
    ),
    NO_REASON: _("WhatsApp gave no reason."),
    KEPT_ELSEWHERE: _("The file is stored outside LINE and was not fetched."),
    NO_PICTURE: _("The picture cannot be read."),
    EMPTY_FILE: _("The file is empty."),
    TOO_LARGE: _("The file is larger than 10 MiB."),
    NO_PROVIDER: _("No provider is set up. An operator can connect one."),
    UNREADABLE_SECRET: _("The provider's secret cannot be read. Enter it again."),
    TOO_SLOW: _("The provider did not answer in time."),
    "the answer is no JSON": _UNREADABLE,
    "the answer is no JSON object": _UNREADABLE,
    "the answer is too long": _UNREADABLE,
    "the answer has no address to go to": _INCOMPLETE,
    "the answer has no id": _INCOMPLETE,
    "the answer lacks what is needed": _INCOMPLETE,
    "Your card has insufficient funds.": _("The card has too little funds."),
    "Your card was declined.": _("The card was declined."),
    "Your card has expired.": _("The card has expired."),
    "Your card does not support this type of purchase.": _(
        "The card cannot be used for this kind of payment."
    ),
    "The card needs its holder's confirmation.": _("The card needs its holder's confirmation."),
    "no card was entered": _("No card has been entered."),
    "the answer names no amount in yen": _INCOMPLETE,
    "the answer names no envelope": _INCOMPLETE,
    "the answer does not tell how the document stands": _INCOMPLETE,
    "the answer does not tell how the payment stands": _INCOMPLETE,
    "the answer does not tell where the file is": _INCOMPLETE,
    "the answer is about another payment": _("The provider's answer is for another payment."),
    "the address is none of a provider": _NO_ADDRESS,
    "the address is no https address": _NO_ADDRESS,
    "the address leads into a private network": _NO_ADDRESS,
    "the address is unknown": _("The provider's address was not found."),
    "the file is not ready yet": _("The provider is still preparing the file."),
    "the document no longer waits for a signature": _(
        "The document is no longer waiting for a signature."
    ),
    "the booking was cancelled": _("The booking was cancelled in the meantime."),
    "nothing tells the relay whom this goes to": _("The recipient at the booking site is unknown."),
}
_REFUSED: Final = re.compile(r"(?P<status>\d{3}): (?P<words>.+)")
_NO_WORDS: Final = "no reason given"
_CONNECTION: Final = re.compile(
    r"(?P<kind>[A-Z]\w*(?:Error|Exception|Disconnected|Read|Line|Ready)):.*"
)
_UNFORESEEN: Final = re.compile(r"[A-Z]\w*")


def failure_text(failure: str) -> str:
    """Return the text of a reason; a provider's own message is shown unchanged."""
    if failure in _WORDS:
        return str(_WORDS[failure])
    if refused := _REFUSED.fullmatch(failure):
        return _refusal_words(refused["status"], refused["words"])
    if connection := _CONNECTION.fullmatch(failure):
        return str(_connection_words(connection["kind"]))
    return str(_BROKEN) if _UNFORESEEN.fullmatch(failure) else failure


def _connection_words(kind: str) -> LazyString:
    if kind == "FileNotFoundError":
        return _BROKEN
    return _NOT_SAFE if kind.startswith("SSL") else _NO_WAY


def _refusal_words(status: str, words: str) -> str:
    if words == _NO_WORDS:
        return gettext("The provider rejected it without a reason (%(status)s).", status=status)
    return gettext("The provider rejected it (%(status)s): %(words)s", status=status, words=words)
