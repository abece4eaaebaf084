"""Reads a building, a unit or an owner as the office edits it, with the version that was read."""

from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner, Unit, UnitFee
from pms.catalogue.written_facts import WrittenBuilding, WrittenOwner, WrittenUnit
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import Locale
from pms.workspaces.models import Fee

Row = TypeVar("Row", Building, Owner, Unit)


class BuildingRecord(NamedTuple):
    """A building as it is written, with its owner."""

    id: str
    slug: str
    version: int
    updated_at: datetime
    owner_id: str | None
    owner_name: str | None
    unit_count: int
    written: WrittenBuilding

    @property
    def name(self) -> Bilingual:
        return Bilingual(self.written.name, self.written.name_en)


class UnitRecord(NamedTuple):
    """A unit as it is written, with its building."""

    id: str
    slug: str
    version: int
    updated_at: datetime
    building_id: str
    building: Bilingual
    written: WrittenUnit


class OwnerRecord(NamedTuple):
    """An owner as they are written."""

    id: str
    version: int
    created_at: datetime
    written: WrittenOwner


class UnitFeeRecord(NamedTuple):
    """A monthly fee of the workspace, and what this unit asks of it, nothing when it asks none."""

    code: str
    label: Bilingual
    amount_yen: int | None


def building_record(session: Session, building_id: str) -> BuildingRecord:
    """Return one building; raise `NotFound` for an id that is not of this workspace."""
    row = _row(session, Building, building_id)
    owner_name = None
    if row.owner_id is not None:
        owner_name = session.scalar(select(Owner.name).where(Owner.id == row.owner_id))
    units = select(func.count()).select_from(Unit).where(Unit.building_id == row.id)
    return BuildingRecord(
        row.id,
        row.slug,
        row.version,
        row.updated_at,
        row.owner_id,
        owner_name,
        session.scalar(units) or 0,
        WrittenBuilding(**_columns(row, WrittenBuilding)),
    )


def unit_record(session: Session, unit_id: str) -> UnitRecord:
    """Return one unit; raise `NotFound` for an id that is not of this workspace."""
    row = _row(session, Unit, unit_id)
    building = session.execute(
        select(Building.name, Building.name_en).where(Building.id == row.building_id)
    ).one()
    columns = _columns(row, WrittenUnit)
    for name in ("features", "features_en"):
        columns[name] = tuple(columns[name])
    return UnitRecord(
        row.id,
        row.slug,
        row.version,
        row.updated_at,
        row.building_id,
        Bilingual(*building),
        WrittenUnit(**columns),
    )


def owner_record(session: Session, owner_id: str) -> OwnerRecord:
    """Return one owner; raise `NotFound` for an id that is not of this workspace."""
    row = _row(session, Owner, owner_id)
    columns = _columns(row, WrittenOwner)
    columns["locale"] = Locale(row.locale)
    return OwnerRecord(row.id, row.version, row.created_at, WrittenOwner(**columns))


def unit_fee_records(session: Session, unit_id: str) -> list[UnitFeeRecord]:
    """Return every monthly fee of the workspace with what a unit asks of it, by code."""
    asked = (UnitFee.fee_id == Fee.id) & (UnitFee.workspace_id == Fee.workspace_id)
    rows = session.execute(
        select(Fee.code, Fee.label_ja, Fee.label_en, UnitFee.amount_yen)
        .outerjoin(UnitFee, asked & (UnitFee.unit_id == unit_id))
        .where(Fee.is_monthly)
        .order_by(Fee.code)
    )
    return [UnitFeeRecord(code, Bilingual(ja, en), yen) for code, ja, en, yen in rows]


def _row(session: Session, model: type[Row], row_id: str) -> Row:
    found = session.scalar(select(model).where(model.id == row_id)) if is_id(row_id) else None
    if found is None:
        raise NotFound("There is no {kind} '{id}'.", kind=model.__tablename__, id=row_id[:60])
    return found


def _columns(row: Any, written: type[Any]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in written.__dataclass_fields__}
