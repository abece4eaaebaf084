"""One task: its page, its moves, its checklist, its photos and its notes."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import handbook
from pms.catalogue.photo_sizes import WIDTHS
from pms.foundation.errors import no_such
from pms.foundation.work import Work
from pms.rules.enumerations import HoldReason, StaffRole, TaskState
from pms.surfaces.dashboard import work as work_page
from pms.surfaces.dashboard.gate import (
    EVERYBODY,
    PHOTO_BYTES,
    actor,
    current_member,
    dashboard,
    reading,
    way_back,
)
from pms.surfaces.dashboard.handbooks import sees_codes
from pms.surfaces.dashboard.task_taps import key_of_tap, submit_tap
from pms.surfaces.dashboard.work import asked_place
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
)
from pms.surfaces.forms import PhotosForm, submitted
from pms.surfaces.hypermedia import Undo, go, is_part, page_or_block
from pms.surfaces.request_scope import clock, files, today
from pms.upkeep import (
    moves,
    photo_files,
    photos,
    reported_words,
    task_record,
    task_visibility,
    task_windows,
    tasks,
)
from pms.upkeep.moves import MovedTask
from pms.upkeep.photo_files import PhotoVisibility
from pms.upkeep.photos import TASK
from pms.upkeep.task_record import TaskRecord
from pms.upkeep.task_visibility import Assignee, TaskVisibility

_TO: Final = {state.value: state for state in TaskState}
_FOR: Final = {reason.value: reason for reason in HoldReason}
_STATES: Final = [(state.value, "") for state in TaskState]
_REASONS: Final = [(reason.value, "") for reason in HoldReason]


class Tap(NamedTuple):
    """A move as it was tapped."""

    to: TaskState
    reason: HoldReason | None
    seen_moves: int | None
    """The number of moves that was seen; None for a text that is not a number."""
    note: str | None


def read_tap(given: Mapping[str, str]) -> Tap | None:
    """Return the move of a form; None for an unknown state or reason."""
    state, reason = _TO.get(given.get("state", "")), given.get("holdReason") or None
    if state is None or (reason and reason not in _FOR):
        return None
    moves = given.get("moves", "")
    seen = int(moves) if re.fullmatch(r"[0-9]{1,9}", moves) else None
    return Tap(state, _FOR[reason] if reason else None, seen, given.get("note"))


class TaskMoveForm(FlaskForm):
    """The new state of a task, the number of moves that was seen, and why it is on hold."""

    state = PickField(lazy_gettext("Status"), [Required()])
    moves = HiddenField()
    holdReason = PickField(lazy_gettext("Why is it on hold?"), [Optional()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # These choices are never shown, so they need no labels.
        self.state.choices = _STATES
        self.holdReason.choices = _REASONS


class NoteForm(FlaskForm):
    """A note on a task."""

    text = LongTextField(lazy_gettext("Note"), [Required()])


class AssigneeForm(FlaskForm):
    """The assignee of a task."""

    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self, people: Sequence[Assignee]) -> None:
        """Fill the list of people."""
        named = [(person.person_id, person.name) for person in people]
        self.assigneeId.choices = [("", str(lazy_gettext("Unassigned"))), *named]


def own_visibility() -> TaskVisibility:
    """Return the tasks this person may see: all, or their own and the unassigned ones."""
    return TaskVisibility.of_staff(current_member().role, current_member().person_id)


def own_photos() -> PhotoVisibility:
    """Return the photos this person may see: housekeeping sees no receipts and no reports."""
    is_cleaning = current_member().role is StaffRole.HOUSEKEEPING
    return PhotoVisibility(
        own_visibility(), actor(), sees_requests=not is_cleaning, sees_purchases=not is_cleaning
    )


@dashboard.get("/tasks/<task_id>", roles=EVERYBODY, is_secret=True)
def task(task_id: str) -> Response:
    """Show the task."""
    return render_task(task_id)


def render_task(task_id: str, form: Form | None = None, block: str = "task") -> Response:
    """Show the task or one block of it, with the form that was refused."""
    task = task_record.task_record(reading(), task_id, own_visibility())
    unit_id = task.place.unit_id
    place_facts = {
        "window": task_windows.task_window(
            reading(),
            unit_id=unit_id,
            leaving_id=task.leaving_id,
            opens_on=task.opens_on,
            today=today(),
        ),
        # The topics nobody has written about are listed where they can be written.
        "handbook": handbook.handbook_of(reading(), task.place.building_id)._replace(missing=()),
        "unit_handbook": handbook.handbook_of_unit(reading(), unit_id) if unit_id else None,
        "codes": sees_codes(task.place.building_id),
    }
    return page_or_block(
        "dashboard/tasks/task.html",
        block,
        task=task,
        form=form,
        # The note of a move that came too late can still be sent as a note.
        note_form=form
        if isinstance(form, NoteForm)
        else NoteForm(
            formdata=None,
            data={"text": form.note.data if isinstance(form, TaskMoveForm) else None},
        ),
        photos_form=form if isinstance(form, PhotosForm) else PhotosForm(formdata=None),
        assignee_form=_assignee_form(task),
        reported=reported_words.reported_words(
            reading(), task.project.id if task.project else None
        ),
        photos=photos.photos_of(reading(), TASK, [task.id]).get(task.id, ()),
        hold_reasons=list(HoldReason),
        own_id=current_member().person_id,
        is_own=tasks.may_cancel(task.created_by, actor(), own_visibility()),
        today=today(),
        **place_facts,
    )


def _assignee_form(task: TaskRecord) -> AssigneeForm | None:
    """Return the form for office staff; others only take a task or return it."""
    if not current_member().is_office:
        return None
    form = AssigneeForm(formdata=None, data={"assigneeId": task.assignee_id})
    form.offer(task_visibility.assignees(reading()))
    return form


_SAID: Final[Mapping[TaskState, LazyString]] = {
    TaskState.TODO: worded("task", "Moved back to do."),
    TaskState.DOING: worded("task", "Started."),
    TaskState.ON_HOLD: worded("task", "Put on hold."),
    TaskState.DONE: worded("task", "Done."),
}


class _Moved(NamedTuple):
    """The task after a tap, and its card if that was tapped."""

    task: MovedTask
    standing: work_page.BoardState | None


@dashboard.post("/tasks/<task_id>/moves", roles=EVERYBODY)
def move_task(task_id: str) -> Response:
    """Write the state; answer a card's tap with the card, others with a page that offers undo."""
    tap = read_tap(request.form)
    place = asked_place() if work_page.is_from_the_board() else None

    def act(work: Work) -> _Moved:
        assert tap is not None, "a form that names no state is refused before"
        task = moves.move_task(
            work,
            task_id=task_id,
            to=tap.to,
            visibility=own_visibility(),
            seen_moves=tap.seen_moves,
            hold_reason=tap.reason,
            note=tap.note,
            key=key_of_tap(),
            leaves_points_open=bool(request.form.get("anyway")),
        )
        return _Moved(task, work_page.as_it_stands(work.session, task.id, place) if place else None)

    form = _typed_form if tap else _typed_form()
    return submit_tap(form, act, _answer_moved, partial(_answer_not_moved, task_id), _moved_facts)


def _typed_form() -> TaskMoveForm:
    return TaskMoveForm()


def _answer_moved(moved: _Moved) -> Response:
    task, standing = moved
    if standing is not None:
        return work_page.answer_move(task, standing)
    address = way_back(url_for("dashboard.task", task_id=task.id))
    if not task.is_changed:
        undo = None
    else:
        fields = {"state": task.was.value, "moves": str(task.moves)}
        if task.was_reason:
            fields["holdReason"] = task.was_reason.value
        back = request.args.get("back")
        undo = Undo(url_for("dashboard.move_task", task_id=task.id, back=back), fields)
    return go(address, message=str(_SAID[task.state]), undo=undo)


def _answer_not_moved(task_id: str, form: TaskMoveForm) -> Response:
    if not work_page.is_from_the_board():
        return render_task(task_id, form)
    reasons = [str(reason) for field in form for reason in field.errors]
    return work_page.answer_not_moved(task_id, " ".join([*map(str, form.form_errors), *reasons]))


def _moved_facts(moved: _Moved) -> dict[str, Any]:
    return {"state": moved.task.state.value, "moves": moved.task.moves}


@dashboard.post("/tasks/<task_id>/points/<item_id>", roles=EVERYBODY)
def tick_point(task_id: str, item_id: str) -> Response:
    """Tick or untick a point of the checklist."""
    form = FlaskForm()

    def act(work: Work) -> dict[str, Any]:
        task = moves.tick_item(
            Work(work.session, clock(), actor()),
            task_id=task_id,
            item_id=item_id,
            is_ticked=bool(request.form.get("ticked")),
            visibility=own_visibility(),
            key=key_of_tap(),
        )
        return {"state": task.state.value, "moves": task.moves}

    return submit_tap(
        form,
        act,
        lambda _moved_facts: _answer_ticked(task_id),
        lambda form: render_task(task_id, form),
        lambda answer: answer,
    )


@dashboard.post("/tasks/<task_id>/notes", roles=EVERYBODY)
def write_task_note(task_id: str) -> Response:
    """Add a note to the task."""
    form = NoteForm()

    def act(work: Work) -> dict[str, Any]:
        moves.write_task_note(
            Work(work.session, clock(), actor()),
            task_id=task_id,
            text=form.text.data,
            visibility=own_visibility(),
            key=key_of_tap(),
        )
        return standing(work.session, task_id)

    return submit_tap(
        form,
        act,
        lambda _moved_facts: go(_part_of_task(task_id, "notes"), message=_("Note added.")),
        lambda form: render_task(task_id, form),
        lambda answer: answer,
    )


@dashboard.post("/tasks/<task_id>/assignee", roles=EVERYBODY)
def assign_task(task_id: str) -> Response:
    """Assign the task to a person, or to nobody."""
    form = AssigneeForm()
    form.offer(task_visibility.assignees(reading()))
    chosen = form.assigneeId.data
    return submitted(
        form,
        act=lambda work: task_visibility.assign_task(
            work, task_id=task_id, assignee_id=chosen, visibility=own_visibility()
        ),
        then=lambda _was: go(
            url_for("dashboard.task", task_id=task_id),
            message=_("The task is assigned to you.")
            if chosen == current_member().person_id
            else _("Saved."),
        ),
        again=lambda: render_task(task_id, form),
    )


def standing(session: Any, task_id: str) -> dict[str, Any]:
    """Return the state of a task for the offline script."""
    task = task_record.task_record(session, task_id, own_visibility())
    return {"state": task.state.value, "moves": task.moves}


def _answer_ticked(task_id: str) -> Response:
    if is_part():
        return render_task(task_id, block="checklist")
    return go(_part_of_task(task_id, "checklist"))


def _part_of_task(task_id: str, part: str) -> str:
    return url_for("dashboard.task", task_id=task_id, _anchor=part)


# The picture at an address never changes; only the reader's own browser caches it.
_KEPT: Final = "private, max-age=604800, immutable"


@dashboard.post("/tasks/<task_id>/photos", roles=EVERYBODY, most_bytes=PHOTO_BYTES)
def add_task_photos(task_id: str) -> Response:
    """Store the chosen photos; all are resized before anything is written."""
    form = PhotosForm()
    key = key_of_tap()

    def act(work: Work) -> dict[str, Any]:
        task_record.task_record(work.session, task_id, own_visibility())
        for number, sized in enumerate(form.sized):
            photos.add_upkeep_photo(
                Work(work.session, clock(), actor()),
                subject=(TASK, task_id),
                sized=sized,
                key=f"{key} {number}" if key else None,
            )
        return standing(work.session, task_id)

    return submit_tap(
        form,
        act,
        lambda _moved_facts: go(_photos_of_task(task_id), message=_("Photos added.")),
        lambda form: render_task(task_id, form),
        lambda answer: answer,
    )


@dashboard.post("/tasks/<task_id>/photos/<upkeep_photo_id>/removal", roles=EVERYBODY)
def remove_task_photo(task_id: str, upkeep_photo_id: str) -> Response:
    """Remove one of this person's photos; office staff may remove any."""
    task_record.task_record(reading(), task_id, own_visibility())
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: photos.remove_upkeep_photo(
            work, photo_id=upkeep_photo_id, may_remove_others=current_member().is_office
        ),
        then=lambda _subject: go(_photos_of_task(task_id), message=_("Photo removed.")),
        again=lambda: render_task(task_id, form),
    )


@dashboard.get("/upkeep-photos/<upkeep_photo_id>/<int:width>", roles=EVERYBODY)
def upkeep_photo(upkeep_photo_id: str, width: int) -> Response:
    """Show a picture of upkeep in one of its widths."""
    key = photo_files.upkeep_photo_file(reading(), upkeep_photo_id, width, own_photos())
    content = files().get(key) if width in WIDTHS else None
    if content is None:
        raise no_such("photo", upkeep_photo_id)
    response = Response(content, mimetype="image/webp")
    response.headers["Cache-Control"] = _KEPT
    return response


def _photos_of_task(task_id: str) -> str:
    return url_for("dashboard.task", task_id=task_id, _anchor="photos")
