"""The person a room is searched for, with the facts of an enquiry, waitlist entry or contract."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from flask import request, url_for

from pms.arrivals import reservation_record
from pms.enquiries import enquiry_lists, waitlist
from pms.rules.visitor_wishes import Wish, read_wish
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.request_scope import today


class Asker(NamedTuple):
    """A person who looks for a room; `named_by` is the query argument that names their record."""

    named_by: Mapping[str, str]
    href: str
    name: str
    email: str | None
    phone: str | None
    locale: str | None = None
    name_kana: str | None = None
    wanted_from_on: date | None = None
    building_id: str | None = None
    wish: Wish = Wish()

    @property
    def person(self) -> Mapping[str, Any]:
        """The facts that a form about a person asks for, as far as they are known."""
        known = {
            "name": self.name,
            "nameKana": self.name_kana,
            "email": self.email,
            "phone": self.phone,
            "locale": self.locale,
            **self.named_by,
        }
        return {name: value for name, value in known.items() if value}


_CARRIED: Final = (
    "moveInDate",
    "contractEndDate",
    "building",
    "enquiryId",
    "placeId",
    "residentId",
)


def room_search_address() -> str:
    """Return the address of the room search that keeps the arguments of this page."""
    carried: dict[str, Any] = {name: request.args.get(name) for name in _CARRIED}
    return url_for("dashboard.rooms", **carried)


def asker() -> Asker | None:
    """Return the person the query string names, if any; raise `NotFound` for an unknown record."""
    finders = {"enquiryId": _of_enquiry, "placeId": _of_waitlist, "residentId": _of_resident}
    for name, find in finders.items():
        if given := request.args.get(name):
            return find(given)
    return None


def _of_enquiry(enquiry_id: str) -> Asker:
    one = enquiry_lists.enquiry_record(reading(), enquiry_id).enquiry
    wish = read_wish(one.message, today())
    return Asker(
        {"enquiryId": one.id},
        url_for("dashboard.enquiry", enquiry_id=one.id),
        one.name,
        one.email,
        one.phone,
        one.locale,
        wanted_from_on=one.move_in_on or wish.move_in_by,
        building_id=None if one.unit_id else one.building_id,
        wish=wish,
    )


def _of_waitlist(place_id: str) -> Asker:
    one = waitlist.waiting_person(reading(), place_id)
    return Asker(
        {"placeId": one.id},
        url_for("dashboard.waitlist"),
        one.name,
        one.email,
        one.phone,
        wanted_from_on=one.wanted_from_on,
        building_id=None if one.unit_id else one.building_id,
        wish=read_wish(one.note or "", today()),
    )


def _of_resident(reservation_id: str) -> Asker:
    header = reservation_record.reservation_header(reading(), reservation_id, today())
    return Asker(
        {"residentId": header.id},
        url_for("dashboard.reservation", reservation_id=header.id),
        header.name,
        header.email,
        header.phone,
        header.locale,
        header.name_kana,
    )
