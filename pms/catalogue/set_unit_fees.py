"""Sets what a unit asks a month beside its rent."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import checked_yen
from pms.catalogue.editing import count_change, row_to_edit
from pms.catalogue.models import Unit, UnitFee
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.workspaces.models import Fee


def set_unit_fees(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    unit_id: str,
    version: int,
    amounts: Mapping[str, int | None],
) -> int:
    """Set the monthly amounts by fee code, nothing or 0 takes one away; return the unit's version.

    Codes that are not named stay. Prices agreed with residents stay as they were agreed.
    """
    unit = row_to_edit(session, Unit, unit_id, version)
    fee_ids = _fee_ids(session, amounts)
    asked = {code: checked_yen(f"fees.{code}", yen) or 0 for code, yen in amounts.items()}
    of_unit = select(UnitFee).where(UnitFee.unit_id == unit_id)
    stored = {row.fee_id: row for row in session.scalars(of_unit)}
    before = {code: row.amount_yen for code in asked if (row := stored.get(fee_ids[code]))}
    after = {code: yen for code, yen in asked.items() if yen}
    if before == after:
        return unit.version
    for code, yen in asked.items():
        _write(session, unit_id, fee_ids[code], stored.get(fee_ids[code]), yen)
    count_change(unit, clock)
    note_deed(
        session,
        clock,
        actor,
        Deed.UNIT_FEES_SET,
        subject_of(unit),
        before={"monthly_fees": before},
        after={"monthly_fees": after},
    )
    session.flush()
    return unit.version


def _fee_ids(session: Session, amounts: Mapping[str, int | None]) -> dict[str, str]:
    monthly = select(Fee).where(Fee.is_monthly, Fee.code.in_(amounts))
    known = {fee.code: fee.id for fee in session.scalars(monthly)}
    for code in amounts:
        if code not in known:
            raise Refused("fees: '{code}' is no monthly fee of this workspace.", code=code[:60])
    return known


def _write(
    session: Session, unit_id: str, fee_id: str, stored: UnitFee | None, amount_yen: int
) -> None:
    if stored is None:
        if amount_yen:
            session.add(UnitFee(unit_id=unit_id, fee_id=fee_id, amount_yen=amount_yen))
    elif amount_yen:
        stored.amount_yen = amount_yen
    else:
        session.delete(stored)
