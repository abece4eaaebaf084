"""Booking a unit, with its price, a discount, and a preview of the move-in invoice."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import ValidationError

from pms.arrivals import bookings, conflicting_stays, free_units, offered_terms
from pms.arrivals.booking_checks import BookingFacts
from pms.arrivals.bookings import Booked
from pms.arrivals.conflicting_stays import ConflictingStay
from pms.arrivals.free_units import FollowedResident
from pms.arrivals.offered_terms import OfferedTerms
from pms.availability import units
from pms.contracts import merged_documents
from pms.enquiries import waitlist
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.planned_entries import DISCOUNT, PlannedEntry
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.days import ONE_DAY, add_months, read_day, readable
from pms.rules.enumerations import Locale, ReservationKind
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_list import PriceForm
from pms.surfaces.dashboard.rooms import RoomSeeker, room_search_address, room_seeker
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    HiddenField,
    KanaField,
    LongTextField,
    ManyField,
    Optional,
    PercentField,
    PhoneField,
    PickField,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, is_part, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, today


class FollowingForm(FlaskForm):
    """The month-to-month residents without a notice whom staff agreed to follow.

    It is a part of a form; an agreement applies only to the resident it names.
    """

    follows = ManyField(lazy_gettext("Confirmation"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A resident may have filed a notice meanwhile, so that no agreement is needed any more.
        self.follows.choices = [(given, given) for given in self.follows.data or ()]

    def ask_agreement(self, followed: Sequence[FollowedResident]) -> None:
        """Add a choice for each resident whose month to month the booking would end."""
        self.follows.choices = [
            (
                resident.reservation_id,
                _("Book although %(name)s has not given notice", name=resident.name),
            )
            for resident in followed
            if resident.is_month_to_month
        ]


PERCENT, YEN = "percent", "yen"


class DiscountForm(FlaskForm):
    """A discount, which is fixed with the price once it is booked."""

    discount = ChoiceField(
        lazy_gettext("Discount on the base rent"),
        choices=(
            ("", lazy_gettext("None")),
            (PERCENT, lazy_gettext("Percentage")),
            (YEN, lazy_gettext("Yen a month")),
        ),
    )
    discountPercent = PercentField(lazy_gettext("Discount in percent"), [Optional()])
    discountYen = YenField(lazy_gettext("Discount (¥/month)"), [Optional()], minimum_yen=1)
    discountLabel = TextField(lazy_gettext("Name of the discount"), [Optional(), Printable()])
    discountOnce = FlagField(lazy_gettext("For the first billed period only"))
    minimumStayDays = WholeNumberField(
        lazy_gettext("Minimum stay for the discount (days)"), [Optional()], most=3_660
    )

    def validate_discount(self, field: ChoiceField) -> None:
        """Require the figure of a chosen discount."""
        if self._figure_is_missing:
            raise ValidationError(_("Enter the amount of the discount."))

    @property
    def agreed_discount(self) -> AgreedDiscount | None:
        """The discount, or None."""
        if not self.discount.data or self._figure_is_missing:
            return None
        is_percent = self.discount.data == PERCENT
        label = self.discountLabel.data
        return AgreedDiscount(
            Bilingual(label, label) if label else DISCOUNT,
            percent=self.discountPercent.data if is_percent else None,
            monthly_yen=None if is_percent else self.discountYen.data,
            is_recurring=not self.discountOnce.data,
            minimum_stay_days=self.minimumStayDays.data or 0,
        )

    @property
    def _figure_is_missing(self) -> bool:
        figures = {PERCENT: self.discountPercent.data, YEN: self.discountYen.data}
        return bool(self.discount.data) and not figures.get(self.discount.data)


_KINDS = (ReservationKind.RESIDENT, ReservationKind.OWNER_RESIDENT)
NAMELESS = "–"


class BookingForm(PriceForm, DiscountForm, FollowingForm):
    """The arguments of `book`; `newReservationId` keeps a form sent twice from booking twice."""

    newReservationId = HiddenField()
    enquiryId = HiddenField()
    placeId = HiddenField()
    unitId = HiddenField()
    moveInDate = DayField(lazy_gettext("Move-in"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])
    arrivalDate = DayField(lazy_gettext("Arrival date, if different"), [Optional()])
    kind = PickField(lazy_gettext("Kind"), default=ReservationKind.RESIDENT.value)
    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])
    reservationFeeYen = YenField(lazy_gettext("Reservation fee (¥, once)"))
    depositYen = YenField(lazy_gettext("Deposit (¥, once)"))
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)
        self.kind.choices = [(kind.value, label_of(kind)) for kind in _KINDS]

    @classmethod
    def prefill(
        cls,
        terms: OfferedTerms,
        move_in_on: date,
        end_on: date | None,
        new_reservation_id: str,
        seeker: RoomSeeker | None = None,
    ) -> Self:
        """Return the form filled with the unit's terms, the days and the person's facts."""
        form = cls(
            formdata=None,
            data={
                "newReservationId": new_reservation_id,
                "unitId": terms.unit_id,
                "moveInDate": move_in_on,
                "contractEndDate": end_on,
                "kind": ReservationKind.RESIDENT.value,
                "locale": chosen_language(),
                "reservationFeeYen": terms.reservation_fee_yen,
                "depositYen": terms.deposit_yen,
                "minimumStayDays": terms.minimum_stay_days or None,
                **(seeker.person if seeker else {}),
            },
        )
        form.offer_amounts(terms.amounts)
        form.offer_fees(terms.fees)
        form.name_fees(terms.fees)
        return form

    @classmethod
    def from_typed(cls, given: MultiDict[str, str], terms: OfferedTerms) -> Self:
        """Return the form as it was sent."""
        form = cls(given)
        form.name_fees(terms.fees)
        return form

    def facts(self, terms: OfferedTerms) -> BookingFacts:
        """Return the facts of the booking; an owner resident is billed nothing."""
        facts: BookingFacts = {
            "unit_id": terms.unit_id,
            "kind": ReservationKind(self.kind.offered_data or ReservationKind.RESIDENT),
            "name": self.name.data or NAMELESS,
            "name_kana": self.nameKana.data,
            "email": self.email.data,
            "phone": self.phone.data,
            "locale": Locale(self.locale.offered_data or Locale.JA),
            "move_in_date": self.moveInDate.data,
            "contract_end_date": self.contractEndDate.data,
            "arrival_date": self.arrivalDate.data,
            "note": self.note.data,
            "follows": tuple(self.follows.data or ()),
        }
        if facts["kind"] is ReservationKind.OWNER_RESIDENT:
            return facts
        return {
            **facts,
            "amounts": self.amounts,
            "fees": self.charged_fees(terms.fees),
            "discount": self.agreed_discount,
            "reservation_fee_yen": self.reservationFeeYen.data or 0,
            "deposit_yen": self.depositYen.data or 0,
        }


class BookingPreview(NamedTuple):
    """The move-in invoice, or why there is none, and the stays that conflict.

    `followed` are the residents before it who filed no notice, so that the unit is not free.
    """

    invoice: PlannedEntry | None
    refusal: str | None
    conflicts: Sequence[ConflictingStay]
    followed: Sequence[FollowedResident] = ()


def preview_booking(terms: OfferedTerms, form: BookingForm) -> BookingPreview:
    """Return the preview; empty for a form with unreadable days."""
    first_on, last_on = form.moveInDate.data, form.contractEndDate.data
    if first_on is None:
        return BookingPreview(None, None, ())
    conflicts = conflicting_stays.conflicting_stays(
        reading(), terms.unit_id, first_on, last_on, today()
    )
    if conflicts:
        return BookingPreview(None, None, conflicts)
    followed = free_units.list_followed_residents(
        reading(), terms.unit_id, first_on, last_on, today()
    )
    form.ask_agreement(followed)
    # The invoice is shown before anything is agreed or written.
    facts: BookingFacts = {
        **form.facts(terms),
        "follows": [resident.reservation_id for resident in followed],
    }
    try:
        merged_documents.refuse_endless(reading(), facts["kind"], last_on)
        plan = bookings.preview_booking(reading(), clock(), **facts)
    except Refused as problem:
        return BookingPreview(None, refusal_text(problem), (), followed)
    return BookingPreview(plan.invoice, None, (), followed)


_USUAL_MONTHS = 12


@dashboard.get("/reservations/new", roles=OFFICE)
def new_reservation() -> Response:
    """Show the form, filled from the unit, day and person; without a unit, find one."""
    unit_id = request.args.get("unitId")
    if not unit_id:
        return go(room_search_address())
    terms = offered_terms.offered_terms(reading(), unit_id)
    asked_on = readable(read_day(request.args.get("moveInDate")))
    move_in_on = asked_on or _first_free_day(terms)
    end_on = readable(read_day(request.args.get("contractEndDate")))
    if "contractEndDate" not in request.args:
        # The last day of a year, or the day before the unit is next taken.
        usual = add_months(move_in_on, _USUAL_MONTHS) - ONE_DAY
        following = free_units.next_start(reading(), terms.unit_id, move_in_on)
        end_on = usual if following is None else min(usual, following - ONE_DAY)
    form = BookingForm.prefill(terms, move_in_on, end_on, new_id(), room_seeker())
    return _render_booking(terms, form)


@dashboard.post("/reservations/new/preview", roles=OFFICE)
def preview_reservation() -> Response:
    """Show what the typed form would bill, or why it cannot be booked."""
    terms, form = _typed_form(request.form)
    form.validate()
    # The name is often typed last, and does not change the invoice.
    if not form.name.data:
        form.name.errors = ()
    return _render_booking(terms, form, block="preview")


@dashboard.post("/reservations/new", roles=OFFICE)
def book_reservation() -> Response:
    """Book the reservation; sending the same form again leads to the same reservation."""
    terms, form = _typed_form(request.form)
    return submitted(
        form,
        act=lambda work: _booked_once(work, form, form.facts(terms)),
        then=lambda booked: _answer_booked(form.newReservationId.data or "", booked),
        again=lambda: _render_booking(terms, form),
    )


def _booked_once(work: Work, form: BookingForm, facts: BookingFacts) -> Booked | None:
    merged_documents.refuse_endless(work.session, facts["kind"], facts.get("contract_end_date"))
    id_ = form.newReservationId.data or ""
    booked = bookings.book_once(work, new_reservation_id=id_, **facts)
    if booked is not None:
        waitlist.note_moving_in(
            work, enquiry_id=form.enquiryId.data or None, place_id=form.placeId.data or None
        )
    return booked


def _typed_form(given: MultiDict[str, str]) -> tuple[OfferedTerms, BookingForm]:
    terms = offered_terms.offered_terms(reading(), given.get("unitId", ""))
    return terms, BookingForm.from_typed(given, terms)


def _answer_booked(reservation_id: str, booked: Booked | None) -> Response:
    message = _("This booking has already been made.") if booked is None else _("Unit booked.")
    return go(url_for("dashboard.reservation", reservation_id=reservation_id), message=message)


def _render_booking(terms: OfferedTerms, form: BookingForm, block: str = "booking") -> Response:
    if form.moveInDate.data is None:
        presets = []
    else:
        words = {1: _("1 month"), 3: _("3 months"), 6: _("6 months"), 12: _("1 year")}
        presets = [
            (text, (add_months(form.moveInDate.data, months) - ONE_DAY).isoformat())
            for months, text in words.items()
        ]
    return page_or_block(
        "dashboard/reservations/new.html",
        block,
        terms=terms,
        form=form,
        preview=preview_booking(terms, form),
        presets=presets,
        is_alone=block == "preview" and is_part(),
    )


def _first_free_day(terms: OfferedTerms) -> date:
    """Return today, or the later day on which the unit becomes free."""
    free_on = units.availability_of(reading(), terms.unit_id, today()).move_in_from
    return max(free_on or today(), today())
