"""The figures of an owner's month: brought forward, income, deductions, closing, payout."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.rules.days import month_first
from pms.rules.owner_balance import (
    OwnerBalance,
    OwnerMonth,
    PublishedPayout,
    owner_balance,
    payout_day,
)
from pms.statements.models import OwnerDeduction, OwnerStatement, OwnerTerms
from pms.statements.owner_money import IncomePlace, building_income
from pms.statements.unit_order import unit_order

USUAL_PAYOUT_DAY = 15


class IncomeRow(NamedTuple):
    """Whole yen that one unit brought in under one category."""

    unit: str
    category: str
    yen: int


class DeductionLine(NamedTuple):
    """Whole yen the owner bears; the operator's own share has no day."""

    label_ja: str
    label_en: str
    on: date | None
    yen: int

    @property
    def label(self) -> Bilingual:
        """What the line is for."""
        return Bilingual(self.label_ja, self.label_en)


@dataclass(frozen=True, slots=True)
class OwnerFigures:
    """One month of one building in whole yen, row by row, as it is shown and published."""

    month_on: date
    opening_yen: int
    income: tuple[IncomeRow, ...]
    deductions: tuple[DeductionLine, ...]
    closing_yen: int
    payout_yen: int
    carried_yen: int
    payout_on: date
    payout_account: str | None

    @property
    def income_yen(self) -> int:
        """The sum of the income rows."""
        return sum(row.yen for row in self.income)

    @property
    def deducted_yen(self) -> int:
        """The sum of the deductions."""
        return sum(line.yen for line in self.deductions)

    @property
    def money(self) -> tuple[object, ...]:
        """What makes a published statement another one when it differs."""
        return (self.opening_yen, self.income, self.deductions, self.closing_yen, self.payout_yen)


class Terms(NamedTuple):
    """What was agreed on for a month."""

    management_percent: Decimal = Decimal(0)
    payout_day: int = USUAL_PAYOUT_DAY
    payout_account: str | None = None


class _Money(NamedTuple):
    """Everything of a building, by the first day of its month."""

    income: Mapping[date, Mapping[IncomePlace, int]]
    deductions: Mapping[date, Sequence[DeductionLine]]
    payouts: Mapping[date, PublishedPayout]
    terms: Sequence[tuple[date, Terms]]


def owner_figures(session: Session, building_id: str, month_on: date, today: date) -> OwnerFigures:
    """Return the figures of a building's month, computed from the ledger as it is now."""
    money = _money(session, building_id)
    month_on = month_first(month_on)
    earlier = [_month(money, past) for past in sorted(_months(money)) if past < month_on]
    month = _month(money, month_on)
    return _figures(money, month, owner_balance(earlier, month, today))


def _figures(money: _Money, month: OwnerMonth, balance: OwnerBalance) -> OwnerFigures:
    terms = _terms_of(money, month.month_on)
    return OwnerFigures(
        month_on=month.month_on,
        opening_yen=balance.opening_yen,
        income=tuple(_income_rows(money.income.get(month.month_on, {}))),
        deductions=(*_management(month), *money.deductions.get(month.month_on, ())),
        closing_yen=balance.closing_yen,
        payout_yen=balance.payout_yen,
        carried_yen=balance.carried_yen,
        payout_on=payout_day(month.month_on, terms.payout_day),
        payout_account=terms.payout_account,
    )


def _money(session: Session, building_id: str) -> _Money:
    return _Money(
        income=building_income(session, building_id),
        deductions=_deductions(session, building_id),
        payouts=_payouts(session, building_id),
        terms=_terms(session, building_id),
    )


def _months(money: _Money) -> set[date]:
    return {*money.income, *money.deductions, *money.payouts}


def _month(money: _Money, month_on: date) -> OwnerMonth:
    return OwnerMonth(
        month_on=month_on,
        income_yen=sum(money.income.get(month_on, {}).values()),
        deducted_yen=sum(line.yen for line in money.deductions.get(month_on, ())),
        management_percent=_terms_of(money, month_on).management_percent,
        published=money.payouts.get(month_on),
    )


def _terms_of(money: _Money, month_on: date) -> Terms:
    in_force = [terms for from_on, terms in money.terms if from_on <= month_on]
    return in_force[-1] if in_force else Terms()


def _income_rows(income: Mapping[IncomePlace, int]) -> Iterator[IncomeRow]:
    for place in sorted(income, key=unit_order):
        if income[place]:
            yield IncomeRow(*place, income[place])


def _management(month: OwnerMonth) -> Iterator[DeductionLine]:
    if month.fee_yen:
        percent = f"{month.management_percent.normalize():f}"
        words = (f"管理手数料（{percent}%）", f"Management fee ({percent} %)")
        yield DeductionLine(*words, None, month.fee_yen)


def _deductions(session: Session, building_id: str) -> Mapping[date, Sequence[DeductionLine]]:
    found: defaultdict[date, list[DeductionLine]] = defaultdict(list)
    for row in session.scalars(
        select(OwnerDeduction)
        .where(OwnerDeduction.building_id == building_id)
        .order_by(OwnerDeduction.deducted_on, OwnerDeduction.id)
    ):
        line = DeductionLine(row.label_ja, row.label_en, row.deducted_on, row.amount_yen)
        found[month_first(row.deducted_on)].append(line)
    return found


def _payouts(session: Session, building_id: str) -> Mapping[date, PublishedPayout]:
    """The payout of each month as it was published last: versions come in their order."""
    return {
        month_on: PublishedPayout(figures["payout_yen"], date.fromisoformat(figures["payout_on"]))
        for month_on, figures in session.execute(
            select(OwnerStatement.month_on, OwnerStatement.figures)
            .where(OwnerStatement.building_id == building_id)
            .order_by(OwnerStatement.month_on, OwnerStatement.version)
        )
    }


def _terms(session: Session, building_id: str) -> Sequence[tuple[date, Terms]]:
    rows = session.scalars(
        select(OwnerTerms).where(OwnerTerms.building_id == building_id).order_by(OwnerTerms.from_on)
    )
    return [
        (row.from_on, Terms(row.management_percent, row.payout_day, row.payout_account))
        for row in rows
    ]
