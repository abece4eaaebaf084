"""One bank transfer with what it would pay, or what it paid."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.bank_day import MatchingBook, PlacedPart, read_placed_parts, row_of
from pms.bank.models import BankAccountRow, BankPlacement, BankTransfer
from pms.bank.verdicts import show_transfer
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import refers_to
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import TransferState
from pms.rules.transfer_matching import Match


class TransferRecord(NamedTuple):
    """One transfer with the data of its page."""

    id: str
    row: BankRow
    account: str
    state: TransferState
    match: Match | None
    book: MatchingBook | None
    placed: tuple[PlacedPart, ...]
    is_early: bool

    @property
    def is_pending(self) -> bool:
        """Whether it is being matched again; one of a coming day is matched on that day."""
        return self.book is not None and self.match is None and not self.is_early

    @property
    def yen(self) -> int:
        """The amount of the transfer, in yen."""
        return self.row.yen


def transfer_record(session: Session, transfer_id: str, on: date) -> TransferRecord:
    """Return a transfer with what it paid and, while it waits, the result of the rules."""
    found = None
    if is_id(transfer_id):
        found = session.execute(
            select(BankTransfer, BankAccountRow.name)
            .join(BankAccountRow, refers_to(BankTransfer.account_id, BankAccountRow))
            .where(BankTransfer.id == transfer_id)
        ).one_or_none()
    if found is None:
        raise no_such("transfer", transfer_id)
    row, account = found
    match, book = None, None
    if row.state in {TransferState.WAITING, TransferState.KEPT}:
        match, book = show_transfer(session, row.id, on)
    placed = read_placed_parts(session, BankPlacement.transfer_id == transfer_id)
    return TransferRecord(
        row.id,
        row_of(row),
        account,
        row.state,
        match,
        book,
        tuple(part for _, part in placed),
        row.booked_on > on,
    )
