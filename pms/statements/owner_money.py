"""Charges to owners: costs of projects, and deductions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    case,
    func,
    literal,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate_both
from pms.foundation.work import Work, has_row
from pms.rules.audit_events import AuditEvent
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.upkeep_cost import HOURS_CATEGORY, due_through, project_number
from pms.statements.models import OwnerDeduction, OwnerStatement, ProjectCharge
from pms.statements.owner_figures import CATEGORY_WORDS
from pms.upkeep.models import HoursLog, MaintenanceProject, Purchase
from pms.upkeep.tasks import lock_project

Lines = Select[*tuple[Any, ...]]

OF_CHARGE: Final = refers_to(ProjectCharge.deduction_id, OwnerDeduction)


@dataclass(frozen=True, slots=True)
class UnchargedCost:
    """The uncharged cost of one project by category, in whole yen; negative is to be returned."""

    project_id: str
    number: int
    title: str
    state: ProjectState
    building_id: str
    due: dict[FeeCategory, int]

    @property
    def name(self) -> str:
        """The project's number in the form people use."""
        return project_number(self.number)

    @property
    def total_yen(self) -> int:
        """The sum of the categories."""
        return sum(self.due.values())


def uncharged_costs(
    session: Session, building_ids: Sequence[str], through_on: date
) -> Mapping[str, Sequence[UnchargedCost]]:
    """Return, by building, the costs of projects through a day that are not charged; one query.

    Buildings and projects without any are left out; projects are in order of their numbers.
    """
    asked = _sum_left(one_of(MaintenanceProject.building_id, building_ids), through_on)
    found: defaultdict[str, list[UnchargedCost]] = defaultdict(list)
    for cost in _read_costs(session, asked):
        found[cost.building_id].append(cost)
    return found


def uncharged_cost(
    session: Session, project_id: str, through_on: date | None = None
) -> Mapping[FeeCategory, int]:
    """Return a project's uncharged cost by category, all of it or through a day."""
    found = _read_costs(session, _sum_left(MaintenanceProject.id == project_id, through_on))
    return found[0].due if found else {}


def _read_costs(session: Session, asked: Lines) -> Sequence[UnchargedCost]:
    found: dict[str, UnchargedCost] = {}
    for id_, number, title, state, building_id, category, due_yen, due_then_yen in session.execute(
        asked
    ):
        yen = due_through(int(due_yen), int(due_then_yen))
        cost = found.setdefault(id_, UnchargedCost(id_, number, title, state, building_id, {}))
        if yen:
            cost.due[read_stored(FeeCategory, category)] = yen
    return [replace(cost, due=_in_order(cost.due)) for cost in found.values() if cost.due]


def _in_order(due: Mapping[FeeCategory, int]) -> dict[FeeCategory, int]:
    return {category: due[category] for category in FeeCategory if category in due}


def _sum_left(which: ColumnElement[bool], through_on: date | None) -> Lines:
    """Select all costs less all charges, by project and category, where they differ."""
    category = type_coerce(Purchase.category, String)
    asked = _select_lines(Purchase, category, Purchase.amount_yen, Purchase.bought_on, through_on)
    purchase_lines = asked.where(which, Purchase.removed_at.is_(None))
    # `hours_cost` in SQL: each log is rounded once, half a yen up.
    yen = (2 * HoursLog.minutes * func.coalesce(HoursLog.hourly_yen, 0) + 60) // 120
    asked = _select_lines(
        HoursLog, literal(HOURS_CATEGORY.value), yen, HoursLog.worked_on, through_on
    )
    hours_lines = asked.where(which, HoursLog.removed_at.is_(None))
    lines = union_all(
        hours_lines,
        purchase_lines,
        _sum_charged(which),
    )
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


def _select_lines(
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
    ).join(MaintenanceProject, refers_to(of.project_id, MaintenanceProject))


def _sum_charged(which: ColumnElement[bool]) -> Lines:
    yen = -OwnerDeduction.amount_yen
    category = type_coerce(OwnerDeduction.category, String)
    return (
        select(ProjectCharge.project_id, category, yen.label("yen"), yen.label("then_yen"))
        .join(OwnerDeduction, OF_CHARGE)
        .join(MaintenanceProject, refers_to(ProjectCharge.project_id, MaintenanceProject))
        .where(which)
    )


def post_owner_deduction(
    work: Work,
    *,
    building_id: str,
    category: FeeCategory,
    label: Bilingual,
    amount_yen: int,
    deducted_on: date | None = None,
) -> OwnerDeduction:
    """Post a deduction in whole yen and return it; a negative one corrects an earlier one.

    Raises `NotFound` for an unknown building, and `Refused` for 0 yen, no label or a future day.
    """
    on = deducted_on or work.clock.today()
    if not has_row(work.session, Building, building_id):
        raise no_such("building", building_id)
    today = work.clock.today()
    if amount_yen == 0:
        raise Refused(
            "amount: a deduction of 0 is not possible. Enter 1 or more, or a negative amount "
            "to correct one."
        )
    if on > today:
        raise Refused("deductedOn: {day} is in the future.", day=on)
    if not (label.ja or label.en):
        raise Refused("label: describe the deduction in Japanese or English.")
    deduction = OwnerDeduction(
        building_id=building_id,
        deducted_on=on,
        category=category,
        label_ja=label.in_language("ja"),
        label_en=label.in_language("en"),
        amount_yen=amount_yen,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(deduction)
    about = ("building", building_id)
    note_change(work, AuditEvent.OWNER_DEDUCTION_POSTED, deduction, subject=about)
    work.session.flush()
    return deduction


class ChargeLine(NamedTuple):
    """One charge of a project, in whole yen; a negative amount was returned."""

    deduction_id: str
    category: FeeCategory
    amount_yen: int
    deducted_on: date
    written_at: datetime
    written_by: str


def charge_project(
    work: Work,
    *,
    project_id: str,
    seen: Mapping[FeeCategory, int] | None = None,
    charged_on: date | None = None,
) -> Mapping[FeeCategory, int]:
    """Post the deductions that are due and return them by category in whole yen; empty if none is.

    `seen` are the categories to charge, each with the amount that was shown; without it all are
    charged. With `charged_on` they are posted on that day and cover the cost through it, else
    today. A category whose hours or purchases were removed gets a negative deduction. Raises
    `Refused` without an owner, and `Collision` when an amount differs from the one shown.
    """
    project = lock_project(work.session, project_id)
    due = uncharged_cost(work.session, project_id, charged_on)
    if seen is not None:
        if any(due.get(category) != yen for category, yen in seen.items()):
            raise Collision("The cost has changed since you opened this page. Check it again.")
        due = {category: yen for category, yen in due.items() if category in seen}
    if due:
        owner = select(Building.owner_id).where(Building.id == project.building_id)
        if work.session.scalar(owner) is None:
            raise Refused("building: there is no owner to charge.")
        for category, yen in due.items():
            deduction = post_owner_deduction(
                work,
                building_id=project.building_id,
                category=category,
                label=charge_label(project.number, project.title, category, yen),
                amount_yen=yen,
                deducted_on=charged_on,
            )
            work.session.add(ProjectCharge(project_id=project.id, deduction_id=deduction.id))
        facts = {"category": list(due), "amount_yen": sum(due.values())}
        about = ("maintenance_project", project.id)
        note_audit_event(work, AuditEvent.PROJECT_CHARGED, about, after=facts)
        work.session.flush()
    return due


def charges_of_project(session: Session, project_id: str) -> Sequence[ChargeLine]:
    """Return the charges of a project, in the order they were posted."""
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
    """Return the label of a charge on the owner's statement."""
    name, words = f"{project_number(number)} {title}", CATEGORY_WORDS[category]
    if yen < 0:
        return translate_both("{category}, corrected: {name}", category=words, name=name)
    return translate_both("{category}: {name}", category=words, name=name)


def charge_into_month(
    work: Work, *, building_id: str, month_on: date, seen: Mapping[str, Mapping[FeeCategory, int]]
) -> int:
    """Charge all projects into a month; return the yen posted on its last day, or today.

    `seen` are all amounts that were shown, by project and category; raises `Collision` when they
    are not all that is due. Raises `Refused` for a future month, and once this month or a later one
    is published, because such a charge must not change a published statement.
    """
    month_on = month_first(month_on)
    charged_on = min(month_last(month_on), work.clock.today())
    if charged_on < month_on:
        raise Refused("month: {month_on:%Y-%m} has not started.", month_on=month_on)
    # Lock the building, as publishing does, so that nothing is published meanwhile.
    if not is_id(building_id):
        raise no_such("building", building_id)
    building = select(Building.id).where(Building.id == building_id)
    # FOR NO KEY UPDATE: charging a single project inserts rows that refer to the building.
    work.session.execute(building.with_for_update(key_share=True))
    closed = select(OwnerStatement.id).where(
        OwnerStatement.building_id == building_id, OwnerStatement.month_on >= month_on
    )
    if work.session.scalar(closed.limit(1)) is not None:
        raise Refused(
            "month: a statement of {month_on:%Y-%m} or later is already published. Charge each "
            "project separately; it counts in the month of that day.",
            month_on=month_on,
        )
    due = uncharged_costs(work.session, [building_id], charged_on).get(building_id, ())
    if {cost.project_id: cost.due for cost in due} != seen:
        raise Collision("The cost has changed since you opened this page. Check it again.")
    for cost in due:
        charge_project(work, project_id=cost.project_id, seen=cost.due, charged_on=charged_on)
    return sum(cost.total_yen for cost in due)
