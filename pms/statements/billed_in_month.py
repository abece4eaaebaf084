"""The invoices behind a building's month: numbers, units and amounts, and no resident's name."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.bilingual import Bilingual
from pms.ledger.models import Allocation, LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.days import month_last
from pms.statements.models import Invoice


class PaidInvoice(NamedTuple):
    """An invoice that money reached in a month."""

    id: str
    number: str
    unit: str
    label: Bilingual
    issued_on: date
    received_yen: int


def invoices_paid_in_month(
    session: Session, building_id: str, month_on: date
) -> Sequence[PaidInvoice]:
    """Return the invoices of a building that received money in a month, by unit and number.

    What they received may hold a deposit, which is no income while it is held. What was set off
    with a credit is no money: the credit is taken off the month's income itself.
    """
    of_entry = and_(
        LedgerEntry.workspace_id == Allocation.workspace_id, LedgerEntry.id == Allocation.entry_id
    )
    rows = session.execute(
        select(
            Invoice.id,
            Invoice.number,
            Unit.name,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
            Invoice.issued_on,
            func.sum(Allocation.amount_yen),
        )
        .select_from(Allocation)
        .join(LedgerEntry, of_entry)
        .join(
            Invoice,
            and_(
                Invoice.workspace_id == LedgerEntry.workspace_id,
                Invoice.entry_id == LedgerEntry.id,
            ),
        )
        .join(
            Reservation,
            and_(
                Reservation.workspace_id == LedgerEntry.workspace_id,
                Reservation.id == LedgerEntry.reservation_id,
            ),
        )
        .join(
            Unit,
            and_(Unit.workspace_id == Reservation.workspace_id, Unit.id == Reservation.unit_id),
        )
        .where(
            Unit.building_id == building_id,
            Allocation.allocated_on >= month_on,
            Allocation.allocated_on <= month_last(month_on),
            or_(
                Allocation.payment_id.is_not(None),
                Allocation.settlement_id.is_not(None),
                Allocation.transfer_id.is_not(None),
            ),
        )
        .group_by(
            Invoice.id,
            Invoice.number,
            Unit.name,
            Unit.name_key,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
            Invoice.issued_on,
        )
        .having(func.sum(Allocation.amount_yen) != 0)
        .order_by(Unit.name_key, Invoice.number)
    )
    return [
        PaidInvoice(id_, number, unit, Bilingual(ja, en), issued_on, int(yen))
        for id_, number, unit, ja, en, issued_on, yen in rows
    ]
