"""Offline work: the pages a browser may keep for whom, and requests for taps that waited."""

from hashlib import sha256
from typing import Final

from flask import Flask, Response, g, jsonify, request
from flask_wtf.csrf import generate_csrf

from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.rules.enumerations import HoldReason, StaffRole, TaskState
from pms.surfaces.dashboard.blueprint import EVERYBODY, dashboard
from pms.surfaces.dashboard.current_member import CurrentMember, actor, current_member
from pms.surfaces.dashboard.task_taps import key_of_tap
from pms.surfaces.hypermedia import UNACCEPTED, is_part
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database

# Only the pages of work are kept: they show a place and a task. Pages with money, guests, owners
# or reservations are never kept.
HEADER: Final = "Offline-Copy"
LIST_HEADER: Final = "Offline-Tasks"
_TASK: Final = "dashboard.task"
_PAGES_OF_WORK: Final = frozenset({"dashboard.work", _TASK})
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
        tap_words=lambda: {one.value: label_of(one) for one in (*TaskState, *HoldReason)},
    )


@dashboard.after_request
def tell_holder(response: Response) -> Response:
    """Add the headers that let a browser keep pages of work for this person."""
    if response.status_code == 200 and is_kept_offline() and not is_part():
        response.headers[HEADER] = f"{holder()} {chosen_language()}"
        if current_member().role in _ON_SITE and request.endpoint != _TASK:
            response.headers[LIST_HEADER] = "yes"
    return response


def holder() -> str:
    """Return an id of this person in this workspace that does not reveal who it is."""
    here: CurrentMember = current_member()
    person = sha256(here.person_id.encode()).hexdigest()[:16]
    return f"{person} {here.slug}"


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
    return "task.js" if request.endpoint == _TASK else "work.js"


@dashboard.get("/sync", roles=EVERYBODY)
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
        response = jsonify(error=refusal_text(problem))
        response.status_code = UNACCEPTED
        return response
    return jsonify(withdrawn=taken)
