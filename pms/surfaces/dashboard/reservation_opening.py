"""The money of a reservation imported without any: taken over, or billed from its start."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Field, Form

from pms.arrivals import reservation_headers, taking_over
from pms.arrivals.reservation_headers import ReservationHeader
from pms.foundation.errors import Refused
from pms.ledger.planned_entries import PlannedEntry
from pms.rules.days import ONE_DAY, add_months, month_first, month_last
from pms.rules.taking_over import OpeningDebt
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.move_out_notices import VersionForm
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import DayField, Optional, Printable, Required, TextField, YenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.formats import month
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, today

_MONTHS_BACK: Final = 5
_OTHERS: Final = 3
_UNPAID: Final = re.compile(r"unpaid-(\d{4}-\d{2})")


class OpeningBalanceForm(VersionForm):
    """What another system knew on a day: the last day billed, and the amounts held and open."""

    billedThrough = DayField(lazy_gettext("Billed before the take-over through"), [Required()])
    depositHeld = YenField(lazy_gettext("Deposit held (yen)"), [Required()])
    overpaid = YenField(lazy_gettext("Overpaid (yen)"), [Optional()])
    what1 = TextField(lazy_gettext("Description"), [Optional(), Printable()])
    yen1 = YenField(lazy_gettext("Amount (yen)"), [Optional()], minimum_yen=1)
    dueOn1 = DayField(lazy_gettext("Due on"), [Optional()])
    what2 = TextField(lazy_gettext("Description"), [Optional(), Printable()])
    yen2 = YenField(lazy_gettext("Amount (yen)"), [Optional()], minimum_yen=1)
    dueOn2 = DayField(lazy_gettext("Due on"), [Optional()])
    what3 = TextField(lazy_gettext("Description"), [Optional(), Printable()])
    yen3 = YenField(lazy_gettext("Amount (yen)"), [Optional()], minimum_yen=1)
    dueOn3 = DayField(lazy_gettext("Due on"), [Optional()])

    @property
    def months(self) -> Mapping[date, Field]:
        """The fields of unpaid rent by month, the newest first."""
        found = {name: _UNPAID.fullmatch(name) for name in self._fields}
        return {
            date.fromisoformat(f"{match[1]}-01"): self._fields[name]
            for name, match in found.items()
            if match
        }

    @property
    def others(self) -> Sequence[tuple[Field, Field, Field]]:
        """The rows of debts other than a month's rent."""
        return [
            (self[f"what{row}"], self[f"yen{row}"], self[f"dueOn{row}"])
            for row in range(1, _OTHERS + 1)
        ]

    @property
    def has_more(self) -> bool:
        """Whether anything besides rent and the deposit was typed."""
        fields = [self.overpaid, *(field for row in self.others for field in row)]
        return any(field.data or field.errors for field in fields)

    @property
    def debts(self) -> tuple[OpeningDebt, ...]:
        """The unpaid debts: rent is due the day before its month, others on their typed day."""
        rent_debts = (
            OpeningDebt(f"rent {first_on:%Y-%m}", field.data, first_on - ONE_DAY)
            for first_on, field in sorted(self.months.items())
            if field.data
        )
        other_debts = (
            OpeningDebt(what.data, yen.data, due_on.data)
            for what, yen, due_on in self.others
            if what.data and yen.data and due_on.data
        )
        return (*rent_debts, *other_debts)

    def validate(self, extra_validators: Any = None) -> bool:
        """Require the label and the due day of a debt that has an amount."""
        is_sound: bool = super().validate(extra_validators)
        for what, yen, due_on in self.others:
            if not (what.data or yen.data or due_on.data):
                continue
            for field in (what, yen, due_on):
                if not field.data and not field.errors:
                    field.errors = [_("Please fill this in.")]
                    is_sound = False
        return is_sound


def form_of_months(on: date, *given: Any, **values: Any) -> OpeningBalanceForm:
    """Return the form with a field for the rent of each month around a day."""
    months = [add_months(month_first(on), step) for step in range(1, -_MONTHS_BACK - 1, -1)]
    fields = {
        f"unpaid-{each:%Y-%m}": YenField(month(each), [Optional()], minimum_yen=1)
        for each in months
    }
    form: OpeningBalanceForm = type("OpeningFormOfMonths", (OpeningBalanceForm,), fields)(
        *given, **values
    )
    return form


@dashboard.get("/reservations/<reservation_id>/opening", roles=OFFICE)
def reservation_opening(reservation_id: str) -> Response:
    """Show the form, filled with what the reservation already has."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = form_of_months(
        today(),
        data={
            "version": header.version,
            "billedThrough": month_last(today()),
            "depositHeld": header.agreed_deposit_yen,
        },
    )
    return _render_opening(header, form)


@dashboard.post("/reservations/<reservation_id>/opening", roles=OFFICE)
def take_over_reservation(reservation_id: str) -> Response:
    """Write the opening entries; ordinary billing starts on the day after the last one billed."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = form_of_months(today(), request.form)
    return submitted(
        form,
        act=lambda work: taking_over.take_over(
            work,
            reservation_id=reservation_id,
            billed_through_on=form.billedThrough.data,
            deposit_held_yen=form.depositHeld.data,
            unpaid=form.debts,
            overpaid_yen=form.overpaid.data or 0,
            expected_version=form.version.seen_value,
        ),
        then=lambda _ids: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_("Saved. The next billing run also bills this tenancy."),
        ),
        again=lambda: _render_opening(header, form),
    )


@dashboard.post("/reservations/<reservation_id>/move-in-invoice", roles=OFFICE)
def bill_move_in(reservation_id: str) -> Response:
    """Issue the move-in invoice of a tenancy that starts in this system."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = VersionForm()
    return submitted(
        form,
        act=lambda work: taking_over.bill_move_in(
            work, reservation_id=reservation_id, expected_version=form.version.seen_value
        ),
        then=lambda _id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_("Move-in invoice issued."),
        ),
        again=lambda: _render_opening(header, form_of_months(today(), None), refused=form),
    )


def _render_opening(
    header: ReservationHeader, form: OpeningBalanceForm, refused: Form | None = None
) -> Response:
    invoice: PlannedEntry | None = None
    refusal = None
    try:
        invoice = taking_over.preview_move_in(reading(), clock(), header.id)
    except Refused as problem:
        refusal = refusal_text(problem)
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/opening.html",
        tab="reservation_ledger",
        header=header,
        form=form,
        refused=refused,
        invoice=invoice,
        refusal=refusal,
        today=today(),
    )
