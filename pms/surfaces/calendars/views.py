"""Answers whoever reads a unit's calendar: the days it is taken, and nothing else."""

from datetime import date
from typing import Final

from flask import Response, g, make_response, request

from pms.access.door_tries import Subject, count_try
from pms.availability.busy_nights import busy_nights
from pms.catalogue.records import unit_record
from pms.catalogue.unit_calendar import (
    EVERY,
    UNIT_CALENDAR,
    GivenCalendar,
    note_calendar_read,
    opened_calendar,
)
from pms.foundation.named_links import NamedLink, named_link
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.slowing import TRIES_OF_CLIENT
from pms.surfaces.calendars.written import written
from pms.surfaces.client_address import client
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.surfaces.signed_in import doorway

_KEPT_SECONDS: Final = 300


def show(token: str) -> Response:
    """Return the calendar, or that it is the one known already."""
    named = named_link(doorway().reading, doorway().sealer, UNIT_CALENDAR, token)
    if named is None:
        return _nothing()
    session = reading_session(named.workspace_id)
    opened = opened_calendar(session, named)
    if opened is None:
        return _nothing()
    g.workspace_id = named.workspace_id
    answer = _answer(session, opened, today())
    _note_reading(named, opened)
    return answer


def _answer(session: WorkspaceSession, opened: GivenCalendar, on: date) -> Response:
    unit = unit_record(session, opened.unit_id)
    name = f"{unit.building.said('en')} {unit.written.name}"
    answer = make_response(written(busy_nights(session, opened.unit_id, on), name))
    answer.headers["Content-Type"] = "text/calendar; charset=utf-8"
    answer.headers["Content-Disposition"] = 'inline; filename="calendar.ics"'
    answer.headers["Cache-Control"] = f"private, max-age={_KEPT_SECONDS}"
    answer.add_etag()
    answer.make_conditional(request)
    return _secret(answer)


def _note_reading(named: NamedLink, opened: GivenCalendar) -> None:
    now = clock().now()
    if opened.last_read_at is None or now - opened.last_read_at >= EVERY:
        database().note(
            named.workspace_id, lambda session: note_calendar_read(session, opened.id, now)
        )


def _nothing() -> Response:
    """The same answer for every text that opens nothing, whatever is wrong with it."""
    tries = Subject("unknown calendar", client(), TRIES_OF_CLIENT)
    wait = doorway().write(lambda session: count_try(session, clock(), [tries]))
    answer = Response("", 429 if wait else 404, mimetype="text/plain")
    if wait:
        answer.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    answer.headers["Cache-Control"] = "no-store"
    return _secret(answer)


def _secret(answer: Response) -> Response:
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    return answer
