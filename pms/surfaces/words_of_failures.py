"""Says why a message did not arrive or its file is not here, in the reader's language."""

from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.rules import message_failures

_WORDS: Final[Mapping[str, LazyString]] = {
    message_failures.WINDOW_CLOSED: _(
        "WhatsApp passes on free words only within 24 hours of the person's last message, and more"
        " have passed. Wait until they write, or use another channel."
    ),
    message_failures.NO_REASON: _("WhatsApp gives no reason."),
    message_failures.KEPT_ELSEWHERE: _("The file is kept outside LINE and was not fetched."),
    message_failures.NO_PICTURE: _("This is no picture that can be read."),
    message_failures.EMPTY_FILE: _("The file is empty."),
    message_failures.TOO_LARGE: _("The file is larger than 10 MiB."),
    message_failures.NO_PROVIDER: _("No provider is set for it; an operator connects it."),
    message_failures.UNREADABLE_SECRET: _("The provider's secret cannot be read: set it again."),
    message_failures.TOO_SLOW: _("The provider did not answer in time."),
}


def failure_words(failure: str) -> str:
    """Return a reason as it is read; what a provider said itself stays in its own words."""
    return str(_WORDS.get(failure, failure))
