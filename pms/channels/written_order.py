"""What a supplier says was ordered, checked line by line: whole yen, and a total that is their sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_NAME, needed_text, shown
from pms.catalogue.models import Building
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import FeeCategory
from pms.rules.project_number import read_project_number
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.upkeep.add_purchase import MOST_YEN

MOST_ITEMS: Final = 100
MOST_PIECES: Final = 100_000
LONGEST_ITEM: Final = 150
USUAL_CATEGORY: Final = FeeCategory.REPAIR
"""What an item is when the supplier does not say: material for a repair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenItem:
    """One line: so many pieces, each at whole yen as paid."""

    description: str | None
    quantity: int
    unit_price_yen: int
    category: FeeCategory = USUAL_CATEGORY

    @property
    def yen(self) -> int:
        """What the line costs."""
        return self.quantity * self.unit_price_yen


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOrder:
    """An order as its supplier tells it."""

    supplier: str | None
    order_number: str | None
    ordered_on: date
    items: Sequence[WrittenItem]
    total_yen: int
    building_id: str | None = None
    project_number: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedOrder:
    """The same, fit to be stored; the descriptions are those of the items, in their order."""

    supplier: str
    order_number: str
    building_id: str | None
    number: int | None
    descriptions: Sequence[str]


def checked_order(session: Session, clock: Clock, order: WrittenOrder) -> CheckedOrder:
    """Raise `Refused` naming the field at fault: a figure is never corrected, only refused.

    Raises `NotFound` for a building of nobody here.
    """
    if order.ordered_on > clock.today():
        raise Refused(
            "orderedOn: {day} is to come; an order is of today or before.", day=order.ordered_on
        )
    if not 1 <= len(order.items) <= MOST_ITEMS:
        raise Refused(
            "items: these are {count}; 1 to {most} are wanted.",
            count=len(order.items),
            most=MOST_ITEMS,
        )
    descriptions = [_checked_item(place, item) for place, item in enumerate(order.items)]
    total = sum(item.yen for item in order.items)
    if total != order.total_yen:
        raise Refused(
            "total: {total} is not what the items cost, {sum}.", total=order.total_yen, sum=total
        )
    return CheckedOrder(
        needed_text("supplier", order.supplier, LONGEST_NAME),
        needed_text("orderNumber", order.order_number, LONGEST_NAME),
        _building(session, order.building_id),
        _number(order.project_number),
        descriptions,
    )


def _checked_item(place: int, item: WrittenItem) -> str:
    within = f"items[{place}]"
    description = needed_text(f"{within}.description", item.description, LONGEST_ITEM)
    _refuse_figure(f"{within}.quantity", item.quantity, 1, MOST_PIECES)
    _refuse_figure(f"{within}.unitPrice", item.unit_price_yen, 0, MOST_YEN)
    if item.yen > MOST_YEN:
        raise Refused(
            "{field}: the line costs {yen}; {most} yen at most.",
            field=f"{within}.quantity",
            yen=item.yen,
            most=MOST_YEN,
        )
    if item.category not in PURCHASE_CATEGORIES:
        raise Refused(
            "{field}: '{category}' is not one of {allowed}.",
            field=f"{within}.category",
            category=item.category,
            allowed=", ".join(PURCHASE_CATEGORIES),
        )
    return description


def _refuse_figure(field: str, value: int, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=value,
            least=least,
            most=most,
        )


def _building(session: Session, building_id: str | None) -> str | None:
    if not building_id:
        return None
    known = select(Building.id).where(Building.id == building_id)
    if not is_id(building_id) or session.scalar(known) is None:
        raise NotFound(
            "buildingId: there is no building '{building_id}'.", building_id=building_id[:60]
        )
    return building_id


def _number(text: str | None) -> int | None:
    if not text:
        return None
    number = read_project_number(text)
    if number is None:
        raise Refused(
            "projectNumber: '{text}' is no number of a project such as PRJ-0042.", text=shown(text)
        )
    return number
