"""An application as its applicant follows it."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.checkout_records import CheckoutRecord, checkouts_of
from pms.checkouts.open_bills import pays_online
from pms.contracts.explanations import is_unexplained
from pms.contracts.queries import ContractRecord, current_contract
from pms.foundation.phrases import Bilingual
from pms.ledger.queries import entries_of, standing_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckoutState, EntryKind, Lifecycle
from pms.statements.transfer_account import TransferDetails, transfer_of_day


class DueInvoice(NamedTuple):
    """The move-in invoice as it is today, in whole yen, with the reference for a transfer."""

    entry_id: str
    reservation_id: str
    label: Bilingual
    due_on: date
    total_yen: int
    open_yen: int
    transfer: TransferDetails


class Application(NamedTuple):
    """A booking as its applicant sees it."""

    reservation_id: str
    lifecycle: Lifecycle
    name: str
    email: str | None
    contract: ContractRecord | None
    is_unexplained: bool
    invoice: DueInvoice | None
    pays_online: bool
    checkout: CheckoutRecord | None


def application(session: Session, reservation_id: str, today: date) -> Application:
    """Return the state of the booking of an offer."""
    row = session.scalars(select(Reservation).where(Reservation.id == reservation_id)).one()
    invoice = _find_due_invoice(session, reservation_id, today)
    contract = current_contract(session, reservation_id)
    return Application(
        reservation_id=reservation_id,
        lifecycle=Lifecycle(row.lifecycle),
        name=row.name,
        email=row.email,
        contract=contract,
        is_unexplained=contract is not None and is_unexplained(session, contract),
        invoice=invoice,
        pays_online=pays_online(session),
        checkout=_under_way(session, invoice),
    )


def _find_due_invoice(session: Session, reservation_id: str, today: date) -> DueInvoice | None:
    for entry in entries_of(session, reservation_id):
        if entry.kind is EntryKind.MOVE_IN and entry.voided_on is None:
            standing = standing_of(session, reservation_id, entry.id, today)
            transfer = transfer_of_day(session, reservation_id, today)
            return DueInvoice(
                entry.id,
                reservation_id,
                entry.label,
                entry.due_on,
                entry.total_yen,
                standing.open_yen,
                transfer,
            )
    return None


def _under_way(session: Session, invoice: DueInvoice | None) -> CheckoutRecord | None:
    """Return the newest checkout, unless it was paid or has expired."""
    if invoice is None:
        return None
    visits = checkouts_of(session, invoice.reservation_id)
    newest = next((visit for visit in visits if visit.entry_id == invoice.entry_id), None)
    is_over = newest is None or newest.state in (CheckoutState.PAID, CheckoutState.EXPIRED)
    return None if is_over else newest
