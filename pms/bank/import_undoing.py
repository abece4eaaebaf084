"""Undoing an imported bank file, part by part where it is long."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, select

from pms.bank.imports import (
    lock_import,
)
from pms.bank.models import BankPlacement, BankTransfer, FeeWriteOff
from pms.bank.transfers import TransfersDone, refused_transfer, take_off
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.runs import Run, ask_run
from pms.foundation.work import Work
from pms.reservations.locks import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RunKind, TransferState

UNDONE_AT_ONCE: Final = 300
"""The number of recorded transfers undone in a request; more are a run of the worker."""


class UndoneImport(NamedTuple):
    """The number of reversed payments of an import, and of its deleted rows."""

    payments: int
    rows: int


def undo_all_of_import(work: Work, import_id: str, *, reason: str) -> UndoneImport:
    """Reverse all payments of an import and delete its rows, completely or not at all.

    Raises `Refused`, with the transfer and the reason, when a payment can no longer be reversed.
    """
    payments = 0
    for row in _lock_placed_transfers(work, import_id, None, ()):
        try:
            payments += take_off(work, row.id, reason=reason)
        except Refused as refusal:
            raise Refused(
                "import: the payment of {yen} yen by {payer} on {day} cannot be undone, so nothing "
                "was changed: {why}",
                payer=row.payer or row.text,
                day=row.booked_on,
                yen=row.yen,
                why=refusal.as_part,
            ) from None
    return UndoneImport(payments, undo_import(work, import_id))


def undo_or_ask(work: Work, import_id: str, *, reason: str) -> UndoneImport | Run:
    """Undo all of an import, or queue a run of the worker for one with many recorded transfers."""
    if _count_placed(work, import_id) > UNDONE_AT_ONCE:
        return ask_to_undo(work, import_id, reason=reason)
    return undo_all_of_import(work, import_id, reason=reason)


def ask_to_undo(work: Work, import_id: str, *, reason: str) -> Run:
    """Queue a run of the worker that undoes all of an import, part by part; return it."""
    row = lock_import(work.session, import_id)
    run = ask_run(
        work, kind=RunKind.UNDOING.value, subject=import_id, file=row.file_name, reason=reason
    )
    run.total = run.done + _count_placed(work, import_id)
    return run


def _count_placed(work: Work, import_id: str) -> int:
    placed = select(func.count(BankTransfer.id)).where(_is_placed_of(import_id))
    return work.session.scalar(placed) or 0


def undo_part(
    work: Work, import_id: str, most: int, without: Collection[str], *, reason: str
) -> TransfersDone:
    """Undo at most `most` recorded transfers of an import; return how many, and those refused.

    A refused one does not keep the others; those with the ids `without` are left out.
    """
    undone, refused = 0, []
    for row in _lock_placed_transfers(work, import_id, most, without):
        try:
            with work.session.begin_nested():
                take_off(work, row.id, reason=reason)
            undone += 1
        except (Refused, Collision) as refusal:
            refused.append(refused_transfer(row, row.id, refusal))
    return TransfersDone(undone, refused)


def _lock_placed_transfers(
    work: Work, import_id: str, most: int | None, without: Collection[str]
) -> Sequence[BankTransfer]:
    """Return recorded transfers of an import; it and the reservations that they paid are locked.

    The latest are first: a later payment may have filled up the bill of an earlier one.
    """
    latest_first = BankTransfer.booked_on.desc(), BankTransfer.id.desc()
    ids: Sequence[str] = ()
    if is_id(import_id):
        placed = select(BankTransfer.id).where(
            _is_placed_of(import_id), ~one_of(BankTransfer.id, without)
        )
        ids = work.session.scalars(placed.order_by(*latest_first).limit(most)).all()
    paid = select(BankPlacement.reservation_id).where(
        one_of(BankPlacement.transfer_id, ids), BankPlacement.taken_off_at.is_(None)
    )
    lock_reservations(work.session, work.session.scalars(paid))
    lock_import(work.session, import_id)
    still = select(BankTransfer).where(_is_placed_of(import_id), one_of(BankTransfer.id, ids))
    return work.session.scalars(still.order_by(*latest_first)).all()


def _is_placed_of(import_id: str) -> ColumnElement[bool]:
    return (BankTransfer.import_id == import_id) & (BankTransfer.state == TransferState.PLACED)


def undo_import(work: Work, import_id: str) -> int:
    """Delete the rows of an import, none of which may be placed; return their number."""
    row = lock_import(work.session, import_id)
    transfers = work.session.execute(
        select(BankTransfer.id, BankTransfer.state)
        .where(BankTransfer.import_id == import_id)
        .order_by(BankTransfer.id)
        .with_for_update()
    ).all()
    placed = sum(state is TransferState.PLACED for _, state in transfers)
    if placed:
        raise Refused(
            "import: {placed} of its transfers are recorded as payments. Undo those first.",
            placed=placed,
        )
    ids = [id_ for id_, _ in transfers]
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        work.session.execute(delete(FeeWriteOff).where(FeeWriteOff.transfer_id.in_(some)))
        work.session.execute(delete(BankPlacement).where(BankPlacement.transfer_id.in_(some)))
        work.session.execute(delete(BankTransfer).where(BankTransfer.id.in_(some)))
    row.undone_at, row.undone_by = work.clock.now(), work.actor
    facts = {"import_id": import_id, "file_name": row.file_name, "new_rows": row.new_rows}
    note_audit_event(work, AuditEvent.BANK_IMPORT_UNDONE, of_workspace(work.session), before=facts)
    work.session.flush()
    return len(ids)
