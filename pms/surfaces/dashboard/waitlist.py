"""The waitlist: who waits for what, the units that suit, adding, offering and closing."""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import records
from pms.enquiries import enquiry_lists, viewing_lists
from pms.enquiries import waitlist as enquiries_waitlist
from pms.enquiries.viewing_lists import Opening
from pms.enquiries.waitlist import CLOSED, OPEN, WaitingPerson, WaitlistWish
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Either,
    EmailField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.request_scope import today


class WaitlistForm(FlaskForm):
    """A person, a day, and what they wait for: a unit, a building, or anything."""

    unitId = HiddenField()
    buildingId = ChoiceField(lazy_gettext("Interested in"), [Optional()])
    wantedFrom = DayField(lazy_gettext("Preferred move-in from"), [Required()])
    name = TextField(lazy_gettext("Name"), [Required()])
    email = EmailField(lazy_gettext("Email"), [Either()])
    phone = TextField(lazy_gettext("Phone"), [Either()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buildingId.choices = [("", str(lazy_gettext("Any building"))), *building_choices()]

    @property
    def wanted_place(self) -> WaitlistWish:
        """The waitlist entry of a valid form."""
        return WaitlistWish(
            name=self.name.data,
            email=self.email.data,
            phone=self.phone.data,
            wanted_from_on=self.wantedFrom.data,
            unit_id=self.unitId.data or None,
            building_id=self.buildingId.data or None,
            note=self.note.data,
        )


@dashboard.get("/waitlist/new", roles=OFFICE)
def new_waitlist_place() -> Response:
    """Show the form, filled from an enquiry; a chosen unit is named above it."""
    given: dict[str, Any] = {"unitId": request.args.get("unitId"), "wantedFrom": today()}
    enquiry_id = request.args.get("enquiryId")
    if enquiry_id:
        enquiry = enquiry_lists.enquiry_record(reading(), enquiry_id).enquiry
        of_enquiry = {
            "unitId": enquiry.unit_id,
            "buildingId": enquiry.building_id,
            "wantedFrom": max(enquiry.move_in_on or today(), today()),
            "name": enquiry.name,
            "email": enquiry.email,
            "phone": enquiry.phone,
        }
        given |= of_enquiry
    return _render_place(WaitlistForm(data=given))


@dashboard.post("/waitlist", roles=OFFICE)
def add_to_waitlist() -> Response:
    """Add the person and show the waitlist."""
    form = WaitlistForm()
    return submitted(
        form,
        act=lambda work: enquiries_waitlist.add_to_waitlist(work, wanted=form.wanted_place),
        then=lambda _id: go(
            url_for("dashboard.waitlist"),
            message=_("%(name)s has been added to the waitlist.", name=form.name.data),
        ),
        again=lambda: _render_place(form),
    )


def _render_place(form: WaitlistForm) -> Response:
    unit = records.unit_record(reading(), form.unitId.data) if form.unitId.data else None
    return page_or_block("dashboard/waitlist/new.html", "adding", form=form, unit=unit)


_TEMPLATE: Final = "dashboard/waitlist/page.html"
_MOST_MATCHES: Final = 3
_OFFERING: Final = "dashboard.new_reservation_link"


@dashboard.get("/waitlist", roles=OFFICE)
def waitlist() -> Response:
    """Show the waiting people with the units that suit each, or the closed entries."""
    return _render_people(FlaskForm())


@dashboard.post("/waitlist/<place_id>/offer", roles=OFFICE)
def offer_waitlist_place(place_id: str) -> Response:
    """Record that a unit was offered."""
    return _move_place(enquiries_waitlist.offer_waitlist_place, place_id, _("Marked as offered."))


@dashboard.post("/waitlist/<place_id>/closure", roles=OFFICE)
def close_waitlist_place(place_id: str) -> Response:
    """Close a waitlist entry."""
    return _move_place(
        enquiries_waitlist.close_waitlist_place, place_id, _("Removed from the waitlist.")
    )


def _move_place(verb: Callable[..., None], place_id: str, text: str) -> Response:
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: verb(work, place_id=place_id),
        then=lambda _none: go(url_for("dashboard.waitlist"), message=text),
        again=lambda: _render_people(form),
    )


def _render_people(form: Form) -> Response:
    is_closed = request.args.get("state") == "closed"
    paging = asked_paging(30)
    found = enquiries_waitlist.waitlist(reading(), CLOSED if is_closed else OPEN, paging)
    free = [] if is_closed else viewing_lists.openings(reading(), today())
    return page_or_block(
        _TEMPLATE,
        "people",
        form=form,
        is_closed=is_closed,
        found=found,
        # The first few units that suit each person, the earliest first.
        matches={
            person.id: [*islice((unit for unit in free if person.suits(unit)), _MOST_MATCHES)]
            for person in found.people
        },
        soft=[unit for unit in free if not unit.is_confirmed],
        confirmed=[unit for unit in free if unit.is_confirmed],
        paging=paging,
        offer_at=_offer_at,
    )


def _offer_at(person: WaitingPerson, opening: Opening) -> str | None:
    """Return the address for offering a unit; None while its day is not confirmed."""
    if _OFFERING not in current_app.view_functions or not opening.is_confirmed:
        return None
    return url_for(
        _OFFERING,
        unitId=opening.unit_id,
        moveInDate=max(opening.on, person.wanted_from_on).isoformat(),
        name=person.name,
        email=person.email,
        placeId=person.id,
    )
