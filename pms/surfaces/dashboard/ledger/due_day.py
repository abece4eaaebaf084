"""Refuses a due day that is over: nothing is due before it is issued (Charge)."""

from datetime import date

from pms.foundation.errors import Refused


def refuse_past_due(due_on: date | None, today: date) -> None:
    """Raise `Refused` for a due day before today, which would become today without a word."""
    if due_on is not None and due_on < today:
        raise Refused(
            "dueOn: {due_on} is over; a charge of today is due on {today} at the earliest.",
            due_on=due_on,
            today=today,
        )
