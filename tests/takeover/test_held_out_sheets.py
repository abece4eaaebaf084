"""Rent rolls of offices that the reader was not made for: rooms, people and yen are read, doubts asked.

Beside each sheet stands what is read of it, a line for each room and each question.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.taken import ReadTenancy, TakeOver

SHEETS = Path(__file__).parent / "sheets"
NAMES = sorted(path.name for path in SHEETS.iterdir() if path.suffix != ".expected")


def read_sheet(path: Path) -> TakeOver:
    """What a sheet says, read on the day all of them are of."""
    return read_takeover(path.read_bytes(), path.name, date(2026, 11, 20))


def summary(taken: TakeOver) -> Iterator[str]:
    """Everything that would be taken over and everything that is asked, a line each."""
    yield f"as of {taken.as_of}, billed through {taken.billed_through}"
    for let in taken.tenancies:
        yield " | ".join(_of_tenancy(let))
    for unit in taken.units:
        if unit.is_vacant:
            yield f"vacant | {unit.building} | {unit.room} | {unit.asking_rent}"
    for one in taken.about_the_file:
        yield f"asked of the file | {one.why}"
    for one in taken.about_rows:
        kind = "blocks" if one.blocks else "asked"
        yield f"{kind} | {one.at} | {one.column} | {one.why}"


def _of_tenancy(let: ReadTenancy) -> Iterator[str]:
    yield f"{let.building} | {let.room} | {' and '.join(one.name for one in let.people)}"
    yield f"{let.start} to {let.end} | rent {let.rent}"
    yield ", ".join(f"{name} {yen}" for name, yen in let.fees.items()) or "no fees"
    yield f"held {let.deposit_held}"
    yield ", ".join(f"unpaid {debt.what} {debt.yen}" for debt in let.unpaid) or "nothing unpaid"
    yield f"overpaid {let.overpaid} | through {let.billed_through}"


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_of_another_office_is_read_without_rework(name: str) -> None:
    path = SHEETS / name
    expected = path.with_suffix(".expected").read_text("utf-8").splitlines()
    assert list(summary(read_sheet(path))) == expected
