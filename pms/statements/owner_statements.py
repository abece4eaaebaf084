"""Statements for owners: lists, papers and files."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import parties_of_building
from pms.catalogue.models import Building
from pms.catalogue.owners import OwnedBuilding, handovers, shares_of_buildings, shares_on
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, format_month, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.spreadsheet import csv_file
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate, translate_both
from pms.rules.days import day_of, month_last
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import TaxedAmount, contained_taxes
from pms.rules.master_leases import LeaseRentKind
from pms.statements.fee_invoices import fee_of, figures_of, holders_of, joint_name, part_of_figures
from pms.statements.invoices import operator_of
from pms.statements.lease_rents import RentPaid
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import (
    CATEGORY_WORDS,
    OwnerFigures,
    Published,
    RoomRow,
    ShareHolder,
    categories_of,
    category_text,
    fit_rooms,
    read,
    read_with_account,
    room_rows,
)
from pms.statements.paper_parties import party_facts
from pms.statements.queries import statement_of
from pms.statements.typesetting import typeset


# A month is reported to the owner of the building on its last day.
class OwnersStatement(NamedTuple):
    """One published version of a building's month."""

    id: str
    building_id: str
    month_on: date
    version: int
    published_at: datetime
    owner: str
    figures: OwnerFigures
    share: str | None = None
    """The share that the figures are of, for a month of several owners."""


class MonthLink(NamedTuple):
    """A month of a building and the newest version of its statement."""

    month_on: date
    statement_id: str


def months_of_owner(session: Session, buildings: Sequence[OwnedBuilding]) -> Sequence[date]:
    """Return the months with a statement of any of the buildings, the newest first."""
    theirs = _Theirs(session, buildings)
    rows = session.execute(
        select(OwnerStatement.building_id, OwnerStatement.month_on)
        .where(one_of(OwnerStatement.building_id, _list_building_ids(buildings)))
        .distinct()
    )
    months = {month_on for building_id, month_on in rows if theirs.has(building_id, month_on)}
    return sorted(months, reverse=True)


def statements_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Sequence[OwnersStatement]:
    """Return the newest version of each month in a range, the newest month first.

    It takes two queries for any number of months and buildings.
    """
    rows = _newest_versions(session, buildings, from_on, through_on)
    return _build_statements(rows, buildings)


def latest_statements(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Mapping[str, OwnersStatement]:
    """Return the newest version of the newest month of each building that has any."""
    rows = _newest_versions(session, buildings, from_on, through_on)
    latest = {row.building_id: row for row in reversed(rows)}
    return {
        statement.building_id: statement
        for statement in _build_statements(latest.values(), buildings)
    }


def _newest_versions(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Sequence[OwnerStatement]:
    theirs = _Theirs(session, buildings)
    rows = session.scalars(
        select(OwnerStatement)
        .where(
            one_of(OwnerStatement.building_id, _list_building_ids(buildings)),
            OwnerStatement.month_on >= from_on,
            OwnerStatement.month_on <= through_on,
        )
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version)
    )
    newest = {
        (row.building_id, row.month_on): row
        for row in rows
        if theirs.has(row.building_id, row.month_on)
    }
    return list(newest.values())


def _build_statements(
    rows: Iterable[OwnerStatement], buildings: Sequence[OwnedBuilding]
) -> Sequence[OwnersStatement]:
    readers = {building.id: building.readers for building in buildings}
    return [_build_statement(row, read(row.figures), readers[row.building_id]) for row in rows]


def statement_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], statement_id: str
) -> OwnersStatement:
    """Return a statement of one of the buildings; raise `NotFound` for any other."""
    asked = select(OwnerStatement).where(
        OwnerStatement.id == statement_id,
        one_of(OwnerStatement.building_id, _list_building_ids(buildings)),
    )
    row = session.scalar(asked) if is_id(statement_id) else None
    if row is None or not _Theirs(session, buildings).has(row.building_id, row.month_on):
        raise no_such("statement", statement_id)
    (readers,) = {building.readers for building in buildings if building.id == row.building_id}
    return _build_statement(row, read_with_account(session, row), readers)


def month_links(session: Session, building: OwnedBuilding) -> Sequence[MonthLink]:
    """Return every month of a building with a statement, the newest first."""
    theirs = _Theirs(session, [building])
    rows = session.execute(
        select(OwnerStatement.month_on, OwnerStatement.id)
        .where(OwnerStatement.building_id == building.id)
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version)
    )
    newest = {month_on: id_ for month_on, id_ in rows if theirs.has(building.id, month_on)}
    return [MonthLink(month_on, id_) for month_on, id_ in newest.items()]


class _Theirs:
    """Which months of some buildings their readers may see."""

    def __init__(self, session: Session, buildings: Sequence[OwnedBuilding]) -> None:
        self._buildings = {building.id: building for building in buildings}
        self._handovers = handovers(session, _list_building_ids(buildings))
        self._shares = shares_of_buildings(session, _list_building_ids(buildings))

    def has(self, building_id: str, month_on: date) -> bool:
        building, handed = self._buildings[building_id], self._handovers.get(building_id, ())
        shares = self._shares.get(building_id, ())
        owners = shares_on(month_last(month_on), shares, handed, building.owner_id)
        return any(owner.owner_id in building.readers for owner in owners)


def _list_building_ids(buildings: Sequence[OwnedBuilding]) -> list[str]:
    return [building.id for building in buildings]


def _build_statement(
    row: OwnerStatement, published: Published, readers: Collection[str]
) -> OwnersStatement:
    holders = holders_of(published, readers)
    return OwnersStatement(
        row.id,
        row.building_id,
        row.month_on,
        row.version,
        row.published_at,
        joint_name(holders) or published.owner,
        figures_of(published, readers),
        shares_text(holders),
    )


ROOM_INCOME: Final = translate_both("Income by room", "statement")
_SHARE: Final = translate_both("Share", "statement")
_ROOM: Final = translate_both("Room", "statement")
_ROOM_TOTAL: Final = translate_both("Total", "statement")
_OPENING: Final = translate_both("Brought forward", "statement")
_INCOME: Final = translate_both("Income", "statement")
_INCOME_TOTAL: Final = translate_both("Total income", "statement")
_DEDUCTIONS: Final = translate_both("Deductions", "statement")
_DEDUCTIONS_TOTAL: Final = translate_both("Total deductions", "statement")
_CLOSING: Final = translate_both("Closing balance", "statement")
_PAYOUT: Final = translate_both("Payout", "statement")
_CARRIED: Final = translate_both("Carried forward", "statement")
_OF: Final = (translate_both("Month", "statement"), translate_both("Building", "statement"))
HEAD: Final = (
    translate_both("Section", "statement"),
    translate_both("Room or day", "statement"),
    translate_both("What for", "statement"),
    translate_both("Amount (yen)", "statement"),
)


class OwnerStatementRow(NamedTuple):
    """One row: its section, the unit or day, its label, and whole yen."""

    section: str
    place: str
    text: str
    yen: int
    is_sum: bool = False


def month_rows(figures: OwnerFigures, locale: str) -> tuple[OwnerStatementRow, ...]:
    """Return the rows of a month in a language: income by category; deductions positive."""
    return (
        _build_sum_row(_OPENING, figures.opening_yen, locale),
        *_list_income_rows(figures, locale),
        *_list_rent_rows(figures.rents, locale),
        _build_sum_row(_INCOME_TOTAL, figures.income_yen, locale),
        *_list_deduction_rows(figures, locale),
        _build_sum_row(_DEDUCTIONS_TOTAL, figures.deducted_yen, locale),
        _build_sum_row(_CLOSING, figures.closing_yen, locale),
        _build_sum_row(_PAYOUT, figures.payout_yen, locale),
        _build_sum_row(_CARRIED, figures.carried_yen, locale),
    )


def tax_rows(figures: OwnerFigures, locale: str) -> tuple[OwnerStatementRow, ...]:
    """Return the consumption tax of a month, once per class and rate: what it is in, and its yen."""
    section = translate("Consumption tax", locale)
    names = {
        TaxTreatment.EXEMPT: translate("Exempt", locale),
        TaxTreatment.TAXABLE_10: translate("10%", locale),
        TaxTreatment.OUT_OF_SCOPE: translate("Outside consumption tax", locale),
    }
    incomes = contained_taxes(
        [
            *(TaxedAmount(each.tax, each.yen) for each in figures.classes),
            *(TaxedAmount(rent.tax, rent.yen) for rent in figures.rents),
        ]
    )
    fee_yen = fee_of(figures)
    fees = contained_taxes([TaxedAmount(TaxTreatment.TAXABLE_10, fee_yen)] if fee_yen else [])
    return tuple(
        OwnerStatementRow(
            section,
            names[tax.treatment],
            translate(
                "{part}: {yen} with tax", locale, part=part, yen=format_yen(tax.inclusive_yen)
            ),
            tax.tax_yen,
        )
        for part, taxes in (
            (_INCOME.in_language(locale), incomes),
            (translate("Management fee", locale), fees),
        )
        for tax in taxes
    )


def _list_income_rows(figures: OwnerFigures, locale: str) -> Iterator[OwnerStatementRow]:
    for category in CATEGORY_WORDS:
        of_category = [row.yen for row in figures.income if row.category == category]
        if of_category:
            section, text = _INCOME.in_language(locale) or "", category_text(category, locale)
            yield OwnerStatementRow(section, "", text, sum(of_category))


def _list_rent_rows(rents: Iterable[RentPaid], locale: str) -> Iterator[OwnerStatementRow]:
    """Return what the operator pays for the building, a row a step with its days."""
    for rent in rents:
        days = "–".join(format_day(on, locale) for on in (rent.first_on, rent.last_on))
        percent = f"{rent.percent.normalize():f}"
        if rent.kind is LeaseRentKind.FIXED:
            text = translate("Rent paid (fixed)", locale)
        elif rent.kind is LeaseRentKind.DUE:
            text = translate("Rent paid ({percent}% of the rents due)", locale, percent=percent)
        else:
            text = translate(
                "Rent paid ({percent}% of the rents received)", locale, percent=percent
            )
        yield OwnerStatementRow(_INCOME.in_language(locale) or "", days, text, rent.yen)


def _list_deduction_rows(figures: OwnerFigures, locale: str) -> Iterator[OwnerStatementRow]:
    for line in figures.deductions:
        day = format_day(line.on, locale) if line.on else ""
        text = line.label.in_language(locale) or ""
        yield OwnerStatementRow(_DEDUCTIONS.in_language(locale) or "", day, text, line.yen)


def _build_sum_row(words: Bilingual, yen: int, locale: str) -> OwnerStatementRow:
    return OwnerStatementRow(words.in_language(locale) or "", "", "", yen, is_sum=True)


AccountOf: TypeAlias = Callable[[Session, str], str | None]
"""What looks up the account of an owner as text; statements know no accounts of payees."""


def no_account(_session: Session, _owner_id: str) -> None:
    """Look up no account."""


def statement_pdf(
    session: Session,
    statement_id: str,
    locale: str,
    owner_ids: Collection[str] | None = None,
    account_of: AccountOf = no_account,
) -> bytes:
    """Return the PDF of a published statement in a language; its figures never change.

    With `owner_ids` it has their part of a month of several owners. Of several owners, each is
    named with the account as of today and the part of the payout. The account of the agreement is
    said for a single one, and where one of several has none.
    """
    statement = statement_of(session, statement_id)
    published, operator = read_with_account(session, statement), operator_of(session)
    figures, holders = figures_of(published, owner_ids), holders_of(published, owner_ids)
    return typeset(
        "statement",
        {
            "language": locale,
            "hue": operator.hue,
            "operator": operator.name.in_language(locale),
            "address": operator.address_lines,
            "number": f"{statement.month_on:%Y-%m}-{statement.version}",
            "issued": format_day(day_of(statement.published_at), locale),
            "month": format_month(statement.month_on, locale),
            "recipient": joint_name(holders) or published.owner,
            "building": _with_share(building_of(published, locale), holders, locale),
            "payout": format_yen(figures.payout_yen),
            "payout_on": format_day(figures.payout_on, locale),
            "account": figures.payout_account or "",
            "payees": [
                {
                    "owner": payee.owner,
                    "share": payee.share,
                    "account": payee.account or "",
                    "payout": format_yen(payee.payout_yen),
                }
                for payee in owner_payouts(session, published, owner_ids, account_of)
            ],
            "head": [words.in_language(locale) for words in HEAD],
            "rows": [_row_facts(row) for row in month_rows(figures, locale)],
            "taxes": [_row_facts(row) for row in tax_rows(figures, locale)],
            **party_facts(
                session,
                parties_of_building(session, statement.building_id, month_last(statement.month_on)),
                locale,
                operator_number=operator.qualified_invoice_number,
            ),
            "room_heading": ROOM_INCOME.in_language(locale),
            "rooms": room_table(room_rows(figures.income), locale),
        },
    )


class OwnerPayout(NamedTuple):
    """What one of several owners of a month is paid, and to which account of theirs."""

    owner: str
    share: str
    account: str | None
    payout_yen: int


def owner_payouts(
    session: Session,
    published: Published,
    owner_ids: Collection[str] | None,
    account_of: AccountOf,
) -> Sequence[OwnerPayout]:
    """Return who of several owners is paid how much, and to which account; none for a single one."""
    return [
        OwnerPayout(
            holder.name,
            f"{holder.numerator}/{holder.denominator}",
            account_of(session, holder.owner_id),
            part_of_figures(published.figures, published.shares, [holder.owner_id]).payout_yen,
        )
        for holder in published.shares
        if owner_ids is None or holder.owner_id in owner_ids
    ]


def room_table(rooms: Sequence[RoomRow], locale: str) -> dict[str, object]:
    """Return the rooms as a table for a paper: heads, one row per room, and the sums."""
    rooms = fit_rooms(rooms)
    categories = categories_of(rooms)
    sums = [sum(room.by_category.get(category, 0) for room in rooms) for category in categories]
    return {
        "head": [
            _ROOM.in_language(locale),
            *(category_text(category, locale) for category in categories),
            _ROOM_TOTAL.in_language(locale),
        ],
        "rows": [
            [room.unit, *map(format_yen, _list_category_yen(room, categories))] for room in rooms
        ],
        "sums": [_ROOM_TOTAL.in_language(locale), *map(format_yen, [*sums, sum(sums)])],
    }


def _list_category_yen(room: RoomRow, categories: Sequence[str]) -> list[int]:
    return [*(room.by_category.get(category, 0) for category in categories), room.yen]


def statement_csv(
    session: Session, statement_id: str, locale: str, owner_ids: Collection[str] | None = None
) -> bytes:
    """Return a published statement as CSV for Japanese spreadsheets: UTF-8 with a byte order mark.

    With `owner_ids` it has their part of a month of several owners. Every row has its month and
    building; each room is one row with its categories in columns.
    """
    published = read(statement_of(session, statement_id).figures)
    figures = figures_of(published, owner_ids)
    of = (f"{figures.month_on:%Y-%m}", building_of(published, locale))
    rooms = room_rows(figures.income)
    categories = categories_of(rooms)
    rows = (
        *((*of, *row[:4]) for row in (*month_rows(figures, locale), *tax_rows(figures, locale))),
        *((*of, *cells) for cells in room_cells(rooms, categories, locale)),
    )
    return csv_file([csv_head(_OF, categories, locale), *rows])


def csv_head(of: Sequence[Bilingual], categories: Sequence[str], locale: str) -> list[str | None]:
    """Return the heads of a file: those before the rows, and one column per category."""
    return [
        *(words.in_language(locale) for words in (*of, *HEAD)),
        *(
            translate("{name} (yen)", locale, name=category_text(category, locale))
            for category in categories
        ),
    ]


def room_cells(
    rooms: Sequence[RoomRow], categories: Sequence[str], locale: str
) -> list[tuple[str | int | None, ...]]:
    """Return the rooms as rows of a file: the sum in the column of amounts, then the categories."""
    section = ROOM_INCOME.in_language(locale)
    return [
        (section, room.unit, "", room.yen, *_list_category_yen(room, categories)[:-1])
        for room in rooms
    ]


def _with_share(building: str, holders: Sequence[ShareHolder], locale: str) -> str:
    share = shares_text(holders)
    return f"{building}  {_SHARE.in_language(locale)} {share}" if share else building


def shares_text(holders: Sequence[ShareHolder]) -> str | None:
    """Return the total share of some owners; empty without shares."""
    part = sum((holder.share.part for holder in holders), Fraction(0))
    return f"{part.numerator}/{part.denominator}" if part else None


def building_of(published: Published, locale: str) -> str:
    """Return the building's name at the time of publishing."""
    return Bilingual(published.building_ja, published.building_en).in_language(locale) or ""


def _row_facts(row: OwnerStatementRow) -> dict[str, object]:
    return {
        "section": row.section,
        "place": row.place,
        "text": row.text,
        "amount": format_yen(row.yen),
        "is_sum": row.is_sum,
    }


def last_versions(
    session: Session, from_on: date
) -> Mapping[tuple[str, date], tuple[OwnerStatement, str | None]]:
    """Return the last version of each statement, by building and month, with the owner of today."""
    rows = session.execute(
        select(OwnerStatement, Building.owner_id)
        .join(Building, refers_to(OwnerStatement.building_id, Building))
        .where(OwnerStatement.month_on >= from_on)
        .order_by(OwnerStatement.month_on, OwnerStatement.building_id, OwnerStatement.version)
    )
    return {(row.building_id, row.month_on): (row, owner_now) for row, owner_now in rows}
