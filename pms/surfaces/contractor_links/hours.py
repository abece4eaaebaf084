"""Logs time worked through the link, and takes an own log back."""

from collections.abc import Sequence

from flask import Response, request
from wtforms import Form

from pms.foundation.ids import new_id
from pms.surfaces.contractor_links.holder import (
    clock,
    holder,
    home,
    key_of_form,
    reading,
    shown,
    submitted,
    today,
)
from pms.surfaces.contractor_links.hours_form import HoursForm
from pms.surfaces.hypermedia import go
from pms.upkeep.log_hours import log_hours
from pms.upkeep.remove_hours import remove_hours
from pms.upkeep.task_cards import TaskCard
from pms.upkeep.tasks_of_project import tasks_of_project


def show() -> Response:
    """Show the form, ready for today."""
    return _form(HoursForm(data={"workedOn": today(), "once": new_id()}, tasks=_tasks()))


def log() -> Response:
    """Log the time at the price of the link."""
    form = HoursForm(request.form, tasks=_tasks())
    return submitted(
        form,
        act=lambda session: log_hours(
            session,
            clock(),
            holder().actor,
            project_id=holder().project_id,
            worked_on=form.workedOn.data,
            minutes=form.minutes.data,
            task_id=form.taskId.data,
            hourly_yen=holder().link.hourly_yen,
            note=form.note.data,
            key=key_of_form(),
        ),
        then=lambda _id: go(home(told="hours", anchor="hours")),
        again=lambda: _form(form),
    )


def remove(hours_id: str) -> Response:
    """Take back what was logged through this link."""
    return submitted(
        Form(),
        act=lambda session: remove_hours(
            session,
            clock(),
            holder().actor,
            project_id=holder().project_id,
            hours_id=hours_id,
            only_own=True,
        ),
        then=lambda _none: go(home(told="removed", anchor="hours")),
        again=show,
    )


def _tasks() -> Sequence[TaskCard]:
    return tasks_of_project(reading(), holder().project_id)


def _form(form: HoursForm) -> Response:
    return shown("hours", form=form, today=today())
