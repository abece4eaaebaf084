"""The room search over all buildings, and the person for whom a room is searched."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import lazy_gettext
from wtforms import ValidationError

from pms.arrivals import reservation_headers, room_search
from pms.arrivals.reservation_headers import ReservationHeader
from pms.arrivals.room_search import FoundRooms, RoomSearch
from pms.catalogue.units import UnitFacts
from pms.enquiries import enquiry_lists, waitlist
from pms.rules.days import ONE_DAY, add_months, readable
from pms.rules.enumerations import UnitSort, UnitType
from pms.rules.visitor_wishes import Trait, VisitorWish, read_wish
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    ManyField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import today


class RoomSeeker(NamedTuple):
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
    wish: VisitorWish = VisitorWish()

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


def room_seeker() -> RoomSeeker | None:
    """Return the person the query string names, if any; raise `NotFound` for an unknown record."""
    finders = {"enquiryId": _of_enquiry, "placeId": _of_waitlist, "residentId": _of_resident}
    for name, find in finders.items():
        if given := request.args.get(name):
            return find(given)
    return None


def _of_enquiry(enquiry_id: str) -> RoomSeeker:
    enquiry = enquiry_lists.enquiry_record(reading(), enquiry_id).enquiry
    wish = read_wish(enquiry.message, today())
    return RoomSeeker(
        {"enquiryId": enquiry.id},
        url_for("dashboard.enquiry", enquiry_id=enquiry.id),
        enquiry.name,
        enquiry.email,
        enquiry.phone,
        enquiry.locale,
        wanted_from_on=enquiry.move_in_on or wish.move_in_by,
        building_id=None if enquiry.unit_id else enquiry.building_id,
        wish=wish,
    )


def _of_waitlist(place_id: str) -> RoomSeeker:
    person = waitlist.waiting_person(reading(), place_id)
    return RoomSeeker(
        {"placeId": person.id},
        url_for("dashboard.waitlist"),
        person.name,
        person.email,
        person.phone,
        wanted_from_on=person.wanted_from_on,
        building_id=None if person.unit_id else person.building_id,
        wish=read_wish(person.note or "", today()),
    )


def _of_resident(reservation_id: str) -> RoomSeeker:
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return RoomSeeker(
        {"residentId": header.id},
        url_for("dashboard.reservation", reservation_id=header.id),
        header.name,
        header.email,
        header.phone,
        header.locale,
        header.name_kana,
    )


_USUAL_MONTHS: Final = 12
_LENGTHS: Final = (
    ("", lazy_gettext("No end date")),
    ("1", lazy_gettext("1 month")),
    ("3", lazy_gettext("3 months")),
    ("6", lazy_gettext("6 months")),
    ("12", lazy_gettext("1 year")),
    ("24", lazy_gettext("2 years")),
)
_TRAITS: Final = (
    (Trait.PETS.value, lazy_gettext("Pets allowed")),
    (Trait.WOMEN_ONLY.value, lazy_gettext("Women only")),
    (Trait.PARKING.value, lazy_gettext("Parking")),
)


class RoomSearchForm(QueryForm):
    """The days and the facts of the room; a last day takes precedence over a length."""

    moveInDate = DayField(lazy_gettext("Move-in"), [Required()])
    months = ChoiceField(lazy_gettext("Length"), [Optional()], choices=_LENGTHS)
    contractEndDate = DayField(lazy_gettext("Or until"), [Optional()])
    rentMax = YenField(lazy_gettext("Rent up to (yen)"), [Optional()])
    type = ChoiceField(lazy_gettext("Type"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    q = TextField(lazy_gettext("Facility, station or name"), [Optional()])
    stationMinutes = WholeNumberField(
        lazy_gettext("Minutes to a station"), [Optional()], least=1, most=60
    )
    traits = ManyField(lazy_gettext("Needs"), choices=_TRAITS)
    every = FlagField(lazy_gettext("Include rooms that are not free yet"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.building.choices = [("", lazy_gettext("All buildings")), *building_choices()]
        self.type.choices = [("", lazy_gettext("All types")), *choices(UnitType)]

    @classmethod
    def prefill(cls, seeker: RoomSeeker | None, moving: ReservationHeader | None) -> Self:
        """Return the form of the query, or one filled with the person's wishes."""
        if _is_asked():
            return cls(request.args)
        begins_on = max((seeker and seeker.wanted_from_on) or today(), today())
        given: dict[str, Any] = {"moveInDate": begins_on, "months": str(_USUAL_MONTHS)}
        if moving is not None:
            end_on, tomorrow = readable(moving.end_on), today() + ONE_DAY
            given = {"moveInDate": tomorrow, "months": None}
            given["contractEndDate"] = end_on if end_on and end_on >= tomorrow else None
        if seeker is not None:
            wish = seeker.wish
            wishes = {
                "rentMax": wish.price_max_yen,
                "type": wish.type.value if wish.type else None,
                "building": seeker.building_id,
                "q": wish.stations[0] if wish.stations else None,
                "stationMinutes": wish.station_minutes,
                "traits": [trait.value for trait in wish.traits],
            }
            given |= wishes
        return cls(formdata=None, data=given)

    def validate_contractEndDate(self, field: DayField) -> None:  # noqa: N802  # WTForms finds it by name
        """Require a contract end on or after the move-in."""
        begins_on = self.moveInDate.data
        if begins_on and field.data and field.data < begins_on:
            raise ValidationError(
                lazy_gettext("The contract must end on the move-in date or later.")
            )

    @property
    def last_on(self) -> date | None:
        """The last day: the stated one, else the one after the chosen length, or None."""
        if self.contractEndDate.data or not self.months.data:
            stated: date | None = self.contractEndDate.data
            return stated
        return add_months(self.moveInDate.data, int(self.months.data)) - ONE_DAY

    @property
    def nights(self) -> Mapping[str, str]:
        """The days as query arguments of the next page."""
        first_on, last_on = self.moveInDate.data, self.last_on
        return {
            "moveInDate": first_on.isoformat(),
            "contractEndDate": last_on.isoformat() if last_on else "",
        }

    @property
    def query(self) -> Mapping[str, Any]:
        """The query arguments that repeat the search."""
        return {field.short_name: field.data for field in self if field.data}

    def search(self, moving: ReservationHeader | None) -> RoomSearch:
        """Return the search of a valid form, without a moving resident's own stay and unit."""
        return RoomSearch(
            first_on=self.moveInDate.data,
            last_on=self.last_on,
            facts=UnitFacts(
                price_max_yen=self.rentMax.data,
                type=UnitType(self.type.data) if self.type.data else None,
                search=self.q.data or None,
                building=self.building.data or None,
                sort=UnitSort.PRICE_ASC,
            ),
            traits=tuple(map(Trait, self.traits.data or ())),
            station_minutes=self.stationMinutes.data,
            beside=(moving.id,) if moving else (),
            left_out=(moving.unit_id,) if moving else (),
            every=bool(self.every.data),
        )


def _is_asked() -> bool:
    return any(name in request.args for name in vars(RoomSearchForm) if name[:1].islower())


@dashboard.get("/rooms", roles=OFFICE)
def rooms() -> Response:
    """Show the rooms that are free for the days, each with the links for the next step."""
    moving_id = request.args.get("movingId")
    if not moving_id:
        moving_reservation = None
    else:
        moving_reservation = reservation_headers.reservation_header(reading(), moving_id, today())
    seeker, moving = room_seeker(), moving_reservation
    form, paging = RoomSearchForm.prefill(seeker, moving), asked_paging()
    is_sound = not _is_asked() or form.validate()
    found = FoundRooms((), 0, 0, 0)
    if is_sound:
        found = room_search.find_rooms(reading(), form.search(moving), today(), paging)
    response = page_or_block(
        "dashboard/rooms/page.html",
        "results",
        form=form,
        found=found,
        seeker=seeker,
        moving=moving,
        named_by={
            **(seeker.named_by if seeker else {}),
            **({"movingId": moving.id} if moving else {}),
        },
        paging=paging,
        today=today(),
    )
    return response if is_sound else mark_unaccepted(response)
