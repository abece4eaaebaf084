"""Keeps in the audit what was charged to a reservation by hand, or taken back."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.ledger.planned_entries import PlannedEntry
from pms.rules.deeds import Deed


def note_entry(
    session: Session, clock: Clock, actor: str, deed: Deed, *, entry_id: str, entry: PlannedEntry
) -> None:
    """Tell what an entry is called and what it adds to what the resident owes."""
    told = {
        "entry_id": entry_id,
        "label_ja": entry.label.ja,
        "label_en": entry.label.en,
        "amount_yen": entry.total_yen,
        "due_on": entry.due_on,
    }
    note_deed(session, clock, actor, deed, of_reservation(entry.reservation_id), after=told)
