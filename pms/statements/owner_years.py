"""An owner's calendar year for the tax return: the sums of its published months."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Owner
from pms.catalogue.owners import OwnedBuilding, ever_owned_buildings
from pms.foundation.errors import NotFound
from pms.foundation.mail_texts import format_day, format_month, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.spreadsheet import Cell, csv_file
from pms.foundation.translations import translate_both
from pms.rules.days import add_months, month_last
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.invoices import contained_yen
from pms.statements.invoices import operator_of
from pms.statements.models import OwnerDeduction
from pms.statements.owner_figures import (
    CATEGORY_WORDS,
    IncomeRow,
    RoomRow,
    categories_of,
    room_rows,
)
from pms.statements.owner_statements import (
    OwnersStatement,
    csv_head,
    month_links,
    months_of_owner,
    room_cells,
    room_table,
    statements_of_owner,
)
from pms.statements.typesetting import typeset

FEE: Final = translate_both("Management fee, tax included", "statement")
TAX_IN_FEE: Final = translate_both("Consumption tax in the management fee", "statement")
_COSTS: Final = translate_both("Deductions", "statement")
_NET: Final = translate_both("Net (income less deductions)", "statement")
_PAYOUT: Final = translate_both("Payout", "statement")
_OF: Final = (translate_both("Year", "statement"), translate_both("Building", "statement"))


class YearMonth(NamedTuple):
    """One published month of a building in whole yen; costs are the deductions except the fee."""

    month_on: date
    statement_id: str
    income_yen: int
    fee_yen: int
    costs_yen: int
    payout_yen: int
    payout_on: date

    @property
    def net_yen(self) -> int:
        """Income minus fee and costs."""
        return self.income_yen - self.fee_yen - self.costs_yen

    @property
    def fee_tax_yen(self) -> int:
        """The consumption tax in the month's fee."""
        return contained_yen(TaxTreatment.TAXABLE_10, self.fee_yen)


class _Sums:
    """The sums of months, in whole yen."""

    months: Sequence[YearMonth]

    @property
    def income_yen(self) -> int:
        return sum(month.income_yen for month in self.months)

    @property
    def fee_yen(self) -> int:
        return sum(month.fee_yen for month in self.months)

    @property
    def fee_tax_yen(self) -> int:
        return sum(month.fee_tax_yen for month in self.months)

    @property
    def costs_yen(self) -> int:
        return sum(month.costs_yen for month in self.months)

    @property
    def net_yen(self) -> int:
        return sum(month.net_yen for month in self.months)

    @property
    def payout_yen(self) -> int:
        return sum(month.payout_yen for month in self.months)


@dataclass(frozen=True, slots=True)
class BuildingYear(_Sums):
    """A building's year: rooms, costs by kind, months, and the months without a statement."""

    building_id: str
    name: Bilingual
    rooms: Sequence[RoomRow]
    costs: Mapping[str, int]
    months: Sequence[YearMonth]
    lacking: Sequence[date]

    def deductions(self, locale: str) -> list[tuple[str, int]]:
        """Return fee and costs by kind, with their names."""
        fee = [(FEE.in_language(locale) or "", self.fee_yen)] if self.fee_yen else []
        return [
            *fee,
            *((CATEGORY_WORDS[k].in_language(locale) or "", v) for k, v in self.costs.items()),
        ]


@dataclass(frozen=True, slots=True)
class OwnerYear(_Sums):
    """A calendar year of an owner over all buildings."""

    year: int
    owner: str
    buildings: Sequence[BuildingYear]
    months: Sequence[YearMonth]
    """The months of all buildings."""


def years_of_owner(session: Session, buildings: Sequence[OwnedBuilding]) -> Sequence[int]:
    """Return the calendar years with a published month of the buildings, newest first."""
    months = months_of_owner(session, buildings)
    return list(dict.fromkeys(month_on.year for month_on in months))


def owner_year(session: Session, owner_ids: Sequence[str], year: int, today: date) -> OwnerYear:
    """Return a year of some owners: the sums of its months as published last.

    Raises `NotFound` for a year without a published month.
    """
    buildings = ever_owned_buildings(session, owner_ids)
    if year not in years_of_owner(session, buildings):
        raise NotFound("No month of {year} has been published.", year=str(year)[:8])
    first_on, last_on = (date(year, month, 1) for month in (1, 12))
    found: defaultdict[str, list[OwnersStatement]] = defaultdict(list)
    for statement in reversed(statements_of_owner(session, buildings, first_on, last_on)):
        found[statement.building_id].append(statement)
    # The category of each deduction in a range, for statements that lack it.
    rows = session.scalars(
        select(OwnerDeduction).where(
            one_of(OwnerDeduction.building_id, list(found)),
            OwnerDeduction.deducted_on.between(first_on, month_last(last_on)),
        )
    )
    kinds: dict[tuple[str, str, str, date | None], str] = {
        (row.building_id, row.label_ja, row.label_en, row.deducted_on): row.category.value
        for row in rows
    }
    years = [
        _building_year(
            building,
            found[building.id],
            kinds,
            _list_lacking_months(session, building, found[building.id], today),
        )
        for building in buildings
        if building.id in found
    ]
    names = session.scalars(
        select(Owner.name).where(Owner.id.in_(list(owner_ids))).order_by(Owner.id)
    )
    months = [month for building in years for month in building.months]
    return OwnerYear(year, ", ".join(dict.fromkeys(names)), years, months)


_Kinds = Mapping[tuple[str, str, str, date | None], str]


def _building_year(
    building: OwnedBuilding, found: Sequence[OwnersStatement], kinds: _Kinds, lacking: list[date]
) -> BuildingYear:
    income: list[IncomeRow] = []
    costs: defaultdict[str, int] = defaultdict(int)
    for month in found:
        income.extend(month.figures.income)
        for line in month.figures.deductions:
            if line.on is not None:
                known = kinds.get((building.id, *line[:3]), FeeCategory.OTHER.value)
                costs[line.category or known] += line.yen
    return BuildingYear(
        building.id,
        building.name,
        room_rows(income),
        {kind: costs[kind] for kind in CATEGORY_WORDS if costs.get(kind)},
        [_build_year_month(month) for month in found],
        lacking,
    )


def _build_year_month(statement: OwnersStatement) -> YearMonth:
    figures = statement.figures
    fee_yen = sum(line.yen for line in figures.deductions if line.on is None)
    return YearMonth(
        figures.month_on,
        statement.id,
        figures.income_yen,
        fee_yen,
        figures.deducted_yen - fee_yen,
        figures.payout_yen,
        figures.payout_on,
    )


def _list_lacking_months(
    session: Session, building: OwnedBuilding, found: Sequence[OwnersStatement], today: date
) -> list[date]:
    """Return the past months of the year after the first statement that have none."""
    first_on = month_links(session, building)[-1].month_on
    january_on = found[0].month_on.replace(month=1)
    months = [add_months(january_on, later) for later in range(12)]
    known = {month.month_on for month in found}
    return [on for on in months if first_on < on and month_last(on) < today and on not in known]


def year_csv(year: OwnerYear, locale: str) -> bytes:
    """Return a year as CSV; every row has the year and its building."""
    categories = categories_of(room for building in year.buildings for room in building.rooms)
    rows: list[Sequence[Cell]] = [
        (str(year.year), building.name.in_language(locale), *cells)
        for building in year.buildings
        for cells in _list_year_cells(building, categories, locale)
    ]
    return csv_file([csv_head(_OF, categories, locale), *rows])


def _list_year_cells(
    year: BuildingYear, categories: Sequence[str], locale: str
) -> Iterable[tuple[Cell, ...]]:
    yield from room_cells(year.rooms, categories, locale)
    for text, yen in year.deductions(locale):
        yield _COSTS.in_language(locale), "", text, yen
    if year.fee_tax_yen:
        yield TAX_IN_FEE.in_language(locale), "", "", year.fee_tax_yen
    yield _NET.in_language(locale), "", "", year.net_yen
    for month in year.months:
        yield _PAYOUT.in_language(locale), f"{month.month_on:%Y-%m}", "", month.payout_yen


def year_pdf(session: Session, year: OwnerYear, locale: str, today: date) -> bytes:
    """Return the PDF of a year in a language."""
    operator = operator_of(session)
    return typeset(
        "owner_year",
        {
            "language": locale,
            "hue": operator.hue,
            "operator": operator.name.in_language(locale),
            "address": operator.address_lines,
            "number": str(year.year),
            "issued": format_day(today, locale),
            "recipient": year.owner,
            "income": format_yen(year.income_yen),
            "deducted": format_yen(year.fee_yen + year.costs_yen),
            "net": format_yen(year.net_yen),
            "payout": format_yen(year.payout_yen),
            "buildings": [_build_year_facts(building, locale) for building in year.buildings],
        },
    )


def _build_year_facts(year: BuildingYear, locale: str) -> dict[str, object]:
    month_cells: list[list[str]] = []
    for month in year.months:
        paid_on = format_day(month.payout_on, locale) if month.payout_yen else ""
        month_cells.append(
            [format_month(month.month_on, locale), *map(format_yen, _list_amounts(month)), paid_on]
        )
    return {
        "name": year.name.in_language(locale),
        "rooms": room_table(year.rooms, locale),
        "deductions": [[text, format_yen(yen)] for text, yen in year.deductions(locale)],
        "deducted": format_yen(year.fee_yen + year.costs_yen),
        "tax": format_yen(year.fee_tax_yen) if year.fee_yen else "",
        "months": month_cells,
        "sums": [format_yen(yen) for yen in _list_amounts(year)],
        "lacking": [format_month(on, locale) for on in year.lacking],
    }


def _list_amounts(of: YearMonth | BuildingYear) -> tuple[int, ...]:
    return of.income_yen, of.fee_yen, of.costs_yen, of.net_yen, of.payout_yen
