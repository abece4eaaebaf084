"""Charges a building's owner what a maintenance project costs and was not charged yet."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_deed
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import FeeCategory
from pms.rules.project_number import project_number
from pms.rules.upkeep_cost import not_charged_yet
from pms.statements.models import OwnerDeduction, ProjectCharge
from pms.statements.post_owner_deduction import post_owner_deduction
from pms.statements.statement_rows import CATEGORY_WORDS
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_cost import project_cost
from pms.upkeep.upkeep_in_hand import project_in_hand


class ChargeLine(NamedTuple):
    """What was charged of a project at one time, in whole yen; negative gave some back."""

    deduction_id: str
    category: FeeCategory
    amount_yen: int
    deducted_on: date
    written_at: datetime
    written_by: str


_OF_CHARGE = and_(
    OwnerDeduction.workspace_id == ProjectCharge.workspace_id,
    OwnerDeduction.id == ProjectCharge.deduction_id,
)


def charge_project(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    seen: Mapping[FeeCategory, int] | None = None,
) -> Mapping[FeeCategory, int]:
    """Post today's deductions and return them by category in whole yen; nothing when all is done.

    `seen` are the categories to charge, each with the amount that was shown; without it all are.
    A category of which hours or purchases were taken back gets a negative deduction. Raises
    `Refused` without an owner, `Collision` when an amount is another than was seen.
    """
    project = project_in_hand(session, project_id)
    due = charge_due(session, project_id)
    if seen is not None:
        if any(due.get(category) != yen for category, yen in seen.items()):
            raise Collision("The cost changed since this page was opened. Look at it again.")
        due = {category: yen for category, yen in due.items() if category in seen}
    if due:
        _refuse_without_owner(session, project.building_id)
        _post(session, clock, actor, project, due)
    return due


def charge_due(session: Session, project_id: str) -> Mapping[FeeCategory, int]:
    """Return by category what a project costs and was not charged yet, in whole yen."""
    charged: dict[FeeCategory, int] = {}
    for category, yen in session.execute(
        select(OwnerDeduction.category, func.sum(OwnerDeduction.amount_yen))
        .join(ProjectCharge, _OF_CHARGE)
        .where(ProjectCharge.project_id == project_id)
        .group_by(OwnerDeduction.category)
    ):
        charged[category] = int(yen)
    return not_charged_yet(project_cost(session, project_id).by_category, charged)


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
        .join(ProjectCharge, _OF_CHARGE)
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
    due: Mapping[FeeCategory, int],
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
