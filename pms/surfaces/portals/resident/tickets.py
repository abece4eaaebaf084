"""Conversations with the office about a resident's reports."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from flask import Response, abort, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.ids import new_id
from pms.rules.enumerations import TicketSide
from pms.rules.resident_reports import no_reporting
from pms.surfaces.fields import LongTextField, Required
from pms.surfaces.forms import key_of_form, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.blueprint import blueprint
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.pictures import MOST_BYTES, PicturesForm
from pms.surfaces.request_scope import files, today
from pms.upkeep import photos, ticket_lists, tickets
from pms.upkeep.photos import TakenPhoto
from pms.upkeep.ticket_lists import Said, TicketRecord
from pms.upkeep.tickets import TicketVisibility


class AnswerForm(PicturesForm):
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
def show(reservation_id: str, ticket_id: str) -> Response:
    """Show one conversation."""
    return _shown(reservation_id, ticket_id, AnswerForm(formdata=None, data={"once": new_id()}))


@blueprint.post(
    "/<reservation_id>/tickets/<ticket_id>", endpoint="answer_ticket", most_bytes=MOST_BYTES
)
def answer(reservation_id: str, ticket_id: str) -> Response:
    """Send a message to the office."""
    form = AnswerForm()
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
        then=lambda _none: _back(reservation_id, ticket_id, _("Sent.")),
        again=lambda: _shown(reservation_id, ticket_id, form),
    )


@blueprint.post("/<reservation_id>/tickets/<ticket_id>/reopening", endpoint="reopen_ticket")
def reopen(reservation_id: str, ticket_id: str) -> Response:
    """Reopen a closed conversation."""
    return submitted(
        FlaskForm(),
        act=lambda work: tickets.reopen_ticket(
            work, ticket_id=ticket_id, visibility=TicketVisibility.of_reservation(reservation_id)
        ),
        then=lambda _none: _back(reservation_id, ticket_id, _("Conversation reopened.")),
        again=lambda: show(reservation_id, ticket_id),
    )


@blueprint.get("/<reservation_id>/photos/<photo_id>/<int:width>", endpoint="ticket_photo")
def picture(reservation_id: str, photo_id: str, width: int) -> Response:
    """Send one of the resident's own pictures."""
    key = photos.own_photo_file(
        reading(), own.actor(), reservation_id=reservation_id, photo_id=photo_id, width=width
    )
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _back(reservation_id: str, ticket_id: str, text: str) -> Response:
    return go(
        url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id, _anchor="newest"),
        message=text,
    )


def _shown(reservation_id: str, ticket_id: str, form: AnswerForm) -> Response:
    ticket = ticket_lists.ticket_record(
        reading(), ticket_id, TicketVisibility.of_reservation(reservation_id)
    )
    taken = photos.own_photos(reading(), own.actor(), ticket.request_id)
    return page(
        "portals/resident/ticket.html",
        tenancy=own.tenancy(reservation_id),
        ticket=ticket,
        photos=_by_message(ticket, taken),
        form=form,
    )


def _by_message(
    ticket: TicketRecord, taken: Sequence[TakenPhoto]
) -> Mapping[str, Sequence[TakenPhoto]]:
    """Group pictures by the resident's message they came with: the last one before each."""
    words = [one for one in ticket.messages if one.text and one.side == TicketSide.RESIDENT]
    found: dict[str, list[TakenPhoto]] = defaultdict(list)
    for photo in taken:
        before: list[Said] = [one for one in words if one.at <= photo.taken_at] or words[:1]
        if before:
            found[before[-1].id].append(photo)
    return found


_ALL = f"/<{PARAMETER}>/tickets"
_ONE = f"{_ALL}/<ticket_id>"
