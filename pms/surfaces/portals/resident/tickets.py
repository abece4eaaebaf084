"""Problems that a resident reports, and the conversations about them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response, abort, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm

from pms.foundation.ids import new_id
from pms.rules.enumerations import TicketSide
from pms.rules.resident_reports import no_reporting
from pms.site.queries import site_facts
from pms.surfaces.fields import HiddenField, LongTextField, Optional, PickField, Required
from pms.surfaces.forms import key_of_form, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.portals.resident.pictures import MOST_BYTES, PicturesForm
from pms.surfaces.request_scope import files, today
from pms.upkeep import (
    photo_files,
    photos,
    requests,
    similar_reports,
    ticket_lists,
    ticket_threads,
    tickets,
)
from pms.upkeep.photos import TakenPhoto
from pms.upkeep.similar_reports import SimilarReport
from pms.upkeep.ticket_threads import Said
from pms.upkeep.tickets import TicketVisibility


class ResidentMessageForm(PicturesForm):
    """A message, with pictures where the conversation takes them."""

    text = LongTextField(lazy_gettext("Your message"), [Required()])


@blueprint.get("/<reservation_id>/tickets", endpoint="tickets")
def list_all(reservation_id: str) -> Response:
    """Show every conversation of the tenancy, open ones first."""
    tenancy = own.tenancy(reservation_id)
    return page(
        "portals/resident/tickets.html",
        tenancy=tenancy,
        tickets=ticket_lists.tickets_of_reservation(reading(), reservation_id),
        may_report=no_reporting(tenancy.lifecycle, tenancy.starts_on, today()) is None,
    )


@blueprint.get("/<reservation_id>/tickets/<ticket_id>", endpoint="ticket")
def show_ticket(reservation_id: str, ticket_id: str) -> Response:
    """Show one conversation."""
    return _render_ticket(
        reservation_id, ticket_id, ResidentMessageForm(formdata=None, data={"once": new_id()})
    )


@blueprint.post(
    "/<reservation_id>/tickets/<ticket_id>", endpoint="answer_ticket", most_bytes=MOST_BYTES
)
def answer(reservation_id: str, ticket_id: str) -> Response:
    """Send a message to the office."""
    form = ResidentMessageForm()
    return submitted(
        form,
        act=lambda work: tickets.answer_own_ticket(
            work,
            reservation_id=reservation_id,
            ticket_id=ticket_id,
            text=form.text.data,
            photos=form.sized,
            key=key_of_form(),
        ),
        then=lambda _none: _return_to_ticket(reservation_id, ticket_id, _("Sent.")),
        again=lambda: _render_ticket(reservation_id, ticket_id, form),
    )


@blueprint.post("/<reservation_id>/tickets/<ticket_id>/reopening", endpoint="reopen_ticket")
def reopen(reservation_id: str, ticket_id: str) -> Response:
    """Reopen a closed conversation."""
    return submitted(
        FlaskForm(),
        act=lambda work: tickets.reopen_ticket(
            work, ticket_id=ticket_id, visibility=TicketVisibility.of_reservation(reservation_id)
        ),
        then=lambda _none: _return_to_ticket(
            reservation_id, ticket_id, _("Conversation reopened.")
        ),
        again=lambda: show_ticket(reservation_id, ticket_id),
    )


@blueprint.get("/<reservation_id>/photos/<photo_id>/<int:width>", endpoint="ticket_photo")
def picture(reservation_id: str, photo_id: str, width: int) -> Response:
    """Send one of the resident's own pictures."""
    key = photo_files.own_photo_file(
        reading(), own.actor(), reservation_id=reservation_id, photo_id=photo_id, width=width
    )
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _return_to_ticket(reservation_id: str, ticket_id: str, text: str) -> Response:
    return go(
        url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id, _anchor="newest"),
        message=text,
    )


def _render_ticket(reservation_id: str, ticket_id: str, form: ResidentMessageForm) -> Response:
    ticket = ticket_threads.ticket_record(
        reading(), ticket_id, TicketVisibility.of_reservation(reservation_id)
    )
    taken = photos.own_photos(reading(), own.actor(), ticket.request_id)
    # Group pictures by the resident's message they came with: the last one before each.
    words = [
        message
        for message in ticket.messages
        if message.text and message.side == TicketSide.RESIDENT
    ]
    found: dict[str, list[TakenPhoto]] = defaultdict(list)
    for photo in taken:
        before: list[Said] = [
            message for message in words if message.at <= photo.taken_at
        ] or words[:1]
        if before:
            found[before[-1].id].append(photo)
    return page(
        "portals/resident/ticket.html",
        tenancy=own.tenancy(reservation_id),
        ticket=ticket,
        photos=found,
        form=form,
    )


KINDS: Final[Mapping[str, Any]] = {
    "water": worded("kind of problem", "Water, drain"),
    "climate": worded("kind of problem", "Heating, air conditioning"),
    "power": worded("kind of problem", "Electricity, light"),
    "door": worded("kind of problem", "Door, key, window"),
    "appliance": worded("kind of problem", "Appliance, furniture"),
    "network": worded("kind of problem", "Internet"),
    "other": worded("kind of problem", "Something else"),
}
MAY_ENTER, STAY_OUT = "yes", "no"


class ResidentReportForm(PicturesForm):
    """A problem; its kind is put before the text, in the language of the text."""

    kind = PickField(lazy_gettext("What is it about?"), [Optional()], choices=list(KINDS.items()))
    what = LongTextField(lazy_gettext("What is wrong?"), [Required()])
    mayEnter = PickField(
        lazy_gettext("May we enter when you are out?"),
        [Required()],
        choices=[
            (MAY_ENTER, lazy_gettext("Yes, enter with your own key")),
            (STAY_OUT, lazy_gettext("No, arrange a time with me")),
        ],
    )
    another = HiddenField()

    @property
    def words(self) -> str | None:
        """The text of the report."""
        kind = KINDS.get(self.kind.data or "")
        if kind is None or self.kind.data == "other" or not self.what.data:
            return self.what.data
        return f"{kind}: {self.what.data}"


@blueprint.get("/<reservation_id>/report", endpoint="report_problem")
def show_report(reservation_id: str) -> Response:
    """Show the form, or why nothing can be reported here."""
    return _render_report(
        reservation_id, ResidentReportForm(formdata=None, data={"once": new_id()})
    )


@blueprint.post("/<reservation_id>/report", endpoint="send_report", most_bytes=MOST_BYTES)
def send_report(reservation_id: str) -> Response:
    """Save the report and show its conversation; ask first if the problem seems to be known."""
    form = ResidentReportForm()
    if form.validate() and not form.another.data:
        found = similar_reports.similar_reports(
            reading(), reservation_id=reservation_id, text=form.what.data or ""
        )
        if found:
            form.another.data = "1"
            return mark_unaccepted(_render_report(reservation_id, form, found))
    return submitted(
        form,
        act=lambda work: requests.report_own_problem(
            work,
            reservation_id=reservation_id,
            what=form.words,
            may_enter=form.mayEnter.data == MAY_ENTER,
            photos=form.sized,
            key=key_of_form(),
        ),
        then=lambda ticket_id: _report_message(reservation_id, ticket_id),
        again=lambda: _render_report(reservation_id, form),
    )


def _report_message(reservation_id: str, ticket_id: str | None) -> Response:
    message = _("Your report has been sent. Follow its progress here.")
    if ticket_id is None:
        return go(url_for(".tickets", reservation_id=reservation_id), message=message)
    return go(
        url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id), message=message
    )


def _render_report(
    reservation_id: str, form: ResidentReportForm, similar: Sequence[SimilarReport] = ()
) -> Response:
    tenancy, site = own.tenancy(reservation_id), site_facts(reading())
    return page(
        "portals/resident/report.html",
        office_phone=site.contact_phone if site else None,
        tenancy=tenancy,
        form=form,
        similar=similar,
        unable=no_reporting(tenancy.lifecycle, tenancy.starts_on, today()),
    )
