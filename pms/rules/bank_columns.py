"""The columns of a bank's list of movements, found by their headings or chosen by hand."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple
from unicodedata import normalize


class TableRole(StrEnum):
    """What a column of a bank's list holds."""

    DAY = "day"
    YEAR = "year"
    MONTH = "month"
    DAY_OF_MONTH = "day_of_month"
    PAID_IN = "paid_in"
    PAID_OUT = "paid_out"
    AMOUNT = "amount"
    DIRECTION = "direction"
    BALANCE = "balance"
    TEXT = "text"
    PAYER = "payer"
    MESSAGE = "message"
    NUMBER = "number"


class TableFault(StrEnum):
    """Why a list of movements is refused as a whole."""

    NO_HEADER = "table_without_header"
    NO_DAY = "table_day"
    NO_AMOUNT = "table_amount"
    TWO_AMOUNTS = "table_two_amounts"
    NO_DIRECTION = "table_direction"
    BALANCE = "table_balance"
    EMPTY = "table_empty"
    UNKNOWN_COLUMN = "table_unknown_column"
    TOO_LONG = "table_too_long"


class TableLine(NamedTuple):
    """One line of a table: where it stands and the text of its cells."""

    line: int
    cells: Sequence[str]


class BankTableFault(ValueError):
    """Something that a list of movements cannot contain: its line, column and text."""

    def __init__(
        self,
        fault: TableFault,
        *,
        line: int = 0,
        column: str = "",
        found: str | int = "",
        wanted: str | int = "",
    ) -> None:
        self.fault, self.line, self.column = fault, line, column
        self.found, self.wanted = found, wanted
        super().__init__(f"{fault}: line {line}, {column} is '{found}', wanted '{wanted}'")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The header row of a table and the role of each column."""

    line: int
    heads: tuple[str, ...]
    places: Mapping[TableRole, int]

    @property
    def shape(self) -> str:
        """The key by which the same bank's next list is recognised: all headings in their order."""
        return "\t".join(self.heads)


# Headings as banks write them, without text in brackets; the first match counts.
_HEADS: Final[tuple[tuple[TableRole, tuple[str, ...]], ...]] = (
    (TableRole.YEAR, ("操作日(年)", "取扱日(年)", "日付(年)", "取引日(年)", "年")),
    (TableRole.MONTH, ("操作日(月)", "取扱日(月)", "日付(月)", "取引日(月)", "月")),
    (TableRole.DAY_OF_MONTH, ("操作日(日)", "取扱日(日)", "日付(日)", "取引日(日)", "日")),
    (
        TableRole.DAY,
        (
            "日付",
            "取引日",
            "お取引日",
            "年月日",
            "勘定日",
            "取扱日",
            "お取扱日",
            "取引日付",
            "入払日",
            "入出金日",
            "預入払出日",
            "計算日",
            "date",
        ),
    ),
    (
        TableRole.PAID_OUT,
        (
            "支払い金額",
            "支払金額",
            "お支払金額",
            "お支払い金額",
            "出金金額",
            "出金額",
            "出金",
            "お引出し",
            "お引き出し",
            "引出金額",
            "払出金額",
            "払出",
            "お支払",
            "支払",
        ),
    ),
    (
        TableRole.PAID_IN,
        (
            "預かり金額",
            "預り金額",
            "お預り金額",
            "お預かり金額",
            "入金金額",
            "入金額",
            "入金",
            "お預入れ",
            "お預け入れ",
            "預入金額",
            "受入金額",
            "受入",
            "お預り",
            "お預かり",
        ),
    ),
    (TableRole.AMOUNT, ("入出金", "取引金額", "金額", "入出金金額", "入払金額")),
    (
        TableRole.DIRECTION,
        ("入払区分", "入出金区分", "受入/払出", "受払区分", "受払", "入払", "入出区分"),
    ),
    (TableRole.BALANCE, ("差引残高", "取引後残高", "残高", "お取引後残高", "現在残高")),
    (
        TableRole.PAYER,
        (
            "摘要内容",
            "振込依頼人名",
            "依頼人名",
            "振込人名",
            "振込依頼人",
            "お振込人",
            "相手先",
            "相手名",
        ),
    ),
    (
        TableRole.TEXT,
        (
            "摘要",
            "内容",
            "お取り扱い内容",
            "お取扱内容",
            "入出金内容",
            "取引内容",
            "お取引内容",
            "取引区分",
            "取引名",
        ),
    ),
    (TableRole.MESSAGE, ("EDI情報", "メモ", "備考", "EDI")),
    (TableRole.NUMBER, ("照会番号", "取引順番号", "取引番号")),
)
_ROLE_OF: Final = {
    normalize("NFKC", head).casefold(): role for role, heads in _HEADS for head in heads
}
_IN_BRACKETS: Final = re.compile(r"[(\[<](円|¥|jpy|yen)[)\]>]")
_LINES_SEARCHED: Final = 40


def find_columns(
    lines: Iterable[TableLine], chosen: Mapping[TableRole, str] | None = None
) -> TableColumns:
    """Find the header row of a table; headings in `chosen` take precedence over the known ones."""
    by_hand = {_head(head): role for role, head in (chosen or {}).items() if head}
    for count, line in enumerate(lines):
        if count >= _LINES_SEARCHED:
            break
        heads = [_head(cell) for cell in line.cells]
        places: dict[TableRole, int] = {}
        for place, head in enumerate(heads):
            role = by_hand.get(head)
            if role is None:
                known = _ROLE_OF.get(head)
                role = None if known in by_hand.values() else known
            if role is not None:
                places.setdefault(role, place)
        if _is_whole(places):
            missing = [role for role in by_hand.values() if role not in places]
            if missing:
                head = next(h for h, role in by_hand.items() if role is missing[0])
                raise BankTableFault(
                    TableFault.UNKNOWN_COLUMN,
                    line=line.line,
                    column=missing[0],
                    found=head,
                    wanted=", ".join(heads),
                )
            return TableColumns(line.line, tuple(heads), _drop_needless_columns(places))
    raise BankTableFault(TableFault.NO_HEADER)


def _drop_needless_columns(places: dict[TableRole, int]) -> Mapping[TableRole, int]:
    # Where two columns hold the amounts, a third column with the direction adds nothing.
    if TableRole.PAID_IN in places and TableRole.PAID_OUT in places:
        for role in (TableRole.AMOUNT, TableRole.DIRECTION):
            places.pop(role, None)
    return places


def _is_whole(places: Mapping[TableRole, int]) -> bool:
    has_day = TableRole.DAY in places or {
        TableRole.YEAR,
        TableRole.MONTH,
        TableRole.DAY_OF_MONTH,
    } <= set(places)
    has_amount = TableRole.AMOUNT in places or {TableRole.PAID_IN, TableRole.PAID_OUT} <= set(
        places
    )
    return has_day and has_amount


def _head(cell: str) -> str:
    text = re.sub(r"\s+", "", normalize("NFKC", cell)).casefold()
    return _IN_BRACKETS.sub("", text).strip("'\"")
