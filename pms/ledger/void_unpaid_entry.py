"""Voids an entry that no money has reached: what was paid is locked."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.queries import entry_record, standing_of
from pms.ledger.void_entry import void_entry
from pms.reservations.locks import locked_reservation


def void_unpaid_entry(session: Session, clock: Clock, actor: str, entry_id: str) -> str:
    """Write the opposite entry and return its id; raise `Refused` once something was paid."""
    entry = entry_record(session, entry_id)
    locked_reservation(session, entry.reservation_id)
    standing = standing_of(session, entry.reservation_id, entry_id, clock.today())
    if standing.paid_yen:
        raise Refused(
            "entry: {paid_yen} yen were paid on it; a paid bill is locked and is corrected by"
            " another one.",
            paid_yen=standing.paid_yen,
        )
    return void_entry(session, clock, actor, entry_id)
