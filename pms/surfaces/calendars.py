"""Each unit's calendar feed: the address is the credential."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, make_response, request

from pms.access import auth_tries
from pms.access.auth_tries import Subject
from pms.availability import busy_nights
from pms.availability.busy_nights import BusyNights
from pms.catalogue import records, unit_calendars
from pms.catalogue.calendar_feeds import OWN_PRODUCT, OWN_UID_ENDING
from pms.catalogue.unit_calendars import EVERY, UNIT_CALENDAR
from pms.foundation.tokens import named_link
from pms.rules.request_budget import TRIES_OF_CLIENT
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.surfaces.signed_in import auth_context, client

if TYPE_CHECKING:
    from icalendar import Event


_SUMMARY: Final = "Not available"
_ARRIVES: Final = "Arrives"
_EVERY: Final = timedelta(hours=1)


def write_calendar(nights: Sequence[BusyNights], name: str) -> bytes:
    """Return the calendar in whole days, excluding the day after the last night (RFC 5545)."""
    # Imported here and below: a worker that serves no calendar never loads the library.
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", OWN_PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", _EVERY, parameters={"value": "DURATION"})
    for run in nights:
        from icalendar import Event

        event = Event()
        event.add("uid", f"{run.id}{OWN_UID_ENDING}")
        event.add("dtstamp", run.changed_at)
        event.add("dtstart", run.first_on)
        event.add("dtend", run.free_from_on)
        event.add("summary", _SUMMARY)
        event.add("transp", "OPAQUE")
        calendar.add_component(event)
        if run.arrives_on is not None:
            calendar.add_component(_build_arrival_event(run, run.arrives_on))
    content: bytes = calendar.to_ical()
    return content


def _build_arrival_event(run: BusyNights, arrives_on: date) -> "Event":
    """Return the arrival of somebody whose contract starts on another day; it takes no night."""
    from icalendar import Event

    event = Event()
    event.add("uid", f"{run.id}-arrival{OWN_UID_ENDING}")
    event.add("dtstamp", run.changed_at)
    event.add("dtstart", arrives_on)
    event.add("dtend", arrives_on + timedelta(days=1))
    event.add("summary", f"{_ARRIVES} (contract from {run.starts_on})")
    event.add("transp", "TRANSPARENT")
    return event


_KEPT_SECONDS: Final = 300


def show(token: str) -> Response:
    """Send the calendar, or 304 if the client has the current one."""
    named = named_link(auth_context().reading, auth_context().signer, UNIT_CALENDAR, token)
    if named is None:
        return _answer_unknown()
    session = reading_session(named.workspace_id)
    opened = unit_calendars.opened_calendar(session, named)
    if opened is None:
        return _answer_unknown()
    g.workspace_id = named.workspace_id
    on = today()
    unit = records.unit_record(session, opened.unit_id)
    name = f"{unit.building.in_language('en')} {unit.written.name}"
    calendar_answer = make_response(
        write_calendar(busy_nights.busy_nights(session, opened.unit_id, on), name)
    )
    calendar_answer.headers["Content-Type"] = "text/calendar; charset=utf-8"
    calendar_answer.headers["Content-Disposition"] = 'inline; filename="calendar.ics"'
    calendar_answer.headers["Cache-Control"] = f"private, max-age={_KEPT_SECONDS}"
    calendar_answer.add_etag()
    calendar_answer.make_conditional(request)
    answer = _keep_address_secret(calendar_answer)
    now = clock().now()
    if opened.last_read_at is None or now - opened.last_read_at >= EVERY:
        database().note(
            named.workspace_id,
            lambda session: unit_calendars.note_calendar_read(session, opened.id, now),
        )
    return answer


def _answer_unknown() -> Response:
    """Return the same answer for every invalid token, whatever the reason."""
    tries = Subject("unknown calendar", client(), TRIES_OF_CLIENT)
    wait = auth_context().write(lambda session: auth_tries.count_try(session, clock(), [tries]))
    answer = Response("", 429 if wait else 404, mimetype="text/plain")
    if wait:
        answer.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    answer.headers["Cache-Control"] = "no-store"
    return _keep_address_secret(answer)


def _keep_address_secret(answer: Response) -> Response:
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def install(app: Flask) -> None:
    """Register the address of calendars; its token is never logged."""
    app.add_url_rule("/calendar/<token>.ics", "calendars.calendar", show, methods=["GET"])
