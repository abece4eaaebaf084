"""One channel's calendar: read now, or read no more."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.ask_for_reading import ask_for_reading
from pms.catalogue.calendar_feeds import feed_record
from pms.catalogue.remove_calendar_feed import remove_calendar_feed as remove_calendar_feed_verb
from pms.surfaces.dashboard.calendars.of_unit import home
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.post("/calendar-feeds/<feed_id>/reading", roles=OFFICE)
def read_calendar_feed(feed_id: str) -> Response:
    """Have it read as soon as a worker comes to it."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: ask_for_reading(session, clock(), feed_id=feed_id),
        then=lambda unit_id: go(home(unit_id), said=_("It is read within a minute.")),
        again=lambda: _shown(feed_id, form),
    )


@dashboard.get("/calendar-feeds/<feed_id>/removal", roles=OFFICE)
def calendar_feed_removal(feed_id: str) -> Response:
    """Show what removing it frees."""
    return _shown(feed_id, Form())


@dashboard.post("/calendar-feeds/<feed_id>/removal", roles=OFFICE)
def remove_calendar_feed(feed_id: str) -> Response:
    """Remove it with its blocks."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: remove_calendar_feed_verb(session, clock(), actor(), feed_id=feed_id),
        then=lambda unit_id: go(home(unit_id), said=_("The calendar is removed.")),
        again=lambda: _shown(feed_id, form),
    )


def _shown(feed_id: str, form: Form) -> Response:
    feed = feed_record(reading(), feed_id)
    return framed(
        feed.unit_id,
        "dashboard/calendars/removal.html",
        tab="unit_calendars",
        form=form,
        feed=feed,
        back=home(feed.unit_id),
    )
