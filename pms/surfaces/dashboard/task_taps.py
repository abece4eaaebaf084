"""Answers to taps on tasks: a page for a person, JSON for the offline script."""

from collections.abc import Callable
from datetime import UTC
from typing import Any, Final, TypeVar

from flask import Response, get_flashed_messages, jsonify, request
from flask_babel import gettext as _
from flask_babel import pgettext
from wtforms import Form

from pms.foundation.errors import Collision, NotFound, Problem, Refused
from pms.foundation.work import Work
from pms.surfaces.dashboard.actor_names import actor_name
from pms.surfaces.dashboard.current_member import actor, current_member
from pms.surfaces.forms import place
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import instant
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, database
from pms.upkeep.moves import MovedMeanwhileError
from pms.upkeep.task_visibility import CancelledMeanwhileError

_COLLIDED: Final = 409
_NOT_HERE: Final = 404
Result = TypeVar("Result")


def key_of_tap() -> str | None:
    """Return the idempotency key of a tap, which is the same each time it is sent."""
    return request.headers.get("Idempotency-Key")


def tapped(
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
        return _refused(form, again)
    try:
        result = database().write_as(current_member().workspace_id, clock(), actor(), act)
    except NotFound:
        # A person sees the usual page of a missing task; the offline script gets the reason.
        if not _is_from_script():
            raise
        return _gone()
    except (Refused, Collision) as problem:
        shown = form if isinstance(form, Form) else form()
        place(shown, problem)
        return _refused(shown, again, problem)
    if not _is_from_script():
        return then(result)
    # Of many taps sent at once, only the last message is shown on the next page.
    get_flashed_messages()  # removes them from the session
    then(result)
    return jsonify(to_json(result))


def _is_from_script() -> bool:
    """Whether the offline script sends the request and wants JSON."""
    return request.accept_mimetypes.best == "application/json"


def _gone() -> Response:
    response = jsonify({"error": _("This task was removed or assigned to a colleague.")})
    response.status_code = _NOT_HERE
    return response


def _refused(
    form: Form, again: Callable[[Any], Response], problem: Problem | None = None
) -> Response:
    is_late = isinstance(problem, MovedMeanwhileError | CancelledMeanwhileError)
    response = jsonify(_reasons(form, problem)) if _is_from_script() else again(form)
    response.status_code = _COLLIDED if is_late and response.is_json else UNACCEPTED
    return response


def _reasons(form: Form, problem: Problem | None) -> dict[str, Any]:
    if isinstance(problem, CancelledMeanwhileError):
        return _met(problem) | {"state": pgettext("task", "Cancelled")}
    if isinstance(problem, MovedMeanwhileError):
        reason = f": {label_of(problem.reason)}" if problem.reason else ""
        # After this answer the script may send the tap again; a cancelled task cannot be moved.
        return _met(problem) | {"state": label_of(problem.state) + reason, "moves": problem.moves}
    reasons = [str(reason) for field in form for reason in field.errors]
    return {"error": " ".join([*map(str, form.form_errors), *reasons])}


def _met(problem: MovedMeanwhileError | CancelledMeanwhileError) -> dict[str, Any]:
    """Return who changed the task meanwhile, and when."""
    return {
        "error": refusal_text(problem),
        "by": actor_name(problem.by),
        "who": actor_name(problem.by),
        "at": problem.at.astimezone(UTC).isoformat(),
        "when": instant(problem.at).striptags(),
    }
