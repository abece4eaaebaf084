"""What is broken in the demo: reports, the projects they are part of, and what residents hear."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.demo.cleanings import CleaningDay, ReportedHome, clean, open_day
from pms.demo.rows import Album, read_toml
from pms.foundation.clock import FixedClock
from pms.foundation.outbox import OutboxMail
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.inbox.models import Ticket
from pms.rules.enumerations import (
    HoldReason,
    ProjectState,
    StaffRole,
    TaskKind,
    TaskState,
    TicketSide,
)
from pms.statements.owner_money import charge_project
from pms.upkeep.models import ShareLink
from pms.upkeep.moves import move_task
from pms.upkeep.project_lines import add_purchase, log_hours
from pms.upkeep.projects import WantedProject, end_project, open_project
from pms.upkeep.reported_words import close_request
from pms.upkeep.request_folding import fold_requests
from pms.upkeep.requests import ReportedProblem, report_problem
from pms.upkeep.share_links import revoke_share_link, share_project
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_updates import open_ticket
from pms.upkeep.tickets import answer_ticket
from pms.upkeep.visit_changes import plan_visit

_TEXTS: Final = read_toml("texts")["repairs"]

_ALL: Final = TaskVisibility.everything()
_OFFICE, _FIXER, _CLEANER = StaffRole.OFFICE, StaffRole.MAINTENANCE, StaffRole.HOUSEKEEPING


def repair(day: CleaningDay, signer: Signer) -> None:
    """Have residents and staff report what is broken, and the staff see to it."""
    homes = [day.homes[number % len(day.homes)] for number in range(6)]
    _mend_window(day, homes[0])
    leak = _mend_leak(day, homes[1], signer)
    home = homes[2]
    what = _TEXTS["heater"]
    request_id = _add_report(day, home, what, day.ago(days=5), None)
    facts = {"request_ids": [request_id], "title": _TEXTS["heater_project"]}
    project_id = day.do(fold_requests, _OFFICE, day.ago(days=4), **facts)
    heater = _add_repair_task(day, home, project_id, _TEXTS["heater_task"], 4)
    _move_repair_task(day, heater, TaskState.DOING, day.ago(days=3))
    waits = {"hold_reason": HoldReason.PARTS, "note": _TEXTS["heater_waits"]}
    held = {"task_id": heater, "to": TaskState.ON_HOLD, "visibility": _ALL}
    day.do(move_task, _FIXER, day.ago(days=2, hours=21), **held, **waits)
    _plan_painting(day, homes[3])
    # Reports nobody has seen to yet, one that was closed, and a question of a resident.
    lamp = ReportedProblem(building_id=homes[3].building_id, what=_TEXTS["lamp"])
    request_id = day.do(report_problem, _CLEANER, day.ago(hours=7), reported=lamp)
    day.take_photo(_CLEANER, day.ago(hours=7), "lounge", "maintenance_request", request_id)
    _add_report(day, homes[4], _TEXTS["fan"], day.ago(hours=15), False)
    twice = ReportedProblem(
        building_id=homes[1].building_id, what=_TEXTS["leak_again"], unit_id=homes[1].unit_id
    )
    closed_id = day.do(report_problem, _CLEANER, day.ago(days=1), reported=twice)
    because = {"request_id": closed_id, "because": _TEXTS["leak_known"]}
    day.do(close_request, _OFFICE, day.ago(hours=20), **because)
    reservation_id = homes[5].reservation_id
    open_ticket(
        Work(day.session, day.ago(hours=6), f"reservation/{reservation_id}"),
        reservation_id=reservation_id,
        subject=_TEXTS["bicycles"],
        text=_TEXTS["bicycles_question"],
    )
    _add_visit(day, homes[1], [leak])
    _add_visit(day, homes[2], [heater])


def _mend_window(day: CleaningDay, home: ReportedHome) -> None:
    """A window that was mended two weeks ago, and charged to the owner today."""
    wanted = WantedProject(
        building_id=home.building_id, title=_TEXTS["window"], unit_id=home.unit_id
    )
    project_id = day.do(open_project, _OFFICE, day.ago(days=19), wanted=wanted)
    task_id = _add_repair_task(day, home, project_id, _TEXTS["window_task"], 19)
    _move_repair_task(day, task_id, TaskState.DOING, day.ago(days=15, hours=2))
    spent = {"project_id": project_id, "minutes": 90, "hourly_yen": 3_000}
    day.do(log_hours, _FIXER, day.ago(days=15), worked_on=day.on(-15), **spent)
    bought = {"project_id": project_id, "what": _TEXTS["window_part"], "shop": _TEXTS["shop"]}
    paid = {"amount_yen": 2_980, "bought_on": day.on(-16)}
    day.do(add_purchase, _FIXER, day.ago(days=15), **bought, **paid)
    _move_repair_task(day, task_id, TaskState.DONE, day.ago(days=15))
    ended = {"project_id": project_id, "into": ProjectState.DONE}
    day.do(end_project, _OFFICE, day.ago(days=14), **ended)
    # What was spent on the other projects is left to charge: a month warns of it.
    day.do(charge_project, _OFFICE, day.ago(hours=3), project_id=project_id)


def _mend_leak(day: CleaningDay, home: ReportedHome, signer: Signer) -> str:
    """A leak a resident tells of: under way, with a contractor."""
    request_id = _add_report(day, home, _TEXTS["leak"], day.ago(days=2), True)
    day.take_photo(_FIXER, day.ago(days=2), "bathroom", "maintenance_request", request_id)
    facts = {"request_ids": [request_id], "title": _TEXTS["leak_project"]}
    project_id = day.do(fold_requests, _OFFICE, day.ago(days=1, hours=20), **facts)
    ticket_id = day.session.scalars(select(Ticket.id).where(Ticket.request_id == request_id)).one()
    clock = day.ago(days=1, hours=19)
    day.do(
        answer_ticket,
        _OFFICE,
        clock,
        ticket_id=ticket_id,
        text=_TEXTS["leak_answer"],
    )
    answer_ticket(
        Work(day.session, day.ago(days=1, hours=12), f"reservation/{home.reservation_id}"),
        ticket_id=ticket_id,
        text=_TEXTS["leak_reply"],
        side=TicketSide.RESIDENT,
    )
    task_id = _add_repair_task(day, home, project_id, _TEXTS["leak_task"], 1)
    _move_repair_task(day, task_id, TaskState.DOING, day.ago(minutes=90))
    spent = {"project_id": project_id, "minutes": 60, "hourly_yen": 3_000, "task_id": task_id}
    at = day.ago(minutes=20)
    day.do(log_hours, _FIXER, at, worked_on=at.today(), **spent)
    bought = {"project_id": project_id, "what": _TEXTS["leak_part"], "amount_yen": 3_200}
    purchase_id = day.do(add_purchase, _FIXER, at, bought_on=at.today(), **bought)
    if purchase_id:
        day.take_photo(_FIXER, at, "kitchen", "purchase", purchase_id)
    names = zip(_TEXTS["contractors"], (26, 4), strict=True)
    for name, hours in names:
        facts = {"contractor_name": name, "hourly_yen": 4_500, "expires_on": day.on(30)}
        clock = day.ago(hours=hours)
        day.do(share_project, _OFFICE, clock, project_id=project_id, **facts, signer=signer)
    first = select(ShareLink.id).order_by(ShareLink.created_at).limit(1)
    (link_id,) = day.session.scalars(first).all()
    day.do(revoke_share_link, _OFFICE, day.ago(hours=5), share_link_id=link_id)
    return task_id


def _plan_painting(day: CleaningDay, home: ReportedHome) -> None:
    """A project that nobody has begun."""
    wanted = WantedProject(
        building_id=home.building_id,
        title=_TEXTS["painting"],
        description=_TEXTS["painting_offers"],
    )
    project_id = day.do(open_project, _OFFICE, day.ago(days=6), wanted=wanted)
    wanted_task = WantedTask(
        kind=TaskKind.OTHER,
        building_id=home.building_id,
        project_id=project_id,
        title=_TEXTS["painting_task"],
        due_on=day.on(5),
    )
    day.do(add_task, _OFFICE, day.ago(days=6), wanted=wanted_task)


def _add_report(
    day: CleaningDay, home: ReportedHome, what: str, clock: FixedClock, may_enter: bool | None
) -> str:
    reported = ReportedProblem(
        building_id=home.building_id,
        what=what,
        unit_id=home.unit_id,
        reservation_id=home.reservation_id,
        may_enter=may_enter,
    )
    actor = f"reservation/{home.reservation_id}"
    return report_problem(Work(day.session, clock, actor), reported=reported)


def _add_repair_task(
    day: CleaningDay, home: ReportedHome, project_id: str, title: str, days: int
) -> str:
    wanted = WantedTask(
        kind=TaskKind.REPAIR,
        building_id=home.building_id,
        unit_id=home.unit_id,
        project_id=project_id,
        title=title,
        due_on=day.on(2),
        assignee_id=day.person(_FIXER),
    )
    return day.do(add_task, _OFFICE, day.ago(days=days), wanted=wanted)


def _move_repair_task(day: CleaningDay, task_id: str, to: TaskState, clock: FixedClock) -> None:
    day.do(move_task, _FIXER, clock, task_id=task_id, to=to, visibility=_ALL)


def _add_visit(day: CleaningDay, home: ReportedHome, task_ids: list[str]) -> None:
    person_id = day.person(_FIXER)
    if person_id is not None:
        trip = {"person_id": person_id, "building_id": home.building_id, "on_day": day.today}
        day.do(plan_visit, _OFFICE, day.ago(hours=8), **trip, task_ids=task_ids)


def keep_upkeep(session: Session, now: datetime, album: Album, signer: Signer) -> None:
    """Have the staff of a workspace work through a day; turnovers are there by themselves."""
    day = open_day(session, now, album)
    clean(day)
    if day.homes:
        repair(day, signer)
    session.flush()
    # What was told to residents has long been read: nobody is to find it in the post today.
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.sent_at.is_(None))):
        mail.sent_at, mail.due_at = mail.written_at, None
