"""Takes a visit in hand to change it: locked, as it stands, within somebody's reach."""

from typing import TypeVarTuple

from sqlalchemy import Select, false, select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.upkeep.models import Visit
from pms.upkeep.reach import Reach

Columns = TypeVarTuple("Columns")


def visits_within(question: Select[*Columns], reach: Reach) -> Select[*Columns]:
    """Return a question about visits that meets only those within reach.

    The office meets everybody's, who works on site their own, a contractor none.
    """
    if reach.project_id is not None:
        return question.where(false())
    if reach.person_id is not None:
        return question.where(Visit.person_id == reach.person_id)
    return question


def visit_in_hand(session: Session, visit_id: str, reach: Reach) -> Visit:
    """Return the visit, locked; raise `NotFound` for one that is nobody's here or out of reach."""
    found = None
    if is_id(visit_id):
        session.flush()
        question = visits_within(select(Visit).where(Visit.id == visit_id), reach)
        found = session.scalar(question.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise no_visit(visit_id)
    return found


def no_visit(visit_id: str) -> NotFound:
    """Return the refusal of a visit that is not here."""
    return NotFound("There is no visit '{visit_id}'.", visit_id=visit_id[:60])
