"""The calendars of units: imported feeds, the exported address, and conflicting blocks."""

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.availability import block_conflicts
from pms.catalogue import feed_records, records
from pms.catalogue import unit_calendars as catalogue_unit_calendars
from pms.foundation.outside_reading import LONGEST_URL
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.units import render_unit_tab
from pms.surfaces.fields import FlagField, Required, TextField
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.request_scope import clock, today
from pms.surfaces.signed_in import auth_context


@dashboard.get("/calendar-conflicts", roles=OFFICE)
def calendar_conflicts() -> Response:
    """Show one page of the conflicts, the earliest first."""
    found = block_conflicts.block_conflicts(reading(), today())
    paging = asked_paging(50)
    return page_or_block(
        "dashboard/calendars/conflicts.html",
        "results",
        conflicts=found[paging.offset : paging.offset + paging.limit],
        total=len(found),
        paging=paging,
    )


class UrlField(TextField):
    """The address of a calendar."""

    most_characters = LONGEST_URL


class FeedForm(FlaskForm):
    """A calendar to import."""

    name = TextField(lazy_gettext("Name"), [Required()])
    url = UrlField(lazy_gettext("Calendar address (iCal)"), [Required()])
    leavesOutWindow = FlagField(lazy_gettext("Leave out days not on sale"))


class WindowForm(FlaskForm):
    """Whether a calendar leaves out the days that its channel does not sell."""

    leavesOutWindow = FlagField(lazy_gettext("Leave out days not on sale"))


@dashboard.get("/units/<unit_id>/calendars", roles=OFFICE, is_secret=True)
def unit_calendars(unit_id: str) -> Response:
    """Show the unit's calendars."""
    return render_calendars(unit_id, FeedForm())


@dashboard.post("/units/<unit_id>/calendars", roles=OFFICE)
def add_calendar_feed(unit_id: str) -> Response:
    """Add a calendar to import."""
    form = FeedForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.add_calendar_feed(
            work,
            unit_id=unit_id,
            name=form.name.data,
            url=form.url.data,
            leaves_out_window=form.leavesOutWindow.data,
        ),
        then=lambda _id: go(
            home(unit_id), message=_("Calendar added. It will be read within a minute.")
        ),
        again=lambda: render_calendars(unit_id, form),
    )


def home(unit_id: str) -> str:
    """Return the address of the page of a unit's calendars."""
    return url_for("dashboard.unit_calendars", unit_id=unit_id)


def render_calendars(unit_id: str, form: Form) -> Response:
    """Show the unit's calendars with the given form."""
    unit = records.unit_record(reading(), unit_id)
    now = clock().now()
    feeds = feed_records.feeds_of(reading(), unit_id)
    given = catalogue_unit_calendars.given_calendar(reading(), unit_id)
    return render_unit_tab(
        unit_id,
        "dashboard/calendars/unit.html",
        tab="unit_calendars",
        block="feeds" if request.args.get("part") == "feeds" else "tab",
        unit=unit,
        form=form,
        feeds=feeds,
        given=given,
        address=address_of(given.token(auth_context().signer)) if given else None,
        conflicts=block_conflicts.block_conflicts(reading(), today(), unit_id),
        now=now,
        is_waiting=any(feed.is_waiting(now) for feed in feeds),
    )


def address_of(token: str) -> str:
    """Return the full URL of an exported calendar."""
    base: str = current_app.config["BASE_URL"]
    return base + url_for("calendars.calendar", token=token)


@dashboard.post("/calendar-feeds/<feed_id>/reading", roles=OFFICE)
def read_calendar_feed(feed_id: str) -> Response:
    """Queue the import of the feed, to be read as soon as a worker is free."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.ask_for_reading(
            work.session, clock(), feed_id=feed_id
        ),
        then=lambda unit_id: go(home(unit_id), message=_("It will be read within a minute.")),
        again=lambda: _render_removal(feed_id, form),
    )


@dashboard.post("/calendar-feeds/<feed_id>/window", roles=OFFICE)
def set_feed_window(feed_id: str) -> Response:
    """Set whether the feed leaves out the days that its channel does not sell."""
    form = WindowForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.set_feed_window(
            work, feed_id=feed_id, leaves_out_window=form.leavesOutWindow.data
        ),
        then=lambda unit_id: go(
            home(unit_id),
            message=_("Days not on sale at the channel are left out.")
            if form.leavesOutWindow.data
            else _("Days not on sale at the channel block the unit again after the next reading."),
        ),
        again=lambda: _render_removal(feed_id, form),
    )


@dashboard.get("/calendar-feeds/<feed_id>/removal", roles=OFFICE)
def calendar_feed_removal(feed_id: str) -> Response:
    """Show which blocks removing the feed frees."""
    return _render_removal(feed_id, FlaskForm())


@dashboard.post("/calendar-feeds/<feed_id>/removal", roles=OFFICE)
def remove_calendar_feed(feed_id: str) -> Response:
    """Remove the feed with its blocks."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.remove_calendar_feed(work, feed_id=feed_id),
        then=lambda unit_id: go(home(unit_id), message=_("Calendar removed.")),
        again=lambda: _render_removal(feed_id, form),
    )


def _render_removal(feed_id: str, form: Form) -> Response:
    feed = feed_records.feed_record(reading(), feed_id)
    return render_unit_tab(
        feed.unit_id,
        "dashboard/calendars/removal.html",
        tab="unit_calendars",
        form=form,
        feed=feed,
        back=home(feed.unit_id),
    )


@dashboard.post("/units/<unit_id>/calendar-address", roles=OFFICE)
def make_unit_calendar(unit_id: str) -> Response:
    """Make the address of the unit's calendar, or replace it with a new one."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.make_unit_calendar(work, unit_id=unit_id),
        then=lambda _none: go(home(unit_id), message=_("Link created. Copy it to the channel.")),
        again=lambda: go(home(unit_id)),
    )


@dashboard.get("/units/<unit_id>/calendar-address/renewal", roles=OFFICE)
def unit_calendar_renewal(unit_id: str) -> Response:
    """Show what a new address means before it is made."""
    return _render_confirmation(
        unit_id,
        question=_("Create a new link?"),
        consequence=_("The current link stops working. Enter the new one everywhere it is used."),
        text=_("Create new link"),
        action=url_for("dashboard.make_unit_calendar", unit_id=unit_id),
    )


@dashboard.get("/units/<unit_id>/calendar-address/end", roles=OFFICE)
def unit_calendar_end(unit_id: str) -> Response:
    """Show what ending the address means before it ends."""
    return _render_confirmation(
        unit_id,
        question=_("Revoke the link of this calendar?"),
        consequence=_("Channels can no longer read it and may show the days as free."),
        text=_("Revoke link"),
        action=url_for("dashboard.end_unit_calendar", unit_id=unit_id),
    )


@dashboard.post("/units/<unit_id>/calendar-address/end", roles=OFFICE)
def end_unit_calendar(unit_id: str) -> Response:
    """End the address of the unit's calendar."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: catalogue_unit_calendars.end_unit_calendar(work, unit_id=unit_id),
        then=lambda _none: go(home(unit_id), message=_("Link revoked.")),
        again=lambda: go(home(unit_id)),
    )


def _render_confirmation(
    unit_id: str, *, question: str, consequence: str, text: str, action: str
) -> Response:
    return render_unit_tab(
        unit_id,
        "dashboard/calendars/confirm_address.html",
        tab="unit_calendars",
        given=catalogue_unit_calendars.given_calendar(reading(), unit_id),
        back=home(unit_id),
        question=question,
        consequence=consequence,
        text=text,
        action=action,
    )
