"""A new booking as the office types it: the dates, the person, the price."""

from datetime import date
from typing import Any, Self

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from pms.arrivals.booking import BookingFacts
from pms.arrivals.offered_terms import OfferedTerms
from pms.rules.enumerations import Locale, ReservationKind
from pms.surfaces.dashboard.reservations.discount_form import DiscountForm
from pms.surfaces.dashboard.reservations.following_form import FollowingForm
from pms.surfaces.dashboard.reservations.price_form import PriceForm
from pms.surfaces.enumeration_words import choices, word
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    HiddenField,
    KanaField,
    LongTextField,
    Optional,
    PhoneField,
    PickField,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.reader_choice import chosen_language

_KINDS = (ReservationKind.RESIDENT, ReservationKind.OWNER_RESIDENT)
NAMELESS = "–"


class BookingForm(PriceForm, DiscountForm, FollowingForm):
    """What `book` is told; `newReservationId` makes sending the form twice book once."""

    newReservationId = HiddenField()
    unitId = HiddenField()
    moveInDate = DayField(lazy_gettext("Move-in"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])
    arrivalDate = DayField(lazy_gettext("Arrival, if on another day"), [Optional()])
    kind = PickField(lazy_gettext("Kind"), default=ReservationKind.RESIDENT.value)
    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("E-mail"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of mails and papers"), [Required()])
    reservationFeeYen = YenField(lazy_gettext("Reservation fee (yen, once)"))
    depositYen = YenField(lazy_gettext("Deposit (yen, once)"))
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)
        self.kind.choices = [(kind.value, word(kind)) for kind in _KINDS]

    @classmethod
    def offered(
        cls, terms: OfferedTerms, move_in_on: date, end_on: date | None, new_reservation_id: str
    ) -> Self:
        """Return the form with all the unit and the day say already."""
        form = cls(
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
            }
        )
        form.offer_amounts(terms.amounts)
        form.offer_fees(terms.fees)
        form.name_fees(terms.fees)
        return form

    @classmethod
    def typed(cls, given: MultiDict[str, str], terms: OfferedTerms) -> Self:
        """Return the form as it was typed."""
        form = cls(given)
        form.name_fees(terms.fees)
        return form

    def facts(self, terms: OfferedTerms) -> BookingFacts:
        """Return what is asked; an owner resident is billed nothing."""
        told: BookingFacts = {
            "unit_id": terms.unit_id,
            "kind": ReservationKind(self.kind.data or ReservationKind.RESIDENT),
            "name": self.name.data or NAMELESS,
            "name_kana": self.nameKana.data,
            "email": self.email.data,
            "phone": self.phone.data,
            "locale": Locale(self.locale.data or Locale.JA),
            "move_in_date": self.moveInDate.data,
            "contract_end_date": self.contractEndDate.data,
            "arrival_date": self.arrivalDate.data,
            "note": self.note.data,
            "follows": tuple(self.follows.data or ()),
        }
        if told["kind"] is ReservationKind.OWNER_RESIDENT:
            return told
        return {
            **told,
            "amounts": self.amounts,
            "fees": self.charged(terms.fees),
            "discount": self.agreed,
            "reservation_fee_yen": self.reservationFeeYen.data or 0,
            "deposit_yen": self.depositYen.data or 0,
        }
