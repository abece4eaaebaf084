"""Tells what of a reservation is open, and how each bill can be paid."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.checkouts.transfer_reference import TransferDetails, transfer_reference
from pms.foundation.bilingual import Bilingual
from pms.ledger.queries import entries_of, standings


class OpenBill(NamedTuple):
    """One entry with something to pay, whole yen."""

    entry_id: str
    label: Bilingual
    due_on: date
    open_yen: int
    transfer: TransferDetails


def open_bills(session: Session, reservation_id: str, on: date) -> Sequence[OpenBill]:
    """Return the bills with something open on a day, the oldest due first."""
    labels = {entry.id: entry.label for entry in entries_of(session, reservation_id)}
    found = standings(session, [reservation_id], on).get(reservation_id, ())
    waiting = [one for one in found if not one.is_voided and one.open_yen > 0]
    return [
        OpenBill(
            one.id,
            labels[one.id],
            one.due_on,
            one.open_yen,
            transfer_reference(session, reservation_id, one.id),
        )
        for one in sorted(waiting, key=lambda one: (one.due_on, one.id))
    ]
