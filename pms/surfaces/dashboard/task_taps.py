"""Taps on tasks, answered with a page or with JSON, and the pages kept for work without a network."""

from collections.abc import Callable
from datetime import UTC
from hashlib import sha256
from typing import Any, Final, TypeVar

from flask import Flask, Response, g, get_flashed_messages, jsonify, request
from flask_babel import gettext as _
from flask_babel import pgettext
from flask_wtf.csrf import generate_csrf
from wtforms import Form

from pms.foundation.errors import Collision, NotFound, Problem, Refused
from pms.foundation.idempotency import is_new
from pms.foundation.work import Work
from pms.rules.enumerations import HoldReason, StaffRole, TaskState
from pms.surfaces.dashboard.actor_names import actor_name
from pms.surfaces.dashboard.gate import EVERYBODY, CurrentMember, actor, current_member, dashboard
from pms.surfaces.forms import mark_unaccepted, place_problem
from pms.surfaces.hypermedia import UNACCEPTED, is_part
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import instant
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database
from pms.upkeep.moves import MovedMeanwhileError, PointsOpenError
from pms.upkeep.task_visibility import CancelledMeanwhileError

_COLLIDED: Final = 409
_NOT_HERE: Final = 404
Result = TypeVar("Result")


def key_of_tap() -> str | None:
    """Return the idempotency key of a tap, which is the same each time it is sent."""
    return request.headers.get("Idempotency-Key")


def submit_tap(
    form: Form | Callable[[], Form],
    act: Callable[[Work], Result],
    then: Callable[[Result], Response],
    again: Callable[[Any], Response],
    to_json: Callable[[Result], dict[str, Any]],
) -> Response:
    """Act on a tap in one transaction; else show the form again with the reason (422, or 409).

    `to_json` makes the response for the offline script. A tap on a task that was moved meanwhile is
    answered with who moved it, to what and when. A callable `form` is only called to show it again.
    """
    if isinstance(form, Form) and not form.validate():
        return _answer_refused(form, again)
    try:
        result = database().write_as(current_member().workspace_id, clock(), actor(), act)
    except NotFound:
        # A person sees the usual page of a missing task; the offline script gets the reason.
        if not _is_from_script():
            raise
        removed_response = jsonify(
            {"error": _("This task was removed or assigned to a colleague.")}
        )
        removed_response.status_code = _NOT_HERE
        return removed_response
    except (Refused, Collision) as problem:
        shown = form if isinstance(form, Form) else form()
        place_problem(shown, problem)
        return _answer_refused(shown, again, problem)
    if _is_from_script():
        # Of many taps sent at once, only the last message is shown on the next page.
        get_flashed_messages()  # removes them from the session
    response = then(result)
    return jsonify(to_json(result)) if _is_from_script() else response


def _is_from_script() -> bool:
    """Whether the offline script sends the request and wants JSON."""
    return request.accept_mimetypes.best == "application/json"


def _answer_refused(
    form: Form, again: Callable[[Any], Response], problem: Problem | None = None
) -> Response:
    is_late = isinstance(problem, MovedMeanwhileError | CancelledMeanwhileError)
    response = jsonify(_build_refusal_json(form, problem)) if _is_from_script() else again(form)
    response.status_code = _COLLIDED if is_late and response.is_json else UNACCEPTED
    return response


def _build_refusal_json(form: Form, problem: Problem | None) -> dict[str, Any]:
    if isinstance(problem, CancelledMeanwhileError):
        return _conflict_json(problem) | {"state": pgettext("task", "Cancelled")}
    if isinstance(problem, MovedMeanwhileError):
        reason = f": {label_of(problem.reason)}" if problem.reason else ""
        # After this answer the script may send the tap again; a cancelled task cannot be moved.
        return _conflict_json(problem) | {
            "state": label_of(problem.state) + reason,
            "moves": problem.moves,
        }
    reasons = [str(reason) for field in form for reason in field.errors]
    found: dict[str, Any] = {"error": " ".join([*map(str, form.form_errors), *reasons])}
    if isinstance(problem, PointsOpenError):
        # The script sends the tap again once the person has confirmed it.
        found |= {"moves": problem.moves, "anyway": True}
    return found


def _conflict_json(problem: MovedMeanwhileError | CancelledMeanwhileError) -> dict[str, Any]:
    """Return who changed the task meanwhile, and when."""
    return {
        "error": refusal_text(problem),
        "by": actor_name(problem.by),
        "who": actor_name(problem.by),
        "at": problem.at.astimezone(UTC).isoformat(),
        "when": instant(problem.at).striptags(),
    }


# Only the pages of work are kept: they show a place and a task. Pages with money, guests, owners
# or reservations are never kept.
HEADER: Final = "Offline-Copy"
LIST_HEADER: Final = "Offline-Tasks"
_TASK: Final = "dashboard.task"
_INSPECTION: Final = "dashboard.move_out_inspection"
_PAGES_OF_WORK: Final = frozenset({"dashboard.work", _TASK, _INSPECTION})
_OF_ONE: Final = frozenset({_TASK, _INSPECTION})
# For office staff, Today is about money.
_TODAY: Final = "dashboard.today"
_ON_SITE: Final = frozenset({StaffRole.HOUSEKEEPING, StaffRole.MAINTENANCE})


def install(app: Flask) -> None:
    """Register the helpers by which templates mark kept pages and waiting taps."""
    app.jinja_env.globals.update(
        is_kept_offline=is_kept_offline,
        page_script=page_script,
        offline_holder=holder,
        asked_at=lambda: clock().now(),
        tap_words=lambda: {choice.value: label_of(choice) for choice in (*TaskState, *HoldReason)},
    )


@dashboard.after_request
def tell_holder(response: Response) -> Response:
    """Add the headers that let a browser keep pages of work for this person."""
    if response.status_code == 200 and is_kept_offline() and not is_part():
        response.headers[HEADER] = f"{holder()} {chosen_language()}"
        if current_member().role in _ON_SITE and request.endpoint not in _OF_ONE:
            response.headers[LIST_HEADER] = "yes"
    return response


def holder() -> str:
    """Return an id of this person in this workspace that does not reveal who it is."""
    member: CurrentMember = current_member()
    person = sha256(member.person_id.encode()).hexdigest()[:16]
    return f"{person} {member.slug}"


def is_kept_offline() -> bool:
    """Whether this is a page of work, which also opens without a network."""
    if "current_member" not in g:
        return False
    page = request.endpoint
    if page == _TODAY:
        return current_member().role in _ON_SITE
    return page in _PAGES_OF_WORK


def page_script() -> str:
    """Return the file name of this page's script."""
    if not is_kept_offline():
        return "desk.js"
    return "task.js" if request.endpoint in _OF_ONE else "work.js"


@dashboard.get("/sync", roles=EVERYBODY, is_secret=True)
def sync() -> Response:
    """Return the CSRF token of today's forms, and the id of the person the taps would belong to."""
    return jsonify(token=generate_csrf(), holder=holder())


@dashboard.post("/sync/withdrawals", roles=EVERYBODY)
def withdraw_tap() -> Response:
    """Withdraw a tap whose answer was lost, unless it arrived after all.

    Its key is used up, so that a request with it that is still under way changes nothing.
    """
    key = key_of_tap()
    try:
        taken = database().write(
            current_member().workspace_id, lambda session: is_new(session, clock(), actor(), key)
        )
    except Refused as problem:
        return mark_unaccepted(jsonify(error=refusal_text(problem)))
    return jsonify(withdrawn=taken)
