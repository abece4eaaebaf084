"""A room or occupant change as the office types it; what stays the same is not asked."""

from datetime import date
from typing import Any, Self

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from pms.arrivals.amend import AmendedFacts
from pms.arrivals.offered_terms import OfferedTerms
from pms.arrivals.reservation_header import ReservationHeader
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import Locale
from pms.surfaces.dashboard.reservations.following_form import FollowingForm
from pms.surfaces.dashboard.reservations.price_form import PriceForm
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    HiddenField,
    KanaField,
    Optional,
    PhoneField,
    Required,
    TextField,
    YenField,
)


class AmendmentForm(PriceForm, VersionForm, FollowingForm):
    """The first day of the new record, its unit and price; a name of its own is an occupant change."""

    unitId = HiddenField()
    fromOn = DayField(lazy_gettext("New from"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])
    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("E-mail"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of mails and papers"), [Required()])
    reservationFeeYen = YenField(lazy_gettext("Reservation fee (yen, once)"))
    depositYen = YenField(lazy_gettext("Further deposit (yen, once)"))
    invoiceDueOn = DayField(lazy_gettext("Invoice due on"), [Optional()])
    movesOverpayment = FlagField(lazy_gettext("Let what is overpaid pay the new invoice"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)

    @classmethod
    def begun(cls, header: ReservationHeader, terms: OfferedTerms, from_on: date) -> Self:
        """Return the form as things stand: the same people, the price of the room.

        An agreed end that has passed by then is agreed no more.
        """
        end_on = readable(header.end_on)
        form = cls(
            data={
                "version": header.version,
                "unitId": terms.unit_id,
                "fromOn": from_on,
                "contractEndDate": end_on if end_on and end_on >= from_on else None,
                "name": header.name,
                "nameKana": header.name_kana,
                "email": header.email,
                "phone": header.phone,
                "locale": header.locale,
                "movesOverpayment": True,
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

    @property
    def last_on(self) -> date:
        """The last day of the old record."""
        from_on: date = self.fromOn.data
        return from_on - ONE_DAY

    def facts(self, header: ReservationHeader, terms: OfferedTerms) -> AmendedFacts:
        """Return what the new record says; the people are told only where they change."""
        told: AmendedFacts = {
            "unit_id": terms.unit_id,
            "contract_end_date": self.contractEndDate.data,
            "amounts": self.amounts,
            "fees": self.charged(terms.fees),
            "reservation_fee_yen": self.reservationFeeYen.data or 0,
            "deposit_yen": self.depositYen.data or 0,
            "follows": tuple(self.follows.data or ()),
            "invoice_due_on": self.invoiceDueOn.data,
        }
        if self.name.data == header.name:
            return told
        return {
            **told,
            "name": self.name.data or "",
            "name_kana": self.nameKana.data,
            "email": self.email.data,
            "phone": self.phone.data,
            "locale": Locale(self.locale.data or Locale.JA),
        }
