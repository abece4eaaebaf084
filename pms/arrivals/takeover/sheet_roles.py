"""What a sheet of a file is: tenancies, rent steps, sums of buildings, or another list."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from pms.arrivals.takeover.laid_rows import LaidSheet
from pms.arrivals.takeover.taken import TakeOver
from pms.rules.roll_cells import Stated, money
from pms.rules.roll_heads import Meaning, fold_title
from pms.rules.roll_line_kinds import is_floor, is_total
from pms.rules.room_names import building_key

_STEP: Final = re.compile(
    r"適用(?:開始)?(?:年月)?日?$|改定(?:年月)?日$|変更(?:年月)?日$|effective(?:from|date|on)?$|stepdate|changedate|fromdate$"
)


def role_of_sheet(sheet: LaidSheet, earlier: Collection[str], rolls: Collection[LaidSheet]) -> str:
    """Return what a sheet is to the file, in words; `rolls` are those whose tenancies are read."""
    if sheet.is_empty or sheet.left_out:
        return sheet.left_out or "empty"
    if sheet.is_roll:
        return _role_of_table(sheet, earlier, rolls)
    if read_building_sums(sheet, None):
        return "summary, no tenancies"
    if any(is_floor(cells) for cells in sheet.words):
        return "floor list, no tenancies"
    return "no tenancies"


def _role_of_table(sheet: LaidSheet, earlier: Collection[str], rolls: Collection[LaidSheet]) -> str:
    if is_of_rent_steps(sheet):
        return "rent steps, no tenancies"
    if sheet.key in earlier:
        return "earlier month"
    return "roll" if sheet in rolls else "beside the roll"


def is_of_rent_steps(sheet: LaidSheet) -> bool:
    """Whether a sheet lists how rents change, and so no tenancies: a day from which each applies."""
    titles = [fold_title(head.title) for heads in sheet.heads for head in heads]
    has_step = any(_STEP.search(title) for title in titles)
    meanings = {head.meaning for heads in sheet.heads for head in heads}
    return has_step and not meanings & {Meaning.DEPOSIT, Meaning.DEPOSIT_HELD, Meaning.END}


_SUMS: Final = (
    ("unpaid", re.compile(r"未収|滞納|未納|未払|unpaid|arrears|outstanding", re.IGNORECASE)),
    ("depositHeld", re.compile(r"敷金|預り|保証金|deposit", re.IGNORECASE)),
    ("rent", re.compile(r"賃料|家賃|rent", re.IGNORECASE)),
    ("monthly", re.compile(r"月額|合計|monthly|total", re.IGNORECASE)),
)


def read_building_sums(sheet: LaidSheet, houses: Collection[str] | None) -> dict[str, int]:
    """Return the sums of rents, deposits and debts in a sheet of one line per building.

    Only lines of known `houses` count; None counts every line, to find what the sheet is.
    """
    lines = [cells for cells in sheet.words if sum(1 for cell in cells if cell.strip()) > 1]
    if len(lines) < 2 or not re.search(r"建物|物件|棟|building|property", lines[0][0], re.I):
        return {}
    found: dict[str, int] = {}
    for place, title in enumerate(lines[0]):
        name = next((name for name, words in _SUMS if words.search(title)), None)
        if name is None or name in found:
            continue
        amounts = [
            money(cells[place])
            for cells in lines[1:]
            if place < len(cells)
            and not is_total(cells)
            and (houses is None or building_key(cells[0]) in houses)
        ]
        if amounts and all(amount.stated in (Stated.YEN, Stated.NOTHING) for amount in amounts):
            found[name] = sum(amount.yen for amount in amounts)
    return found


def add_summaries(taken: TakeOver, sheets: Sequence[LaidSheet]) -> None:
    """Add the sums from summary sheets, where the rolls have no sums of their own."""
    houses = {building_key(unit.building) for unit in taken.units if unit.building}
    for sheet in sheets:
        if not sheet.is_roll:
            for name, yen in read_building_sums(sheet, houses).items():
                taken.shown_totals.setdefault(name, yen)
