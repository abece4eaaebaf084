"""Refuses to offer a unit that is not confirmed free, and to book one that went meanwhile."""

from datetime import date

from sqlalchemy.orm import Session

from pms.availability.search_units import availability_of
from pms.availability.vacancies import vacancy_of
from pms.foundation.errors import Refused
from pms.rules.stays import Stay
from pms.rules.vacancy import is_free_from


class UnitGone(Refused):
    """The unit of an offer was taken by somebody else before the offer was accepted."""


def refuse_unofferable(session: Session, unit_id: str, move_in_on: date, today: date) -> None:
    """Raise `Refused` unless the unit may be offered from the day (Availability; List units)."""
    if move_in_on < today:
        raise Refused("moveInDate: {day} is past.", day=move_in_on)
    found = availability_of(session, unit_id, today)
    if is_free_from(found, move_in_on):
        return
    if found.move_in_from is not None:
        raise Refused(
            "moveInDate: the unit is free from {free_from_on}; {day} is earlier.",
            free_from_on=found.move_in_from,
            day=move_in_on,
        )
    raise Refused(
        "unitId: the unit is {state}; only a unit that is confirmed free is offered.",
        state=found.state,
    )


def is_unit_gone(
    session: Session, unit_id: str, move_in_on: date, contract_end_on: date | None, today: date
) -> bool:
    """Whether an offered unit went meanwhile, for its days: to a tenancy, or outside the service."""
    return not vacancy_of(session, unit_id, Stay("", move_in_on, contract_end_on), today).is_free
