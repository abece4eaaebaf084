"""Shows every sheet of a take-over with its columns, and counts what became of its cells."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from pms.arrivals.takeover.instructions import Direction
from pms.arrivals.takeover.laid_rows import LaidSheet, Place
from pms.arrivals.takeover.previews import CellUse, PreviewColumn, SheetPreview
from pms.arrivals.takeover.taken import Question, TakeOver
from pms.arrivals.takeover.whole_file import legends_of
from pms.rules.roll_heads import MONEY, WITH_SIGN, Meaning, SheetHead
from pms.sheets.grid import column_letters

_ROWS_SHOWN: Final = 12
_COLUMNS_SHOWN: Final = 40
_EXAMPLES: Final = 3
_LONGEST_EXAMPLE: Final = 80
_DAYS: Final = frozenset(
    {Meaning.START, Meaning.END, Meaning.TERM, Meaning.MOVE_OUT, Meaning.RENEWAL}
    | {Meaning.BILLED_THROUGH, Meaning.PAID_UNTIL, Meaning.NEXT_BILLED}
)


def preview_of(sheet: LaidSheet, taken: TakeOver, building: str | None, role: str) -> SheetPreview:
    """Return a sheet as it is read now, with all its columns."""
    is_read = role in ("roll", "beside the roll", "earlier month")
    uses, lost = _uses_of_cells(sheet, taken, is_read=is_read)
    if lost:
        places = ", ".join(_name_of(sheet, place) for place in lost[:_COLUMNS_SHOWN])
        facts = {"places": places, "count": len(lost)}
        taken.about_the_file.append(
            Question("cells_beside", value=places, facts=facts, sheet=sheet.key)
        )
    header = tuple(sheet.header_columns if sheet.is_across else sheet.header_rows)
    if is_read:
        reason_not_read = ""
    elif sheet.is_empty:
        reason_not_read = "empty"
    elif sheet.left_out:
        reason_not_read = "hidden" if sheet.left_out == "hidden sheet" else "not_chosen"
    else:
        reason_not_read = (
            "other_sheet" if sheet.is_roll or role.startswith(("summary", "floor")) else "no_head"
        )
    return SheetPreview(
        sheet.key,
        sheet.file_name,
        sheet.name,
        role,
        is_read,
        Direction.ACROSS if sheet.is_across else Direction.DOWN,
        sheet.reading.blocks,
        building,
        len(sheet.grid.rows),
        sheet.grid.width,
        tuple(_rows_shown(sheet)),
        header,
        tuple(_columns_of(sheet, taken, is_read=is_read)),
        reason_not_read,
        uses,
    )


def _rows_shown(sheet: LaidSheet) -> Iterator[tuple[int, tuple[str, ...], bool]]:
    """Yield the rows from two above the head on; without a head from the first filled one."""
    filled = [row for row in sheet.grid.rows if not row.is_blank]
    first = filled[0].number if filled else 1
    if sheet.header_rows and not sheet.is_across:
        first = max(first, sheet.header_rows[0] - 2)
    shown = [row for row in filled if row.number >= first][:_ROWS_SHOWN]
    for row in shown:
        cells = tuple(cell[:_LONGEST_EXAMPLE] for cell in row.cells[:_COLUMNS_SHOWN])
        yield row.number, cells, row.is_hidden


def _columns_of(sheet: LaidSheet, taken: TakeOver, *, is_read: bool) -> Iterator[PreviewColumn]:
    asked = {
        question.column_place
        for question in taken.about_the_file
        if question.sheet == sheet.key and question.column_place is not None
    }
    heads = _heads_by_place(sheet)
    for place in range(len(sheet.grid.rows) if sheet.is_across else sheet.grid.width):
        cells = [cell for cell in _cells_at(sheet, place) if cell.strip()]
        head = heads.get(place) or SheetHead("", None, place=place)
        if not cells and not head.title:
            continue
        own = [cell for cell in cells if cell.strip() != head.title]
        takes_sign = head.meaning in WITH_SIGN
        sign, legend = head.sign, next(legends_of(sheet, head), None) if takes_sign else None
        yield PreviewColumn(
            place,
            str(place + 1) if sheet.is_across else column_letters(place),
            head.title,
            tuple(cell.strip()[:_LONGEST_EXAMPLE] for cell in own[:_EXAMPLES]),
            head.meaning,
            head.factor,
            sign or (legend[1] if legend is not None else None),
            head.days,
            legend[0].strip() if legend is not None else "",
            _use_of(head, is_asked=place in asked, is_read=is_read),
            head.meaning in MONEY or head.meaning is None,
            head.meaning in _DAYS or head.meaning is None,
            takes_sign,
            not sheet.is_across and place in sheet.grid.hidden_columns,
            place in asked,
            head.is_chosen,
        )


def _heads_by_place(sheet: LaidSheet) -> dict[int, SheetHead]:
    """Return the head of every column; of a record in several lines those of its first line."""
    found: dict[int, SheetHead] = {}
    for heads in sheet.heads:
        for head in heads:
            if head.place not in found or not found[head.place].title:
                found[head.place] = head
    return found


def _cells_at(sheet: LaidSheet, place: int) -> Iterator[str]:
    if sheet.is_across:
        yield from sheet.grid.rows[place].cells
        return
    last = sheet.header_rows[-1] if sheet.header_rows else 0
    for row in sheet.grid.rows:
        if row.number > last and place < len(row.cells):
            yield row.cells[place]


def _use_of(head: SheetHead, *, is_asked: bool, is_read: bool = True) -> CellUse:
    if is_asked:
        return CellUse.ASKED
    is_known = head.meaning not in (None, Meaning.PASSED_OVER)
    return CellUse.READ if is_read and is_known else CellUse.PASSED_OVER


def _uses_of_cells(
    sheet: LaidSheet, taken: TakeOver, *, is_read: bool
) -> tuple[Mapping[CellUse, int], list[Place]]:
    """Return what became of the filled cells of a sheet, and those beside all tables.

    The sum of the uses is the number of filled cells.
    """
    uses: Counter[CellUse] = Counter()
    lost: list[Place] = []
    if not is_read:
        uses[CellUse.PASSED_OVER] = sum(len(line.filled) for line in sheet.grid.rows)
        return uses, lost
    asked_rows = {question.at for question in taken.about_rows}
    asked_columns = {
        question.column_place
        for question in taken.about_the_file
        if question.sheet == sheet.key and question.column_place is not None
    }
    own: dict[int, dict[int, CellUse]] = {
        number: dict.fromkeys(columns, CellUse.PASSED_OVER)
        for number, columns in sheet.covered.items()
    }
    for number, column in sheet.items:
        own.setdefault(number, {})[column] = CellUse.READ
    asked_lines: set[int] = set()
    for row in sheet.rows:
        for head, (number, column) in zip(row.heads, row.places, strict=False):
            is_asked = head.place in asked_columns
            own.setdefault(number, {})[column] = _use_of(head, is_asked=is_asked)
        if row.fault is not None and row.at in asked_rows and not sheet.is_across:
            asked_lines.update(place[0] for place in row.places[:1])
    for line in sheet.grid.rows:
        known = own.get(line.number, {})
        for column in line.filled:
            if line.number in asked_lines:
                uses[CellUse.ASKED] += 1
            elif column in known:
                uses[known[column]] += 1
            else:
                uses[CellUse.ASKED] += 1
                lost.append((line.number, column))
    return uses, lost


def _name_of(sheet: LaidSheet, place: Place) -> str:
    cell = f"{column_letters(place[1])}{place[0]}"
    return f"{sheet.name}!{cell}" if sheet.name else cell
