"""What an availability is called for people (specification, Availability: State table)."""

from typing import Final

from pms.foundation.mail_texts import format_day
from pms.foundation.translations import deferred_texts, translate
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState, Locale

_PLAIN: Final = deferred_texts(
    {
        AvailabilityState.AVAILABLE_NOW: "Available now",
        AvailabilityState.AVAILABLE_FROM: "Available",
        AvailabilityState.RESERVED: "Reserved",
        AvailabilityState.POSSIBLY_AVAILABLE: "Possibly available",
        AvailabilityState.OCCUPIED: "Occupied",
    },
    "availability of the API",
)
_DATED: Final = deferred_texts(
    {
        AvailabilityState.AVAILABLE_FROM: "Available from {day}",
        AvailabilityState.RESERVED: "Reserved from {day}",
        AvailabilityState.POSSIBLY_AVAILABLE: "Possibly available from {day}",
    },
    "availability of the API",
)


def label(availability: Availability, locale: Locale = Locale.EN) -> str:
    """Return the text for an availability.

    Without a date, also one lost to a corrupt source date, it is the plain label.
    """
    on = availability.on
    if on is None:
        return translate(_PLAIN[availability.state], locale, "availability of the API")
    day = format_day(on, locale) if locale == Locale.JA else on.isoformat()
    return translate(_DATED[availability.state], locale, "availability of the API", day=day)
