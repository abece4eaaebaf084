"""Finds the tables of a rent roll: their heads, their rows, and the words above and below them.

A table may have a head of two lines, be transposed, be next to another table, or start again under
each building. Every row has the place where a person sees it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pms.arrivals.takeover.laid_rows import (
    Heads,
    LaidRow,
    LaidSheet,
    Passed,
    add_item,
    cut_cells,
    fill_cells,
    is_words,
    repeat_dittos,
    with_item,
    without_sums_in_notes,
)
from pms.rules.roll_heads import NOTHING_CHOSEN, PLACES, Meaning, heads_of, is_lower_line
from pms.rules.roll_line_kinds import is_count, is_floor, is_total, kind_of_total
from pms.rules.roll_lines import Section, heading_of, section_of
from pms.sheets.tables import XLSX, Table

MOST_COLUMNS: Final = 200
_HEADS_SEARCHED: Final = 400


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
    before = f"{file} / " if file else ""
    lines = _lines_of(table, before)
    sheet = LaidSheet(table.name, file=file)
    sheet.is_empty = all(line.is_blank for line in lines)
    if not _Layout(sheet, lines, table.hidden, chosen).read():
        turned = _on_its_side(table, lines, before)
        if turned is not None:
            again = LaidSheet(table.name, is_empty=False, file=file)
            if _Layout(again, turned).read():
                return again
    return sheet


def _lines_of(table: Table, before: str) -> list[_Line]:
    """Return the lines of a table with their places as a person sees them."""
    records = list(table.records())
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
    return lines


class _Layout:
    """Lays out the lines of a sheet in order, each under the last head found."""

    def __init__(
        self,
        sheet: LaidSheet,
        lines: list[_Line],
        hidden: frozenset[int] = frozenset(),
        chosen: Mapping[str, Meaning] = NOTHING_CHOSEN,
    ) -> None:
        self._sheet, self._lines = sheet, lines
        self._hidden, self._chosen = hidden, chosen
        self._groups: list[tuple[int, Heads]] = []
        self._heading: str | None = None
        self._section: Section | None = None
        # The cells of the row before, by the first column of its table.
        self._above: dict[int, tuple[str, ...]] = {}

    def read(self) -> bool:
        """Read all lines; return whether there was a row under a head."""
        place = 0
        while place < len(self._lines):
            place += self._read_line(place)
        sheet = self._sheet
        if sum(row.is_too_wide for row in sheet.rows) * 4 > len(sheet.rows):
            # Every line ends with a comma, so no cell was shifted.
            sheet.rows = [replace(row, is_too_wide=False) for row in sheet.rows]
        sheet.rows = without_sums_in_notes(sheet.rows, self._chosen)
        return bool(sheet.rows)

    def _read_line(self, place: int) -> int:
        """Read a line; return 2 if it is a head together with the line below it, otherwise 1."""
        line = self._lines[place]
        if line.is_blank:
            if not self._sheet.name:
                self._pass_over(line.at, "blank")
            return 1
        is_searched = place < _HEADS_SEARCHED or not self._groups
        found = _head_at(self._lines, place, self._chosen) if is_searched else None
        if found is not None:
            heads, has_two = found
            self._begin_tables(heads, self._lines[place : place + 2 if has_two else place + 1])
            return 2 if has_two else 1
        if self._take_heading(place):
            return 1
        if self._groups:
            self._take_row(line)
        else:
            self._sheet.words.append(line.cells)
            self._pass_over(line.at, "title")
        return 1

    def _pass_over(self, at: str, why: str) -> None:
        self._sheet.passed.append(Passed(at, why))

    def _begin_tables(self, heads: Heads, lines: Sequence[_Line]) -> None:
        """Begin the tables under a head of one or two lines."""
        sheet = self._sheet
        sheet.header_rows += range(lines[0].number, lines[0].number + len(lines))
        titles = (heads[place].title for place in sorted(self._hidden) if place < len(heads))
        sheet.hidden_titles += [title for title in titles if title not in sheet.hidden_titles]
        self._above = {}
        self._groups = _side_by_side(_without_hidden(heads, self._hidden))
        words = ["header"] if len(lines) == 1 else ["header, upper line", "header, lower line"]
        for line, why in zip(lines, words, strict=True):
            self._pass_over(line.at, why)

    def _take_heading(self, place: int) -> bool:
        """Note a floor, a kind of rows or a building above rooms; return whether it was one."""
        line = self._lines[place]
        is_floors = bool(self._groups) and is_floor(line.cells)
        section, building = section_of(line.cells), heading_of(line.cells)
        if not is_floors and section is None and building is None:
            return False
        if not _leads_to_rooms(self._lines, place, self._groups, self._chosen):
            return False
        if is_floors:
            self._pass_over(line.at, "floor")
        elif section is not None:
            self._section = section
            self._pass_over(line.at, f"heading: {section}")
        else:
            self._heading, self._section = building, None
            self._sheet.words += [line.cells] if not self._groups else []
            self._pass_over(line.at, "house")
        return True

    def _take_row(self, line: _Line) -> None:
        """Take a line below a head: a total, a count, or a row of each table beside the others."""
        sheet = self._sheet
        if is_total(line.cells):
            heads = self._groups[0][1]
            sheet.totals.append(LaidRow(line.at, heads, fill_cells(line.cells, 0, len(heads))))
            self._pass_over(line.at, kind_of_total(line.cells))
        elif is_count(line.cells):
            self._pass_over(line.at, "count line")
        else:
            for start, heads in self._groups:
                row = self._row(line, start, heads)
                if row is not None:
                    self._keep_row(line, start, row)

    def _row(self, line: _Line, start: int, heads: Heads) -> LaidRow | None:
        """Return the row of the table that begins at a column, or None if it has no cells here."""
        cells = fill_cells(line.cells, start, len(heads))
        if not any(cell.strip() for cell in cells):
            return None
        above = self._above.get(start, ())
        cells, repeated = repeat_dittos(heads, cut_cells(heads, cells), above)
        is_alone = len(self._groups) == 1
        return LaidRow(
            line.at if is_alone else self._place(line, start, heads),
            heads,
            cells,
            self._heading,
            is_alone and not self._sheet.name and len(line.cells) > len(heads),
            line.is_hidden,
            self._section,
            repeated,
        )

    def _place(self, line: _Line, start: int, heads: Heads) -> str:
        """Return the cell of the room: the line is shared with the tables beside this one."""
        if not self._sheet.name:
            return line.at
        room = next(n for n, head in enumerate(heads) if head.meaning in PLACES)
        return f"{line.at.rpartition('!')[0]}!{column_letters(start + room)}{line.number}"

    def _keep_row(self, line: _Line, start: int, row: LaidRow) -> None:
        if is_words(row):
            self._sheet.words.append(line.cells)
            self._pass_over(row.at, "footer")
            return
        self._above[start] = row.cells
        if not add_item(self._sheet, row):
            self._sheet.rows.append(with_item(row))


def _head_at(
    lines: list[_Line], place: int, chosen: Mapping[str, Meaning]
) -> tuple[Heads, bool] | None:
    line = lines[place]
    below = next(
        (following for following in lines[place + 1 : place + 2] if not following.is_blank), None
    )
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
    return groups if all(meanings == titles[0] for meanings in titles) else [(0, heads)]


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
