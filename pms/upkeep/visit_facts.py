"""Keeps in the audit what was done about a visit."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.upkeep.models import Visit


def note_visit(
    session: Session, clock: Clock, actor: str, deed: Deed, visit: Visit, *, count: int
) -> None:
    """Note who goes where and when, and with how many tasks."""
    facts = {
        "person_id": visit.person_id,
        "building_id": visit.building_id,
        "visit_on": visit.on_day,
        "note": visit.note,
        "tasks": count,
    }
    told = {name: value for name, value in facts.items() if value is not None}
    note_deed(session, clock, actor, deed, ("visit", visit.id), after=told)
