"""Somebody looks at finished cleanings: those that wait, and what was found."""

from pms.surfaces.dashboard.routes import INSPECTORS, dashboard
import re
from collections.abc import Sequence
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.task import shown
from pms.surfaces.fields import HiddenField, LongTextField, Optional
from pms.surfaces.hypermedia import go, page
from pms.upkeep.awaiting_inspection import awaiting_inspection
from pms.upkeep.inspect_task import inspect_task as inspect_task_verb

_MOST_POINTS: Final = 200


class InspectionForm(Form):
    """What somebody found, and how often the task had been moved when they looked."""

    passed = HiddenField()
    moves = HiddenField()
    note = LongTextField(lazy_gettext("What is missing"), [Optional()])

    @property
    def failed_ids(self) -> Sequence[str]:
        """The points of the checklist that were found wanting."""
        return request.form.getlist("failedPoints")[:_MOST_POINTS]

    @property
    def seen_moves(self) -> int | None:
        """How many moves were seen; what is no number was not seen."""
        typed = self.moves.data or ""
        return int(typed) if re.fullmatch(r"[0-9]{1,9}", typed) else None


@dashboard.get("/inspections", roles=INSPECTORS)
def inspections() -> Response:
    """Show the cleanings that nobody has looked at yet."""
    waiting = awaiting_inspection(reading(), clock(), own_reach())
    return page("dashboard/checklists/inspections.html", waiting=waiting)


@dashboard.post("/tasks/<task_id>/inspections", roles=INSPECTORS)
def inspect_task(task_id: str) -> Response:
    """Write that a cleaning passed, or send it back."""
    form = InspectionForm(request.form)
    has_passed = form.passed.data == "1"

    def act(session: Any) -> Any:
        return inspect_task_verb(
            session,
            clock(),
            actor(),
            task_id=task_id,
            has_passed=has_passed,
            reach=own_reach(),
            note=form.note.data,
            failed_ids=form.failed_ids,
            seen_moves=form.seen_moves,
        )

    said = _("Looked at: good.") if has_passed else _("Sent back: it is to do again.")
    address = url_for("dashboard.task", task_id=task_id)
    return submitted(
        form, act, then=lambda _task: go(address, said=said), again=lambda: shown(task_id, form)
    )
