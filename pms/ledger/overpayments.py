"""Moves overpayments from one reservation to another on paper, without cash (Deposit 4)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.models import Allocation, EntryTotal, LedgerEntry
from pms.ledger.move_in import follow_payment
from pms.ledger.posting import Row, move_payments, paid_on, write_rows
from pms.ledger.queries import standings
from pms.ledger.repricing import RepricedRow
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.ledger_entries import EntryBalance
from pms.rules.payments import UsedOverpayment, overpaid_parts, overpayments_used


def move_overpayment(
    work: Work, *, from_id: str, into_id: str, into_entry_id: str, transfer_id: str
) -> int:
    """Post allocations in both ledgers, which sum to 0; return the yen moved.

    Debts stay on the reservation `from_id`; the yen go to an entry of the reservation `into_id`,
    and both are locked. `transfer_id` is the amendment that caused it.
    """
    found = standings(work.session, [from_id], work.clock.today()).get(from_id, ())
    parts = overpaid_parts(found)
    moved_yen = sum(part.yen for part in parts)
    if moved_yen:
        lines = [*((part.entry_id, -part.yen) for part in parts), (into_entry_id, moved_yen)]
        write_rows(
            work.session,
            Allocation,
            [_build_allocation(work.clock, transfer_id, *line) for line in lines],
        )
        facts = {"amount_yen": moved_yen, "reservation_id": from_id, "new_reservation_id": into_id}
        for id_ in (from_id, into_id):
            about = of_reservation(id_)
            note_audit_event(work, AuditEvent.OVERPAYMENT_TRANSFERRED, about, after=facts)
    return moved_yen


def usable_overpayment(session: Session, reservation_id: str, today: date) -> int:
    """Return the yen of open bills that the overpayments would pay."""
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    return sum(
        yen for overpayment in overpayments_used(found) for _entry_id, yen in overpayment.parts
    )


def use_overpayments(work: Work, reservation_id: str) -> int:
    """Use overpayments for open bills of the same reservation; return the yen.

    Oldest due first. Allocations keep their payments; the balance is unchanged. Raises `Refused`
    where nothing is overpaid or nothing is open.
    """
    row = locked(work.session, Reservation, reservation_id)
    found = standings(work.session, [reservation_id], work.clock.today()).get(reservation_id, ())
    used = overpayments_used(found)
    if not used:
        raise Refused("There is no overpayment to apply to an open bill.")
    return _apply_overpayments(work, row, used)


def use_overpayments_of(work: Work, reservation_ids: Collection[str]) -> int:
    """Use overpayments for the open bills of each of these reservations; return the yen.

    Like `use_overpayments`, for a billing run: reservations with nothing to use are skipped.
    """
    overpaid = select(EntryTotal.reservation_id).where(
        one_of(EntryTotal.reservation_id, reservation_ids),
        EntryTotal.paid_yen > EntryTotal.billed_yen,
    )
    wanted = sorted(set(work.session.scalars(overpaid)))
    found = standings(work.session, wanted, work.clock.today()) if wanted else {}
    used = {id_: overpayments_used(found.get(id_, ())) for id_ in wanted}
    return sum(
        _apply_overpayments(work, locked(work.session, Reservation, id_), parts)
        for id_, parts in used.items()
        if parts
    )


def _apply_overpayments(work: Work, row: Reservation, used: Sequence[UsedOverpayment]) -> int:
    for overpayment in used:
        move_payments(work.session, work.clock, overpayment.entry_id, overpayment.parts)
    yen = sum(part.yen for overpayment in used for part in overpayment.parts)
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.OVERPAYMENT_USED, about, after={"amount_yen": yen})
    work.session.flush()
    follow_payment(work, row)
    return yen


class MovedOn(NamedTuple):
    """Whole yen that a transfer moved from an entry to one of another reservation."""

    transfer_id: str
    from_id: str
    entry_id: str
    reservation_id: str
    yen: int


def list_moves_of_overpayments(session: Session, reservation_id: str) -> Sequence[MovedOn]:
    """Return where a reservation's moved overpayments are now, latest transfer first.

    What was moved away from there again is left out.
    """
    taken = _read_lines(session, LedgerEntry.reservation_id == reservation_id, is_taken=True)
    ids = {line.transfer_id for line in taken}
    into = _read_lines(session, Allocation.transfer_id.in_(ids), is_taken=False) if ids else []
    left = [min(line.yen, max(paid_on(session, line.entry_id), 0)) for line in into]
    found = []
    for line in taken:
        wanted_yen = -line.yen
        for place, there in enumerate(into):
            yen = min(wanted_yen, left[place]) if there.transfer_id == line.transfer_id else 0
            if yen:
                wanted_yen, left[place] = wanted_yen - yen, left[place] - yen
                whose = there.entry_id, there.reservation_id
                found.append(MovedOn(line.transfer_id, line.entry_id, *whose, yen))
    return sorted(found, key=lambda line: line.transfer_id, reverse=True)


def bring_back(session: Session, clock: Clock, moved: Iterable[MovedOn], yen: int) -> int:
    """Post allocations that undo a transfer up to `yen`; return how many yen.

    The reservations are locked; what had been paid there is open again.
    """
    left_yen, lines = yen, []
    for line in moved:
        part = min(line.yen, left_yen)
        if part:
            left_yen -= part
            lines.append(_build_allocation(clock, line.transfer_id, line.from_id, part))
            lines.append(_build_allocation(clock, line.transfer_id, line.entry_id, -part))
    write_rows(session, Allocation, lines)
    return yen - left_yen


class _Line(NamedTuple):
    transfer_id: str
    entry_id: str
    reservation_id: str
    yen: int


def _read_lines(session: Session, which: ColumnElement[bool], *, is_taken: bool) -> list[_Line]:
    """Return the query of the total that transfers took off entries, or added to them."""
    sum_ = func.sum(Allocation.amount_yen)
    names = Allocation.transfer_id, Allocation.entry_id, LedgerEntry.reservation_id
    asked = (
        select(*names, sum_)
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(which, Allocation.transfer_id.is_not(None))
        .group_by(*names)
        .having(sum_ < 0 if is_taken else sum_ > 0)
        .order_by(*names)
    )
    return [
        _Line(transfer_id or "", entry_id, whose, int(yen))
        for transfer_id, entry_id, whose, yen in session.execute(asked)
    ]


def preview_overpayment(
    session: Session,
    clock: Clock,
    reservation_id: str,
    repriced: Iterable[RepricedRow],
    voided_ids: Sequence[str | None],
) -> int:
    """Return the overpayment after the given rows are repriced and entries voided."""
    changes: dict[str, int] = {}
    for row in repriced:
        changes[row.entry_id] = changes.get(row.entry_id, 0) + row.change_yen
    found = standings(session, [reservation_id], clock.today()).get(reservation_id, ())
    after = [
        _change_standing(standing, changes.get(standing.id, 0), is_void=standing.id in voided_ids)
        for standing in found
    ]
    return sum(part.yen for part in overpaid_parts(after))


def _change_standing(standing: EntryBalance, change_yen: int, *, is_void: bool) -> EntryBalance:
    if is_void:
        return EntryBalance(
            standing.id, standing.due_on, 0, paid_yen=standing.paid_yen, is_voided=True
        )
    return EntryBalance(
        standing.id,
        standing.due_on,
        standing.payable_yen + change_yen,
        standing.deposit_yen,
        standing.paid_yen,
        standing.cancelled_yen,
        standing.is_voided,
    )


def _build_allocation(clock: Clock, transfer_id: str, entry_id: str, yen: int) -> Row:
    return {
        "entry_id": entry_id,
        "payment_id": None,
        "settlement_id": None,
        "transfer_id": transfer_id,
        "amount_yen": yen,
        "allocated_on": clock.today(),
        "written_at": clock.now(),
    }
