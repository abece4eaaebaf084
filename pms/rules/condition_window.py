"""When a resident may report the condition of the unit, and when they are reminded."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

OPENS_DAYS_BEFORE: Final = 1
SECOND_MAIL_DAYS_AFTER: Final = 3
REPORT_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class ConditionWindow:
    """The days on which the report is open, both inside, around the day of arrival."""

    arrival_on: date

    @property
    def opens_on(self) -> date:
        """The first day: who receives the key the day before may begin then."""
        return self.arrival_on - timedelta(days=OPENS_DAYS_BEFORE)

    @property
    def closes_on(self) -> date:
        """The last day, which the mails state."""
        return self.arrival_on + timedelta(days=REPORT_DAYS)

    def is_open(self, today: date) -> bool:
        """Tell whether a report may be written and sent on a day."""
        return self.opens_on <= today <= self.closes_on


def condition_window(arrival_on: date | None, start_on: date | None) -> ConditionWindow | None:
    """Return the window of a tenancy (specification, Contract dates, Arrival date).

    It follows the arrival date where one is agreed, else the effective start, and never changes
    billing. Without either there is no window. It stays open 7 days after the arrival.
    """
    on = arrival_on or start_on
    return ConditionWindow(on) if on else None


def due_reminder(arrival_on: date, today: date) -> int | None:
    """Return which of the two reminder mails may be sent on a day (Contract dates, Arrival date).

    The first from the day the window opens until the third day after the arrival, the second from
    then until the window closes.
    """
    days_after = (today - arrival_on).days
    if -OPENS_DAYS_BEFORE <= days_after < SECOND_MAIL_DAYS_AFTER:
        return 1
    return 2 if SECOND_MAIL_DAYS_AFTER <= days_after <= REPORT_DAYS else None
