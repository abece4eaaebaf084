"""Journals as rows of files for accounting programs.

The layouts are those of the makers' import pages: Yayoi (25 columns, no header), Money Forward
(a fixed header), freee (a marker in the first cell of each row).
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from itertools import zip_longest
from typing import Final, NamedTuple

Cell = str | int | date | None


class Program(StrEnum):
    """The program that reads a file; `plain` is for any other program, and for people."""

    FREEE = "freee"
    MONEY_FORWARD = "money_forward"
    YAYOI = "yayoi"
    PLAIN = "plain"


class Side(NamedTuple):
    """One debit or one credit: the account's names, the program's tax class, whole yen.

    `partner` is the owner whose part it is, where a building has several.
    """

    account: str
    sub_account: str
    tax: str
    yen: int
    partner: str = ""


class NamedJournal(NamedTuple):
    """A journal with the account names and tax classes of a program."""

    number: int
    on: date
    memo: str
    debits: Sequence[Side]
    credits: Sequence[Side]
    is_late: bool = False


LONGEST_NAME: Final = 24
"""The longest account name in half-width characters: the smallest limit of the programs."""
_LONGEST_MEMO: Final = 64
FREEE_ROWS: Final = 5_000
"""The most rows that freee accepts in one file."""

_MONEY_FORWARD_SIDE: Final = (
    "勘定科目", "補助科目", "部門", "取引先", "税区分", "インボイス", "金額(円)", "税額",
)  # fmt: skip
_FREEE_SIDE: Final = (
    "勘定科目", "科目コード", "補助科目", "取引先", "部門", "品目", "メモタグ", "金額", "税区分",
    "税額",
)  # fmt: skip
_PLAIN_HEAD: Final = (
    "番号", "日付", "借方科目", "借方補助科目", "借方税区分", "借方金額",
    "貸方科目", "貸方補助科目", "貸方税区分", "貸方金額", "摘要", "前月以前の訂正",
)  # fmt: skip
_PLAIN_PARTNERS: Final = ("借方取引先", "貸方取引先")


def rows(
    program: Program, journals: Iterable[NamedJournal], no_tax: str
) -> Iterator[Sequence[Cell]]:
    """Return the rows of a file, header first; `no_tax` is the tax class of an empty side."""
    if program is Program.YAYOI:
        for journal in journals:
            yield from _build_yayoi_rows(journal, no_tax)
    elif program is Program.MONEY_FORWARD:
        yield _money_forward_head()
        for journal in journals:
            yield from _money_forward(journal)
    elif program is Program.FREEE:
        yield _freee_head()
        for journal in journals:
            yield from _build_freee_rows(journal)
    else:
        yield from _plain_table(list(journals))


def parts(journals: Sequence[NamedJournal], most_rows: int) -> Sequence[Sequence[NamedJournal]]:
    """Return the journals in parts of at most `most_rows` rows; no journal is split."""
    found: list[list[NamedJournal]] = [[]]
    count = 0
    for journal in journals:
        length = max(len(journal.debits), len(journal.credits))
        if found[-1] and count + length > most_rows:
            found.append([])
            count = 0
        found[-1].append(journal)
        count += length
    return found


def half_width(text: str) -> int:
    """Return the length of a text in half-width characters."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WFA" else 1 for letter in text)


def cut(text: str, most: int) -> str:
    """Return a text cut to at most `most` half-width characters."""
    length = 0
    for place, letter in enumerate(text):
        length += half_width(letter)
        if length > most:
            return text[:place]
    return text


def _pair_sides(journal: NamedJournal) -> Iterator[tuple[Side | None, Side | None]]:
    yield from zip_longest(journal.debits, journal.credits)


def _format_day(on: date) -> str:
    return f"{on:%Y/%m/%d}"


def _build_yayoi_rows(journal: NamedJournal, no_tax: str) -> Iterator[Sequence[Cell]]:
    pairs = list(_pair_sides(journal))
    for place, (debit, credit) in enumerate(pairs):
        is_alone = len(pairs) == 1
        inside = "2101" if place == len(pairs) - 1 else "2100"
        flag = "2000" if is_alone else "2110" if place == 0 else inside
        yield (
            flag,
            journal.number,
            "",
            _format_day(journal.on),
            *_yayoi_side(debit, no_tax),
            *_yayoi_side(credit, no_tax),
            _memo_with_partner(journal.memo, debit, credit),
            "",
            "",
            0 if is_alone else 3,
            "",
            "",
            0,
            0,
            "no",
        )


def _memo_with_partner(memo: str, debit: Side | None, credit: Side | None) -> str:
    """The words of a row with its partners behind them: Yayoi has no column for one.

    Long names of partners are cut, so that the words keep their beginning.
    """
    partners = dict.fromkeys(side.partner for side in (debit, credit) if side and side.partner)
    behind = "".join(f" {cut(partner, LONGEST_NAME)}" for partner in partners)
    return cut(memo, _LONGEST_MEMO - half_width(behind)) + behind


def _yayoi_side(side: Side | None, no_tax: str) -> Sequence[Cell]:
    if side is None:
        return ("", "", "", no_tax, 0, "")
    return (side.account, side.sub_account, "", side.tax, side.yen, "")


def _name_both_sides(words: Sequence[str]) -> list[str]:
    return [f"{side}{word}" for side in ("借方", "貸方") for word in words]


def _money_forward_head() -> Sequence[Cell]:
    rest = ("摘要", "仕訳メモ", "タグ", "MF仕訳タイプ", "決算整理仕訳")
    return ("取引No", "取引日", *_name_both_sides(_MONEY_FORWARD_SIDE), *rest)


def _money_forward(journal: NamedJournal) -> Iterator[Sequence[Cell]]:
    for debit, credit in _pair_sides(journal):
        sides = [
            cell
            for side in (debit, credit)
            for cell in (
                (side.account, side.sub_account, "", side.partner, side.tax, "", side.yen, "")
                if side
                else ("",) * len(_MONEY_FORWARD_SIDE)
            )
        ]
        yield (journal.number, _format_day(journal.on), *sides, journal.memo, "", "", "", "")


def _freee_head() -> Sequence[Cell]:
    return ("[表題行]", "日付", "伝票番号", *_name_both_sides(_FREEE_SIDE), "摘要")


def _build_freee_rows(journal: NamedJournal) -> Iterator[Sequence[Cell]]:
    for debit, credit in _pair_sides(journal):
        sides = [
            cell
            for side in (debit, credit)
            for cell in (
                (
                    side.account,
                    "",
                    side.sub_account,
                    side.partner,
                    "",
                    "",
                    "",
                    side.yen,
                    side.tax,
                    "",
                )
                if side
                else ("",) * len(_FREEE_SIDE)
            )
        ]
        yield ("[明細行]", _format_day(journal.on), journal.number, *sides, journal.memo)


def _plain_table(journals: Sequence[NamedJournal]) -> Iterator[Sequence[Cell]]:
    """Return the head and the rows; the columns of partners stand only where one is named."""
    sides = (side for journal in journals for side in (*journal.debits, *journal.credits))
    has_partners = any(side.partner for side in sides)
    yield (*_PLAIN_HEAD, *_PLAIN_PARTNERS) if has_partners else _PLAIN_HEAD
    most = len(_PLAIN_HEAD) + (len(_PLAIN_PARTNERS) if has_partners else 0)
    for journal in journals:
        for row in _build_plain_rows(journal):
            yield row[:most]


def _build_plain_rows(journal: NamedJournal) -> Iterator[Sequence[Cell]]:
    late = "訂正" if journal.is_late else ""
    for debit, credit in _pair_sides(journal):
        both = (debit, credit)
        sides = [cell for side in both for cell in (side[:4] if side else ("", "", "", ""))]
        partners = [side.partner if side else "" for side in both]
        yield (journal.number, journal.on.isoformat(), *sides, journal.memo, late, *partners)
