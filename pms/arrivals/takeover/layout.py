"""Finds the tables of a rent roll: their heads, their rows, and the words above and below them.

A table may have a head of two lines, be transposed, be next to another table, or start again under
each building. Every row has the place where a person sees it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pms.arrivals.sheets.reading import XLSX, Table
from pms.rules.roll_cells import Money, Stated, is_ditto, money
from pms.rules.roll_heads import (
    NOTHING_CHOSEN,
    PLACES,
    Head,
    Meaning,
    folded,
    head_of,
    heads_of,
    is_lower_line,
    may_have_sums,
)
from pms.rules.roll_lines import (
    Section,
    heading_of,
    is_count,
    is_floor,
    is_total,
    kind_of_total,
    section_of,
)

MOST_COLUMNS: Final = 200
_HEADS_SEARCHED: Final = 400
_LEAST_SUM: Final = 100
_LONGEST_CELL: Final = 1_000
_WHOLE_CELLS: Final = frozenset({Meaning.NOTE, Meaning.OWN_TERMS})
# A line with only a room: with a number in it, or of a few letters.
_LONE_ROOM: Final = re.compile(r"^[^。、]*[0-9０-９①-⑳][^。、]*$|^.{1,3}$")
_LONGEST_LONE_ROOM: Final = 10

Heads = tuple[Head, ...]


@dataclass(frozen=True, slots=True)
class LaidRow:
    """A row of a table: its place, its cells under their heads, and the building above it."""

    at: str
    heads: Heads
    cells: tuple[str, ...]
    heading: str | None = None
    is_too_wide: bool = False
    """A text line with more cells than heads: a comma in an amount may have shifted the cells."""
    is_hidden: bool = False
    """A row that the spreadsheet hides."""
    section: Section | None = None
    """The kind of rows when a heading says that they are no tenants."""
    repeated: frozenset[Meaning] = frozenset()
    """The cells repeated from the row above by a ditto mark: 〃, 同上."""

    def cell(self, meaning: Meaning) -> str:
        """Return the first non-blank cell of a meaning, as the sheet writes it."""
        found = (
            cell
            for head, cell in zip(self.heads, self.cells, strict=True)
            if head.meaning is meaning and cell.strip()
        )
        return next(found, "")

    def amount(self, meaning: Meaning, factor: int) -> Money:
        """Return the amount of a meaning; `factor` is that of the sheet, and a head may have its own."""
        return money(self.cell(meaning), max(self.head(meaning).factor, factor))

    def under(self, meaning: Meaning) -> Iterator[tuple[Head, str]]:
        """Yield every head of a meaning with its cell."""
        for head, cell in zip(self.heads, self.cells, strict=True):
            if head.meaning is meaning:
                yield head, cell

    def has(self, meaning: Meaning) -> bool:
        """Whether the table has a column of a meaning."""
        return any(head.meaning is meaning for head in self.heads)

    def head(self, meaning: Meaning) -> Head:
        """Return the head of a meaning; one with a non-blank cell comes first."""
        found = list(self.under(meaning))
        filled = next((head for head, cell in found if cell.strip()), None)
        return filled or (found[0][0] if found else Head(meaning.value, meaning))


@dataclass(slots=True)
class Passed:
    """A line that is no room, and why it was passed over."""

    at: str
    why: str


@dataclass(slots=True)
class LaidSheet:
    """One sheet: the words around its tables, their rows, and what was passed over."""

    name: str
    words: list[tuple[str, ...]] = field(default_factory=list)
    rows: list[LaidRow] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    totals: list[LaidRow] = field(default_factory=list)
    is_empty: bool = True
    header_rows: list[int] = field(default_factory=list)
    hidden_titles: list[str] = field(default_factory=list)
    file: str = ""
    """The file of the sheet; empty when there is only one."""

    @property
    def key(self) -> str:
        """A name that no other sheet of the same files has."""
        return f"{self.file}\n{self.name}"

    @property
    def is_roll(self) -> bool:
        """Whether it has a table of rooms."""
        return bool(self.rows)


class _Above(NamedTuple):
    """The context of a row: building, kind of rows, and the cells of the row before."""

    heading: str | None
    section: Section | None
    cells: dict[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Line:
    at: str
    cells: tuple[str, ...]
    number: int
    is_hidden: bool = False

    @property
    def is_blank(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


def laid_sheets(
    tables: Sequence[Table], chosen: Mapping[str, Meaning] = NOTHING_CHOSEN, file: str = ""
) -> list[LaidSheet]:
    """Return every sheet of a file, laid out; `file` prefixes the places if there are several."""
    return [_lay_sheet(table, chosen, file) for table in tables]


def _lay_sheet(table: Table, chosen: Mapping[str, Meaning], file: str) -> LaidSheet:
    records = list(table.records())
    before = f"{file} / " if file else ""
    breaks = any(record.line != record.number for record in records)
    lines: list[_Line] = []
    for record in records:
        if table.encoding == XLSX:
            at = f"{table.name}!{record.number}"
        else:
            at = f"record {record.number}" if breaks else f"line {record.line}"
        is_hidden = record.number in table.hidden_rows
        cells = record.cells[:MOST_COLUMNS]
        lines.append(_Line(f"{before}{at}", cells, record.number, is_hidden))
    sheet = LaidSheet(table.name, file=file)
    sheet.is_empty = all(line.is_blank for line in lines)
    if not _read_lines(sheet, lines, table.hidden, chosen):
        turned = _on_its_side(table, lines, before)
        if turned is not None:
            again = LaidSheet(table.name, is_empty=False, file=file)
            if _read_lines(again, turned):
                return again
    return sheet


def _read_lines(
    sheet: LaidSheet,
    lines: list[_Line],
    hidden: frozenset[int] = frozenset(),
    chosen: Mapping[str, Meaning] = NOTHING_CHOSEN,
) -> bool:
    """Read the lines in order, each under the last head found; return whether there was a head."""
    groups: list[tuple[int, Heads]] = []
    above: dict[int, tuple[str, ...]] = {}
    heading: str | None = None
    section: Section | None = None
    skip = -1
    for place, line in enumerate(lines):
        if place == skip:
            sheet.passed.append(Passed(line.at, "header, lower line"))
            continue
        if line.is_blank:
            if not sheet.name:
                sheet.passed.append(Passed(line.at, "blank"))
            continue
        found = _head_at(lines, place, chosen) if place < _HEADS_SEARCHED or not groups else None
        if found is not None:
            heads, has_two = found
            sheet.header_rows += [line.number, line.number + 1] if has_two else [line.number]
            titles = (heads[one].title for one in sorted(hidden) if one < len(heads))
            sheet.hidden_titles += [title for title in titles if title not in sheet.hidden_titles]
            above = {}
            groups = _side_by_side(_without_hidden(heads, hidden))
            sheet.passed.append(Passed(line.at, "header, upper line" if has_two else "header"))
            skip = place + 1 if has_two else -1
            continue
        if groups and is_floor(line.cells) and _leads_to_rooms(lines, place, groups, chosen):
            sheet.passed.append(Passed(line.at, "floor"))
            continue
        own_section = section_of(line.cells)
        if own_section is not None and _leads_to_rooms(lines, place, groups, chosen):
            section = own_section
            sheet.passed.append(Passed(line.at, f"heading: {own_section}"))
            continue
        named = heading_of(line.cells)
        if named is not None and _leads_to_rooms(lines, place, groups, chosen):
            heading, section = named, None
            sheet.words += [line.cells] if not groups else []
            sheet.passed.append(Passed(line.at, "house"))
        elif not groups:
            sheet.words.append(line.cells)
            sheet.passed.append(Passed(line.at, "title"))
        else:
            _take(sheet, line, groups, _Above(heading, section, above))
    if sum(row.is_too_wide for row in sheet.rows) * 4 > len(sheet.rows):
        # Every line ends with a comma, so no cell was shifted.
        sheet.rows = [replace(row, is_too_wide=False) for row in sheet.rows]
    sheet.rows = _without_sums_in_notes(sheet.rows, chosen)
    return bool(sheet.rows)


def is_sum(cell: str) -> bool:
    """Whether a cell is an amount of 100 yen or more."""
    amount = money(cell)
    return amount.stated is Stated.YEN and abs(amount.yen) >= _LEAST_SUM


def _without_sums_in_notes(rows: list[LaidRow], chosen: Mapping[str, Meaning]) -> list[LaidRow]:
    """Return the rows without a meaning for a column such as その他 that has sums in it."""
    unclear = {
        head
        for row in rows
        for head, cell in row.under(Meaning.NOTE)
        if may_have_sums(head) and folded(head.title) not in chosen and is_sum(cell)
    }
    if not unclear:
        return rows
    return [
        replace(
            row,
            heads=tuple(
                head._replace(meaning=None) if head in unclear else head for head in row.heads
            ),
        )
        for row in rows
    ]


def _head_at(
    lines: list[_Line], place: int, chosen: Mapping[str, Meaning]
) -> tuple[Heads, bool] | None:
    line = lines[place]
    below = next((one for one in lines[place + 1 : place + 2] if not one.is_blank), None)
    is_line = sum(1 for cell in line.cells if cell.strip()) > 1
    if is_line and below is not None and is_lower_line(below.cells):
        both = heads_of(line.cells, below.cells, chosen)
        alone = heads_of(below.cells, chosen=chosen)
        if both is not None and (
            alone is None or _count_known_heads(both) > _count_known_heads(alone)
        ):
            return both, True
    heads = heads_of(line.cells, chosen=chosen)
    return None if heads is None else (heads, False)


def _count_known_heads(heads: Heads) -> int:
    return len({head.meaning for head in heads if head.meaning is not None})


def _without_hidden(heads: Heads, hidden: frozenset[int]) -> Heads:
    """Ignore a hidden column that repeats a shown one: it is old, such as last year's rent."""
    shown = {head.meaning for place, head in enumerate(heads) if place not in hidden}
    return tuple(
        head._replace(
            meaning=Meaning.OLD_RENT if head.meaning is Meaning.RENT else Meaning.PASSED_OVER
        )
        if place in hidden and head.meaning in shown
        else head
        for place, head in enumerate(heads)
    )


def _side_by_side(heads: Heads) -> list[tuple[int, Heads]]:
    """Return the tables next to each other under one line of heads, each with its first column."""
    rooms = [place for place, head in enumerate(heads) if head.meaning in PLACES]
    if len(rooms) < 2:
        return [(0, heads)]
    first = rooms[0]
    starts = [place - first for place in rooms]
    ends = [*starts[1:], len(heads)]
    groups = [(start, heads[start:end]) for start, end in zip(starts, ends, strict=True)]
    titles = [[head.meaning for head in group if head.meaning] for _, group in groups]
    return groups if all(one == titles[0] for one in titles) else [(0, heads)]


def _leads_to_rooms(
    lines: list[_Line],
    place: int,
    groups: list[tuple[int, Heads]],
    chosen: Mapping[str, Meaning],
) -> bool:
    after = next((n for n in range(place + 1, len(lines)) if not lines[n].is_blank), None)
    if after is None:
        return False
    if _head_at(lines, after, chosen) is not None:
        return bool(groups) or place > 0
    return bool(groups) and sum(1 for cell in lines[after].cells if cell.strip()) > 2


def _take(
    sheet: LaidSheet,
    line: _Line,
    groups: list[tuple[int, Heads]],
    over: _Above,
) -> None:
    if is_total(line.cells):
        heads = groups[0][1]
        sheet.totals.append(LaidRow(line.at, heads, _fill_cells(line.cells, 0, len(heads))))
        sheet.passed.append(Passed(line.at, kind_of_total(line.cells)))
        return
    if is_count(line.cells):
        sheet.passed.append(Passed(line.at, "count line"))
        return
    for start, heads in groups:
        cells = _fill_cells(line.cells, start, len(heads))
        if not any(cell.strip() for cell in cells):
            continue
        at = line.at
        if len(groups) > 1:
            room = next(n for n, head in enumerate(heads) if head.meaning in PLACES)
            cell = f"{column_letters(start + room)}{line.number}"
            at = f"{line.at.rpartition('!')[0]}!{cell}" if sheet.name else at
        is_too_wide = not sheet.name and len(line.cells) > len(heads) and len(groups) == 1
        cells = tuple(
            cell if head.meaning in _WHOLE_CELLS else cell[:_LONGEST_CELL]
            for head, cell in zip(heads, cells, strict=True)
        )
        cells, repeated = _repeat(heads, cells, over.cells.get(start, ()))
        row = LaidRow(
            at, heads, cells, over.heading, is_too_wide, line.is_hidden, over.section, repeated
        )
        if _is_words(row):
            sheet.words.append(line.cells)
            sheet.passed.append(Passed(at, "footer"))
        else:
            over.cells[start] = cells
            if not _adds_item(sheet, row):
                sheet.rows.append(_with_item(row))


_AMOUNTS: Final = (Meaning.RENT, Meaning.MONTHLY, Meaning.BILLED)


def _adds_item(sheet: LaidSheet, row: LaidRow) -> bool:
    """Add a row with a single fee to the room above it; return whether it was such a row."""
    if row.cell(Meaning.ROOM).strip() or not row.cell(Meaning.ITEM).strip() or not sheet.rows:
        return False
    if row.cell(Meaning.NAME).strip():
        return False
    known, own = sheet.rows[-1], _with_item(row)
    more = own.heads[len(row.heads) :], own.cells[len(row.cells) :]
    sheet.rows[-1] = replace(known, heads=known.heads + more[0], cells=known.cells + more[1])
    sheet.passed.append(Passed(row.at, f"item of {known.at}"))
    return True


def _with_item(row: LaidRow) -> LaidRow:
    """Return the row with its amount moved under a head named like its item."""
    item = row.cell(Meaning.ITEM).strip()
    if not item:
        return row
    found = next((one for one in _AMOUNTS if row.cell(one).strip()), _AMOUNTS[0])
    own = head_of(item)
    own = own._replace(factor=max(own.factor, row.head(found).factor))
    heads = tuple(
        head._replace(meaning=Meaning.PASSED_OVER) if head.meaning in _AMOUNTS else head
        for head in row.heads
    )
    return replace(row, heads=(*heads, own), cells=(*row.cells, row.cell(found)))


def _repeat(
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


def _fill_cells(cells: Sequence[str], start: int, width: int) -> tuple[str, ...]:
    part = list(cells[start : start + width])
    return tuple(part + [""] * (width - len(part)))


def _is_words(row: LaidRow) -> bool:
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
    if room := row.cell(Meaning.ROOM).strip():
        is_alone = sum(1 for cell in row.cells if cell.strip()) == 1
        return is_alone and (len(room) > _LONGEST_LONE_ROOM or not _LONE_ROOM.search(room))
    return not any(row.cell(meaning) for meaning in meanings) or (
        sum(1 for cell in row.cells if cell.strip()) == 1 and not row.cell(Meaning.NAME)
    )


def _on_its_side(table: Table, lines: list[_Line], before: str) -> list[_Line] | None:
    """Return the sheet transposed, where the heads are below each other."""
    width = max((len(line.cells) for line in lines), default=0)
    if not 2 <= width <= MOST_COLUMNS or len(lines) > MOST_COLUMNS:
        return None
    columns = [
        tuple(line.cells[place] if place < len(line.cells) else "" for line in lines)
        for place in range(width)
    ]
    at = next((n for n, column in enumerate(columns[:3]) if heads_of(column) is not None), None)
    if at is None:
        return None
    heads = heads_of(columns[at]) or ()
    room = next(n for n, head in enumerate(heads) if head.meaning in PLACES)
    row = lines[room].number
    turned = [
        _Line(
            f"{before}{table.name}!{column_letters(place)}{row}"
            if table.name
            else f"{before}line {row}",
            column,
            place + 1,
        )
        for place, column in enumerate(columns)
        if place >= at
    ]
    titles = [
        _Line(line.at, line.cells, line.number)
        for line in lines[:room]
        if line.cells and sum(1 for cell in line.cells if cell.strip()) == 1
    ]
    return [*titles, *turned]


def column_letters(place: int) -> str:
    """Return a column's letters, from 0: A, B, ... Z, AA."""
    letters = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
