"""The fee catalogue as a person reads it."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.workspaces.models import Fee
from pms.workspaces.written_fee import WrittenFee


class FeeRecord(NamedTuple):
    """A fee with the version that was read."""

    id: str
    code: str
    version: int
    written: WrittenFee


def fee_records(session: Session) -> Sequence[FeeRecord]:
    """Return every fee, the monthly ones first."""
    rows = session.scalars(select(Fee).order_by(Fee.is_monthly.desc(), Fee.code))
    return [_record(row) for row in rows]


def fee_record(session: Session, fee_id: str) -> FeeRecord:
    """Return one fee; raise `NotFound` for anything else."""
    row = session.scalar(select(Fee).where(Fee.id == fee_id)) if is_id(fee_id) else None
    if row is None:
        raise NotFound("There is no such fee.")
    return _record(row)


def _record(row: Fee) -> FeeRecord:
    percent = None if row.percent is None else Decimal(row.percent)
    written = WrittenFee(
        row.label_ja,
        row.label_en,
        row.category,
        row.is_monthly,
        row.amount_yen,
        percent,
        row.tax_treatment,
    )
    return FeeRecord(row.id, row.code, row.version, written)
