"""FastAPI as its guide shows it: SQLAlchemy objects, answered as models that read attributes."""

import os
from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI, Header
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import JSON, create_engine, or_, select
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
    selectinload,
    with_loader_criteria,
)

from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from pms.foundation.tokens import key_hash
from tests.bench.floor.availability import Answer as Decided
from tests.bench.floor.availability import availability, shown


class Base(DeclarativeBase):
    id: Mapped[str] = mapped_column(primary_key=True)


def of_unit(name: str, order_by: str | bool = False) -> Any:
    return relationship(
        name, primaryjoin=f"foreign({name}.unit_id) == UnitRow.id", order_by=order_by, viewonly=True
    )


class KeyRow(Base):
    __tablename__ = "api_key"
    workspace_id: Mapped[str]
    hash: Mapped[str]


class BuildingRow(Base):
    __tablename__ = "building"
    slug: Mapped[str]
    name_en: Mapped[str]
    area_en: Mapped[str]
    address_en: Mapped[str]


class FeeRow(Base):
    __tablename__ = "fee"
    code: Mapped[str]
    label_en: Mapped[str]


class UnitFeeRow(Base):
    __tablename__ = "unit_fee"
    unit_id: Mapped[str]
    fee_id: Mapped[str]
    amount_yen: Mapped[int]
    fee: Mapped[FeeRow] = relationship(
        primaryjoin="foreign(UnitFeeRow.fee_id) == FeeRow.id", lazy="joined", viewonly=True
    )
    code = property(lambda self: self.fee.code)
    label = property(lambda self: self.fee.label_en)


class PhotoRow(Base):
    __tablename__ = "photo"
    unit_id: Mapped[str]
    position: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    alt_en: Mapped[str]
    files: Mapped[dict[str, str]] = mapped_column(JSON)
    url = property(
        lambda self: f"{settings.base_url}/photos/{self.id}/{max(map(int, self.files))}.webp"
    )


class StayRow(Base):
    __tablename__ = "reservation"
    unit_id: Mapped[str]
    kind: Mapped[str]
    move_in_date: Mapped[str | None]
    override_move_in_date: Mapped[str | None]
    contract_end_date: Mapped[str | None]
    override_contract_end_date: Mapped[str | None]
    move_out_date: Mapped[str | None]
    expected_departure_date: Mapped[str | None]
    forced_on: Mapped[str | None]
    ends_on: Mapped[str | None]
    cancelled_at: Mapped[str | None]


class BlockRow(Base):
    __tablename__ = "external_block"
    unit_id: Mapped[str]
    first_on: Mapped[str | None]
    last_on: Mapped[str | None]


class UnitRow(Base):
    __tablename__ = "unit"
    workspace_id: Mapped[str]
    building_id: Mapped[str]
    slug: Mapped[str]
    name: Mapped[str]
    type: Mapped[str]
    layout: Mapped[str | None]
    bedrooms: Mapped[int | None]
    size_centi_sqm: Mapped[int | None]
    floor: Mapped[int | None]
    rent_yen: Mapped[int | None]
    deposit_yen: Mapped[int | None]
    reservation_fee_yen: Mapped[int | None]
    minimum_stay_days: Mapped[int | None]
    features_en: Mapped[list[str]] = mapped_column(JSON)
    updated_at: Mapped[str]
    building: Mapped[BuildingRow] = relationship(
        primaryjoin="foreign(UnitRow.building_id) == BuildingRow.id", viewonly=True
    )
    fees: Mapped[list[UnitFeeRow]] = of_unit("UnitFeeRow")
    photos: Mapped[list[PhotoRow]] = of_unit("PhotoRow", "PhotoRow.position")
    stays: Mapped[list[StayRow]] = of_unit("StayRow")
    blocks: Mapped[list[BlockRow]] = of_unit("BlockRow")
    size = property(lambda self: self.size_centi_sqm and f"{self.size_centi_sqm / 100}")
    total = property(
        lambda self: self.rent_yen and self.rent_yen + sum(f.amount_yen for f in self.fees)
    )


class Read(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class Building(Read):
    id: str
    slug: str
    name: str = Field(validation_alias="name_en")
    area: str = Field(validation_alias="area_en")
    address: str = Field(validation_alias="address_en")


class Fee(Read):
    code: str
    label: str
    amount: int = Field(validation_alias="amount_yen")


class Photo(Read):
    url: str
    width: int
    height: int
    alt: str = Field(validation_alias="alt_en")


class Availability(Read):
    state: str
    on: str | None
    label: str
    confirmed: bool
    moveInFrom: str | None


class Unit(Read):
    id: str
    slug: str
    name: str
    type: str
    building: Building
    layout: str | None
    bedrooms: int | None
    sizeSqm: str | None = Field(validation_alias="size")
    floor: int | None
    price: int | None = Field(validation_alias="rent_yen")
    monthlyFees: list[Fee] = Field(validation_alias="fees")
    monthlyTotal: int | None = Field(validation_alias="total")
    deposit: int | None = Field(validation_alias="deposit_yen")
    reservationFee: int | None = Field(validation_alias="reservation_fee_yen")
    minimumStayDays: int | None = Field(validation_alias="minimum_stay_days")
    features: list[str] = Field(validation_alias="features_en")
    photos: list[Photo]
    updatedAt: str = Field(validation_alias="updated_at")
    availability: Availability


class Data(Read):
    units: list[Unit]
    total: int
    confirmed: int


class Answer(Read):
    ok: bool
    data: Data


app = FastAPI()
settings = Settings.from_environment(os.environ)
engine = create_engine(settings.database_url)


@app.get("/api/agent/properties", response_model=Answer, response_model_by_alias=False)
def units(limit: int, authorization: str = Header()) -> object:
    wanted, today = key_hash(authorization.removeprefix("Bearer ")), SystemClock().today()
    with Session(engine) as session:
        key = session.scalars(select(KeyRow).where(KeyRow.hash == wanted)).one()
        matched = list(_matched(session, key.workspace_id, today.isoformat()))
        confirmed = sum(unit.availability["confirmed"] for unit in matched)
        data = {"units": matched[:limit], "total": len(matched), "confirmed": confirmed}
        return Answer.model_validate({"ok": True, "data": data})


def _matched(session: Session, workspace_id: str, today: str) -> Iterable[Any]:
    living = or_(StayRow.ends_on.is_(None), StayRow.ends_on >= today)
    asked = (
        select(UnitRow)
        .where(UnitRow.workspace_id == workspace_id)
        .options(
            *map(selectinload, (UnitRow.building, UnitRow.fees, UnitRow.photos, UnitRow.stays)),
            selectinload(UnitRow.blocks),
            with_loader_criteria(StayRow, living & StayRow.cancelled_at.is_(None)),
        )
        .order_by(UnitRow.id)
    )
    for unit in session.scalars(asked):
        answer = _answer(unit, today)
        if answer is not None:
            unit.availability = shown(answer, "en")
            yield unit


def _answer(unit: UnitRow, today: str) -> Decided | None:
    stays = (
        (
            stay.override_move_in_date or stay.move_in_date,
            stay.override_contract_end_date or stay.contract_end_date,
            stay.move_out_date,
            stay.expected_departure_date,
            int(stay.forced_on is not None),
            stay.kind,
        )
        for stay in unit.stays
    )
    blocks = ((block.first_on, block.last_on) for block in unit.blocks)
    return availability(stays, blocks, {"owner_resident"}, today, 0)
