"""Brings the penalty entry of a notice to the lines it is to stand at (Move-out penalties 3)."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.posting import line_rows, post_entries, write_rows
from pms.ledger.reverse_lines import lines_of_entry, reversed_lines
from pms.ledger.wording import ITEM_WORDS, PENALTY
from pms.reservations.locks import locked_reservation
from pms.rules.billing_calendar import charge_due_on
from pms.rules.enumerations import EntryKind, LineItem
from pms.rules.rent_lines import Line


def post_penalty(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    notice_id: str,
    lines: Sequence[Line],
) -> str | None:
    """Write the penalty of a notice, or append what it lacks; return the entry's id, if any.

    Without lines a penalty nets to 0, which withdraws it; what was paid is an overpayment.
    """
    locked_reservation(session, reservation_id)
    words = ITEM_WORDS[LineItem.PENALTY]
    wanted = tuple(
        PlannedLine(str(item), words, first, last, yen) for item, first, last, yen in lines
    )
    entry_id = session.scalar(
        select(LedgerEntry.id).where(
            LedgerEntry.reservation_id == reservation_id,
            LedgerEntry.kind == EntryKind.PENALTY,
            LedgerEntry.period == notice_id,
        )
    )
    if entry_id is not None:
        _restate(session, clock, entry_id, wanted)
        return entry_id
    if not wanted:
        return None
    due_on = charge_due_on(clock.today())
    penalty = PlannedEntry(
        reservation_id, EntryKind.PENALTY, notice_id, PENALTY, due_on, wanted, ()
    )
    return post_entries(session, clock, actor, [penalty])[0]


def _restate(
    session: Session, clock: Clock, entry_id: str, wanted: tuple[PlannedLine, ...]
) -> None:
    standing = lines_of_entry(session, entry_id)
    if set(standing) != set(wanted):
        appended = (*reversed_lines(standing), *wanted)
        lines = list(line_rows(entry_id, None, appended, clock.today()))
        write_rows(session, LedgerLine, lines)
