"""Charges a building's owner in one month what all its projects cost through it."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import FeeCategory
from pms.statements.charge_project import charge_project
from pms.statements.models import OwnerStatement
from pms.statements.uncharged_costs import uncharged_costs


def charge_into_month(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    month_on: date,
    seen: Mapping[str, Mapping[FeeCategory, int]],
) -> int:
    """Return whole yen of the deductions posted on the month's last day, today while it runs.

    `seen` are all amounts that were shown, by project and category; `Collision` when they are not
    all that is due. Raises `Refused` for a month to come, and once it or a later one is published:
    what was told to the owner does not change by a charge of this kind.
    """
    month_on = month_first(month_on)
    charged_on = min(month_last(month_on), clock.today())
    if charged_on < month_on:
        raise Refused("month: {month_on:%Y-%m} has not begun.", month_on=month_on)
    _hold_month(session, building_id, month_on)
    due = uncharged_costs(session, [building_id], charged_on).get(building_id, ())
    if {one.project_id: one.due for one in due} != seen:
        raise Collision("The cost changed since this page was opened. Look at it again.")
    for one in due:
        charge_project(
            session,
            clock,
            actor,
            project_id=one.project_id,
            seen=one.due,
            charged_on=charged_on,
        )
    return sum(one.total_yen for one in due)


def _hold_month(session: Session, building_id: str, month_on: date) -> None:
    """Let nobody publish meanwhile: who publishes locks the building as well."""
    if not is_id(building_id):
        raise NotFound("There is no building '{building_id}'.", building_id=building_id[:60])
    building = select(Building.id).where(Building.id == building_id)
    # Not against rows that name the building: whoever charges one project writes such a row.
    session.execute(building.with_for_update(key_share=True))
    closed = select(OwnerStatement.id).where(
        OwnerStatement.building_id == building_id, OwnerStatement.month_on >= month_on
    )
    if session.scalar(closed.limit(1)) is not None:
        raise Refused(
            "month: a statement of {month_on:%Y-%m} or a later month is published. Charge each"
            " project by itself; it counts in the month of that day.",
            month_on=month_on,
        )
