"""Direct debit files as they are listed and shown."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.models import Debit, DebitFile
from pms.bank.orders import (
    known_file,
    page_of_files,
    state_of,
)
from pms.foundation.clock import next_bank_day
from pms.foundation.lists import Paging
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.enumerations import BankOrderState, DebitOutcome


class DebitFileLine(NamedTuple):
    """A request in a list."""

    id: str
    due_on: date
    state: BankOrderState
    records: int
    total_yen: int
    collected_yen: int | None
    failed: int | None
    made_at: datetime
    made_by: str

    @property
    def collected_on(self) -> date:
        """The business day on which the bank collects."""
        return next_bank_day(self.due_on)


def list_debit_files(session: Session, paging: Paging) -> tuple[Sequence[DebitFileLine], int]:
    """Return one page of the requests, the latest day first, and the number of all."""
    rows, total = page_of_files(session, DebitFile, paging)
    return [_file_line(row) for row in rows], total


def _file_line(row: DebitFile) -> DebitFileLine:
    return DebitFileLine(
        row.id,
        row.due_on,
        state_of(row),
        row.count,
        row.total_yen,
        row.collected_yen,
        row.failed,
        row.made_at,
        row.made_by,
    )


class DebitLine(NamedTuple):
    """One record of a request, with its resident and the bank's answer."""

    reservation_id: str
    name: str
    customer: str
    holder: str
    bank: str
    yen: int
    outcome: DebitOutcome | None
    code: str | None


class DebitFileRecord(NamedTuple):
    """A request with its records."""

    line: DebitFileLine
    debits: tuple[DebitLine, ...]


def debit_file_record(session: Session, file_id: str) -> DebitFileRecord:
    """Return a request and its records in the order of the file."""
    row = known_file(session, DebitFile, file_id)
    found = session.execute(
        select(Debit, Reservation.name)
        .join(Reservation, refers_to(Debit.reservation_id, Reservation))
        .where(Debit.file_id == row.id)
        .order_by(Debit.position)
    )
    return DebitFileRecord(_file_line(row), tuple(_debit_line(*columns) for columns in found))


def _debit_line(row: Debit, name: str) -> DebitLine:
    return DebitLine(
        row.reservation_id,
        name,
        row.customer,
        row.holder,
        f"{row.bank_name} {row.branch_name}",
        row.yen,
        row.outcome,
        row.code,
    )
