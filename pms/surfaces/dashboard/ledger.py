"""The ledger of a reservation at the end of a day: billed, paid and open amounts."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from pms.checkouts import lookups
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.ledger import overpayments, statement
from pms.ledger.statement import PaymentRecord, Statement
from pms.statements import queries, reports
from pms.statements.reports import Paper
from pms.surfaces.dashboard.blueprint import OFFICE, dashboard
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.dashboard.reservation_prices import framed
from pms.surfaces.fields import (
    DayField,
    Optional,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.money import payment_method_label
from pms.surfaces.request_scope import today


class OnForm(QueryForm):
    """The day at whose end the figures are shown."""

    on = DayField(lazy_gettext("As of"), [Optional()])

    @classmethod
    def asked(cls, given: MultiDict[str, str], today: date) -> Self:
        """Return the form filled from the query, with today if it has no day."""
        return cls(given) if given.get("on") else cls(formdata=None, on=today)

    def day(self, today: date) -> date:
        """Return the chosen day, or today if it cannot be read."""
        found: date | None = self.on.data if self.validate() else None
        return found or today


class ReachedPart(NamedTuple):
    """The part of a payment that pays one bill."""

    entry_id: str
    label: Bilingual
    yen: int


class ReceivedPayment(NamedTuple):
    """A payment with the bills it pays and its receipt."""

    payment: PaymentRecord
    method: str
    parts: Sequence[ReachedPart]
    receipt: Paper | None


@dashboard.get("/reservations/<reservation_id>/ledger", roles=OFFICE)
def reservation_ledger(reservation_id: str) -> Response:
    """Show the ledger at the end of the chosen day, by default today."""
    form = OnForm.asked(request.args, today())
    on = form.day(today())
    found = statement.statement(reading(), reservation_id, on)
    return framed(
        reservation_id,
        "dashboard/ledger/ledger.html",
        form=form,
        on=on,
        is_today=on == today(),
        today=today(),
        account=found,
        bills=reports.bills_of(reading(), found),
        payments=received_payments(found),
        troubles=lookups.troubled_payments_of(reading(), reservation_id),
        usable_yen=overpayments.usable_overpayment(reading(), reservation_id, on)
        if on == today() and found.deposit.overpaid_yen
        else 0,
    )


@dashboard.post("/reservations/<reservation_id>/overpayments", roles=OFFICE)
def use_overpayments(reservation_id: str) -> Response:
    """Apply overpayments to the open bills."""
    here = url_for("dashboard.reservation_ledger", reservation_id=reservation_id)
    return submitted(
        FlaskForm(),
        act=lambda work: overpayments.use_overpayments(work, reservation_id),
        then=lambda yen: go(
            here,
            message=_("%(yen)s of the overpayment was applied to open bills.", yen=format_yen(yen)),
        ),
        again=lambda: reservation_ledger(reservation_id),
    )


def received_payments(found: Statement) -> Sequence[ReceivedPayment]:
    """Return the payments of a statement, the latest first, with the bills that each pays."""
    receipts = {
        one.payment_id: Paper(one.id, one.number)
        for one in queries.receipts_of(reading(), found.reservation_id)
    }
    labels = {entry.id: entry.label for entry in found.entries}
    return [
        ReceivedPayment(
            payment,
            payment_method_label(payment.method),
            _parts(found, payment.id, labels),
            receipts.get(payment.id),
        )
        for payment in reversed(found.payments)
    ]


def _parts(
    found: Statement, payment_id: str, labels: Mapping[str, Bilingual]
) -> Sequence[ReachedPart]:
    sums: dict[str, int] = {}
    for part in found.allocations:
        if part.payment_id == payment_id:
            sums[part.entry_id] = sums.get(part.entry_id, 0) + part.yen
    return [ReachedPart(id_, labels[id_], yen) for id_, yen in sums.items() if yen]
