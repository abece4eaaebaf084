"""Charges a building's owner what a maintenance project costs and was not charged yet."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_deed
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import FeeCategory
from pms.rules.project_number import project_number
from pms.statements.models import OwnerDeduction, ProjectCharge
from pms.statements.post_owner_deduction import post_owner_deduction
from pms.statements.statement_rows import CATEGORY_WORDS
from pms.statements.uncharged_costs import OF_CHARGE, uncharged_cost
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.upkeep_in_hand import project_in_hand


class ChargeLine(NamedTuple):
    """What was charged of a project at one time, in whole yen; negative gave some back."""

    deduction_id: str
    category: FeeCategory
    amount_yen: int
    deducted_on: date
    written_at: datetime
    written_by: str


def charge_project(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    seen: Mapping[FeeCategory, int] | None = None,
    charged_on: date | None = None,
) -> Mapping[FeeCategory, int]:
    """Post today's deductions and return them by category in whole yen; nothing when all is done.

    `seen` are the categories to charge, each with the amount that was shown; without it all are.
    With a day, they are posted on that day and cover the cost through it.
    A category of which hours or purchases were taken back gets a negative deduction. Raises
    `Refused` without an owner, `Collision` when an amount is another than was seen.
    """
    project = project_in_hand(session, project_id)
    due = uncharged_cost(session, project_id, charged_on)
    if seen is not None:
        if any(due.get(category) != yen for category, yen in seen.items()):
            raise Collision("The cost changed since this page was opened. Look at it again.")
        due = {category: yen for category, yen in due.items() if category in seen}
    if due:
        _refuse_without_owner(session, project.building_id)
        _post(session, clock, actor, project, due=due, charged_on=charged_on)
    return due


def charges_of_project(session: Session, project_id: str) -> Sequence[ChargeLine]:
    """Return what was charged of a project, in the order it was posted."""
    rows = session.execute(
        select(
            OwnerDeduction.id,
            OwnerDeduction.category,
            OwnerDeduction.amount_yen,
            OwnerDeduction.deducted_on,
            OwnerDeduction.written_at,
            OwnerDeduction.written_by,
        )
        .join(ProjectCharge, OF_CHARGE)
        .where(ProjectCharge.project_id == project_id)
        .order_by(OwnerDeduction.written_at, OwnerDeduction.id)
    )
    return [ChargeLine._make(row) for row in rows]


def charge_label(number: int, title: str, category: FeeCategory, yen: int) -> Bilingual:
    """Return the words of a charge on the owner's statement."""
    name, words = f"{project_number(number)} {title}", CATEGORY_WORDS[category]
    if yen < 0:
        return Bilingual(f"{words.ja}の訂正 {name}", f"{words.en}, corrected: {name}")
    return Bilingual(f"{words.ja} {name}", f"{words.en}: {name}")


def _post(
    session: Session,
    clock: Clock,
    actor: str,
    project: MaintenanceProject,
    *,
    due: Mapping[FeeCategory, int],
    charged_on: date | None,
) -> None:
    for category, yen in due.items():
        deduction = post_owner_deduction(
            session,
            clock,
            actor,
            building_id=project.building_id,
            category=category,
            label=charge_label(project.number, project.title, category, yen),
            amount_yen=yen,
            deducted_on=charged_on,
        )
        session.add(ProjectCharge(project_id=project.id, deduction_id=deduction.id))
    told = {"category": list(due), "amount_yen": sum(due.values())}
    about = ("maintenance_project", project.id)
    note_deed(session, clock, actor, Deed.PROJECT_CHARGED, about, after=told)
    session.flush()


def _refuse_without_owner(session: Session, building_id: str) -> None:
    owner = select(Building.owner_id).where(Building.id == building_id)
    if session.scalar(owner) is None:
        raise Refused("building: it has no owner who could be charged.")
