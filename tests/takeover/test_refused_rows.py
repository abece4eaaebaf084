"""Rows that wait leave as a sheet that is read again with the same amounts and questions."""

from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pms.arrivals.takeover.answered import FileAnswers, PreparedRows, prepare
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.refused_rows import refused_rows_xlsx
from tests.takeover.test_held_out_sheets import SHEETS, read_sheet

DAY = date(2026, 11, 20)
# A hidden row is shown once it leaves, and a title that names the month stays behind.
NAMES = [
    path.name
    for path in sorted(SHEETS.iterdir())
    if path.suffix != ".expected"
    and path.stem not in ("hidden_tenant", "over_and_short_checked", "former_tenants_and_parking")
]


def waiting(prepared: PreparedRows) -> list[tuple[Any, ...]]:
    wanted = ("building", "room", "name", "rent", "commonFee", "deposit", "unpaid", "overpaid")
    return sorted(
        (*(row.values[name] for name in wanted), sorted(one.code for one in row.waiting))
        for row in prepared.waiting
    )


@pytest.mark.parametrize("name", NAMES)
def test_refused_rows_say_the_same_as_their_sheet(name: str) -> None:
    read = read_sheet(Path(SHEETS / name))
    answers = FileAnswers(building="見本荘")
    prepared = prepare(read, {}, answers)
    guide: Any = SimpleNamespace(prepared=prepared, billed_through=read.billed_through)
    again = read_takeover(refused_rows_xlsx(guide, "ja"), "refused.xlsx", DAY)
    assert waiting(prepare(again, {}, answers)) == waiting(prepared)


def test_sums_in_thousands_are_thousands_in_every_column() -> None:
    sheet = (
        "コーポ桐,2026年11月20日現在,11月分まで請求済,単位：千円\n"
        "号室,氏名,契約開始,賃料,敷金,未収,前受金\n"
        "1,山田 一,2025/4/1,50,50,12.5,\n2,佐藤 二,2025/4/1,50,50,,3\n"
    )
    read = read_takeover(sheet.encode(), "a.csv", DAY)
    assert (read.totals["unpaid"], read.totals["overpaid"]) == (12_500, 3_000)


def test_a_row_that_waits_shows_its_room_without_the_house_of_the_same_cell() -> None:
    sheet = (
        "2026年11月20日現在,11月分まで請求済\n物件・部屋,氏名,契約開始,賃料,敷金,滞納額\n"
        "コーポ桐 101号室,山田 一,2025/4/1,50000,0,\n【退去者】\n"
        "コーポ桐 102号室,佐藤 二,2025/4/1,50000,0,50000\n"
    )
    read = read_takeover(sheet.encode(), "a.csv", DAY)
    (row,) = prepare(read, {}, FileAnswers(has_no_deposits=True)).waiting
    assert (row.values["building"], row.values["room"]) == ("コーポ桐", "102")
