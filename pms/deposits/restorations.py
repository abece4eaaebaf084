"""What a settlement deducts for: its names, useful lives and unit prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.models import RestorationPrices
from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate_both
from pms.foundation.versions import asked_once
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory
from pms.rules.wear import USEFUL_LIFE_MONTHS, WornItem
from pms.rules.yen import LARGEST_YEN

LONGEST_LIFE_MONTHS: Final = 1_200


class RestorationWords(NamedTuple):
    """How an item is called on papers, what it is counted in, and the category of its charge."""

    name: Bilingual
    counted_in: Bilingual
    category: FeeCategory = FeeCategory.REPAIR


_SQUARE_METRES: Final = translate_both("m²")
_PIECES: Final = translate_both("pc.")
_SETS: Final = translate_both("jobs")

RESTORATION_WORDS: Final[Mapping[WornItem, RestorationWords]] = MappingProxyType(
    {
        WornItem.WALLPAPER: RestorationWords(translate_both("Wallpaper"), _SQUARE_METRES),
        WornItem.CUSHION_FLOOR: RestorationWords(translate_both("Cushion floor"), _SQUARE_METRES),
        WornItem.CARPET: RestorationWords(translate_both("Carpet"), _SQUARE_METRES),
        WornItem.AIR_CONDITIONER: RestorationWords(translate_both("Air conditioner"), _PIECES),
        WornItem.REFRIGERATOR: RestorationWords(translate_both("Refrigerator"), _PIECES),
        WornItem.COOKER: RestorationWords(translate_both("Cooker"), _PIECES),
        WornItem.SINK: RestorationWords(translate_both("Sink"), _PIECES),
        WornItem.WOODEN_FURNITURE: RestorationWords(translate_both("Wooden furniture"), _PIECES),
        WornItem.METAL_FURNITURE: RestorationWords(translate_both("Metal furniture"), _PIECES),
        WornItem.PLUMBING: RestorationWords(translate_both("Toilet, basin and plumbing"), _PIECES),
        WornItem.TATAMI_FACING: RestorationWords(
            translate_both("Tatami facing"), translate_both("mats")
        ),
        WornItem.SLIDING_DOOR_PAPER: RestorationWords(
            translate_both("Sliding-door paper"), translate_both("sheets")
        ),
        WornItem.FLOORING_PART: RestorationWords(
            translate_both("Flooring, in part"), _SQUARE_METRES
        ),
        WornItem.FLOORING_WOOD: RestorationWords(
            translate_both("Whole flooring, wooden building"), _SQUARE_METRES
        ),
        WornItem.FLOORING_LIGHT_STEEL: RestorationWords(
            translate_both("Whole flooring, light steel building"),
            _SQUARE_METRES,
        ),
        WornItem.FLOORING_STEEL: RestorationWords(
            translate_both("Whole flooring, steel building"),
            _SQUARE_METRES,
        ),
        WornItem.FLOORING_CONCRETE: RestorationWords(
            translate_both("Whole flooring, concrete building"),
            _SQUARE_METRES,
        ),
        WornItem.LOST_KEYS: RestorationWords(translate_both("Lost keys"), translate_both("keys")),
        WornItem.AGREED_CLEANING: RestorationWords(
            translate_both("Cleaning agreed in the contract"),
            _SETS,
            FeeCategory.CLEANING,
        ),
        WornItem.OTHER: RestorationWords(translate_both("Other"), _SETS, FeeCategory.OTHER),
    }
)


def name_restoration(item: WornItem, note: str | None) -> Bilingual:
    """Return what a line is called: its item, with what is said beside it."""
    name = RESTORATION_WORDS[item].name
    if not note:
        return name
    if item is WornItem.OTHER:
        return Bilingual(note, note)
    return translate_both("{name} ({note})", name=name, note=note)


@dataclass(frozen=True, slots=True)
class PriceList:
    """Useful lives in months (None where age does not count) and unit prices, by item."""

    lives: Mapping[WornItem, int | None]
    prices: Mapping[WornItem, int]
    version: int = 0


def price_list(session: Session) -> PriceList:
    """Return the workspace's list; until it is written, the lives of the guideline and no prices."""
    return asked_once(session, _find_price_list)


def _find_price_list(session: Session) -> PriceList:
    row = session.scalar(select(RestorationPrices))
    if row is None:
        return PriceList(USEFUL_LIFE_MONTHS, {})
    return PriceList(
        {item: row.lives.get(item.value, USEFUL_LIFE_MONTHS[item]) for item in WornItem},
        {item: row.prices[item.value] for item in WornItem if item.value in row.prices},
        row.version,
    )


def set_price_list(work: Work, *, stated: PriceList) -> int:
    """Write the list; `stated.version` is the version it is based on. Return the new version.

    Settlements that were written keep the lives and prices of their day.
    """
    lives = {}
    for item in WornItem:
        months = stated.lives.get(item)
        if months is not None and not 1 <= months <= LONGEST_LIFE_MONTHS:
            raise Refused(
                "{field}: enter 1 to {most} months, or nothing where age does not count.",
                field=life_field(item),
                most=LONGEST_LIFE_MONTHS,
            )
        lives[item] = months
    checked = PriceList(
        lives,
        {item: _check_price(item, yen) for item, yen in stated.prices.items()},
        stated.version + 1,
    )
    row = work.session.scalar(select(RestorationPrices).with_for_update())
    if (row.version if row else 0) != stated.version:
        raise Collision("The prices have changed since you opened this page. Check them again.")
    before = _build_price_facts(price_list(work.session))
    if row is None:
        row = RestorationPrices()
        work.session.add(row)
    row.lives = {item.value: months for item, months in checked.lives.items()}
    row.prices = {item.value: yen for item, yen in checked.prices.items()}
    row.version = checked.version
    row.written_at, row.written_by = work.clock.now(), work.actor
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Collision("A colleague changed the prices at the same time. Try again.") from second
    about, after = of_workspace(work.session), _build_price_facts(checked)
    note_difference(work, AuditEvent.RESTORATION_PRICES_SET, about, before=before, after=after)
    return row.version


def life_field(item: WornItem) -> str:
    """Return the name of the field with an item's useful life."""
    return f"life.{item.value}"


def price_field(item: WornItem) -> str:
    """Return the name of the field with an item's unit price."""
    return f"unitPrice.{item.value}"


def _build_price_facts(found: PriceList) -> dict[str, Any]:
    """Return the list for the audit event, one line per item that has a figure."""
    lives = [f"{item}: {months}" for item, months in found.lives.items() if months is not None]
    prices = [f"{item}: {yen}" for item, yen in found.prices.items()]
    return {"useful_lives": sorted(lives), "unit_prices": sorted(prices)}


def _check_price(item: WornItem, yen: int) -> int:
    if not 0 <= yen <= LARGEST_YEN:
        raise Refused(
            "{field}: enter whole yen from 0 to {most}.", field=price_field(item), most=LARGEST_YEN
        )
    return yen
