"""What owners of the demo's houses agreed on, what they bear, and their published statements."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner
from pms.demo.money.account import STAFF
from pms.demo.rows import Rows, instant
from pms.demo.stay_plans import days_from
from pms.foundation.bilingual import Bilingual
from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import FeeCategory
from pms.statements.models import OwnerDeduction, OwnerStatement, OwnerTerms
from pms.statements.owner_figures import owner_figures
from pms.statements.published_figures import Published, written

_PERCENTS = (Decimal("15"), Decimal("12.5"), Decimal("10"))
_PAYOUT_DAY = 20
_PUBLISHED_ON_DAY = 5
_MONTHS = 2
_COSTS = (
    (6, Bilingual("共用部清掃", "Cleaning of shared spaces"), FeeCategory.CLEANING, 18_000),
    (17, Bilingual("消防設備点検", "Fire equipment check"), FeeCategory.SERVICE, 9_900),
    (11, Bilingual("給湯器の修理", "Water heater repair"), FeeCategory.REPAIR, 27_500),
)


def agree_with_owners(rows: Rows, today: date) -> None:
    """Keep the terms of every house, and the costs of the last months."""
    owners = {row["id"]: row for row in rows.of(Owner)}
    for number, house in enumerate(rows.of(Building)):
        owner, opened_at = owners[house["owner_id"]], house["created_at"]
        rows.add(
            OwnerTerms,
            opened_at,
            building_id=house["id"],
            from_on=month_first(opened_at.date()),
            management_percent=_PERCENTS[number % len(_PERCENTS)],
            payout_day=_PAYOUT_DAY,
            payout_account=f"みどり野銀行 本店（001） 普通 00{number + 1:05} {owner['name_kana']}",
            written_at=opened_at,
            written_by=STAFF,
        )
        for month_on in _months(today):
            for day, label, category, yen in _COSTS[: 2 + (number + month_on.month) % 2]:
                _add_cost(
                    rows,
                    house["id"],
                    month_on.replace(day=day),
                    yen,
                    label=label,
                    category=category,
                )


def _add_cost(
    rows: Rows, building_id: str, on: date, yen: int, *, label: Bilingual, category: FeeCategory
) -> None:
    rows.add(
        OwnerDeduction,
        instant(on, 17),
        building_id=building_id,
        deducted_on=on,
        category=category,
        label_ja=label.ja,
        label_en=label.en,
        amount_yen=yen,
        written_at=instant(on, 17),
        written_by=STAFF,
    )


def publish_statements(session: Session, rows: Rows, today: date) -> None:
    """Publish the last months of every house, as they stood on the day of publishing."""
    owners = {row["id"]: row for row in rows.of(Owner)}
    for house in rows.of(Building):
        owner = owners[house["owner_id"]]
        first_on = next(_months(today))
        _begin_at_nothing(session, rows, house["id"], days_from(first_on, -1))
        for month_on in _months(today):
            published_on = _published_on(month_on)
            figures = owner_figures(session, house["id"], month_on, published_on)
            said = Published(owner["name"], house["name"], house["name_en"], figures)
            rows.add(
                OwnerStatement,
                instant(published_on, 10),
                building_id=house["id"],
                month_on=month_on,
                version=1,
                figures=written(said),
                published_at=instant(published_on, 10),
                published_by=STAFF,
            )
            session.execute(insert(OwnerStatement), rows.of(OwnerStatement)[-1:])


def _begin_at_nothing(session: Session, rows: Rows, building_id: str, on: date) -> None:
    """What earlier months left was paid out before statements were published here."""
    brought_yen = owner_figures(session, building_id, on, on).closing_yen
    if brought_yen:
        label = Bilingual("明細発行前の送金済み額", "Paid out before statements were published")
        _add_cost(rows, building_id, on, brought_yen, label=label, category=FeeCategory.OTHER)
        session.execute(insert(OwnerDeduction), rows.of(OwnerDeduction)[-1:])


def _months(today: date) -> Iterator[date]:
    """The months whose statements are out, the oldest first."""
    latest = add_months(month_first(today), -1)
    if _published_on(latest) >= today:
        latest = add_months(latest, -1)
    for back in range(_MONTHS - 1, -1, -1):
        yield add_months(latest, -back)


def _published_on(month_on: date) -> date:
    return days_from(month_last(month_on), _PUBLISHED_ON_DAY)
