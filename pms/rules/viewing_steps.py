"""What may become of a viewing: it is moved or called off before, and took place or not after."""

from datetime import date, datetime
from typing import Final

from pms.rules.days import day_of
from pms.rules.enumerations import ViewingStatus

RESULTS: Final = (ViewingStatus.DONE, ViewingStatus.NO_SHOW)
SHORTEST_MINUTES: Final = 10
LONGEST_MINUTES: Final = 240


def may_end(status: ViewingStatus, starts_at: datetime, today: date) -> bool:
    """Whether a result may be noted: from the viewing's own day in Japan on.

    A result noted by mistake may be corrected; a viewing called off has none.
    """
    return status != ViewingStatus.CANCELLED and day_of(starts_at) <= today


def may_change(status: ViewingStatus) -> bool:
    """Whether a viewing may still be moved or called off."""
    return status == ViewingStatus.SCHEDULED
