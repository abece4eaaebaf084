"""The rows of an owner statement, the same and in the same order on paper and in a file."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from pms.foundation.bilingual import Bilingual
from pms.foundation.wording import said_day
from pms.rules.enumerations import FeeCategory
from pms.statements.owner_figures import OwnerFigures
from pms.statements.owner_money import KEPT_DEPOSIT

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
