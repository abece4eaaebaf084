"""Says why a call to a provider failed, in the reader's language: no message, file or answer came."""

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
from pms.surfaces.page_texts import gettext

_UNREADABLE: Final = _("The provider's answer cannot be read.")
_INCOMPLETE: Final = _("The provider's answer lacks what is needed.")
_NO_ADDRESS: Final = _("The provider's address cannot be used: set it again.")
_NO_WAY: Final = _("The provider cannot be reached.")
_NOT_SAFE: Final = _("No safe connection to the provider can be made.")
_BROKEN: Final = _("The program could not make the call; its log tells why.")

_WORDS: Final[Mapping[str, LazyString]] = {
    WINDOW_CLOSED: _(
        "WhatsApp passes on free words only within 24 hours of the person's last message, and more"
        " have passed. Wait until they write, or use another channel."
    ),
    NO_REASON: _("WhatsApp gives no reason."),
    KEPT_ELSEWHERE: _("The file is kept outside LINE and was not fetched."),
    NO_PICTURE: _("This is no picture that can be read."),
    EMPTY_FILE: _("The file is empty."),
    TOO_LARGE: _("The file is larger than 10 MiB."),
    NO_PROVIDER: _("No provider is set for it; an operator connects it."),
    UNREADABLE_SECRET: _("The provider's secret cannot be read: set it again."),
    TOO_SLOW: _("The provider did not answer in time."),
    "the answer is no JSON": _UNREADABLE,
    "the answer is no JSON object": _UNREADABLE,
    "the answer is too long": _UNREADABLE,
    "the answer has no address to go to": _INCOMPLETE,
    "the answer has no id": _INCOMPLETE,
    "the answer lacks what is needed": _INCOMPLETE,
    "no card was entered": _("No card was entered."),
    "the answer names no amount in yen": _INCOMPLETE,
    "the answer names no envelope": _INCOMPLETE,
    "the answer does not tell how the document stands": _INCOMPLETE,
    "the answer does not tell how the payment stands": _INCOMPLETE,
    "the answer does not tell where the file is": _INCOMPLETE,
    "the answer is about another payment": _("The provider answered about another payment."),
    "the address is none of a provider": _NO_ADDRESS,
    "the address is no https address": _NO_ADDRESS,
    "the address leads into a private network": _NO_ADDRESS,
    "the address is unknown": _("The provider's address is not found on the internet."),
    "the file is not ready yet": _("The provider does not have the file ready yet."),
    "the document no longer waits for a signature": _(
        "The document no longer waits for a signature."
    ),
    "the booking was cancelled": _("The booking was cancelled meanwhile."),
    "nothing tells the relay whom this goes to": _(
        "Nothing tells the booking site whom the message goes to."
    ),
}
_REFUSED: Final = re.compile(r"(?P<status>\d{3}): (?P<words>.+)")
_NO_WORDS: Final = "no reason given"
_CONNECTION: Final = re.compile(
    r"(?P<kind>[A-Z]\w*(?:Error|Exception|Disconnected|Read|Line|Ready)):.*"
)
_UNFORESEEN: Final = re.compile(r"[A-Z]\w*")


def failure_words(failure: str) -> str:
    """Return a reason as it is read; what a provider said itself stays in its own words."""
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
        return gettext("The provider refused it without a reason (%(status)s).", status=status)
    return gettext("The provider refused it (%(status)s): %(words)s", status=status, words=words)
