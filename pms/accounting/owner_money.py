"""Owners' months as journals: the fee the operator keeps, costs the owner bears, payouts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.accounting.money import Owned, Period
from pms.rules.days import add_months, month_first, month_last
from pms.rules.journals import (
    Journal,
    Posting,
    cost_postings,
    fee_postings,
    payout_postings,
)
from pms.rules.yen import percent_charge
from pms.statements.models import OwnerDeduction, OwnerStatement, OwnerTerms

BuildingMonth = tuple[str, date]


def income_of(journals: Iterable[Journal]) -> dict[BuildingMonth, int]:
    """Return the owners' income by building and month, whole yen."""
    income: defaultdict[BuildingMonth, int] = defaultdict(int)
    for journal in journals:
        if journal.is_income_of_owner:
            income[journal.building_id, month_first(journal.happened_on)] += journal.owners_yen
    return income


def fee_journals(
    session: Session, income: Mapping[BuildingMonth, int], owned: Owned
) -> dict[str, Journal]:
    """Return the management fee of each building and month, on the month's last day (Owner)."""
    terms = _percents(session)
    found = {}
    for (building_id, month_on), yen in income.items():
        on = month_last(month_on)
        fee_yen = percent_charge(_percent(terms.get(building_id, ()), month_on), yen)
        if fee_yen and owned.is_owners(building_id, on):
            memo = f"管理手数料 {month_on:%Y年}{month_on.month}月分 {owned.names[building_id]}"
            key = f"fee/{building_id}/{month_on}"
            found[key] = _journal(key, on, building_id, memo, fee_postings(fee_yen))
    return found


def cost_journals(
    session: Session, period: Period, owned: Owned, since: datetime | None = None
) -> dict[str, Journal]:
    """Return what owners were charged in the days, or what of it was written since an instant."""
    asked = select(OwnerDeduction).where(OwnerDeduction.deducted_on.between(*period))
    if since is not None:
        asked = asked.where(OwnerDeduction.written_at >= since)
    found = {}
    for row in session.scalars(asked):
        if owned.is_owners(row.building_id, month_last(row.deducted_on)):
            key, name = f"cost/{row.id}", owned.names[row.building_id]
            memo, postings = f"{row.label_ja} {name}", cost_postings(row.amount_yen)
            found[key] = _journal(key, row.deducted_on, row.building_id, memo, postings)
    return found


def payout_journals(
    session: Session, period: Period, owned: Owned, since: datetime | None = None
) -> dict[str, Journal]:
    """Return the payouts of the days as they were published last.

    With an instant, only those of months of which a version was published since.
    """
    # A month is paid out in the next one.
    months = add_months(month_first(period.first_on), -1), period.last_on
    asked = select(OwnerStatement).where(OwnerStatement.month_on.between(*months))
    newest: dict[BuildingMonth, OwnerStatement] = {}
    for row in session.scalars(asked.order_by(OwnerStatement.version)):
        newest[row.building_id, row.month_on] = row
    found = {}
    for (building_id, month_on), row in newest.items():
        on = date.fromisoformat(row.figures["payout_on"])
        yen = int(row.figures["payout_yen"])
        is_asked = since is None or row.published_at >= since
        if yen and is_asked and period.has(on):
            memo = f"オーナー送金 {month_on:%Y年}{month_on.month}月分 {owned.names[building_id]}"
            key = f"payout/{building_id}/{month_on}"
            found[key] = _journal(key, on, building_id, memo, payout_postings(yen))
    return found


def _journal(
    key: str, on: date, building_id: str, memo: str, postings: Iterable[Posting]
) -> Journal:
    return Journal(key, on, building_id, building_id, memo, list(postings)).ordered()


def _percents(session: Session) -> Mapping[str, list[tuple[date, Decimal]]]:
    found: defaultdict[str, list[tuple[date, Decimal]]] = defaultdict(list)
    asked = select(OwnerTerms.building_id, OwnerTerms.from_on, OwnerTerms.management_percent)
    for building_id, from_on, percent in session.execute(asked.order_by(OwnerTerms.from_on)):
        found[building_id].append((from_on, percent))
    return found


def _percent(terms: Iterable[tuple[date, Decimal]], month_on: date) -> Decimal:
    in_force = [percent for from_on, percent in terms if from_on <= month_on]
    return in_force[-1] if in_force else Decimal(0)
