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
    QUOTES = "table_quotes"
    CELLS = "table_cells"
    SPLIT = "table_split"
    SIGN = "table_sign"
    TWO_COLUMNS = "table_two_columns"


class TableLine(NamedTuple):
    """One line of a table: where it stands, the text of its cells, and what is wrong with them.

    `is_broken`: its quotation marks are, so the cells are a guess. `is_shifted`: it has more or
    fewer cells than the head, so they may not stand under their headings. `split_amount`: two cells
    that are one amount, such as "50 | 000".
    """

    line: int
    cells: Sequence[str]
    is_broken: bool = False
    is_shifted: bool = False
    split_amount: str = ""


class PassOver(StrEnum):
    """Why a line of a list is no movement."""

    TOTAL = "total"
    HEAD = "head"
    NOTHING_MOVED = "nothing_moved"
    NOTE = "note"
    ABOVE = "above"


class PassedLine(NamedTuple):
    """A line that was passed over, with the reason."""

    line: int
    text: str
    reason: PassOver


class UnreadColumn(NamedTuple):
    """A column of a list that was not read, with a text of it."""

    title: str
    example: str


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
            "取扱日付",
            "お取扱日付",
            "取引年月日",
            "お取引年月日",
            "お取引日付",
            "記帳日",
            "計上日",
            "処理日",
            "入金日",
            "振込日",
            "date",
        ),
    ),
    (
        TableRole.PAID_OUT,
        (
            "お引出金額",
            "お引出し金額",
            "お引き出し金額",
            "お引出額",
            "引出額",
            "払出額",
            "支払額",
            "お支払額",
            "出金額合計",
            "withdrawal",
            "withdrawals",
            "money out",
            "paid out",
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
            "お預入金額",
            "お預入れ金額",
            "お預け入れ金額",
            "お預入額",
            "預入額",
            "受入額",
            "お預り額",
            "預り額",
            "deposit",
            "deposits",
            "money in",
            "paid in",
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
    (
        TableRole.AMOUNT,
        (
            "入出金",
            "取引金額",
            "お取引金額",
            "金額",
            "入出金金額",
            "入出金額",
            "入払金額",
            "amount",
        ),
    ),
    (
        TableRole.DIRECTION,
        (
            "入払区分",
            "入出金区分",
            "受入/払出",
            "受払区分",
            "受払",
            "入払",
            "入出区分",
            "入/出",
            "入出",
            "入金/出金",
            "出金/入金",
        ),
    ),
    (
        TableRole.BALANCE,
        (
            "差引残高",
            "取引後残高",
            "残高",
            "お取引後残高",
            "現在残高",
            "お預り残高",
            "預金残高",
            "現在高",
            "現在(貸付)高",
            "残高金額",
            "balance",
        ),
    ),
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
            "お振込人名",
            "振込名義",
            "振込名義人",
            "お振込名義人",
            "送金人",
            "送金人名",
            "送金者",
            "お取引相手",
            "取引先",
            "振込元",
            "入金者",
            "依頼人",
            "ご依頼人名",
            "詳細2",
            "payer",
            "payee",
            "name",
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
            "お取引区分",
            "取引種類",
            "取引種別",
            "明細",
            "取引明細",
            "詳細",
            "詳細1",
            "description",
            "details",
        ),
    ),
    (TableRole.MESSAGE, ("EDI情報", "メモ", "備考", "EDI", "通信欄")),
    (TableRole.NUMBER, ("照会番号", "取引順番号", "取引番号", "入出金明細id", "明細id")),
)
_ROLE_OF: Final = {
    normalize("NFKC", head).casefold(): role for role, heads in _HEADS for head in heads
}
_IN_BRACKETS: Final = re.compile(r"[(\[<](円|¥|jpy|yen)[)\]>]")
_LINES_SEARCHED: Final = 40


NO_COLUMN: Final = "-"
"""Chosen for a role that no column of the list has."""


def find_columns(
    lines: Iterable[TableLine],
    chosen: Mapping[TableRole, str] | None = None,
    head_line: int | None = None,
) -> TableColumns:
    """Find the header row of a table; headings in `chosen` take precedence over the known ones.

    A column without a heading of its own is chosen by its number, as `#3`; `head_line` is the row of
    the headings where a person chose it.
    """
    by_hand = {
        folded_head(head): role
        for role, head in (chosen or {}).items()
        if head and head != NO_COLUMN
    }
    left_out = {role for role, head in (chosen or {}).items() if head == NO_COLUMN}
    for count, line in enumerate(lines):
        if head_line is None and count >= _LINES_SEARCHED:
            break
        if head_line not in {None, line.line}:
            continue
        heads = [folded_head(cell) for cell in line.cells]
        places: dict[TableRole, int] = {}
        for place, head in enumerate(heads):
            role = by_hand.get(f"#{place + 1}") or by_hand.get(head)
            if role is None:
                known = _ROLE_OF.get(head)
                role = None if known in by_hand.values() or known in left_out else known
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
            return TableColumns(line.line, tuple(heads), _settle_columns(places, heads, by_hand))
    raise BankTableFault(TableFault.NO_HEADER)


_KINDS: Final = frozenset({"取引区分", "お取引区分", "取引種類", "取引種別", "明細区分"})


def _settle_columns(
    places: dict[TableRole, int], heads: Sequence[str], by_hand: Mapping[str, TableRole]
) -> Mapping[TableRole, int]:
    # Where two columns hold the amounts, a third column with the direction adds nothing.
    if TableRole.PAID_IN in places and TableRole.PAID_OUT in places:
        for role in (TableRole.AMOUNT, TableRole.DIRECTION):
            places.pop(role, None)
    # Beside a column with the kind of the movement, that of its text has the payer.
    text = places.get(TableRole.TEXT)
    if not by_hand and text is not None and TableRole.PAYER not in places:
        words = [place for place, head in enumerate(heads) if _ROLE_OF.get(head) is TableRole.TEXT]
        others = [place for place in words if heads[place] not in _KINDS]
        kinds = [place for place in words if heads[place] in _KINDS]
        if len(kinds) == len(others) == 1:
            places[TableRole.TEXT], places[TableRole.PAYER] = kinds[0], others[0]
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


def folded_head(cell: str) -> str:
    """A heading in the spelling in which headings are compared."""
    text = re.sub(r"\s+", "", normalize("NFKC", cell)).casefold()
    return _IN_BRACKETS.sub("", text).strip("'\"")


def unread_columns(
    lines: Sequence[TableLine], columns: TableColumns, titles: Sequence[str]
) -> tuple[UnreadColumn, ...]:
    """Return the columns below the headings that hold something and were not read.

    Refuses a list with two columns of amounts or days of one meaning that differ: a person has to
    choose one of them.
    """
    found = []
    used = {place: role for role, place in columns.places.items()}
    below = [line for line in lines if line.line > columns.line]
    width = max((len(line.cells) for line in below), default=0)
    for place in range(max(width, len(columns.heads))):
        texts = [line.cells[place].strip() for line in below if place < len(line.cells)]
        example = next(filter(None, texts), "")
        if place in used or not example:
            continue
        head = columns.heads[place] if place < len(columns.heads) else ""
        role = _ROLE_OF.get(head)
        if role in _OF_ONE_COLUMN and role in columns.places:
            _refuse_another(below, columns, place, titles)
        title = titles[place].strip() if place < len(titles) else ""
        found.append(UnreadColumn(title or f"#{place + 1}", example[:_MOST_SHOWN]))
    return tuple(found)


_MOST_SHOWN: Final = 60
_OF_ONE_COLUMN: Final = frozenset(
    {TableRole.DAY, TableRole.PAID_IN, TableRole.PAID_OUT, TableRole.AMOUNT}
)


def _refuse_another(
    below: Sequence[TableLine], columns: TableColumns, place: int, titles: Sequence[str]
) -> None:
    """Refuse a second column of amounts or days that says something else than the one read."""
    role = _ROLE_OF[columns.heads[place]]
    own = columns.places[role]
    for line in below:
        cells = [line.cells[at].strip() if at < len(line.cells) else "" for at in (own, place)]
        is_money = role is not TableRole.DAY
        if cells[1] and cells[0] != cells[1] and (is_money or not cells[0]):
            raise BankTableFault(
                TableFault.TWO_COLUMNS,
                line=line.line,
                column=titles[own],
                found=titles[place],
                wanted=cells[1][:_MOST_SHOWN],
            )
