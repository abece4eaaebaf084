"""Buildings, units and owners as the office lists and edits them, with their versions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import WrittenBuilding, WrittenOwner
from pms.catalogue.models import Building, Owner, Unit, UnitFee
from pms.catalogue.owners import shares_of_buildings
from pms.catalogue.unit_fields import WrittenUnit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import Locale
from pms.workspaces.models import Fee


class PartOwner(NamedTuple):
    """An owner of a building; `share` is empty for a sole owner."""

    id: str
    name: str
    share: str


class BuildingLine(NamedTuple):
    """A building in a list, with all its owners, the leading one first."""

    id: str
    name: Bilingual
    area: Bilingual
    owners: Sequence[PartOwner]
    unit_count: int


def building_lines(
    session: Session, paging: Paging, text: str = ""
) -> tuple[list[BuildingLine], int]:
    """Return one page of the buildings whose texts contain the words, by name, and the count."""
    wanted = finds(text, Building.search_text)
    total = session.scalar(select(func.count()).select_from(Building).where(wanted)) or 0
    counted = (
        select(func.count())
        .where(refers_to(Unit.building_id, Building))
        .correlate(Building)
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            Building.id,
            Building.name,
            Building.name_en,
            Building.area,
            Building.area_en,
            Building.owner_id,
            counted,
        )
        .where(wanted)
        .order_by(Building.name_key, Building.id)
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    ).all()
    owners = part_owners(session, {row.id: row.owner_id for row in rows})
    return [
        BuildingLine(id_, Bilingual(ja, en), Bilingual(area, area_en), owners[id_], count)
        for id_, ja, en, area, area_en, _owner_id, count in rows
    ], total


def part_owners(
    session: Session, leading: Mapping[str, str | None]
) -> Mapping[str, Sequence[PartOwner]]:
    """Return all owners of buildings; `leading` is the sole owner or the first named."""
    shared = shares_of_buildings(session, list(leading))
    held = {id_: history[-1].shares for id_, history in shared.items()}
    ids = {share.owner_id for shares in held.values() for share in shares}
    asked = select(Owner.id, Owner.name).where(
        Owner.id.in_(ids | set(filter(None, leading.values())))
    )
    names = dict(session.execute(asked).all())
    found: dict[str, Sequence[PartOwner]] = {}
    for id_, owner_id in leading.items():
        shares = held.get(id_, ())
        if len(shares) > 1:
            found[id_] = [
                PartOwner(share.owner_id, names[share.owner_id], share.text) for share in shares
            ]
        else:
            found[id_] = [PartOwner(owner_id, names[owner_id], "")] if owner_id else ()
    return found


Row = TypeVar("Row", Building, Owner, Unit)


class BuildingRecord(NamedTuple):
    """A building's stored fields, with all its owners, the leading one first."""

    id: str
    slug: str
    version: int
    updated_at: datetime
    owner_id: str | None
    owners: Sequence[PartOwner]
    unit_count: int
    written: WrittenBuilding

    @property
    def name(self) -> Bilingual:
        return Bilingual(self.written.name, self.written.name_en)


class UnitRecord(NamedTuple):
    """A unit's stored fields, with its building."""

    id: str
    slug: str
    version: int
    updated_at: datetime
    building_id: str
    building: Bilingual
    written: WrittenUnit


class OwnerRecord(NamedTuple):
    """An owner's stored fields."""

    id: str
    version: int
    created_at: datetime
    written: WrittenOwner


class UnitFeeRecord(NamedTuple):
    """A monthly fee of the workspace, and this unit's amount, if it charges one."""

    code: str
    label: Bilingual
    amount_yen: int | None


def building_record(session: Session, building_id: str) -> BuildingRecord:
    """Return one building; raise `NotFound` for an id that is not of this workspace."""
    row = _find_row(session, Building, building_id)
    units = select(func.count()).select_from(Unit).where(Unit.building_id == row.id)
    return BuildingRecord(
        row.id,
        row.slug,
        row.version,
        row.updated_at,
        row.owner_id,
        part_owners(session, {row.id: row.owner_id})[row.id],
        session.scalar(units) or 0,
        WrittenBuilding(**_read_columns(row, WrittenBuilding)),
    )


def unit_record(session: Session, unit_id: str) -> UnitRecord:
    """Return one unit; raise `NotFound` for an id that is not of this workspace."""
    row = _find_row(session, Unit, unit_id)
    building = session.execute(
        select(Building.name, Building.name_en).where(Building.id == row.building_id)
    ).one()
    columns = _read_columns(row, WrittenUnit)
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
    row = _find_row(session, Owner, owner_id)
    columns = _read_columns(row, WrittenOwner)
    columns["locale"] = Locale(row.locale)
    return OwnerRecord(row.id, row.version, row.created_at, WrittenOwner(**columns))


def unit_fee_records(session: Session, unit_id: str) -> list[UnitFeeRecord]:
    """Return every monthly fee of the workspace with a unit's amount, by code."""
    asked = refers_to(UnitFee.fee_id, Fee)
    rows = session.execute(
        select(Fee.code, Fee.label_ja, Fee.label_en, UnitFee.amount_yen)
        .outerjoin(UnitFee, asked & (UnitFee.unit_id == unit_id))
        .where(Fee.is_monthly)
        .order_by(Fee.code)
    )
    return [UnitFeeRecord(code, Bilingual(ja, en), yen) for code, ja, en, yen in rows]


def _find_row(session: Session, model: type[Row], row_id: str) -> Row:
    found = session.scalar(select(model).where(model.id == row_id)) if is_id(row_id) else None
    if found is None:
        raise NotFound("There is no {kind} '{id}'.", kind=model.__tablename__, id=row_id[:60])
    return found


def _read_columns(row: Any, written: type[Any]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in written.__dataclass_fields__}
