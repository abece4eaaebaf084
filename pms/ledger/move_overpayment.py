"""Moves what is overpaid on one reservation to another on paper: no cash moves (Deposit 4)."""

from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.ledger.models import Allocation
from pms.ledger.posting import Row, write_rows
from pms.ledger.queries import standings
from pms.ledger.repricing_plan import RepricedRow
from pms.rules.deeds import Deed
from pms.rules.ledger_entries import Standing
from pms.rules.payments import overpaid_parts


def move_overpayment(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    from_id: str,
    into_id: str,
    into_entry_id: str,
    transfer_id: str,
) -> int:
    """Write the lines of both ledgers, which sum to 0; return the yen that moved.

    Debts stay on the reservation `from_id`; the yen reach an entry of the one `into_id`, and both
    are locked. `transfer_id` is the amendment that caused it.
    """
    found = standings(session, [from_id], clock.today()).get(from_id, ())
    parts = overpaid_parts(found)
    moved_yen = sum(part.yen for part in parts)
    if moved_yen:
        lines = [*((part.entry_id, -part.yen) for part in parts), (into_entry_id, moved_yen)]
        write_rows(session, Allocation, [_row(clock, transfer_id, *line) for line in lines])
        told = {"amount_yen": moved_yen, "reservation_id": from_id, "new_reservation_id": into_id}
        for id_ in (from_id, into_id):
            about = of_reservation(id_)
            note_deed(session, clock, actor, Deed.OVERPAYMENT_TRANSFERRED, about, after=told)
    return moved_yen


def preview_overpayment(
    session: Session,
    clock: Clock,
    reservation_id: str,
    repriced: Iterable[RepricedRow],
    voided_ids: Sequence[str | None],
) -> int:
    """Return the yen that would be overpaid once rows are repriced and entries voided."""
    changes: dict[str, int] = {}
    for row in repriced:
        changes[row.entry_id] = changes.get(row.entry_id, 0) + row.change_yen
    found = standings(session, [reservation_id], clock.today()).get(reservation_id, ())
    after = [_changed(one, changes.get(one.id, 0), is_void=one.id in voided_ids) for one in found]
    return sum(part.yen for part in overpaid_parts(after))


def _changed(standing: Standing, change_yen: int, *, is_void: bool) -> Standing:
    if is_void:
        return Standing(standing.id, standing.due_on, 0, paid_yen=standing.paid_yen, is_voided=True)
    return Standing(
        standing.id,
        standing.due_on,
        standing.payable_yen + change_yen,
        standing.deposit_yen,
        standing.paid_yen,
        standing.cancelled_yen,
        standing.is_voided,
    )


def _row(clock: Clock, transfer_id: str, entry_id: str, yen: int) -> Row:
    return {
        "entry_id": entry_id,
        "payment_id": None,
        "settlement_id": None,
        "transfer_id": transfer_id,
        "amount_yen": yen,
        "allocated_on": clock.today(),
        "written_at": clock.now(),
    }
