"""The calendars of a unit: those that are read, the one others read, and where they meet."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.availability.block_conflicts import block_conflicts
from pms.catalogue.add_calendar_feed import add_calendar_feed as add_calendar_feed_verb
from pms.catalogue.calendar_feeds import feeds_of
from pms.catalogue.records import unit_record
from pms.catalogue.unit_calendar import given_calendar
from pms.surfaces.dashboard.calendars.feed_form import FeedForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.hypermedia import go
from pms.surfaces.signed_in import doorway


@dashboard.get("/units/<unit_id>/calendars", roles=OFFICE)
def unit_calendars(unit_id: str) -> Response:
    """Show the calendars as they are."""
    return shown(unit_id, FeedForm())


@dashboard.post("/units/<unit_id>/calendars", roles=OFFICE)
def add_calendar_feed(unit_id: str) -> Response:
    """Have another calendar read."""
    form = FeedForm(request.form)
    return submitted(
        form,
        act=lambda session: add_calendar_feed_verb(
            session,
            clock(),
            actor(),
            unit_id=unit_id,
            name=form.name.data,
            url=form.url.data,
        ),
        then=lambda _id: go(home(unit_id), said=_("Added. It is read within a minute.")),
        again=lambda: shown(unit_id, form),
    )


def home(unit_id: str) -> str:
    """Return the address of a unit's calendars."""
    return url_for("dashboard.unit_calendars", unit_id=unit_id)


def shown(unit_id: str, form: Form) -> Response:
    """Show the calendars with the form as it stands."""
    unit = unit_record(reading(), unit_id)
    now = clock().now()
    feeds = feeds_of(reading(), unit_id)
    given = given_calendar(reading(), unit_id)
    return framed(
        unit_id,
        "dashboard/calendars/unit.html",
        tab="unit_calendars",
        block="feeds" if request.args.get("part") == "feeds" else "tab",
        unit=unit,
        form=form,
        feeds=feeds,
        given=given,
        address=address_of(given.token(doorway().sealer)) if given else None,
        conflicts=block_conflicts(reading(), today(), unit_id),
        now=now,
        is_waiting=any(feed.is_waiting(now) for feed in feeds),
    )


def address_of(token: str) -> str:
    """Return the whole address that opens a calendar."""
    base: str = current_app.config["BASE_URL"]
    return base + url_for("calendars.calendar", token=token)
