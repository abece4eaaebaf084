"""The figures of an owner's month, and its income in one row per room for page, PDF and file."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import bank_day_of_month
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import opened_text
from pms.foundation.stored_forms import read_stored
from pms.foundation.translations import translate_both
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.owner_income import (
    OwnerBalance,
    OwnerMonth,
    OwnerShare,
    PublishedPayout,
    owner_balance,
    payout_day,
)
from pms.statements.building_income import KEPT_DEPOSIT, BuildingIncome, IncomePlace, incomes
from pms.statements.lease_rents import RentPaid, RentsOfBuilding, lease_rents
from pms.statements.master_leases import days_of_leases, leases_in_force
from pms.statements.models import OwnerDeduction, OwnerStatement, OwnerTerms, StatementAccount

_DIGITS: Final = re.compile(r"(\d+)")
_CATEGORIES: Final = {category.value: place for place, category in enumerate(FeeCategory)}

Order: TypeAlias = tuple[tuple[tuple[bool, int, str], ...], str, int]


def unit_order(place: IncomePlace) -> Order:
    """Return the sort key of a row: room 9 before room 10, then the category."""
    parts = (part for part in _DIGITS.split(place.unit) if part)
    counted = tuple(
        (False, int(part), "") if part.isdecimal() else (True, 0, part.casefold()) for part in parts
    )
    return counted, place.unit, _CATEGORIES.get(place.category, len(_CATEGORIES))


USUAL_PAYOUT_DAY = 15


class IncomeRow(NamedTuple):
    """The income of one unit in one category, in whole yen."""

    unit: str
    category: str
    yen: int


class ClassedIncome(NamedTuple):
    """The income of a month in one class of consumption tax, in whole yen including the tax."""

    tax: TaxTreatment
    yen: int


class DeductionLine(NamedTuple):
    """A cost in whole yen that the owner bears; the operator's own share has no day.

    Statements of earlier releases have no category.
    """

    label_ja: str
    label_en: str
    on: date | None
    yen: int
    category: str | None = None

    @property
    def label(self) -> Bilingual:
        """The name of the line."""
        return Bilingual(self.label_ja, self.label_en)


@dataclass(frozen=True, slots=True)
class OwnerFigures:
    """One month of one building in whole yen, by row, as shown and published."""

    month_on: date
    opening_yen: int
    income: tuple[IncomeRow, ...]
    deductions: tuple[DeductionLine, ...]
    closing_yen: int
    payout_yen: int
    carried_yen: int
    payout_on: date
    payout_account: str | None = None
    rents: tuple[RentPaid, ...] = ()
    """What the operator pays for a building under master lease, whose rents are its own."""
    classes: tuple[ClassedIncome, ...] = ()
    """The income by class; statements of earlier releases have none."""

    @property
    def income_yen(self) -> int:
        """The sum of the income rows and of the rents paid."""
        return sum(row.yen for row in self.income) + sum(rent.yen for rent in self.rents)

    @property
    def deducted_yen(self) -> int:
        """The sum of the deductions."""
        return sum(line.yen for line in self.deductions)

    @property
    def money(self) -> tuple[object, ...]:
        """The values whose change makes a new version of a published statement."""
        deductions = tuple(line[:4] for line in self.deductions)
        figures = (self.opening_yen, self.income, deductions, self.closing_yen, self.payout_yen)
        return (*figures, self.rents)


class OwnerTermsOfMonth(NamedTuple):
    """The agreed terms for a month."""

    management_percent: Decimal = Decimal(0)
    payout_day: int = USUAL_PAYOUT_DAY
    payout_account: str | None = None


class _Money(NamedTuple):
    """The money of a building by the first day of each month; one month's income in detail."""

    income: BuildingIncome
    deductions: Mapping[date, Sequence[DeductionLine]]
    payouts: Mapping[date, PublishedPayout]
    terms: Sequence[tuple[date, OwnerTermsOfMonth]]
    rents: RentsOfBuilding


def owner_figures(session: Session, building_id: str, month_on: date, today: date) -> OwnerFigures:
    """Return the figures of a building's month, calculated from the current ledger."""
    return figures_of_buildings(session, [building_id], month_on, today)[building_id]


def figures_of_buildings(
    session: Session, building_ids: Sequence[str], month_on: date, today: date
) -> Mapping[str, OwnerFigures]:
    """Return a month's figures of several buildings, in as many queries as for one."""
    month_on = month_first(month_on)
    return {
        building_id: _figures_of(money, month_on, today)
        for building_id, money in _read_money(session, building_ids, month_on).items()
    }


class BroughtForward(NamedTuple):
    """With what a month of a building begins, and with what the month before closed, in yen."""

    opening_yen: int
    closed_yen: int


def brought_forward(
    session: Session, building_ids: Sequence[str], month_on: date
) -> Mapping[str, BroughtForward]:
    """Return what the buildings brought forward to a month, as seen on its first day."""
    month_on = month_first(month_on)
    before_on = add_months(month_on, -1)
    return {
        building_id: BroughtForward(
            _figures_of(money, month_on, month_on).opening_yen,
            _figures_of(money, before_on, month_on).closing_yen,
        )
        for building_id, money in _read_money(session, building_ids, month_on).items()
    }


def _figures_of(money: _Money, month_on: date, today: date) -> OwnerFigures:
    earlier = [
        _build_month(money, past)
        for past in sorted(
            {*money.income.by_month, *money.deductions, *money.payouts, *money.rents}
        )
        if past < month_on
    ]
    month = _build_month(money, month_on)
    return _build_figures(money, month, owner_balance(earlier, month, today))


def _build_figures(money: _Money, month: OwnerMonth, balance: OwnerBalance) -> OwnerFigures:
    terms = _terms_of(money, month.month_on)
    return OwnerFigures(
        month_on=month.month_on,
        opening_yen=balance.opening_yen,
        income=tuple(_income_rows(money.income.places)),
        deductions=(*_build_management_lines(month), *money.deductions.get(month.month_on, ())),
        closing_yen=balance.closing_yen,
        payout_yen=balance.payout_yen,
        carried_yen=balance.carried_yen,
        payout_on=bank_day_of_month(payout_day(month.month_on, terms.payout_day)),
        payout_account=terms.payout_account,
        rents=tuple(money.rents.get(month.month_on, ())),
        classes=tuple(
            ClassedIncome(tax, money.income.classes[tax])
            for tax in TaxTreatment
            if money.income.classes.get(tax)
        ),
    )


def _read_money(
    session: Session, building_ids: Sequence[str], month_on: date
) -> Mapping[str, _Money]:
    leases = leases_in_force(session, building_ids)
    income = incomes(session, building_ids, month_on, days_of_leases(leases))
    deductions, payouts = (
        _read_deductions(session, building_ids),
        _read_payouts(session, building_ids),
    )
    terms = _read_terms(session, building_ids)
    rents = lease_rents(session, leases, month_on)
    return {
        id_: _Money(
            income[id_],
            deductions.get(id_, {}),
            payouts.get(id_, {}),
            tuple(terms.get(id_, ())),
            rents.get(id_, {}),
        )
        for id_ in building_ids
    }


def _build_month(money: _Money, month_on: date) -> OwnerMonth:
    return OwnerMonth(
        month_on=month_on,
        income_yen=money.income.by_month.get(month_on, 0),
        deducted_yen=sum(line.yen for line in money.deductions.get(month_on, ())),
        management_percent=_terms_of(money, month_on).management_percent,
        published=money.payouts.get(month_on),
        rent_yen=sum(rent.yen for rent in money.rents.get(month_on, ())),
    )


def _terms_of(money: _Money, month_on: date) -> OwnerTermsOfMonth:
    in_force = [terms for from_on, terms in money.terms if from_on <= month_on]
    return in_force[-1] if in_force else OwnerTermsOfMonth()


def _income_rows(income: Mapping[IncomePlace, int]) -> Iterator[IncomeRow]:
    for place in sorted(income, key=unit_order):
        if income[place]:
            yield IncomeRow(*place, income[place])


def _build_management_lines(month: OwnerMonth) -> Iterator[DeductionLine]:
    if month.fee_yen:
        percent = f"{month.management_percent.normalize():f}%"
        words = translate_both("Management fee ({percent})", percent=percent)
        yield DeductionLine(words.ja or "", words.en or "", None, month.fee_yen)


def _read_deductions(
    session: Session, building_ids: Sequence[str]
) -> Mapping[str, Mapping[date, Sequence[DeductionLine]]]:
    found: defaultdict[str, defaultdict[date, list[DeductionLine]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in session.scalars(
        select(OwnerDeduction)
        .where(OwnerDeduction.building_id.in_(building_ids))
        .order_by(OwnerDeduction.deducted_on, OwnerDeduction.id)
    ):
        line = DeductionLine(
            row.label_ja, row.label_en, row.deducted_on, row.amount_yen, row.category.value
        )
        found[row.building_id][month_first(row.deducted_on)].append(line)
    return found


def _read_payouts(
    session: Session, building_ids: Sequence[str]
) -> Mapping[str, Mapping[date, PublishedPayout]]:
    """Return the payout of each month as published last; later versions overwrite earlier ones."""
    found: defaultdict[str, dict[date, PublishedPayout]] = defaultdict(dict)
    for building_id, month_on, figures in session.execute(
        select(OwnerStatement.building_id, OwnerStatement.month_on, OwnerStatement.figures)
        .where(OwnerStatement.building_id.in_(building_ids))
        .order_by(OwnerStatement.month_on, OwnerStatement.version)
    ):
        found[building_id][month_on] = payout_of(figures)
    return found


@dataclass(frozen=True, slots=True)
class _KeptPayout:
    payout_yen: int
    payout_on: date


def payout_of(record: Any) -> PublishedPayout:
    """Return the payout of a published statement; raise `StoredUnreadable`."""
    kept = read_stored(_KeptPayout, record, is_part=True)
    return PublishedPayout(kept.payout_yen, kept.payout_on)


def _read_terms(
    session: Session, building_ids: Sequence[str]
) -> Mapping[str, Sequence[tuple[date, OwnerTermsOfMonth]]]:
    found: defaultdict[str, list[tuple[date, OwnerTermsOfMonth]]] = defaultdict(list)
    for row in session.scalars(
        select(OwnerTerms)
        .where(OwnerTerms.building_id.in_(building_ids))
        .order_by(OwnerTerms.from_on)
    ):
        terms = OwnerTermsOfMonth(row.management_percent, row.payout_day, row.payout_account)
        found[row.building_id].append((row.from_on, terms))
    return found


class ShareHolder(NamedTuple):
    """One of several owners of a month, with the share and name at that time."""

    owner_id: str
    numerator: int
    denominator: int
    name: str

    @property
    def share(self) -> OwnerShare:
        """The share in the form the rules use."""
        return OwnerShare(self.owner_id, self.numerator, self.denominator)


@dataclass(frozen=True, slots=True)
class Published:
    """A published statement: its addressee, its building and all figures.

    A month of several owners has their shares; the figures are those of the whole building.
    """

    owner: str
    building_ja: str
    building_en: str | None
    figures: OwnerFigures
    shares: tuple[ShareHolder, ...] = ()


def stored_figures(published: Published) -> dict[str, Any]:
    """Return the stored form; the figures are flat, so that each can be queried.

    The account is left out: it is stored sealed, in a table of its own.
    """
    record: dict[str, Any] = msgspec.to_builtins(published)
    figures = record.pop("figures")
    del figures["payout_account"]
    return {**figures, **record}


def read_with_account(session: Session, statement: OwnerStatement) -> Published:
    """Return a published statement with the account that was agreed on then."""
    asked = select(StatementAccount.account).where(StatementAccount.statement_id == statement.id)
    account = opened_text(session, session.scalar(asked))
    published = read(statement.figures)
    return replace(published, figures=replace(published.figures, payout_account=account))


@dataclass(frozen=True, slots=True)
class _KeptAddressee:
    owner: str
    building_ja: str
    building_en: str | None
    shares: tuple[ShareHolder, ...] = ()


def read(record: Any) -> Published:
    """Return the statement from its stored form, without its account; raise `StoredUnreadable`."""
    figures = read_stored(OwnerFigures, record, is_part=True)
    kept = read_stored(_KeptAddressee, record, is_part=True)
    return Published(kept.owner, kept.building_ja, kept.building_en, figures, kept.shares)


CATEGORY_WORDS: Final[Mapping[str, Bilingual]] = {
    FeeCategory.RENT: translate_both("Rent", "statement"),
    FeeCategory.UTILITIES: translate_both("Utilities", "statement"),
    FeeCategory.BUILDING_MAINTENANCE: translate_both("Building maintenance", "statement"),
    FeeCategory.SURCHARGE: translate_both("Surcharges", "statement"),
    FeeCategory.RESERVATION_FEE: translate_both("Reservation fees", "statement"),
    FeeCategory.DEPOSIT: translate_both("Deposits", "statement"),
    FeeCategory.PENALTY: translate_both("Move-out penalties", "statement"),
    FeeCategory.CLEANING: translate_both("Cleaning", "statement"),
    FeeCategory.REPAIR: translate_both("Repairs", "statement"),
    FeeCategory.SERVICE: translate_both("Services", "statement"),
    FeeCategory.OTHER: translate_both("Other", "statement"),
    KEPT_DEPOSIT: translate_both("Kept from deposits", "statement"),
}
COLUMNS_OF_A_PAPER: Final = 4
"""The number of category columns that fit on A4 between the room and its sum."""


class RoomRow(NamedTuple):
    """The income of one room in whole yen by category, in the order of `CATEGORY_WORDS`."""

    unit: str
    by_category: Mapping[str, int]

    @property
    def yen(self) -> int:
        """The sum of the room."""
        return sum(self.by_category.values())

    def parts(self, locale: str) -> list[tuple[str, int]]:
        """Return the amounts of its sum with their category names."""
        return [
            (category_text(category, locale), yen) for category, yen in self.by_category.items()
        ]


def room_rows(income: Iterable[IncomeRow]) -> list[RoomRow]:
    """Return the income with one row per room, room 9 before room 10."""
    found: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in income:
        found[row.unit][row.category] += row.yen
    return [
        RoomRow(
            unit,
            {
                category: found[unit][category]
                for category in CATEGORY_WORDS
                if found[unit].get(category)
            },
        )
        for unit in sorted(found, key=lambda unit: unit_order(IncomePlace(unit, "")))
    ]


def categories_of(rooms: Iterable[RoomRow]) -> list[str]:
    """Return the categories that occur, in order."""
    found = {category for room in rooms for category in room.by_category}
    return [category for category in CATEGORY_WORDS if category in found]


def fit_rooms(rooms: Sequence[RoomRow], columns: int = COLUMNS_OF_A_PAPER) -> list[RoomRow]:
    """Return the rooms with at most `columns` categories; the last ones are added up as Other."""
    kept = [category for category in categories_of(rooms) if category != FeeCategory.OTHER]
    if len(categories_of(rooms)) > columns:
        kept = kept[: columns - 1]
    return [
        RoomRow(
            room.unit,
            _with_other({category: room.by_category.get(category, 0) for category in kept}, room),
        )
        for room in rooms
    ]


def _with_other(kept: dict[str, int], room: RoomRow) -> dict[str, int]:
    rest_yen = room.yen - sum(kept.values())
    shown = {category: yen for category, yen in kept.items() if yen}
    return shown | ({FeeCategory.OTHER.value: rest_yen} if rest_yen else {})


def category_text(category: str, locale: str) -> str:
    """Return the name of a category."""
    return CATEGORY_WORDS[category].in_language(locale) or ""
