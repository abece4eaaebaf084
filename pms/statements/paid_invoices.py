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
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import Allocation, LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.days import month_last
from pms.statements.building_income import read_bills
from pms.statements.master_leases import leased_days
from pms.statements.models import Invoice
from pms.statements.monthly_receipts import is_in_buildings


class PaidInvoice(NamedTuple):
    """An invoice with a payment in a month."""

    id: str
    number: str
    unit: str
    label: Bilingual
    issued_on: date
    received_yen: int


_IS_PAYMENT: Final = or_(
    Allocation.payment_id.is_not(None),
    Allocation.settlement_id.is_not(None),
    Allocation.transfer_id.is_not(None),
)
_INVOICES: Final[Any] = (
    select(
        Invoice.id,
        Invoice.number,
        Unit.name,
        LedgerEntry.label_ja,
        LedgerEntry.label_en,
        Invoice.issued_on,
        LedgerEntry.id,
    )
    .join(LedgerEntry, refers_to(Invoice.entry_id, LedgerEntry))
    .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .order_by(Unit.name_key, Invoice.number)
)


def invoices_paid_in_month(
    session: Session, building_id: str, month_on: date
) -> Sequence[PaidInvoice]:
    """Return the owner's invoices of a building with payments in a month, by unit and number.

    Those of days under a master lease are the operator's.

    The payments may include a deposit, which is no income while it is held. Set-off credits are not
    payments: they reduce the month's income directly.
    """
    # First the entries of the building: what the whole workspace was paid in a month is far more.
    of_building = select(LedgerEntry.id).where(
        is_in_buildings(LedgerEntry.reservation_id, [building_id])
    )
    paid_yen = {
        entry_id: int(yen)
        for entry_id, yen in session.execute(
            select(Allocation.entry_id, func.sum(Allocation.amount_yen))
            .where(
                _IS_PAYMENT,
                Allocation.entry_id.in_(of_building),
                Allocation.allocated_on.between(month_on, month_last(month_on)),
            )
            .group_by(Allocation.entry_id)
        )
    }
    paid_ids = [id_ for id_, yen in paid_yen.items() if yen]
    leases = leased_days(session, [building_id])
    if leases:
        paid_ids = [
            bill.entry_id
            for bill in read_bills(session, paid_ids, leases)
            if any(not posting.is_operators for posting in bill.money.postings)
        ]
    rows = session.execute(_INVOICES.where(one_of(LedgerEntry.id, paid_ids)))
    return [
        PaidInvoice(id_, number, unit, Bilingual(ja, en), issued_on, paid_yen[entry_id])
        for id_, number, unit, ja, en, issued_on, entry_id in rows
    ]
