"""Refuses to offer a unit that is not confirmed free, and to book one that went meanwhile."""

from datetime import date

from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.availability.search_units import availability_of
from pms.foundation.errors import Refused
from pms.reservations.unit_conflicts import conflicts_of
from pms.rules.contract_dates import Term
from pms.rules.reservation_links import availability_for, is_offerable
from pms.rules.stays import Stay
from pms.workspaces.queries import policy as policy_of


class UnitGone(Refused):
    """The unit of an offer was taken by somebody else before the offer was accepted."""


def refuse_unofferable(session: Session, unit_id: str, move_in_on: date, today: date) -> None:
    """Raise `Refused` unless the unit may be offered from the day (Availability; List units)."""
    if move_in_on < today:
        raise Refused("moveInDate: {day} is past.", day=move_in_on)
    found = availability_of(session, unit_id, today)
    if is_offerable(found, move_in_on):
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
    wanted = Stay("", move_in_on, contract_end_on)
    if conflicts_of(session, wanted, unit_id, today):
        return True
    figures = policy_of(session)
    held = taken(session, today, figures, [unit_id])
    found = availability_for(
        held.stays.get(unit_id, ()),
        held.blocks.get(unit_id, ()),
        today,
        figures,
        Term(move_in_on, contract_end_on),
    )
    return not is_offerable(found, move_in_on)
