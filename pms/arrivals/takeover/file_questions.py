"""Questions about whole files, sheets and columns: days, signs, sums, and what was not read."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final

from pms.arrivals.takeover.laid_rows import LaidSheet, codes_beside, is_sum
from pms.arrivals.takeover.row_money import Whole
from pms.arrivals.takeover.sheet_roles import is_of_rent_steps
from pms.arrivals.takeover.taken import Question, TakeOver
from pms.arrivals.takeover.whole_file import heads_in, legends_of
from pms.rules.days import add_months, month_first, month_last
from pms.rules.roll_heads import Meaning, SheetHead

_NAMES: Final = (
    Meaning.NAME,
    Meaning.FAMILY,
    Meaning.OCCUPANT,
    Meaning.KANA,
    Meaning.OWN_TERMS,
)
_STARTS: Final = (Meaning.START, Meaning.TERM, Meaning.OWN_TERMS)
_DEPOSITS: Final = (Meaning.DEPOSIT, Meaning.DEPOSIT_HELD, Meaning.DEPOSIT_AND_KEY_MONEY)


def ask_about_the_file(
    taken: TakeOver, fee_titles: Mapping[str, LaidSheet], rolls: Sequence[LaidSheet]
) -> None:
    """Ask for the days and names that apply to the whole file."""
    if not taken.units:
        return
    for name in taken.days:
        _ask_about_days(taken, name, [sheet for sheet in rolls if sheet.file_name == name])
    if taken.lacks_starts:
        _add_question(taken, "no_starts", None)
    if any(unit.building is None for unit in taken.units):
        _add_question(taken, "house_without_name", None)
    for title, sheet in fee_titles.items():
        _add_question(taken, "new_fee", None, sheet=sheet, column=title, title=title)
    is_asked = any(question.code == "deposit_unknown" for question in taken.about_rows)
    if taken.tenancies and all(let.deposit is None for let in taken.tenancies) and not is_asked:
        _add_question(taken, "no_deposits", None)
    for sheet in rolls:
        if not any(row.has(name) for row in sheet.rows for name in _NAMES):
            _add_question(taken, "no_names", None, sheet=sheet, blocks=True)


def _ask_about_days(taken: TakeOver, file: str, rolls: Sequence[LaidSheet]) -> None:
    """Ask for the days of a file, whose rolls are given."""
    days = taken.days[file]
    near = days.as_of or taken.read_on
    places = {row.at for sheet in rolls for row in sheet.rows}
    lacks_billed = any(let.billed_through is None for let in taken.tenancies if let.at in places)
    if days.as_of is None and days.billed_through is None and lacks_billed:
        proposal = {"asOf": taken.read_on, "billedThrough": month_last(near)}
        _add_question(taken, "as_of_and_billed", proposal, file=file, blocks=True)
    elif days.as_of is None:
        _add_question(taken, "as_of", {"asOf": taken.read_on}, file=file)
    elif days.billed_through is None and lacks_billed:
        proposal = {"billedThrough": month_last(near)}
        _add_question(taken, "billed_through", proposal, file=file, blocks=True, as_of=str(near))
    if days.as_of is not None and _is_old(days.as_of, taken.read_on):
        _add_question(taken, "sheet_is_old", None, file=file, blocks=True, as_of=str(days.as_of))


def _is_old(as_of: date, read_on: date) -> bool:
    """Whether a whole month is between the day of the file and today, so that rent was due since."""
    return add_months(month_first(as_of + timedelta(days=1)), 1) <= month_first(read_on)


def _add_question(
    taken: TakeOver,
    code: str,
    proposal: Any,
    *,
    sheet: LaidSheet | None = None,
    column: str | None = None,
    place: int | None = None,
    value: str = "",
    blocks: bool = False,
    file: str = "",
    **facts: Any,
) -> None:
    taken.about_the_file.append(
        Question(
            code,
            column=column,
            value=value,
            proposal=proposal,
            blocks=blocks,
            facts=facts,
            sheet=None if sheet is None else sheet.key,
            column_place=place,
            file=file,
            is_file_named=bool(file) and len(taken.days) > 1,
        )
    )


def ask_about_columns(taken: TakeOver, sheet: LaidSheet, whole: Whole) -> None:
    """Ask about the columns of a roll: what they mean, their signs, and sums in place of rents."""
    if any(row.has(Meaning.OWN_TERMS) for row in sheet.rows):
        return
    seen: set[str] = set()
    for head in heads_in(sheet):
        if (beside := codes_beside(sheet, head)) is not None:
            line, codes = beside
            words = ", ".join(f"{code} = {word}" for code, word in codes.items())
            _ask_about_head(taken, "codes", sheet, head, line, blocks=True, codes=words)
        is_month = head.meaning is Meaning.MONTH and head.month is None
        if head.title in seen or (head.is_chosen and not is_month):
            continue
        examples = [cell for cell in _cells_under(sheet, head) if cell.strip()]
        if not examples:
            continue
        seen.add(head.title or f"{head.place}")
        has_sums = head.meaning in (None, Meaning.BALANCE) and any(
            is_sum(cell, head, whole.factor) for cell in examples
        )
        if head.meaning is None and has_sums:
            code = "unknown_column" if head.title else "column_without_title"
            _ask_about_head(taken, code, sheet, head, examples[0])
        elif is_month:
            _ask_about_head(taken, "month_unknown", sheet, head, examples[0], blocks=True)
        elif head.meaning is Meaning.MONTHLY and not any(
            row.has(Meaning.RENT) for row in sheet.rows
        ):
            code = "all_in_one" if head.is_all_in_one else "rent_from_total"
            _ask_about_head(taken, code, sheet, head, examples[0], blocks=not head.is_all_in_one)
        elif head.meaning is Meaning.BALANCE and has_sums:
            # Show a legend beside its column once; ask which way a balance without one goes.
            example = examples[0]
            legend = next(iter(legends_of(sheet, head)), None)
            if head.sign is None and legend is not None:
                _ask_about_head(
                    taken,
                    "legend",
                    sheet,
                    head,
                    legend[0].strip(),
                    proposal={"sign": legend[1]},
                    sign=legend[1].value,
                )
            elif whole.sign is None:
                _ask_about_head(taken, "balance_direction", sheet, head, example, blocks=True)


def _cells_under(sheet: LaidSheet, wanted: SheetHead) -> Iterator[str]:
    for heads, rows in groupby(sheet.rows, key=lambda row: row.heads):
        places = [
            place
            for place, head in enumerate(heads)
            if head.title == wanted.title and head.place == wanted.place
        ]
        yield from (row.cells[place] for row in rows for place in places)


def _ask_about_head(
    taken: TakeOver,
    code: str,
    sheet: LaidSheet,
    head: SheetHead,
    value: str,
    *,
    proposal: Any = None,
    blocks: bool = False,
    **facts: Any,
) -> None:
    _add_question(
        taken,
        code,
        proposal,
        sheet=sheet,
        column=head.title,
        place=head.place,
        value=value[:80],
        blocks=blocks,
        title=head.title,
        **facts,
    )


def ask_about_sheets(
    taken: TakeOver, sheets: Sequence[LaidSheet], rolls: Sequence[LaidSheet]
) -> None:
    """Name the sheets of which nothing was read where something is missing, and say what is it."""
    if not taken.units and not taken.tenancies and not taken.about_rows:
        _add_question(taken, "nothing_read", None, blocks=True)
    for sheet in sheets:
        if sheet.is_empty or sheet in rolls:
            continue
        if sheet.is_roll and is_of_rent_steps(sheet):
            _add_question(
                taken, "rent_steps", None, sheet=sheet, name=sheet.name or sheet.file_name
            )
        elif not sheet.is_roll and _may_hold_what_is_missing(taken, sheet, rolls):
            code = "hidden_sheet" if sheet.left_out == "hidden sheet" else "sheet_not_read"
            _add_question(taken, code, None, sheet=sheet, name=sheet.name or sheet.file_name)


def _may_hold_what_is_missing(
    taken: TakeOver, sheet: LaidSheet, rolls: Sequence[LaidSheet]
) -> bool:
    """Whether a sheet of which nothing was read may have what the rolls lack."""
    if sheet.left_out and sheet.left_out != "hidden sheet":
        return False
    rows = [row for roll in rolls for row in roll.rows]
    needed = (_NAMES, _DEPOSITS, (Meaning.RENT, Meaning.MONTHLY), _STARTS)
    lacks = any(
        not any(row.has(meaning) for row in rows for meaning in meanings) for meanings in needed
    )
    filled = [row for row in sheet.grid.rows if len(row.filled) > 1]
    return lacks and len(filled) > 1
