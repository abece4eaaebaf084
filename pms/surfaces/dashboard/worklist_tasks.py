"""Worklist lines about work: own tasks, neglected tasks, and today's visits."""

from collections.abc import Sequence

from flask_babel import gettext as _
from flask_babel import pgettext

from pms.rules.enumerations import (
    TaskState,
)
from pms.surfaces.dashboard.current_member import current_member, reading
from pms.surfaces.dashboard.worklist_lines import (
    Act,
    Line,
    When,
    dashboard_address,
    day_text,
    place_text,
)
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.request_scope import today
from pms.upkeep import task_days, visits
from pms.upkeep.boards import TaskCard
from pms.upkeep.task_visibility import TaskVisibility


def own_task_lines(few: int) -> Sequence[Line]:
    """Return this person's tasks of today; for staff on site, also the unassigned ones."""
    person_id = current_member().person_id
    visibility = TaskVisibility.of_staff(current_member().role, person_id)
    is_own_alone = person_id if current_member().is_office else None
    cards = task_days.open_tasks_of_today(
        reading(), visibility, today(), few, assignee_id=is_own_alone
    )
    return [_task_line(card, _next_step(card)) for card in cards]


def neglected_task_lines(few: int) -> Sequence[Line]:
    """Return the tasks that are late, unassigned, or were sent back to this person."""
    cards = task_days.neglected_tasks(reading(), today(), few, current_member().person_id)
    return [_task_line(card, _act_of_neglected(card)) for card in cards]


def _task_line(card: TaskCard, act: Act) -> Line:
    tags = []
    if card.rework:
        tags.append((pgettext("inspection", "Sent back"), "bad"))
    elif card.state is not TaskState.TODO:
        tags.append((label_of(card.hold_reason or card.state), "info"))
    elif not card.assignee_id:
        tags.append((_("Unassigned"), "plain"))
    return Line(
        When.TODAY,
        pgettext("work", "Work"),
        card.title or label_of(card.kind),
        dashboard_address("task", task_id=card.id),
        act,
        place_text(card.building, card.unit_name) + (f" · {card.rework}" if card.rework else ""),
        day_text(card.due_on) if card.due_on else _("Any day"),
        tags,
        card.is_overdue(today()),
        card.id,
    )


def _next_step(card: TaskCard) -> Act:
    facts = {
        TaskState.TODO: pgettext("task", "Start"),
        TaskState.ON_HOLD: pgettext("task", "Resume"),
        TaskState.DOING: pgettext("task", "Done"),
    }
    to = TaskState.DONE if card.state is TaskState.DOING else TaskState.DOING
    address = dashboard_address("move_task", task_id=card.id, back="today")
    return Act(facts[card.state], address, {"moves": str(card.moves), "state": to.value})


def _act_of_neglected(card: TaskCard) -> Act:
    text = pgettext("act", "Open") if card.assignee_id else _("Assign")
    return Act(text, dashboard_address("task", task_id=card.id))


def visit_lines() -> Sequence[Line]:
    """Return this person's visits of today."""
    return [
        Line(
            When.TODAY,
            _("Visit"),
            place_text(trip.building, None),
            dashboard_address("visit", visit_id=trip.id),
            Act(pgettext("act", "Open"), dashboard_address("visit", visit_id=trip.id)),
            _("%(done)s of %(count)s tasks done", done=trip.done, count=trip.tasks),
        )
        for trip in visits.visits_of_day(reading(), current_member().person_id, today())
    ]
