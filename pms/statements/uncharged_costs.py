"""What maintenance projects cost and their buildings' owners were not charged yet."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    case,
    func,
    literal,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.prepared import one_of
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.project_number import project_number
from pms.rules.upkeep_cost import HOURS_CATEGORY, due_through
from pms.statements.models import OwnerDeduction, ProjectCharge
from pms.upkeep.models import HoursLog, MaintenanceProject, Purchase

Lines = Select[*tuple[Any, ...]]

OF_CHARGE: Final = and_(
    OwnerDeduction.workspace_id == ProjectCharge.workspace_id,
    OwnerDeduction.id == ProjectCharge.deduction_id,
)


@dataclass(frozen=True, slots=True)
class UnchargedCost:
    """What one project has left to charge by category, in whole yen; negative is given back."""

    project_id: str
    number: int
    title: str
    state: ProjectState
    building_id: str
    due: dict[FeeCategory, int]

    @property
    def name(self) -> str:
        """The number as people say it."""
        return project_number(self.number)

    @property
    def total_yen(self) -> int:
        """The sum of the categories."""
        return sum(self.due.values())


def uncharged_costs(
    session: Session, building_ids: Sequence[str], through_on: date
) -> Mapping[str, Sequence[UnchargedCost]]:
    """Return by building what its projects cost through a day and nobody charged, in one question.

    Buildings and projects without any are left out; projects come in the order of their numbers.
    """
    asked = _left(one_of(MaintenanceProject.building_id, building_ids), through_on)
    found: defaultdict[str, list[UnchargedCost]] = defaultdict(list)
    for one in _costs(session, asked):
        found[one.building_id].append(one)
    return found


def uncharged_cost(
    session: Session, project_id: str, through_on: date | None = None
) -> Mapping[FeeCategory, int]:
    """Return the same of one project by category: all of it, or its cost through a day."""
    found = _costs(session, _left(MaintenanceProject.id == project_id, through_on))
    return found[0].due if found else {}


def _costs(session: Session, asked: Lines) -> Sequence[UnchargedCost]:
    found: dict[str, UnchargedCost] = {}
    for id_, number, title, state, building_id, category, due_yen, due_then_yen in session.execute(
        asked
    ):
        yen = due_through(int(due_yen), int(due_then_yen))
        one = found.setdefault(id_, UnchargedCost(id_, number, title, state, building_id, {}))
        if yen:
            one.due[FeeCategory(category)] = yen
    return [replace(one, due=_in_order(one.due)) for one in found.values() if one.due]


def _in_order(due: Mapping[FeeCategory, int]) -> dict[FeeCategory, int]:
    return {category: due[category] for category in FeeCategory if category in due}


def _left(which: ColumnElement[bool], through_on: date | None) -> Lines:
    """Everything that cost less everything charged, where that leaves something."""
    lines = union_all(_hours(which, through_on), _bought(which, through_on), _charged(which))
    line = lines.subquery().c
    project = (
        MaintenanceProject.id,
        MaintenanceProject.number,
        MaintenanceProject.title,
        MaintenanceProject.state,
        MaintenanceProject.building_id,
    )
    return (
        select(*project, line.category, func.sum(line.yen), func.sum(line.then_yen))
        .join(MaintenanceProject, MaintenanceProject.id == line.project_id)
        .group_by(*project, line.category)
        .having(func.sum(line.yen) != 0)
        .order_by(MaintenanceProject.number)
    )


def _hours(which: ColumnElement[bool], through_on: date | None) -> Lines:
    # `hours_cost` in the words of the database: each log rounded once, half a yen going up.
    yen = (2 * HoursLog.minutes * func.coalesce(HoursLog.hourly_yen, 0) + 60) // 120
    asked = _lines(HoursLog, literal(HOURS_CATEGORY.value), yen, HoursLog.worked_on, through_on)
    return asked.where(which, HoursLog.removed_at.is_(None))


def _bought(which: ColumnElement[bool], through_on: date | None) -> Lines:
    category = type_coerce(Purchase.category, String)
    asked = _lines(Purchase, category, Purchase.amount_yen, Purchase.bought_on, through_on)
    return asked.where(which, Purchase.removed_at.is_(None))


def _lines(
    of: type[HoursLog] | type[Purchase],
    category: ColumnElement[str],
    yen: ColumnElement[int] | InstrumentedAttribute[int],
    day: InstrumentedAttribute[date],
    through_on: date | None,
) -> Lines:
    then_yen = yen if through_on is None else case((day <= through_on, yen), else_=0)
    return select(
        of.project_id.label("project_id"),
        category.label("category"),
        yen.label("yen"),
        then_yen.label("then_yen"),
    ).join(
        MaintenanceProject,
        (MaintenanceProject.workspace_id == of.workspace_id)
        & (MaintenanceProject.id == of.project_id),
    )


def _charged(which: ColumnElement[bool]) -> Lines:
    yen = -OwnerDeduction.amount_yen
    category = type_coerce(OwnerDeduction.category, String)
    return (
        select(ProjectCharge.project_id, category, yen.label("yen"), yen.label("then_yen"))
        .join(OwnerDeduction, OF_CHARGE)
        .join(
            MaintenanceProject,
            (MaintenanceProject.workspace_id == ProjectCharge.workspace_id)
            & (MaintenanceProject.id == ProjectCharge.project_id),
        )
        .where(which)
    )
