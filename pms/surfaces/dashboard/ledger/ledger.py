"""The ledger of one reservation on a day: bills, payments, and the balance after each of them."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Response, request

from pms.checkouts.provider_payments import troubled_payments_of
from pms.foundation.bilingual import Bilingual
from pms.ledger.statement import PaymentRecord, Statement, statement
from pms.statements.bills import Paper, bills_of
from pms.statements.queries import receipts_of
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.ledger.ledger_form import OnForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.payment_methods import method_words


class ReachedPart(NamedTuple):
    """What of a payment lies on one bill."""

    entry_id: str
    label: Bilingual
    yen: int


class ReceivedPayment(NamedTuple):
    """A payment with what it reached and its receipt."""

    payment: PaymentRecord
    method: str
    parts: Sequence[ReachedPart]
    receipt: Paper | None


@dashboard.get("/reservations/<reservation_id>/ledger", roles=OFFICE)
def reservation_ledger(reservation_id: str) -> Response:
    """Show the ledger as it stood at the end of a day, today unless another is asked for."""
    form = OnForm.asked(request.args, today())
    on = form.day(today())
    found = statement(reading(), reservation_id, on)
    return framed(
        reservation_id,
        "dashboard/ledger/ledger.html",
        form=form,
        on=on,
        is_today=on == today(),
        today=today(),
        account=found,
        bills=bills_of(reading(), found),
        payments=received_payments(found),
        troubles=troubled_payments_of(reading(), reservation_id),
    )


def received_payments(found: Statement) -> Sequence[ReceivedPayment]:
    """Return the payments of a statement, the latest first, with what each reached."""
    receipts = {
        one.payment_id: Paper(one.id, one.number)
        for one in receipts_of(reading(), found.reservation_id)
    }
    labels = {entry.id: entry.label for entry in found.entries}
    return [
        ReceivedPayment(
            payment,
            method_words(payment.method),
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
