"""What waits on bank day, how certain each transfer is, and what was recorded last."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.bank.book import Book, open_book
from pms.bank.fee_write_offs import known_fees
from pms.bank.models import BankAccountRow, BankPlacement, BankTransfer
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import TransferState
from pms.rules.transfer_matching import Match, TransferMatcher, Verdict


class Matched(NamedTuple):
    """A transfer that waits, and the answer of the rules."""

    transfer_id: str
    match: Match


class BankDay(NamedTuple):
    """All that waits, by how certain it is, with the people and bills it speaks of."""

    certain: tuple[Matched, ...]
    likely: tuple[Matched, ...]
    unknown: tuple[Matched, ...]
    kept: tuple[Matched, ...]
    book: Book

    @property
    def every_one(self) -> tuple[Matched, ...]:
        """All of them, the most certain first."""
        return (*self.certain, *self.likely, *self.unknown, *self.kept)


class WaitingTotal(NamedTuple):
    """How many transfers are in a state, and how many yen."""

    transfers: int
    yen: int


def waiting_totals(session: Session) -> Mapping[TransferState, WaitingTotal]:
    """Return how much waits to be placed and how much is kept as suspense; a state of none is left out."""
    rows = session.execute(
        select(BankTransfer.state, func.count(), func.sum(BankTransfer.yen))
        .where(BankTransfer.state.in_((TransferState.WAITING, TransferState.KEPT)))
        .group_by(BankTransfer.state)
    )
    found = {TransferState(state): WaitingTotal(count, int(yen)) for state, count, yen in rows}
    return {state: found[state] for state in TransferState if state in found}


def match_waiting(session: Session, on: date) -> BankDay:
    """Return what the transfers that wait or are kept as suspense would pay; nothing is written."""
    book = open_book(session, on)
    rows = session.scalars(
        select(BankTransfer)
        .where(BankTransfer.state.in_((TransferState.WAITING, TransferState.KEPT)))
        .order_by(BankTransfer.booked_on, BankTransfer.id)
    ).all()
    # What undoes a deposit may have come with a later file.
    undoing = session.scalars(
        select(BankTransfer)
        .where(
            BankTransfer.is_deposit.is_(False),
            BankTransfer.booked_on >= min((row.booked_on for row in rows), default=on),
        )
        .order_by(BankTransfer.booked_on, BankTransfer.id)
    ).all()
    in_order = sorted([*rows, *undoing], key=lambda row: (row.booked_on, row.id))
    matcher = TransferMatcher(book.people, book.bills, known_fees(session))
    matches = matcher.match_all([_row_of(row) for row in in_order])
    waiting = [row for row in in_order if row.is_deposit]
    found = [
        (row.state, Matched(row.id, match)) for row, match in zip(waiting, matches, strict=True)
    ]
    open_ones = [one for state, one in found if state is TransferState.WAITING]
    return BankDay(
        tuple(one for one in open_ones if one.match.verdict is Verdict.CERTAIN),
        tuple(one for one in open_ones if one.match.verdict is Verdict.LIKELY),
        tuple(one for one in open_ones if one.match.verdict is Verdict.UNKNOWN),
        tuple(one for state, one in found if state is TransferState.KEPT),
        book,
    )


def _row_of(row: BankTransfer) -> BankRow:
    return BankRow(
        row.line,
        row.number,
        row.booked_on,
        row.is_deposit,
        row.move,
        row.yen,
        row.payer,
        row.message,
        row.text,
        row.bank_name,
        row.branch_name,
        row.balance_yen,
        row.is_broken,
    )


class PlacedPart(NamedTuple):
    """What of a transfer was recorded for whom."""

    reservation_id: str
    name: str
    yen: int
    placed_at: datetime
    placed_by: str


class TransferRecord(NamedTuple):
    """One transfer as its page shows it."""

    id: str
    row: BankRow
    account: str
    state: TransferState
    match: Match | None
    book: Book | None
    placed: tuple[PlacedPart, ...]

    @property
    def yen(self) -> int:
        """The yen that moved."""
        return self.row.yen


def transfer_record(session: Session, transfer_id: str, on: date) -> TransferRecord:
    """Return a transfer, what the rules say of it while it waits, and what it paid."""
    found = None
    if is_id(transfer_id):
        found = session.execute(
            select(BankTransfer, BankAccountRow.name)
            .join(
                BankAccountRow,
                (BankAccountRow.workspace_id == BankTransfer.workspace_id)
                & (BankAccountRow.id == BankTransfer.account_id),
            )
            .where(BankTransfer.id == transfer_id)
        ).one_or_none()
    if found is None:
        raise no_such("transfer", transfer_id)
    row, account = found
    match, book = None, None
    if row.state in {TransferState.WAITING, TransferState.KEPT}:
        day = match_waiting(session, on)
        book = day.book
        match = next((one.match for one in day.every_one if one.transfer_id == row.id), None)
    placed = _placed(session, BankPlacement.transfer_id == transfer_id)
    return TransferRecord(
        row.id, _row_of(row), account, row.state, match, book, tuple(part for _, part in placed)
    )


def recently_placed(
    session: Session, most: int = 20
) -> tuple[tuple[str, BankRow, tuple[PlacedPart, ...]], ...]:
    """Return the transfers recorded last, with whom they were recorded for."""
    placed = _placed(session, BankPlacement.taken_off_at.is_(None), most)
    parts: dict[str, list[PlacedPart]] = {}
    for transfer_id, part in placed:
        parts.setdefault(transfer_id, []).append(part)
    rows = session.scalars(select(BankTransfer).where(BankTransfer.id.in_(list(parts)))).all()
    by_id = {row.id: row for row in rows}
    return tuple((id_, _row_of(by_id[id_]), tuple(found)) for id_, found in parts.items())


def _placed(
    session: Session, which: ColumnElement[bool], most: int = 200
) -> list[tuple[str, PlacedPart]]:
    found = session.execute(
        select(
            BankPlacement.transfer_id,
            BankPlacement.reservation_id,
            Reservation.name,
            BankPlacement.yen,
            BankPlacement.placed_at,
            BankPlacement.placed_by,
        )
        .join(
            Reservation,
            (Reservation.workspace_id == BankPlacement.workspace_id)
            & (Reservation.id == BankPlacement.reservation_id),
        )
        .where(which, BankPlacement.taken_off_at.is_(None))
        .order_by(BankPlacement.id.desc())
        .limit(most)
    )
    return [(row[0], PlacedPart(*row[1:])) for row in found]
