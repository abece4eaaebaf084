"""Statements of owners: papers, publishing and mail."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.owners import OwnedBuilding, handovers, owner_on
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import said_day, said_month, said_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.spreadsheet import csv_file
from pms.rules.days import day_of, month_last
from pms.rules.enumerations import FeeCategory
from pms.statements.building_income import KEPT_DEPOSIT
from pms.statements.invoices import operator_of
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import OwnerFigures, Published, read
from pms.statements.papers import typeset
from pms.statements.queries import statement_of


# A month is told to whoever owned the building on its last day.
class OwnersStatement(NamedTuple):
    """One version of a building's month as it was published."""

    id: str
    building_id: str
    month_on: date
    version: int
    published_at: datetime
    owner: str
    figures: OwnerFigures


class MonthLink(NamedTuple):
    """A month of a building and the newest version of its statement."""

    month_on: date
    statement_id: str


def months_of_owner(session: Session, buildings: Sequence[OwnedBuilding]) -> Sequence[date]:
    """Return the months in which any of the buildings has a statement, the newest first."""
    theirs = _Theirs(session, buildings)
    rows = session.execute(
        select(OwnerStatement.building_id, OwnerStatement.month_on)
        .where(one_of(OwnerStatement.building_id, _ids(buildings)))
        .distinct()
    )
    months = {month_on for building_id, month_on in rows if theirs.has(building_id, month_on)}
    return sorted(months, reverse=True)


def statements_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Sequence[OwnersStatement]:
    """Return the newest version of each month from one to another, the newest month first.

    Two questions, however many months and buildings.
    """
    theirs = _Theirs(session, buildings)
    rows = session.scalars(
        select(OwnerStatement)
        .where(
            one_of(OwnerStatement.building_id, _ids(buildings)),
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
    return [_statement(row) for row in newest.values()]


def statement_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], statement_id: str
) -> OwnersStatement:
    """Return a statement of one of the buildings; raise `NotFound` for any other."""
    asked = select(OwnerStatement).where(
        OwnerStatement.id == statement_id,
        one_of(OwnerStatement.building_id, _ids(buildings)),
    )
    row = session.scalar(asked) if is_id(statement_id) else None
    if row is None or not _Theirs(session, buildings).has(row.building_id, row.month_on):
        raise no_such("statement", statement_id)
    return _statement(row)


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
    """Which months of some buildings are told to their readers."""

    def __init__(self, session: Session, buildings: Sequence[OwnedBuilding]) -> None:
        self._buildings = {building.id: building for building in buildings}
        self._handovers = handovers(session, _ids(buildings))

    def has(self, building_id: str, month_on: date) -> bool:
        building, handed = self._buildings[building_id], self._handovers.get(building_id, ())
        return owner_on(month_last(month_on), handed, building.owner_id) in building.readers


def _ids(buildings: Sequence[OwnedBuilding]) -> list[str]:
    return [building.id for building in buildings]


def _statement(row: OwnerStatement) -> OwnersStatement:
    published = read(row.figures)
    return OwnersStatement(
        row.id,
        row.building_id,
        row.month_on,
        row.version,
        row.published_at,
        published.owner,
        published.figures,
    )


CATEGORY_WORDS: Final[Mapping[str, Bilingual]] = {
    FeeCategory.RENT: Bilingual("賃料", "Rent"),
    FeeCategory.UTILITIES: Bilingual("水道光熱費", "Utilities"),
    FeeCategory.BUILDING_MAINTENANCE: Bilingual("共益費", "Building maintenance"),
    FeeCategory.SURCHARGE: Bilingual("追加料金", "Surcharges"),
    FeeCategory.RESERVATION_FEE: Bilingual("予約金", "Reservation fees"),
    FeeCategory.DEPOSIT: Bilingual("敷金", "Deposits"),
    FeeCategory.PENALTY: Bilingual("違約金", "Move-out penalties"),
    FeeCategory.CLEANING: Bilingual("清掃費", "Cleaning"),
    FeeCategory.REPAIR: Bilingual("修繕費", "Repairs"),
    FeeCategory.SERVICE: Bilingual("サービス料", "Services"),
    FeeCategory.OTHER: Bilingual("その他", "Other"),
    KEPT_DEPOSIT: Bilingual("敷金からの充当", "Kept from deposits"),
}
UNIT_INCOME: Final = Bilingual("部屋ごとの収入", "Income by unit")
_OPENING: Final = Bilingual("前月からの繰越", "Brought forward")
_INCOME: Final = Bilingual("収入", "Income")
_INCOME_TOTAL: Final = Bilingual("収入合計", "Income in all")
_DEDUCTIONS: Final = Bilingual("控除", "Deductions")
_DEDUCTIONS_TOTAL: Final = Bilingual("控除合計", "Deductions in all")
_CLOSING: Final = Bilingual("差引残高", "Closing balance")
_PAYOUT: Final = Bilingual("お支払金額", "Payout")
_CARRIED: Final = Bilingual("翌月への繰越", "Carried forward")
HEAD: Final = (
    Bilingual("区分", "Section"),
    Bilingual("部屋・日付", "Unit or day"),
    Bilingual("内容", "What for"),
    Bilingual("金額（円）", "Amount (yen)"),
)


class StatementRow(NamedTuple):
    """One row: its section, the unit or day, what it is for, and whole yen."""

    section: str
    place: str
    text: str
    yen: int
    is_sum: bool = False


def month_rows(figures: OwnerFigures, locale: str) -> tuple[StatementRow, ...]:
    """Return the month in a language: income by category; deductions positive, as they are told."""
    return (
        _sum(_OPENING, figures.opening_yen, locale),
        *_income(figures, locale),
        _sum(_INCOME_TOTAL, figures.income_yen, locale),
        *_deductions(figures, locale),
        _sum(_DEDUCTIONS_TOTAL, figures.deducted_yen, locale),
        _sum(_CLOSING, figures.closing_yen, locale),
        _sum(_PAYOUT, figures.payout_yen, locale),
        _sum(_CARRIED, figures.carried_yen, locale),
    )


def unit_rows(figures: OwnerFigures, locale: str) -> tuple[StatementRow, ...]:
    """Return the same income once more, unit by unit."""
    section = UNIT_INCOME.said(locale) or ""
    return tuple(
        StatementRow(section, row.unit, _category(row.category, locale), row.yen)
        for row in figures.income
    )


def _income(figures: OwnerFigures, locale: str) -> Iterator[StatementRow]:
    for category in CATEGORY_WORDS:
        of_category = [row.yen for row in figures.income if row.category == category]
        if of_category:
            section, text = _INCOME.said(locale) or "", _category(category, locale)
            yield StatementRow(section, "", text, sum(of_category))


def _category(category: str, locale: str) -> str:
    return CATEGORY_WORDS[category].said(locale) or ""


def _deductions(figures: OwnerFigures, locale: str) -> Iterator[StatementRow]:
    for line in figures.deductions:
        day = said_day(line.on, locale) if line.on else ""
        text = line.label.said(locale) or ""
        yield StatementRow(_DEDUCTIONS.said(locale) or "", day, text, line.yen)


def _sum(words: Bilingual, yen: int, locale: str) -> StatementRow:
    return StatementRow(words.said(locale) or "", "", "", yen, is_sum=True)


def statement_pdf(session: Session, statement_id: str, locale: str) -> bytes:
    """Return the PDF of a published statement in a language; its figures never change."""
    statement = statement_of(session, statement_id)
    published, operator = read(statement.figures), operator_of(session)
    figures = published.figures
    return typeset(
        "statement",
        {
            "language": locale,
            "hue": operator.hue,
            "operator": operator.name.said(locale),
            "address": operator.address_lines,
            "number": f"{statement.month_on:%Y-%m}-{statement.version}",
            "issued": said_day(day_of(statement.published_at), locale),
            "month": said_month(statement.month_on, locale),
            "recipient": published.owner,
            "building": _building(published, locale),
            "payout": said_yen(figures.payout_yen),
            "payout_on": said_day(figures.payout_on, locale),
            "account": figures.payout_account or "",
            "head": [words.said(locale) for words in HEAD],
            "rows": [_said(row) for row in month_rows(figures, locale)],
            "unit_heading": UNIT_INCOME.said(locale),
            "unit_rows": [_said(row) for row in unit_rows(figures, locale)],
        },
    )


def statement_csv(session: Session, statement_id: str, locale: str) -> bytes:
    """Return a published statement as a file a Japanese spreadsheet opens: UTF-8 with its mark."""
    figures = read(statement_of(session, statement_id).figures).figures
    rows = (*month_rows(figures, locale), *unit_rows(figures, locale))
    head = [words.said(locale) for words in HEAD]
    return csv_file([head, *((row.section, row.place, row.text, row.yen) for row in rows)])


def _building(published: Published, locale: str) -> str:
    return Bilingual(published.building_ja, published.building_en).said(locale) or ""


def _said(row: StatementRow) -> dict[str, object]:
    return {
        "section": row.section,
        "place": row.place,
        "text": row.text,
        "amount": said_yen(row.yen),
        "is_sum": row.is_sum,
    }
