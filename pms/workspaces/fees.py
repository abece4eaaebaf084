"""The fee catalogue: adding, editing and reading a workspace's fees."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.workspaces.models import Fee

_is_code = re.compile(r"[a-z][a-z0-9_-]{0,39}").fullmatch
_MOST_OF_A_LABEL: Final = 60
_PRESET: Final = Path(__file__).parent / "fee_preset.toml"


class WrittenFee(NamedTuple):
    """A fee without its code: one figure, an amount in whole yen or an exact percentage."""

    label_ja: str | None
    label_en: str | None
    category: FeeCategory
    is_monthly: bool
    amount_yen: int | None
    percent: Decimal | None
    tax_treatment: TaxTreatment


def check_code(code: str | None) -> str:
    """Return the code, which can never be changed; raise `Refused` for an invalid one."""
    if not code or not _is_code(code):
        raise Refused(
            "code: '{value}' is not possible. Use a small letter, then small letters, "
            "digits, - and _.",
            value=(code or "")[:60],
        )
    return code


def check_fee(written: WrittenFee) -> dict[str, Any]:
    """Return the columns of a fee; raise `Refused` naming the invalid field."""
    label_ja = written.label_ja or written.label_en
    label_en = written.label_en or written.label_ja
    if not label_ja or not label_en:
        raise Refused("labelJa: enter a name in at least one language.")
    if max(len(label_ja), len(label_en)) > _MOST_OF_A_LABEL:
        raise Refused("labelJa: Enter at most {most} characters.", most=_MOST_OF_A_LABEL)
    if (written.amount_yen is None) == (written.percent is None):
        raise Refused("amountYen: Enter either an amount in yen or a percentage, not both.")
    return {
        "label_ja": label_ja,
        "label_en": label_en,
        "category": written.category,
        "is_monthly": written.is_monthly,
        "amount_yen": written.amount_yen,
        "percent": None if written.percent is None else format(written.percent, "f"),
        "tax_treatment": written.tax_treatment,
    }


def add_fee(work: Work, *, code: str | None, written: WrittenFee) -> str:
    """Store a fee under a unique code and return its id (specification, Fee catalogue)."""
    code = check_code(code)
    if work.session.scalar(select(Fee.id).where(Fee.code == code)) is not None:
        raise Collision("code: '{value}' already exists. Choose another code.", value=code)
    row = Fee(id=new_id(), code=code, **check_fee(written))
    work.session.add(row)
    note_change(work, AuditEvent.FEE_ADDED, row)
    try:
        work.session.flush()
    except IntegrityError as clash:
        raise Collision(
            "code: this code was taken at the same time. Choose another one."
        ) from clash
    return row.id


def edit_fee(work: Work, *, fee_id: str, version: int, written: WrittenFee) -> int:
    """Replace a fee except its code; return the new version (specification, Fee catalogue)."""
    row = locked(work.session, Fee, fee_id, version)
    changed = {
        name: value for name, value in check_fee(written).items() if value != getattr(row, name)
    }
    if changed:
        for name, value in changed.items():
            setattr(row, name, value)
        row.version += 1
        note_change(work, AuditEvent.FEE_EDITED, row)
        work.session.flush()
    return row.version


class FeeRecord(NamedTuple):
    """A fee with its version."""

    id: str
    code: str
    version: int
    written: WrittenFee


def fee_records(session: Session) -> Sequence[FeeRecord]:
    """Return all fees, monthly ones first."""
    rows = session.scalars(select(Fee).order_by(Fee.is_monthly.desc(), Fee.code))
    return [_build_record(row) for row in rows]


def fee_record(session: Session, fee_id: str) -> FeeRecord:
    """Return one fee; raise `NotFound` for an unknown id."""
    row = session.scalar(select(Fee).where(Fee.id == fee_id)) if is_id(fee_id) else None
    if row is None:
        raise no_such("fee")
    return _build_record(row)


def _build_record(row: Fee) -> FeeRecord:
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


class PresetFee(NamedTuple):
    """A fee that is common in Japan, and whether the catalogue has its code already."""

    code: str
    written: WrittenFee
    is_there: bool


def fee_preset(session: Session) -> Sequence[PresetFee]:
    """Return the common fees in the order of the preset."""
    there = set(session.scalars(select(Fee.code)))
    return [PresetFee(code, written, code in there) for code, written in _read_preset()]


def add_preset_fees(work: Work, figures: Mapping[str, int | Decimal | None]) -> list[str]:
    """Store the chosen fees of the preset and return their codes.

    `figures` are by code: whole yen for an amount, a percentage for a share of the rent. Raises
    `Refused` for a code that is not in the preset and for a fee without its figure, `Collision` for
    a code that is taken.
    """
    preset = dict(_read_preset())
    for code, figure in figures.items():
        if code not in preset:
            raise Refused("fees: '{code}' is not one of the fee presets.", code=code[:60])
        is_amount = preset[code].percent is None
        if figure is None:
            raise Refused("fees: '{code}' needs an amount or a percentage.", code=code)
        written = preset[code]._replace(
            amount_yen=int(figure) if is_amount else None,
            percent=None if is_amount else Decimal(figure),
        )
        add_fee(work, code=code, written=written)
    return list(figures)


def _read_preset() -> Iterator[tuple[str, WrittenFee]]:
    for fee in tomllib.loads(_PRESET.read_text())["fee"]:
        percent = fee.get("percent")
        written = WrittenFee(
            fee["ja"],
            fee["en"],
            FeeCategory(fee["category"]),
            fee.get("is_monthly", False),
            fee.get("yen"),
            None if percent is None else Decimal(percent),
            TaxTreatment(fee["tax"]),
        )
        yield fee["code"], written
