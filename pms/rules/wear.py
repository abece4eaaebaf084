"""What a resident bears of a repair, by the wear that counts as used up (ministry's guideline).

The ministry's guideline on restoring a home at the end of a tenancy (原状回復をめぐるトラブルとガイドライン)
gives fittings a useful life: at its end their remaining worth is nothing, and the lessor bears the cost.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from pms.rules.periods import full_months
from pms.rules.yen import round_half_away


class DeductionBearer(StrEnum):
    """Who bears the cost of a line: only what the resident caused is theirs."""

    RESIDENT = "resident"
    WEAR = "wear"
    LESSOR = "lessor"


class WornItem(StrEnum):
    """What the guideline names, as far as a settlement meets it."""

    WALLPAPER = "wallpaper"
    CUSHION_FLOOR = "cushion_floor"
    CARPET = "carpet"
    AIR_CONDITIONER = "air_conditioner"
    REFRIGERATOR = "refrigerator"
    COOKER = "cooker"
    SINK = "sink"
    WOODEN_FURNITURE = "wooden_furniture"
    METAL_FURNITURE = "metal_furniture"
    PLUMBING = "plumbing"
    TATAMI_FACING = "tatami_facing"
    SLIDING_DOOR_PAPER = "sliding_door_paper"
    FLOORING_PART = "flooring_part"
    FLOORING_WOOD = "flooring_wood"
    FLOORING_LIGHT_STEEL = "flooring_light_steel"
    FLOORING_STEEL = "flooring_steel"
    FLOORING_CONCRETE = "flooring_concrete"
    LOST_KEYS = "lost_keys"
    AGREED_CLEANING = "agreed_cleaning"
    OTHER = "other"


USEFUL_LIFE_MONTHS: Final[Mapping[WornItem, int | None]] = MappingProxyType(
    {
        WornItem.WALLPAPER: 72,
        WornItem.CUSHION_FLOOR: 72,
        WornItem.CARPET: 72,
        WornItem.AIR_CONDITIONER: 72,
        WornItem.REFRIGERATOR: 72,
        WornItem.COOKER: 72,
        WornItem.SINK: 60,
        WornItem.WOODEN_FURNITURE: 96,
        WornItem.METAL_FURNITURE: 180,
        WornItem.PLUMBING: 180,
        WornItem.TATAMI_FACING: None,
        WornItem.SLIDING_DOOR_PAPER: None,
        WornItem.FLOORING_PART: None,
        # Flooring that is laid anew as a whole lasts as long as the building.
        WornItem.FLOORING_WOOD: 264,
        WornItem.FLOORING_LIGHT_STEEL: 228,
        WornItem.FLOORING_STEEL: 408,
        WornItem.FLOORING_CONCRETE: 564,
        WornItem.LOST_KEYS: None,
        WornItem.AGREED_CLEANING: None,
        WornItem.OTHER: None,
    }
)
"""Months of useful life by item; None where age does not count."""


@dataclass(frozen=True, slots=True)
class WornDeduction:
    """One line of a settlement: a quantity at a price in whole yen, and what the age of it counts."""

    quantity: Decimal
    unit_yen: int
    bearer: DeductionBearer
    life_months: int | None
    fitted_on: date

    @property
    def exact_yen(self) -> Fraction:
        """The cost, not rounded."""
        return Fraction(self.quantity) * self.unit_yen


@dataclass(frozen=True, slots=True)
class WornShare:
    """Who bears what of a cost in whole yen; months are those of use, None where none count."""

    cost_yen: int
    used_months: int | None
    resident_yen: int

    @property
    def lessor_yen(self) -> int:
        """The rest of the cost."""
        return self.cost_yen - self.resident_yen


def worn_share(deduction: WornDeduction, move_out_on: date) -> WornShare:
    """The resident's part of a cost, rounded once from exact figures.

    What a fitting lost in its months of use is the lessor's; ordinary wear and what the lessor bears
    cost the resident nothing.
    """
    life = deduction.life_months
    used_months = None if life is None else full_months(deduction.fitted_on, move_out_on)
    exact = deduction.exact_yen
    if deduction.bearer is not DeductionBearer.RESIDENT:
        part = Fraction(0)
    elif life is None or used_months is None:
        part = exact
    else:
        part = exact * max(0, life - used_months) / life if life else Fraction(0)
    return WornShare(round_half_away(exact), used_months, round_half_away(part))
