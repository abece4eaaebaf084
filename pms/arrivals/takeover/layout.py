"""Finds the tables of a rent roll: their heads, their rows, and the words above and below them.

A table may have a head of two lines, records of several lines, run across, be next to another
table, or start again under each building. Every row has the place where a person sees it, and
every cell is in a row, passed over with a reason, or left for a question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from pms.arrivals.takeover.instructions import (
    CellRange,
    ColumnReading,
    Direction,
    SheetReading,
)
from pms.arrivals.takeover.laid_rows import (
    Heads,
    LaidRow,
    LaidSheet,
    Place,
    add_item,
    cut_cells,
    is_words,
    repeat_dittos,
    states_money,
    with_codes_beside,
    with_item,
    without_sums_in_notes,
)
from pms.rules.roll_heads import (
    MONEY,
    NOTHING_CHOSEN,
    PLACES,
    Meaning,
    SheetHead,
    fold_title,
    head_of,
    heads_of,
    is_lower_line,
    is_record_line,
    join_heads,
    settle_heads,
)
from pms.rules.roll_line_kinds import is_count, is_floor, is_total, kind_of_total
from pms.rules.roll_lines import RollSection, heading_of, section_of, unit_of
from pms.sheets.grid import (
    Grid,
    GridRow,
    RowFault,
    column_letters,
    is_repeated,
    is_split_amount,
    row_fault,
    usual_width,
)
from pms.sheets.text_records import CellFault

MOST_COLUMNS: Final = 200
_HEADS_SEARCHED: Final = 400
_FIRST_HEAD_SEARCHED: Final = 1_000
"""In how many lines a first head is searched; one below them can be chosen by a person."""
_MOST_LINES_OF_A_RECORD: Final = 3
_BROKEN: Final = frozenset({CellFault.ERROR, CellFault.FORMULA})


@dataclass(frozen=True)
class _Line:
    """A row of a table, or a column of one that runs across."""

    at: str
    cells: tuple[str, ...]
    number: int
    """The number of the row; of a column, A is 1."""
    first: int = 0
    """The column of the first cell, from 0; of a column, its first row less 1."""
    is_across: bool = False
    source: GridRow | None = None
    """The row of the sheet that the line is."""

    @property
    def is_blank(self) -> bool:
        return not self.filled

    @cached_property
    def filled(self) -> list[int]:
        return [place for place, cell in enumerate(self.cells) if cell and not cell.isspace()]

    def part_of_row(self, source: GridRow) -> GridRow:
        """Return the row of the sheet with the cells of the line alone."""
        return source if self.cells == source.cells else replace(source, cells=self.cells)

    def place_of(self, place: int) -> Place:
        """Return the row, from 1, and the column, from 0, of a cell in the sheet."""
        if self.is_across:
            return self.first + place + 1, self.number - 1
        return self.number, self.first + place


def lay_sheet(
    grid: Grid,
    reading: SheetReading,
    learnt: Mapping[str, ColumnReading],
    file_name: str,
    *,
    is_alone: bool,
) -> LaidSheet:
    """Return a sheet laid out, as a person said or else as its heads say.

    The file's name comes before the places unless it is alone.
    """
    file = "" if is_alone else file_name
    sheet = LaidSheet(grid, file, file_name, reading)
    sheet.is_empty = all(row.is_blank for row in grid.rows)
    if reading.is_read is False or (grid.is_hidden and not reading.is_read):
        sheet.left_out = "hidden sheet" if reading.is_read is None else "sheet that was not chosen"
        return sheet
    if reading.blocks:
        for number, block in enumerate(reading.blocks):
            _lay_block(sheet, CellRange.read(block), learnt, is_first=number == 0)
    elif reading.direction is Direction.ACROSS:
        _lay_across(sheet, _lines_of(grid, file), learnt, reading.header_row)
    elif not _Layout(sheet, _lines_of(grid, file), learnt, reading.header_row).read():
        turned = LaidSheet(grid, file, file_name, reading, is_empty=sheet.is_empty)
        if reading.header_row is None and _lay_across(turned, _lines_of(grid, file), learnt, None):
            return turned
    return sheet


def _lines_of(grid: Grid, file: str) -> list[_Line]:
    before = f"{file} / " if file else ""
    return [
        _Line(f"{before}{row.at}", row.cells[:MOST_COLUMNS], row.number, source=row)
        for row in grid.rows
    ]


def _lay_block(
    sheet: LaidSheet, block: CellRange, learnt: Mapping[str, ColumnReading], *, is_first: bool
) -> None:
    """Lay out one range of a sheet, as if it were a sheet of its own."""
    before = f"{sheet.file} / " if sheet.file else ""
    within = slice(block.first_column, block.last_column + 1)
    lines = [
        _Line(f"{before}{row.at}", row.cells[within], row.number, block.first_column, source=row)
        for row in sheet.grid.rows
        if block.first_row <= row.number <= block.last_row
    ]
    if is_first:
        for row in sheet.grid.rows[: block.first_row - 1]:
            sheet.keep_words(row.cells)
    header = sheet.reading.header_row
    if sheet.reading.direction is Direction.ACROSS:
        if header is not None and not block.first_column < header <= block.last_column + 1:
            header = None
        _lay_across(sheet, lines, learnt, header or block.first_column + 1)
        return
    if header is not None and not block.first_row <= header <= block.last_row:
        header = None
    _Layout(sheet, lines, learnt, header).read()


def _lay_across(
    sheet: LaidSheet,
    lines: Sequence[_Line],
    learnt: Mapping[str, ColumnReading],
    head_column: int | None,
) -> bool:
    """Lay out records that are columns, block below block; return whether there was one.

    `head_column` is the column of the heads, A being 1; None searches the first three.
    """
    width = max((len(line.cells) for line in lines), default=0)
    if not 2 <= width <= MOST_COLUMNS or (head_column is None and len(lines) > MOST_COLUMNS):
        return False
    first = lines[0].first if lines else 0
    found = _head_column(lines, width, learnt) if head_column is None else head_column - 1 - first
    if found is None or not 0 <= found < width:
        return False
    readings = sheet.reading.columns
    rooms = [
        number
        for number, line in enumerate(lines)
        if _is_room_head(line, found, readings.get(line.number - 1))
    ]
    for block in _blocks_from(lines, rooms):
        widest = max(len(line.cells) for line in block)
        columns: list[_Line] = []
        for place in range(found, widest):
            # A column of a block as a line; its place is the cell of its room.
            cells = tuple(line.cells[place] if place < len(line.cells) else "" for line in block)
            before = f"{sheet.file} / " if sheet.file else ""
            row, column = block[0].number, block[0].first + place
            at = f"{sheet.name}!{column_letters(column)}{row}" if sheet.name else f"line {row}"
            columns.append(_Line(f"{before}{at}", cells, column + 1, row - 1, is_across=True))
        if columns:
            header = None if head_column is None else columns[0].number
            _Layout(sheet, columns, learnt, header).read()
    top = rooms[0] if rooms else len(lines)
    for line in lines[:top]:
        sheet.keep_words(line.cells)
        sheet.pass_over(line.at, "title", map(line.place_of, line.filled))
    return bool(sheet.rows)


def _head_column(
    lines: Sequence[_Line], width: int, learnt: Mapping[str, ColumnReading]
) -> int | None:
    for place in range(min(width, 3)):
        rooms = [number for number, line in enumerate(lines) if _is_room_head(line, place)]
        blocks = _blocks_from(lines, rooms)
        cells = [line.cells[place] if place < len(line.cells) else "" for line in blocks[0]]
        if heads_of(cells, chosen=_meanings_by_title(learnt)) is not None:
            return place
    return None


def _is_room_head(line: _Line, place: int, column_reading: ColumnReading | None = None) -> bool:
    if column_reading is not None and column_reading.meaning is not None:
        return column_reading.meaning in PLACES
    return place < len(line.cells) and head_of(line.cells[place]).meaning in PLACES


def _blocks_from(lines: Sequence[_Line], starts: Sequence[int]) -> list[Sequence[_Line]]:
    """Return the lines of each block of records across, which begin with their rooms."""
    if not starts:
        return [lines]
    ends = [*starts[1:], len(lines)]
    return [lines[start:end] for start, end in zip(starts, ends, strict=True)]


class _Layout:
    """Lays out the lines of a table in order, each under the last head found.

    `header` is the number of the line that a person chose as the head; no other is searched then.
    """

    def __init__(
        self,
        sheet: LaidSheet,
        lines: Sequence[_Line],
        learnt: Mapping[str, ColumnReading],
        header: int | None = None,
    ) -> None:
        self._sheet, self._lines, self._learnt, self._header = sheet, lines, learnt, header
        self._chosen = _meanings_by_title(learnt)
        self._hidden = frozenset() if lines and lines[0].is_across else sheet.grid.hidden_columns
        self._groups: list[tuple[int, Heads]] = []
        self._lines_of_a_record = 1
        self._head: _Line | None = None
        self._usual = 0
        self._heading: str | None = sheet.reading.building or None
        self._group_headings: dict[int, str] = {}
        self._section: RollSection | None = None
        # The cells of the row before, by the first column of its table.
        self._above: dict[int, tuple[str, ...]] = {}
        self._known_rows = len(sheet.rows)
        # Most rows have texts in the same columns: kept once.
        self._texts: dict[frozenset[int], frozenset[int]] = {}
        self._searched: dict[int, tuple[tuple[SheetHead, ...], int, bool] | None] = {}

    def read(self) -> bool:
        """Read all lines; return whether there was a row under a head."""
        place = 0
        while place < len(self._lines):
            place += self._read_line(place)
        sheet = self._sheet
        heads = (head for group in sheet.heads for head in group)
        chosen = {*self._chosen, *(fold_title(head.title) for head in heads if head.is_chosen)}
        factor = unit_of(cell for words in sheet.words for cell in words)
        sheet.rows = without_sums_in_notes(sheet.rows, chosen, factor)
        sheet.rows = with_codes_beside(sheet)
        return len(sheet.rows) > self._known_rows

    def _read_line(self, place: int) -> int:
        """Read a line; return how many lines it is together with those below it."""
        line = self._lines[place]
        if line.is_blank:
            if not self._sheet.name and not line.is_across:
                self._sheet.pass_over(line.at, "blank", ())
            return 1
        found = self._head_at(place)
        if found is not None:
            return found
        if self._take_heading(place) or self._take_group_headings(place):
            return 1
        if self._groups:
            return self._take_row(place)
        self._sheet.keep_words(line.cells)
        self._pass_over(line, "title")
        return 1

    def _pass_over(self, line: _Line, why: str, at: str | None = None) -> None:
        self._sheet.pass_over(at or line.at, why, map(line.place_of, line.filled))

    def _head_at(self, place: int) -> int | None:
        """Begin the tables of a head in a line; return how many lines it has, None if it is none."""
        line = self._lines[place]
        if self._header is not None:
            if line.number == self._header:
                return self._begin_chosen(place)
            if self._head is not None and is_repeated(line.cells, self._head.cells):
                self._pass_over(line, "header, repeated")
                return 1
            return None
        found = self._search_head(place)
        if found is None:
            return None
        heads, count, is_record = found
        lines = self._lines[place : place + count]
        self._begin_tables(heads, lines, lines_of_a_record=count if is_record else 1)
        return count

    def _search_head(self, place: int) -> tuple[tuple[SheetHead, ...], int, bool] | None:
        """Return the head that begins in a line; further down than heads are none is searched."""
        if place >= (_HEADS_SEARCHED if self._groups else _FIRST_HEAD_SEARCHED):
            return None
        if place not in self._searched:
            self._searched[place] = _find_head(self._lines, place, self._chosen)
        return self._searched[place]

    def _begin_chosen(self, place: int) -> int:
        """Begin the tables under the line that a person chose, however little it says.

        The line above or below belongs to the head where both together say more.
        """
        line, width = self._lines[place], max(len(other.cells) for other in self._lines)
        titles = [*line.cells, *[""] * (width - len(line.cells))]
        options = [([line], tuple(head_of(title) for title in titles))]
        if place and len(self._lines[place - 1].filled) > 1:
            above = self._lines[place - 1]
            options.append(([above, line], join_heads([*above.cells], titles)))
        below = next(iter(self._lines[place + 1 : place + 2]), None)
        if below is not None and is_lower_line(below.cells):
            options.append(([line, below], join_heads(titles, [*below.cells])))
        lines, heads = max(options, key=lambda option: _count_known(option[1]))
        if lines[0] is not line:
            self._sheet.take_back(lines[0].at, lines[0].cells)
        self._begin_tables(settle_heads(heads, self._chosen), lines)
        return 2 if lines[-1] is not line else 1

    def _begin_tables(
        self, found: Sequence[SheetHead], lines: Sequence[_Line], lines_of_a_record: int = 1
    ) -> None:
        """Begin the tables under a head of one or more lines."""
        sheet, line = self._sheet, lines[-1]
        width = len(found) // lines_of_a_record
        heads = Heads(
            self._with_reading(head._replace(place=line.first + number % width))
            for number, head in enumerate(found)
        )
        if line.is_across:
            sheet.is_across = True
            sheet.header_columns.append(line.number)
        else:
            sheet.header_rows += [part_line.number for part_line in lines]
        titles = (heads[place].title for place in sorted(self._hidden) if place < len(heads))
        sheet.hidden_titles += [title for title in titles if title not in sheet.hidden_titles]
        self._above = {}
        self._lines_of_a_record = lines_of_a_record
        shown = _without_hidden(heads, self._hidden)
        self._groups = [(0, shown)] if lines_of_a_record > 1 else _side_by_side(shown)
        sheet.heads.append(shown)
        self._head = line
        after = self._lines[self._lines.index(line) + 1 :]
        self._usual = usual_width(
            part_line.source for part_line in (line, *after) if part_line.source is not None
        )
        words = ("header",) if len(lines) == 1 else ("header, upper line", "header, lower line")
        for number, part_line in enumerate(lines):
            why = words[min(number, len(words) - 1)]
            if line.is_across:
                sheet.cover(map(part_line.place_of, part_line.filled))
            else:
                self._pass_over(part_line, why)

    def _with_reading(self, head: SheetHead) -> SheetHead:
        """Return a head with what a person said about its column, or about an earlier one."""
        own = self._sheet.reading.columns.get(head.place)
        chosen_reading = own or (self._learnt.get(fold_title(head.title)) if head.title else None)
        if chosen_reading is None:
            return head
        found = head
        if chosen_reading.meaning is not None:
            found = found._replace(
                meaning=chosen_reading.meaning,
                month=head.month if chosen_reading.meaning is Meaning.MONTH else None,
                is_chosen=own is not None,
            )
        if chosen_reading.unit is not None:
            found = found._replace(factor=chosen_reading.unit, has_unit=True)
        if chosen_reading.sign is not None:
            found = found._replace(sign=chosen_reading.sign)
        return found if chosen_reading.days is None else found._replace(days=chosen_reading.days)

    def _take_heading(self, place: int) -> bool:
        """Note a floor, a kind of rows or a building above rooms; return whether it was one."""
        line = self._lines[place]
        if len(line.filled) != 1:
            return False
        is_floors = bool(self._groups) and is_floor(line.cells)
        section, building = section_of(line.cells), heading_of(line.cells)
        if not is_floors and section is None and building is None:
            return False
        lines = self._lines
        after = next((n for n in range(place + 1, len(lines)) if not lines[n].is_blank), None)
        if after is None:
            leads_to_rooms = False
        elif self._header is None and self._search_head(after) is not None:
            leads_to_rooms = bool(self._groups) or place > 0
        else:
            leads_to_rooms = bool(self._groups) and len(lines[after].filled) > 2
        if not leads_to_rooms:
            return False
        if is_floors:
            self._pass_over(line, "floor")
        elif section is not None:
            self._section = section
            self._pass_over(line, f"heading: {section}")
        else:
            self._heading, self._section = building, None
            self._group_headings = {}
            if not self._groups:
                self._sheet.keep_words(line.cells)
            self._pass_over(line, "house")
        return True

    def _take_group_headings(self, place: int) -> bool:
        """Note the buildings above tables that are next to each other; return whether it was so."""
        line = self._lines[place]
        if self._header is not None or len(line.filled) < 2:
            return False
        after = next(
            (n for n in range(place + 1, len(self._lines)) if not self._lines[n].is_blank), None
        )
        found = None if after is None else self._search_head(after)
        groups = [] if found is None or found[2] else _side_by_side(Heads(found[0]))
        if len(groups) < 2:
            return False
        names: dict[int, str] = {}
        for column in line.filled:
            group = next(
                (start for start, heads in groups if start <= column < start + len(heads)), None
            )
            name = heading_of([line.cells[column]])
            if group is None or group in names or name is None:
                return False
            names[group] = name
        self._group_headings = names
        self._pass_over(line, "house")
        return True

    def _take_row(self, place: int) -> int:
        """Take a line below a head, and the lines below it that are of the same record."""
        line, sheet = self._lines[place], self._sheet
        first = self._make_row(line, *self._groups[0], line.at)
        named = (first.cell(Meaning.ROOM), first.cell(Meaning.NAME), first.cell(Meaning.BUILDING))
        if not is_total(line.cells) and not any(cell and is_total([cell]) for cell in named):
            is_line_of_totals = False
        else:
            is_line_of_totals = not any(
                first.cell(meaning).strip() for meaning in (Meaning.START, Meaning.TERM)
            )
        if is_line_of_totals:
            sheet.totals.append(first)
            self._pass_over(line, kind_of_total(line.cells))
            return 1
        if is_count(line.cells) and not _has_name(first):
            self._pass_over(line, "count line")
            return 1
        if self._lines_of_a_record > 1:
            return self._take_record(place)
        if len(self._groups) == 1:
            if any(place < len(first.heads) for place in line.filled):
                self._keep_row(line, 0, first)
        else:
            for start, heads in self._groups:
                if any(start <= place < start + len(heads) for place in line.filled):
                    at = self._locate_room(line, start, heads)
                    self._keep_row(line, start, self._make_row(line, start, heads, at))
        covered = {start + place for start, heads in self._groups for place in range(len(heads))}
        self._sheet.beside += [line.place_of(n) for n in line.filled if n not in covered]
        return 1

    def _take_record(self, place: int) -> int:
        """Take a record of several lines: the lines below that have no room of their own."""
        line, heads = self._lines[place], self._groups[0][1]
        width = len(heads) // self._lines_of_a_record
        room = next((n for n, head in enumerate(heads) if head.meaning in PLACES), 0)
        own = [line]
        for below in self._lines[place + 1 : place + self._lines_of_a_record]:
            has_room = room < width and room < len(below.cells) and below.cells[room].strip()
            if below.is_blank or has_room or is_total(below.cells):
                break
            own.append(below)
        cells: list[str] = []
        places: list[Place] = []
        for number in range(self._lines_of_a_record):
            part_line = own[number] if number < len(own) else None
            part = list(part_line.cells[:width]) if part_line is not None else []
            cells += part + [""] * (width - len(part))
            places += [
                line.place_of(n) if part_line is None else part_line.place_of(n)
                for n in range(width)
            ]
        row = LaidRow(
            line.at,
            heads,
            cut_cells(heads, tuple(cells)),
            self._heading,
            is_hidden=line.source is not None and line.source.is_hidden,
            section=self._section,
            places=tuple(places),
        )
        self._keep_row(line, 0, row)
        return len(own)

    def _make_row(self, line: _Line, start: int, heads: Heads, at: str) -> LaidRow:
        part = list(line.cells[start : start + len(heads)])
        written = tuple(part + [""] * (len(heads) - len(part)))
        above = self._above.get(start, ())
        cells, repeated = repeat_dittos(heads, cut_cells(heads, written), above)
        fault, source, is_text = None, line.source, self._sheet.grid.is_text
        if source is not None and self._head is not None and self._head.source is not None:
            fault = row_fault(
                line.part_of_row(source),
                self._head.part_of_row(self._head.source),
                self._usual,
                is_text=is_text and line.first == 0,
            )
        if fault is None and is_text:
            pairs = zip(heads, pairwise(cells), strict=False)
            if any(head.meaning in MONEY and is_split_amount(*pair) for head, pair in pairs):
                fault = RowFault.SPLIT_AMOUNT
        faults = {} if source is None else source.faults
        first = line.first + start
        own_faults = [
            (place, faults[first + place]) for place in range(len(heads)) if first + place in faults
        ]
        texts = frozenset(
            range(len(heads))
            if is_text
            else (place for place, kind in own_faults if kind is CellFault.DIGITS)
        )
        return LaidRow(
            at,
            heads,
            cells,
            self._group_headings.get(start, self._heading),
            fault,
            source is not None and source.is_hidden,
            self._section,
            repeated,
            tuple(line.place_of(start + place) for place in range(len(heads))),
            frozenset(place for place, kind in own_faults if kind in _BROKEN),
            self._texts.setdefault(texts, texts),
        )

    def _locate_room(self, line: _Line, start: int, heads: Heads) -> str:
        """Return the cell of the room: the line is shared with the tables beside this one."""
        if not self._sheet.name:
            return line.at if start == 0 else f"{line.at}, {column_letters(start)}"
        room = next(n for n, head in enumerate(heads) if head.meaning in PLACES)
        return (
            f"{line.at.rpartition('!')[0]}!{column_letters(line.first + start + room)}{line.number}"
        )

    def _keep_row(self, line: _Line, start: int, row: LaidRow) -> None:
        sheet = self._sheet
        if is_words(row):
            sheet.keep_words(line.cells)
            sheet.pass_over(row.at, "footer", row.filled_places)
            return
        if not row.cell(Meaning.ROOM).strip() and not states_money(row):
            sheet.keep_words(line.cells)
        self._above[start] = row.cells
        if not add_item(sheet, row):
            sheet.rows.append(with_item(row))


def _has_name(row: LaidRow) -> bool:
    name = (row.cell(Meaning.NAME) or row.cell(Meaning.FAMILY)).strip()
    return bool(name) and not is_count([name])


def _meanings_by_title(learnt: Mapping[str, ColumnReading]) -> Mapping[str, Meaning]:
    found = {
        title: chosen_reading.meaning
        for title, chosen_reading in learnt.items()
        if chosen_reading.meaning is not None
    }
    return found or NOTHING_CHOSEN


def _find_head(
    lines: Sequence[_Line], place: int, chosen: Mapping[str, Meaning]
) -> tuple[tuple[SheetHead, ...], int, bool] | None:
    """Return the heads that begin in a line, how many lines they have, and if each is of a record."""
    line = lines[place]
    below = [other for other in lines[place + 1 : place + _MOST_LINES_OF_A_RECORD] if other.filled]
    if below and (count := _lines_of_record(line, below)) > 1:
        titles = [line.cells, *(other.cells for other in below[: count - 1])]
        width = max(map(len, titles))
        joined = [cell for cells in titles for cell in (*cells, *[""] * (width - len(cells)))]
        heads = heads_of(joined, chosen=chosen)
        if heads is not None:
            return heads, count, True
    if len(line.filled) > 1 and below and is_lower_line(below[0].cells):
        both = heads_of(line.cells, below[0].cells, chosen)
        alone = heads_of(below[0].cells, chosen=chosen)
        if both is not None and (alone is None or _count_known(both) > _count_known(alone)):
            return both, 2, False
    heads = heads_of(line.cells, chosen=chosen)
    return None if heads is None else (heads, 1, False)


def _lines_of_record(line: _Line, below: Sequence[_Line]) -> int:
    """Return of how many lines a record is, by heads that are below each other without joining."""
    count, above = 1, line.cells
    for other in below:
        if not is_record_line(above, other.cells):
            break
        count, above = count + 1, other.cells
    return count


def _count_known(heads: Sequence[SheetHead]) -> int:
    return len({head.meaning for head in heads if head.meaning is not None})


def _without_hidden(heads: Heads, hidden: frozenset[int]) -> Heads:
    """Ignore a hidden column that repeats a shown one: it is old, such as last year's rent."""
    shown = {head.meaning for head in heads if head.place not in hidden}
    return Heads(
        head._replace(
            meaning=Meaning.OLD_RENT if head.meaning is Meaning.RENT else Meaning.PASSED_OVER
        )
        if head.place in hidden and head.meaning in shown and not head.is_chosen
        else head
        for head in heads
    )


def _side_by_side(heads: Heads) -> list[tuple[int, Heads]]:
    """Return the tables next to each other under one line of heads, each with its first column.

    Each begins with its room, or with what comes before the first room, and is a table of its own.
    """
    rooms = [place for place, head in enumerate(heads) if head.meaning in PLACES]
    if len(rooms) < 2:
        return [(0, heads)]
    # Where each table begins: as far before its room as the first one does.
    before = [head.meaning for head in heads[: rooms[0]]]
    starts = [0]
    for room in rooms[1:]:
        start = room - rooms[0]
        own = [head.meaning for head in heads[start:room]]
        starts.append(start if own == before and start > starts[-1] else room)
    ends = [*starts[1:], len(heads)]
    groups = [(start, Heads(heads[start:end])) for start, end in zip(starts, ends, strict=True)]
    return groups if all(_is_table(group) for _, group in groups) else [(0, heads)]


def _is_table(heads: Heads) -> bool:
    """Whether heads are those of rooms or spaces with something to pay."""
    known = {head.meaning for head in heads} - {None, Meaning.PASSED_OVER}
    return len(known) > 2 and bool(known & PLACES) and bool(known & MONEY)
