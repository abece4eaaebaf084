"""Finds the units a list asks for by their own facts; what is free is asked elsewhere."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    SQLColumnExpression,
    and_,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit
from pms.foundation.ids import is_id
from pms.foundation.search import finds
from pms.rules.enumerations import UnitSort, UnitType
from pms.rules.layout_words import layout_key

_ORDER: dict[UnitSort | None, tuple[SQLColumnExpression[Any], ...]] = {
    None: (),
    UnitSort.PRICE_ASC: (Unit.rent_yen.is_(None), Unit.rent_yen),
    UnitSort.PRICE_DESC: (Unit.rent_yen.is_(None), Unit.rent_yen.desc()),
    UnitSort.SIZE_ASC: (Unit.size_centi_sqm.is_(None), Unit.size_centi_sqm),
    UnitSort.SIZE_DESC: (Unit.size_centi_sqm.is_(None), Unit.size_centi_sqm.desc()),
}


class UnitFacts(NamedTuple):
    """What a list may ask of units (specification, List units); unset filters keep everything."""

    areas: tuple[str, ...] = ()
    price_min_yen: int | None = None
    price_max_yen: int | None = None
    type: UnitType | None = None
    layouts: tuple[str, ...] = ()
    bedrooms: int | None = None
    has_campaign: bool = False
    search: str | None = None
    building: str | None = None
    sort: UnitSort | None = None


def find_units(session: Session, facts: UnitFacts, today: date) -> Sequence[str]:
    """Return the ids of the units in the order asked for, ties by id, unknown values last."""
    question = select(Unit.id)
    if facts.areas or facts.search or facts.building:
        question = question.join(Unit.building)
    conditions = [*_conditions(facts, today)]
    if facts.layouts:
        conditions.append(Unit.layout.in_(_layouts_named(session, facts.layouts)))
    return session.scalars(question.where(*conditions).order_by(*_ORDER[facts.sort], Unit.id)).all()


def is_building(name_or_id: str) -> ColumnElement[bool]:
    """Return the condition that a building has this id or exactly this name."""
    if is_id(name_or_id):
        return Building.id == name_or_id
    return or_(Building.name == name_or_id, Building.name_en == name_or_id)


def is_unit(name_or_id: str) -> ColumnElement[bool]:
    """Return the condition that a unit has this id or exactly this name."""
    return Unit.id == name_or_id if is_id(name_or_id) else Unit.name == name_or_id


def is_current(today: date | BindParameter[date]) -> ColumnElement[bool]:
    """Return the condition that a campaign is offered on a day, both its ends included."""
    return and_(
        Campaign.is_published,
        Campaign.starts_on <= today,
        or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today),
    )


def _conditions(facts: UnitFacts, today: date) -> Iterator[ColumnElement[bool]]:
    if facts.areas:
        yield or_(_is_one_of(Building.area, facts.areas), _is_one_of(Building.area_en, facts.areas))
    if facts.price_min_yen is not None:
        yield Unit.rent_yen >= facts.price_min_yen
    if facts.price_max_yen is not None:
        yield Unit.rent_yen <= facts.price_max_yen
    if facts.type is not None:
        yield Unit.type == facts.type
    if facts.bedrooms is not None:
        yield Unit.bedrooms == facts.bedrooms
    if facts.has_campaign:
        yield _has_campaign(today)
    if facts.search:
        yield finds(facts.search, Unit.search_text, Building.search_text)
    if facts.building:
        yield is_building(facts.building)


def _layouts_named(session: Session, asked: Sequence[str]) -> list[str]:
    """Return the layouts as they are typed that are meant, in Japanese, in English or in code."""
    keys = {layout_key(layout) for layout in asked}
    kept = session.scalars(select(Unit.layout).where(Unit.layout.is_not(None)).distinct())
    return [layout for layout in kept if layout and layout_key(layout) in keys]


def _is_one_of(
    column: SQLColumnExpression[str] | SQLColumnExpression[str | None], texts: Sequence[str]
) -> ColumnElement[bool]:
    # The database folds both sides: a letter it cannot fold, such as Ō, still equals itself.
    return func.lower(column).in_([func.lower(text) for text in texts])


def _has_campaign(today: date) -> ColumnElement[bool]:
    return exists().where(
        CampaignUnit.workspace_id == Unit.workspace_id,
        CampaignUnit.unit_id == Unit.id,
        Campaign.workspace_id == CampaignUnit.workspace_id,
        Campaign.id == CampaignUnit.campaign_id,
        is_current(today),
    )
