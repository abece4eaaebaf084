"""Imports of bank files as they are listed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankImport, BankTransfer
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import TransferState


class ImportShown(NamedTuple):
    """An import in a list, with the number of its rows in each state."""

    id: str
    account: str
    file_name: str
    first_on: date
    last_on: date
    closing_yen: int | None
    new_rows: int
    imported_at: datetime
    states: Mapping[TransferState, int]


def imports_in_force(session: Session, most: int = 50) -> Sequence[ImportShown]:
    """Return the imports that were not undone, the latest first."""
    rows = session.execute(
        select(BankImport, BankAccountRow.name)
        .join(BankAccountRow, refers_to(BankImport.account_id, BankAccountRow))
        .where(BankImport.undone_at.is_(None))
        .order_by(BankImport.id.desc())
        .limit(most)
    ).all()
    import_ids = [row.id for row, _ in rows]
    states: defaultdict[str, Counter[TransferState]] = defaultdict(Counter)
    counted = (
        select(BankTransfer.import_id, BankTransfer.state, func.count())
        .where(BankTransfer.import_id.in_(import_ids))
        .group_by(BankTransfer.import_id, BankTransfer.state)
    )
    for import_id, state, count in session.execute(counted):
        states[import_id][state] += count
    return [
        ImportShown(
            row.id,
            name,
            row.file_name,
            row.first_on,
            row.last_on,
            row.closing_yen,
            row.new_rows,
            row.imported_at,
            states[row.id],
        )
        for row, name in rows
    ]
