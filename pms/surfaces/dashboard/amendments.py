"""The page that previews and records a room change or an occupant change."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from pms.arrivals import (
    amendments,
    conflicting_stays,
    free_units,
    offered_terms,
    price_history,
    reservation_headers,
)
from pms.arrivals.amendments import Amended, AmendedFacts, AmendmentPreview
from pms.arrivals.free_units import FollowedResident
from pms.arrivals.offered_terms import OfferedTerms
from pms.arrivals.reservation_headers import ReservationHeader
from pms.rules.days import ONE_DAY, read_day, readable
from pms.rules.enumerations import Locale
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.move_out_notices import VersionForm
from pms.surfaces.dashboard.reservation_list import PriceForm
from pms.surfaces.dashboard.reservation_prices import (
    ShownPrices,
    render_reservation_tab,
    show_or_refuse,
)
from pms.surfaces.dashboard.reservations import FollowingForm
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
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import clock, today


class AmendmentForm(PriceForm, VersionForm, FollowingForm):
    """The first day, unit and price of the new record; another name makes it an occupant change."""

    unitId = HiddenField()
    fromOn = DayField(lazy_gettext("Effective from"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])
    name = TextField(lazy_gettext("Name"), [Required()])
    nameKana = KanaField(lazy_gettext("Reading (kana)"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Optional()])
    phone = PhoneField(lazy_gettext("Phone"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language of emails and documents"), [Required()])
    reservationFeeYen = YenField(lazy_gettext("Reservation fee (¥, once)"))
    depositYen = YenField(lazy_gettext("Additional deposit (¥, once)"))
    invoiceDueOn = DayField(lazy_gettext("Invoice due on"), [Optional()])
    movesOverpayment = FlagField(lazy_gettext("Use the overpayment for the new invoice"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.locale.choices = choices(Locale)

    @classmethod
    def prefill(cls, header: ReservationHeader, terms: OfferedTerms, from_on: date) -> Self:
        """Return the form filled with the same people and the price of the room.

        An agreed end that is over by the first day of the new record is left out.
        """
        end_on = readable(header.end_on)
        form = cls(
            formdata=None,
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

    @property
    def last_on(self) -> date:
        """The last day of the old record."""
        from_on: date = self.fromOn.data
        return from_on - ONE_DAY

    def facts(self, header: ReservationHeader, terms: OfferedTerms) -> AmendedFacts:
        """Return the facts of the new record; the people are included only where they change."""
        facts: AmendedFacts = {
            "unit_id": terms.unit_id,
            "contract_end_date": self.contractEndDate.data,
            "amounts": self.amounts,
            "fees": self.charged_fees(terms.fees),
            "reservation_fee_yen": self.reservationFeeYen.data or 0,
            "deposit_yen": self.depositYen.data or 0,
            "follows": tuple(self.follows.data or ()),
            "invoice_due_on": self.invoiceDueOn.data,
        }
        if self.name.data == header.name:
            return facts
        return {
            **facts,
            "name": self.name.data or "",
            "name_kana": self.nameKana.data,
            "email": self.email.data,
            "phone": self.phone.data,
            "locale": Locale(self.locale.data or Locale.JA),
        }


def terms_of(header: ReservationHeader, unit_id: str) -> OfferedTerms:
    """Return the terms of another unit, or those in force if the unit is the same."""
    terms = offered_terms.offered_terms(reading(), unit_id)
    if terms.unit_id != header.unit_id:
        return terms
    history = price_history.price_history(reading(), header.id, today())
    return replace(terms, amounts=history.amounts, fees=history.offered)


def preview_effects(
    header: ReservationHeader, terms: OfferedTerms, form: AmendmentForm
) -> ShownPrices[AmendmentPreview]:
    """Return what the change would do, or put its refusal into the form."""
    # The effects are shown before anything is agreed or written.
    facts: AmendedFacts = {
        **form.facts(header, terms),
        "follows": [
            resident.reservation_id for resident in _followed_residents(header, terms, form)
        ],
    }
    return show_or_refuse(
        form,
        lambda: amendments.preview_amendment(
            reading(),
            clock(),
            reservation_id=header.id,
            last_on=form.last_on,
            moves_overpayment=form.movesOverpayment.data,
            **facts,
        ),
    )


def _followed_residents(
    header: ReservationHeader, terms: OfferedTerms, form: AmendmentForm
) -> Sequence[FollowedResident]:
    from_on, end_on = form.fromOn.data, form.contractEndDate.data
    if from_on is None:
        return ()
    return free_units.list_followed_residents(
        reading(), terms.unit_id, from_on, end_on, today(), beside=(header.id,)
    )


def render_amendment(
    header: ReservationHeader,
    terms: OfferedTerms,
    form: AmendmentForm,
    found: ShownPrices[AmendmentPreview] | None = None,
    block: str = "tab",
) -> Response:
    """Show the form, the effects of the change, and the stays that conflict with it."""
    followed = _followed_residents(header, terms, form)
    form.ask_agreement(followed)
    # The stays that take the unit on days of the changed contract.
    from_on, end_on = form.fromOn.data, form.contractEndDate.data
    conflicts: Sequence[conflicting_stays.ConflictingStay] = ()
    if from_on:
        conflicts = conflicting_stays.conflicting_stays(
            reading(), terms.unit_id, from_on, end_on, today(), beside=(header.id,)
        )
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/amendment.html",
        tab="reservation",
        header=header,
        block=block,
        is_preview=block == "preview",
        terms=terms,
        form=form,
        found=found or ShownPrices(),
        conflicts=conflicts,
        followed=followed,
    )


@dashboard.get("/reservations/<reservation_id>/amendment", roles=OFFICE)
def reservation_amendment(reservation_id: str) -> Response:
    """Preview a change into the unit of the query; without a unit, go to the room search."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    unit_id = request.args.get("unitId")
    if not unit_id:
        return go(url_for("dashboard.rooms", movingId=header.id))
    terms = terms_of(header, unit_id)
    from_on = readable(read_day(request.args.get("fromOn"))) or today() + ONE_DAY
    form = AmendmentForm.prefill(header, terms, from_on)
    # A change within the same room needs another name first, so there is nothing to preview yet.
    is_room_change = terms.unit_id != header.unit_id
    return render_amendment(
        header, terms, form, preview_effects(header, terms, form) if is_room_change else None
    )


@dashboard.post("/reservations/<reservation_id>/amendment/preview", roles=OFFICE)
def preview_amendment(reservation_id: str) -> Response:
    """Show what the typed change would end, write and move."""
    header, terms, form = _typed_form(reservation_id)
    found = preview_effects(header, terms, form) if form.validate() else None
    return render_amendment(header, terms, form, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/amendment", roles=OFFICE)
def amend_reservation(reservation_id: str) -> Response:
    """End the old record and book the new one."""
    header, terms, form = _typed_form(reservation_id)
    return submitted(
        form,
        act=lambda work: amendments.amend(
            work,
            reservation_id=reservation_id,
            last_on=form.last_on,
            expected_version=form.version.seen_value,
            moves_overpayment=form.movesOverpayment.data,
            **form.facts(header, terms),
        ),
        then=_answer_amended,
        again=lambda: render_amendment(header, terms, form),
    )


def _typed_form(reservation_id: str) -> tuple[ReservationHeader, OfferedTerms, AmendmentForm]:
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    terms = terms_of(header, request.form.get("unitId", ""))
    return header, terms, AmendmentForm.from_typed(request.form, terms)


def _answer_amended(done: Amended) -> Response:
    new_id = done.booked.reservation_id
    message = (
        _("The tenancy continues here. The deposit moved with it.")
        if done.is_deposit_moved
        else _("The tenancy continues here. The deposit moves on the first day.")
    )
    return go(url_for("dashboard.reservation", reservation_id=new_id), message=message)
