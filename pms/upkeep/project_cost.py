"""Adds up what projects cost, of the hours and purchases that were not taken back."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.rules.upkeep_cost import Bought, CostOfWork, WorkedTime, cost_of_work
from pms.upkeep.models import HoursLog, Purchase


def project_cost(session: Session, project_id: str) -> CostOfWork:
    """Return what a project costs in whole yen, by category."""
    return costs_of_projects(session, [project_id])[project_id]


def costs_of_projects(session: Session, project_ids: Sequence[str]) -> Mapping[str, CostOfWork]:
    """Return what several projects cost, in two questions however many they are."""
    hours: defaultdict[str, list[WorkedTime]] = defaultdict(list)
    bought: defaultdict[str, list[Bought]] = defaultdict(list)
    for project_id, minutes, hourly_yen in session.execute(
        select(HoursLog.project_id, HoursLog.minutes, HoursLog.hourly_yen).where(
            HoursLog.project_id.in_(project_ids), HoursLog.removed_at.is_(None)
        )
    ):
        hours[project_id].append(WorkedTime(minutes, hourly_yen))
    for project_id, category, amount_yen in session.execute(
        select(Purchase.project_id, Purchase.category, Purchase.amount_yen).where(
            Purchase.project_id.in_(project_ids), Purchase.removed_at.is_(None)
        )
    ):
        bought[project_id].append(Bought(category, amount_yen))
    return {id_: cost_of_work(hours[id_], bought[id_]) for id_ in project_ids}
