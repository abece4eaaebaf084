"""Residents whose bills are overdue, as the reminders write to them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.clock import is_transfer_awaited
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.ledger_entries import EntryBalance
from pms.statements.models import Invoice


class Debtor(NamedTuple):
    """A resident in a list of debts; the times are those of the last mails about bills."""

    name: str
    name_kana: str | None
    email: str | None
    lifecycle: Lifecycle
    building: Bilingual
    unit: str
    invoiced_at: datetime | None
    reminded_at: datetime | None


def debtors(session: Session, reservation_ids: Sequence[str]) -> Mapping[str, Debtor]:
    """Return the residents of reservations in one query, whatever their number."""
    ids = list(reservation_ids)
    written = (
        select(
            LedgerEntry.reservation_id,
            func.max(Invoice.sent_at).label("sent_at"),
            func.max(Invoice.reminded_at).label("reminded_at"),
        )
        .join(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
        .where(one_of(LedgerEntry.reservation_id, ids))
        .group_by(LedgerEntry.reservation_id)
        .subquery()
    )
    found = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.name_kana,
            Reservation.email,
            Reservation.lifecycle,
            Building.name,
            Building.name_en,
            Unit.name,
            written.c.sent_at,
            written.c.reminded_at,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .outerjoin(written, written.c.reservation_id == Reservation.id)
        .where(one_of(Reservation.id, ids))
    )
    return {
        id_: Debtor(name, kana, email, Lifecycle(lifecycle), Bilingual(ja, en), unit, *written_at)
        for id_, name, kana, email, lifecycle, ja, en, unit, *written_at in found
    }


class DueMoney(NamedTuple):
    """The money a resident owes for one reservation, in whole yen.

    `open_yen` is everything billed and unpaid, including a deposit's line; `entry_id` is the bill
    to pay first. `awaited_yen` was due, and a transfer of the due day may not be booked yet.
    """

    open_yen: int
    overdue_yen: int
    overpaid_yen: int
    next_due_on: date | None
    next_yen: int
    entry_id: str | None
    awaited_yen: int = 0


def due_money(standings: Iterable[EntryBalance], on: date) -> DueMoney:
    """Return what is to be paid, from the standings of entries on a day."""
    standing = [bill for bill in standings if not bill.is_voided]
    unpaid = sorted((bill for bill in standing if bill.open_yen), key=lambda entry: entry.due_on)
    coming = [bill for bill in unpaid if bill.due_on >= on]
    next_on = coming[0].due_on if coming else None
    past = [bill for bill in unpaid if bill.due_on < on]
    awaited_yen = sum(bill.open_yen for bill in past if is_transfer_awaited(bill.due_on, on))
    return DueMoney(
        open_yen=sum(bill.open_yen for bill in unpaid),
        overdue_yen=sum(bill.open_yen for bill in past) - awaited_yen,
        overpaid_yen=sum(bill.overpaid_yen for bill in standing),
        next_due_on=next_on,
        next_yen=sum(bill.open_yen for bill in coming if bill.due_on == next_on),
        entry_id=unpaid[0].id if unpaid else None,
        awaited_yen=awaited_yen,
    )
