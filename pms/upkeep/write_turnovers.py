"""Writes what was planned about turnovers, many at once, and tells the audit of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, update
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import workspace_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskKind, TaskState
from pms.rules.turnovers import KnownTurnover, Turnover, TurnoverPlan
from pms.upkeep.checklist_points import points_of_buildings
from pms.upkeep.models import Task, TaskItem
from pms.upkeep.turnover_facts import TendedUnit, TurnoverFacts
from pms.upkeep.visit_tasks import drop_empty_visits, lock_visits

PROGRAM: Final = "program"


def write_turnovers(
    session: Session, facts: TurnoverFacts, plan: TurnoverPlan, at: datetime | None = None
) -> None:
    """Write a plan in as many statements for a thousand units as for one.

    What happens bears the instant `at`, else that of the unit's latest change, and the name of
    whoever made it.
    """
    writing = _Writing(session, facts, at)
    writing.add(plan.added)
    writing.move((one.known, one.becomes) for one in plan.moved)
    writing.drop(plan.dropped)
    writing.release(plan.released)


@dataclass(frozen=True)
class _Writing:
    session: Session
    facts: TurnoverFacts
    at: datetime | None

    def add(self, added: Iterable[Turnover]) -> None:
        """Write new cleanings with the points of their checklists."""
        unit_of_stay = {stay.id: stay.unit_id for stay in self.facts.stays}
        rows = [self._row(one, self.facts.units[unit_of_stay[one.stay_id]]) for one in added]
        if not rows:
            return
        self.session.execute(insert(Task), rows)
        points = points_of_buildings(
            self.session, TaskKind.TURNOVER, [row["building_id"] for row in rows]
        )
        items = [
            {"id": new_id(), "task_id": row["id"], "position": position, "ticked_at": None}
            | {"text_ja": point.ja, "text_en": point.en, "ticked_by": None}
            for row in rows
            for position, point in enumerate(points[row["building_id"]], start=1)
        ]
        if items:
            self.session.execute(insert(TaskItem), items)
        for row in rows:
            told = {key: row[key] for key in ("unit_id", "opens_on", "due_on")}
            self._note(Deed.TURNOVER_PLANNED, row["id"], row["unit_id"], after=told)

    def move(self, moved: Iterable[tuple[KnownTurnover, Turnover]]) -> None:
        """Give cleanings other days; a released one counts again, a cancelled one from anew."""
        rows = []
        for known, becomes in moved:
            days = {"opens_on": becomes.opens_on, "due_on": becomes.due_on}
            rows.append({"id": known.id, **days, "released_at": None} | self._anew(known.id))
            before = {"opens_on": known.opens_on, "due_on": known.due_on}
            self._note(Deed.TURNOVER_MOVED, known.id, before=before, after=days)
        self._update(rows)

    def drop(self, dropped: Iterable[KnownTurnover]) -> None:
        """Delete cleanings that nobody has begun, and the visits that were planned for nothing else."""
        ids = [one.id for one in dropped]
        for one in dropped:
            before = {"opens_on": one.opens_on, "due_on": one.due_on}
            self._note(Deed.TURNOVER_DROPPED, one.id, before=before)
        if not ids:
            return
        visit_ids = lock_visits(self.session, ids)
        self.session.execute(
            delete(Task).where(one_of(Task.id, ids)),
            execution_options={"synchronize_session": False},
        )
        clock = FixedClock(self._at(self.facts.tasks[ids[0]].unit_id))
        drop_empty_visits(self.session, clock, PROGRAM, visit_ids)

    def release(self, released: Iterable[KnownTurnover]) -> None:
        """Keep what somebody has begun; a done one lets go of a departure that comes no more."""
        rows = []
        for one in released:
            at = self._at(self.facts.tasks[one.id].unit_id)
            rows.append(
                {"id": one.id, "released_at": None, "leaving_id": None}
                if one.is_done
                else {"id": one.id, "released_at": at, "leaving_id": one.stay_id}
            )
            self._note(Deed.TURNOVER_DROPPED, one.id, after={"released_at": at})
        self._update(rows)

    def _update(self, rows: list[dict[str, Any]]) -> None:
        own = workspace_of(self.session)
        for row in rows:
            row["workspace_id"], row["version"] = own, self.facts.tasks[row["id"]].version + 1
        if rows:
            self.session.execute(update(Task), rows)

    def _row(self, turnover: Turnover, unit: TendedUnit) -> dict[str, Any]:
        at = self._at(unit.id)
        return {
            "id": new_id(),
            "kind": TaskKind.TURNOVER,
            "state": TaskState.TODO,
            "moves": 0,
            "state_since": at,
            "state_by": PROGRAM,
            "building_id": unit.building_id,
            "unit_id": unit.id,
            "leaving_id": turnover.stay_id,
            "opens_on": turnover.opens_on,
            "due_on": turnover.due_on,
            "created_at": at,
            "created_by": PROGRAM,
            "version": 1,
        }

    def _anew(self, task_id: str) -> dict[str, Any]:
        task = self.facts.tasks[task_id]
        if not task.is_cancelled:
            return {}
        since = self._at(task.unit_id)
        todo = {"state": TaskState.TODO, "state_since": since, "state_by": PROGRAM}
        return todo | {"cancelled_at": None}

    def _at(self, unit_id: str) -> datetime:
        return self.at or self.facts.units[unit_id].written_at

    def _note(
        self,
        deed: Deed,
        task_id: str,
        unit_id: str | None = None,
        *,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        unit_id = unit_id or self.facts.tasks[task_id].unit_id
        actor = None if self.at else self.facts.units[unit_id].written_by
        clock = FixedClock(self._at(unit_id))
        about = ("task", task_id)
        note_deed(self.session, clock, actor or PROGRAM, deed, about, before=before, after=after)
