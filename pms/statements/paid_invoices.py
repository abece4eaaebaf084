"""The invoices that were paid in a month."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.ledger.models import Allocation, LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.days import month_last
from pms.statements.models import Invoice


class PaidInvoice(NamedTuple):
    """An invoice with a payment in a month."""

    id: str
    number: str
    unit: str
    label: Bilingual
    issued_on: date
    received_yen: int


_INVOICE: Final[Any] = (
    Invoice.id,
    Invoice.number,
    Unit.name,
    LedgerEntry.label_ja,
    LedgerEntry.label_en,
    Invoice.issued_on,
)
_PAID_INVOICES: Final[Any] = (
    select(*_INVOICE, func.sum(Allocation.amount_yen))
    .select_from(Allocation)
    .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
    .join(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
    .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .where(
        or_(
            Allocation.payment_id.is_not(None),
            Allocation.settlement_id.is_not(None),
            Allocation.transfer_id.is_not(None),
        )
    )
    .group_by(*_INVOICE, Unit.name_key)
    .having(func.sum(Allocation.amount_yen) != 0)
    .order_by(Unit.name_key, Invoice.number)
)


def invoices_paid_in_month(
    session: Session, building_id: str, month_on: date
) -> Sequence[PaidInvoice]:
    """Return the invoices of a building with payments in a month, by unit and number.

    The payments may include a deposit, which is no income while it is held. Set-off credits are not
    payments: they reduce the month's income directly.
    """
    rows = session.execute(
        _PAID_INVOICES.where(
            Unit.building_id == building_id,
            Allocation.allocated_on >= month_on,
            Allocation.allocated_on <= month_last(month_on),
        )
    )
    return [
        PaidInvoice(id_, number, unit, Bilingual(ja, en), issued_on, int(yen))
        for id_, number, unit, ja, en, issued_on, yen in rows
    ]
