"""Rows of a rent roll under the heads of their table, and the sheets they stand on."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Final, Self

from pms.arrivals.takeover.instructions import NO_READING, SheetReading
from pms.rules.roll_cells import Money, Stated, is_ditto, money, plain
from pms.rules.roll_heads import (
    MONEY,
    Meaning,
    SheetHead,
    fold_title,
    head_of,
    may_have_sums,
    with_years,
)
from pms.rules.roll_legends import codes_explained, codes_in
from pms.rules.roll_line_kinds import is_parking
from pms.rules.roll_lines import RollSection
from pms.sheets.grid import Grid, RowFault

_LEAST_SUM: Final = 100
_LONGEST_CELL: Final = 1_000
_MOST_LINES_OF_WORDS: Final = 1_000
_WHOLE_CELLS: Final = frozenset({Meaning.NOTE, Meaning.OWN_TERMS})
# A line with only a room: with a number in it, or of a few letters.
_LONE_ROOM: Final = re.compile(r"^[^。、]*[0-9０-９①-⑳][^。、]*$|^.{1,3}$")
_LONGEST_LONE_ROOM: Final = 10


class Heads(tuple[SheetHead, ...]):
    """The heads of a table; its rows share them."""

    @cached_property
    def places(self) -> Mapping[Meaning | None, Sequence[int]]:
        """Where the heads of each meaning are, from 0."""
        found: dict[Meaning | None, list[int]] = {}
        for place, head in enumerate(self):
            found.setdefault(head.meaning, []).append(place)
        return found

    def changed(self, change: Callable[[SheetHead], SheetHead]) -> Self:
        """Return the heads, each as a function makes it."""
        return type(self)(map(change, self))


Place = tuple[int, int]
"""A cell of a sheet: its row from 1, its column from 0."""


@dataclass(frozen=True, slots=True)
class LaidRow:
    """A row of a table: its place, its cells under their heads, and the building above it."""

    at: str
    heads: Heads
    cells: tuple[str, ...]
    heading: str | None = None
    fault: RowFault | None = None
    """Why the cells may not be under their heads, as when a comma in an amount shifted them."""
    is_hidden: bool = False
    """A row that the spreadsheet hides."""
    section: RollSection | None = None
    """The kind of rows when a heading says that they are no tenants."""
    repeated: frozenset[Meaning] = frozenset()
    """The cells repeated from the row above by a ditto mark: 〃, 同上."""
    places: tuple[Place, ...] = ()
    """Where each of the first cells is in the sheet."""
    broken: frozenset[int] = frozenset()
    """The cells that are an error or a formula without a value."""
    texts: frozenset[int] = frozenset()
    """The cells whose digits are a text, so that a serial number of a day may be no such thing."""

    @property
    def filled_places(self) -> Iterator[Place]:
        """The places of the cells that are not blank."""
        for place, cell in zip(self.places, self.cells, strict=False):
            if cell.strip():
                yield place

    def cell(self, meaning: Meaning) -> str:
        """Return the first non-blank cell of a meaning, as the sheet writes it."""
        for place in self.heads.places.get(meaning, ()):
            if self.cells[place].strip():
                return self.cells[place]
        return ""

    def amount(self, meaning: Meaning, factor: int) -> Money:
        """Return the amount of a meaning; `factor` is that of the sheet, and a head may have its own."""
        return money(self.cell(meaning), factor_of(self.head(meaning), factor))

    def under(self, meaning: Meaning) -> Iterator[tuple[SheetHead, str]]:
        """Yield every head of a meaning with its cell."""
        for place in self.heads.places.get(meaning, ()):
            yield self.heads[place], self.cells[place]

    def has(self, meaning: Meaning) -> bool:
        """Whether the table has a column of a meaning."""
        return meaning in self.heads.places

    def head(self, meaning: Meaning) -> SheetHead:
        """Return the head of a meaning; one with a non-blank cell comes first."""
        places = self.heads.places.get(meaning, ())
        filled = (place for place in places if self.cells[place].strip())
        place = next(filled, places[0] if places else None)
        return SheetHead(meaning.value, meaning) if place is None else self.heads[place]


def factor_of(head: SheetHead, factor: int) -> int:
    """Return how many yen a 1 in a column is; `factor` is that of the whole sheet."""
    return head.factor if head.has_unit else max(head.factor, factor)


@dataclass(slots=True)
class Passed:
    """A line that is no room, and why it was passed over."""

    at: str
    why: str


def sheet_key(file_name: str, sheet: str) -> str:
    """Return a name that no other sheet of the same files has."""
    return f"{file_name}/{sheet}"


@dataclass(slots=True)
class LaidSheet:
    """One sheet: the words around its tables, their rows, and what was passed over."""

    grid: Grid
    file: str = ""
    """The file of the sheet; empty when there is only one."""
    file_name: str = ""
    reading: SheetReading = NO_READING
    """What a person said about the sheet."""
    words: list[tuple[str, ...]] = field(default_factory=list)
    rows: list[LaidRow] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    covered: dict[int, set[int]] = field(default_factory=dict)
    """The columns of the cells that were passed over, by their rows."""
    beside: list[Place] = field(default_factory=list)
    """Cells of rows that are beside all tables."""
    totals: list[LaidRow] = field(default_factory=list)
    heads: list[Heads] = field(default_factory=list)
    is_empty: bool = True
    is_across: bool = False
    """Whether its records are columns."""
    left_out: str = ""
    """Why the sheet is not read, when it is hidden or a person said so."""
    header_rows: list[int] = field(default_factory=list)
    header_columns: list[int] = field(default_factory=list)
    hidden_titles: list[str] = field(default_factory=list)
    items: set[Place] = field(default_factory=set)
    """The cells of lines that state one fee of the room above."""

    @property
    def name(self) -> str:
        """The name of the sheet; a text has none."""
        return self.grid.name

    @property
    def key(self) -> str:
        """A name that no other sheet of the same files has."""
        return sheet_key(self.file_name, self.name)

    @property
    def is_roll(self) -> bool:
        """Whether it has a table of rooms."""
        return bool(self.rows)

    def settle_months(self, near: date) -> None:
        """Give each column of a month its year: by its words, the others of its row, the titles."""
        texts = [self.name, *(cell for words in self.words for cell in words)]
        self.heads = [Heads(with_years(heads, texts, near)) for heads in self.heads]
        known = {(head.title, head.place): head for heads in self.heads for head in heads}

        def settle_month(head: SheetHead) -> SheetHead:
            found = known.get((head.title, head.place))
            if head.month is None or found is None:
                return head
            return head._replace(month=found.month)

        self.rows = with_changed_heads(self.rows, settle_month)

    def pass_over(self, at: str, why: str, places: Iterable[Place]) -> None:
        """Note a line or a part of it that is no room, and why."""
        self.passed.append(Passed(at, why))
        self.cover(places)

    def keep_words(self, cells: tuple[str, ...]) -> None:
        """Keep a line of words for what it says about the whole; no office writes thousands."""
        if len(self.words) < _MOST_LINES_OF_WORDS:
            self.words.append(cells)

    def take_back(self, at: str, cells: tuple[str, ...]) -> None:
        """Forget that a line was passed over, since it is a part of a head."""
        self.passed = [passed for passed in self.passed if passed.at != at]
        self.words = [words for words in self.words if words != cells]

    def cover(self, places: Iterable[Place]) -> None:
        """Note cells that are passed over."""
        for row, column in places:
            self.covered.setdefault(row, set()).add(column)


def heads_of_rows(rows: Iterable[LaidRow]) -> Iterable[Heads]:
    """Return the heads of each table once, in the order of the rows."""
    return {id(row.heads): row.heads for row in rows}.values()


def with_changed_heads(
    rows: Iterable[LaidRow], change: Callable[[SheetHead], SheetHead]
) -> list[LaidRow]:
    """Return rows with each head as a function makes it; those of one table still share theirs."""
    known: dict[int, tuple[Heads, Heads]] = {}
    found: list[LaidRow] = []
    for row in rows:
        if id(row.heads) not in known:
            known[id(row.heads)] = row.heads, row.heads.changed(change)
        before, after = known[id(row.heads)]
        found.append(row if before == after else replace(row, heads=after))
    return found


def cut_cells(heads: Heads, cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells without what is longer than any room, name or amount; notes stay whole."""
    return tuple(
        cell if head.meaning in _WHOLE_CELLS else cell[:_LONGEST_CELL]
        for head, cell in zip(heads, cells, strict=True)
    )


def repeat_dittos(
    heads: Heads, cells: tuple[str, ...], above: tuple[str, ...]
) -> tuple[tuple[str, ...], frozenset[Meaning]]:
    """Return the cells with ditto marks replaced from the row above, and the replaced meanings.

    In the occupant column a ditto mark is kept, because there it means the contract holder.
    """
    made = list(cells)
    repeated: set[Meaning] = set()
    for place, (head, cell) in enumerate(zip(heads, cells, strict=True)):
        is_filled = place < len(above) and above[place].strip()
        if is_filled and is_ditto(cell) and head.meaning is not Meaning.OCCUPANT:
            made[place] = above[place]
            repeated.update({head.meaning} if head.meaning is not None else ())
    return tuple(made), frozenset(repeated)


def is_words(row: LaidRow) -> bool:
    """Whether a line has no room, money or person, and so is only text for people."""
    meanings = (
        Meaning.RENT,
        Meaning.NAME,
        Meaning.FAMILY,
        Meaning.START,
        Meaning.TERM,
        Meaning.MONTHLY,
        Meaning.PARKING,
        Meaning.ITEM,
    )
    filled = [cell for cell in row.cells if cell.strip()]
    if row.fault is RowFault.BROKEN_QUOTES:
        return False
    if room := row.cell(Meaning.ROOM).strip():
        is_long = len(room) > _LONGEST_LONE_ROOM or not _LONE_ROOM.search(room)
        return len(filled) == 1 and is_long
    if states_money(row):
        return False
    is_alone = len(filled) == 1 and not row.cell(Meaning.NAME)
    return is_alone or not any(row.cell(meaning) for meaning in meanings)


def states_money(row: LaidRow) -> bool:
    """Whether a line has an amount in one of its cells, other than in remarks."""
    return any(
        is_sum(cell, head)
        for head, cell in zip(row.heads, row.cells, strict=True)
        if head.meaning is not Meaning.NOTE and head.meaning not in _NO_MONEY
    )


_NO_MONEY: Final = frozenset(
    {Meaning.PHONE, Meaning.NUMBER, Meaning.START, Meaning.END, Meaning.TERM, Meaning.PASSED_OVER}
    | {Meaning.MOVE_OUT, Meaning.RENEWAL, Meaning.BUILDING, Meaning.OWN_TERMS}
)
_AMOUNTS: Final = (Meaning.RENT, Meaning.MONTHLY, Meaning.BILLED)


def add_item(sheet: LaidSheet, row: LaidRow) -> bool:
    """Add a row with a single fee to the room above it; return whether it was such a row."""
    if row.cell(Meaning.ROOM).strip() or not row.cell(Meaning.ITEM).strip() or not sheet.rows:
        return False
    if row.cell(Meaning.NAME).strip():
        return False
    known, own = sheet.rows[-1], with_item(row)
    more = own.heads[len(row.heads) :], own.cells[len(row.cells) :]
    heads = Heads(known.heads + more[0])
    sheet.rows[-1] = replace(known, heads=heads, cells=known.cells + more[1])
    sheet.passed.append(Passed(row.at, f"item of {known.at}"))
    sheet.items.update(row.filled_places)
    return True


def with_item(row: LaidRow) -> LaidRow:
    """Return the row with its amount moved under a head named like its item."""
    item = row.cell(Meaning.ITEM).strip()
    if not item:
        return row
    found = next((meaning for meaning in _AMOUNTS if row.cell(meaning).strip()), _AMOUNTS[0])
    own = head_of(item)
    own = own._replace(factor=max(own.factor, row.head(found).factor))
    heads = (
        head._replace(meaning=Meaning.PASSED_OVER) if head.meaning in _AMOUNTS else head
        for head in row.heads
    )
    return replace(row, heads=Heads((*heads, own)), cells=(*row.cells, row.cell(found)))


def is_sum(cell: str, head: SheetHead, factor: int = 1) -> bool:
    """Whether a cell is an amount: any under a head of money, which may count in thousands.

    Under another head a small number may be a count. `factor` is that of the sheet.
    """
    amount = money(cell, factor_of(head, factor))
    least = 1 if head.meaning in MONEY else _LEAST_SUM
    return amount.stated is Stated.YEN and abs(amount.yen) >= least


def without_sums_in_notes(
    rows: list[LaidRow], chosen: Collection[str], factor: int
) -> list[LaidRow]:
    """Return the rows without a meaning for a column such as その他 that has sums in it.

    `factor` is how many yen a 1 of the sheet is.
    """
    unclear = {
        head
        for row in rows
        for head, cell in row.under(Meaning.NOTE)
        if may_have_sums(head)
        and fold_title(head.title) not in chosen
        and is_sum(cell, head, factor)
    }
    if not unclear:
        return rows
    return with_changed_heads(
        rows, lambda head: head._replace(meaning=None) if head in unclear else head
    )


def codes_beside(sheet: LaidSheet, head: SheetHead) -> tuple[str, Mapping[str, str]] | None:
    """Return the line above or below a table that explains codes of a column, and what they mean.

    The line names the column, or explains all its codes. None for a column without codes, or whose
    heading explains them.
    """
    if head.meaning is not Meaning.STATUS or codes_in(head.title):
        return None
    codes = {
        plain(cell).casefold()
        for row in sheet.rows
        for own, cell in zip(row.heads, row.cells, strict=True)
        if own.place == head.place and is_code(cell)
    }
    for words in sheet.words:
        line = " ".join(cell.strip() for cell in words if cell.strip())
        found = codes_explained(line)
        is_named = fold_title(head.title) in fold_title(line)
        if len(found) > 1 and codes & found.keys() and (is_named or codes <= found.keys()):
            return line, found
    return None


def is_code(cell: str) -> bool:
    """Whether a cell is a number or a letter that stands for a word."""
    return re.fullmatch(r"\d{1,2}|[A-Za-z]", plain(cell)) is not None


def with_codes_beside(sheet: LaidSheet) -> list[LaidRow]:
    """Return the rows with what their codes stand for by a line beside the table."""
    known = {
        head: found[1]
        for head in dict.fromkeys(head for heads in heads_of_rows(sheet.rows) for head in heads)
        if (found := codes_beside(sheet, head)) is not None
    }
    if not known:
        return sheet.rows
    return with_changed_heads(
        sheet.rows,
        lambda head: head._replace(codes=tuple(known[head].items())) if head in known else head,
    )


def is_parking_space(row: LaidRow) -> bool:
    """Whether a row is of a parking space."""
    return row.section is RollSection.PARKING or is_parking(row.cell(Meaning.ROOM))


def has_money(row: LaidRow) -> bool:
    """Whether a row states a rent or a term."""
    return any(
        row.cell(meaning).strip()
        for meaning in (Meaning.RENT, Meaning.MONTHLY, Meaning.START, Meaning.TERM)
    )
