"""Marks how many deductions a building had when a form was shown, so that a form posts once."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.errors import Collision
from pms.foundation.ids import is_id
from pms.statements.models import OwnerDeduction


def deduction_mark(session: Session, building_id: str) -> int:
    """Return how many deductions a building has; none is ever taken away."""
    if not is_id(building_id):
        return 0
    asked = select(func.count()).where(OwnerDeduction.building_id == building_id)
    return session.scalar(asked) or 0


def hold_deductions(session: Session, building_id: str, seen: int) -> None:
    """Lock a building whose deductions stand as they were seen; else raise `Collision`."""
    if is_id(building_id):
        session.execute(select(Building.id).where(Building.id == building_id).with_for_update())
    if deduction_mark(session, building_id) != seen:
        raise Collision(
            "A deduction was posted since this page was opened. Look at it again before you send"
            " this."
        )
