"""The checklists of each kind of task, and the inspection of finished cleanings."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Field
from wtforms.validators import StopValidation

from pms.catalogue import buildings
from pms.foundation.errors import NotFound
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.surfaces.dashboard.gate import INSPECTORS, OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.tasks import own_visibility, render_task
from pms.surfaces.fields import HiddenField, LongTextField, Optional, SeenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.request_scope import clock
from pms.upkeep import checklists as upkeep_checklists
from pms.upkeep import moves

_MOST_POINTS: Final = 200


class InspectionForm(FlaskForm):
    """The result of an inspection, and the number of moves the task had when it was shown."""

    passed = HiddenField()
    moves = SeenField()
    note = LongTextField(lazy_gettext("What is missing"), [Optional()])

    @property
    def failed_ids(self) -> Sequence[str]:
        """The points of the checklist that failed."""
        return request.form.getlist("failedPoints")[:_MOST_POINTS]


@dashboard.get("/inspections", roles=INSPECTORS)
def inspections() -> Response:
    """Show the cleanings that wait for an inspection."""
    waiting = moves.awaiting_inspection(reading(), clock(), own_visibility())
    return page("dashboard/checklists/inspections.html", waiting=waiting)


@dashboard.post("/tasks/<task_id>/inspections", roles=INSPECTORS)
def inspect_task(task_id: str) -> Response:
    """Record that a cleaning passed, or send it back."""
    form = InspectionForm()
    has_passed = form.passed.data == "1"

    def act(work: Work) -> Any:
        return moves.inspect_task(
            work,
            task_id=task_id,
            has_passed=has_passed,
            visibility=own_visibility(),
            note=form.note.data,
            failed_ids=form.failed_ids,
            seen_moves=form.moves.seen_value,
        )

    message = _("Inspected: passed.") if has_passed else _("Sent back to be cleaned again.")
    address = url_for("dashboard.task", task_id=task_id)
    return submitted(
        form,
        act,
        then=lambda _task: go(address, message=message),
        again=lambda: render_task(task_id, form),
    )


_STEP: Final = re.compile(r"(up|down|remove|add)\.([0-9]{1,3})")
_MOST_TYPED: Final = 100
_LONGEST: Final = 200


class TypedPoint(NamedTuple):
    """One point as it was typed; as text, both languages are on one line."""

    ja: str
    en: str

    def __str__(self) -> str:
        return " / ".join(word for word in self if word)


class PointsField(Field):
    """The points in their order; the form sends each one's Japanese and English text in turn."""

    data: list[TypedPoint]

    def process_data(self, value: Sequence[Bilingual] | None) -> None:
        self.data = [TypedPoint(point.ja or "", point.en or "") for point in value or ()]

    def process_formdata(self, valuelist: list[Any]) -> None:
        texts = [str(text).strip() for text in valuelist[: 2 * _MOST_TYPED]]
        self.data = [TypedPoint(*pair) for pair in zip(texts[::2], texts[1::2], strict=False)]

    def pre_validate(self, form: object) -> None:
        if any(len(word) > _LONGEST for point in self.data for word in point):
            raise StopValidation(
                _("Enter at most %(most)s characters for each item.", most=_LONGEST)
            )

    def take_step(self, step: str) -> bool:
        """Move, remove or add a point as `step` says; return whether `step` is valid."""
        found = _STEP.fullmatch(step)
        if found is None:
            return False
        at, data = int(found[2]), self.data
        if found[1] == "add":
            data.append(TypedPoint("", ""))
        elif found[1] == "remove" and at < len(data):
            del data[at]
        elif found[1] in ("up", "down"):
            other = at + (1 if found[1] == "down" else -1)
            if at < len(data) and 0 <= other < len(data):
                data[at], data[other] = data[other], data[at]
        return True


class ChecklistForm(FlaskForm):
    """The points of one checklist."""

    points = PointsField(lazy_gettext("Items"))

    @classmethod
    def of(cls, points: Sequence[Bilingual]) -> Self:
        """Return the form filled with a checklist's points."""
        return cls(formdata=None, data={"points": points})

    @property
    def typed_points(self) -> list[Bilingual]:
        """The typed points as a checklist stores them; empty lines are left out."""
        typed = (Bilingual(point.ja or None, point.en or None) for point in self.points.data)
        return [point for point in typed if point.ja or point.en]


@dashboard.get("/checklists", roles=OFFICE)
def checklists() -> Response:
    """Show the checklist of each kind of task, and the buildings that have their own."""
    return page(
        "dashboard/checklists/index.html", checklists=upkeep_checklists.listed_checklists(reading())
    )


@dashboard.get("/checklist", roles=OFFICE)
def checklist() -> Response:
    """Show the form of one checklist; without a kind, that of the turnover."""
    record = upkeep_checklists.checklist_record(reading(), _read_kind(), _building_id())
    return _render_checklist(Edit.of(ChecklistForm.of(record.points), record.version))


@dashboard.post("/checklist", roles=OFFICE)
def write_checklist() -> Response:
    """Write the checklist; a press on a step shows the changed form without writing anything."""
    form = ChecklistForm()
    edit = Edit.from_typed(form, request.form)
    if form.points.take_step(request.form.get("step", "")):
        return _render_checklist(edit)
    kind, building_id = _read_kind(), _building_id()

    def act(work: Work) -> int:
        record = upkeep_checklists.checklist_record(work.session, kind, building_id)
        now = Edit.of(ChecklistForm.of(record.points), record.version)
        edit.merge(work, now, subject=("checklist_template", record.id))
        return upkeep_checklists.write_checklist(
            work,
            kind=kind,
            building_id=building_id,
            points=form.typed_points,
            version=record.version,
        )

    return edit.save(act, url_for("dashboard.checklists"), again=lambda: _render_checklist(edit))


@dashboard.post("/checklist/removal", roles=OFFICE)
def remove_checklist() -> Response:
    """Remove a checklist, so that the more general one applies again."""
    kind, building_id = _read_kind(), _building_id()
    return submitted(
        FlaskForm(),
        act=lambda work: upkeep_checklists.remove_checklist(
            work, kind=kind, building_id=building_id
        ),
        then=lambda _none: go(url_for("dashboard.checklists"), message=_("Reversed.")),
        again=checklist,
    )


def _render_checklist(edit: Edit) -> Response:
    record = upkeep_checklists.checklist_record(reading(), _read_kind(), _building_id())
    return page_or_block(
        "dashboard/checklists/checklist.html",
        "points",
        checklist=record,
        edit=edit,
        form=edit.form,
        buildings=[] if record.building_id else buildings.building_names(reading()),
    )


def _read_kind() -> TaskKind:
    asked = request.values.get("kind") or TaskKind.TURNOVER.value
    try:
        return TaskKind(asked)
    except ValueError as unknown:
        raise NotFound("'{kind}' is not a kind of task.", kind=asked[:60]) from unknown


def _building_id() -> str | None:
    return request.values.get("buildingId") or None
