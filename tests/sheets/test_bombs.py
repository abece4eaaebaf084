"""A file that takes far more to read than to send costs its sender alone."""

import subprocess
import sys

import pytest

from pms.foundation.errors import TooMany
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import open_all_tables
from pms.sheets.texts import MOST_CELLS
from tests.sheets.bombs import BOMBS, CALENDARS, workbook

READ = {
    "laughs among the names",
    "as many cells as are read",
    "errors",
    "cells of a take-over",
    "tenancies of a take-over",
    "tenancies with questions",
    "more tenancies",
    "rows of a bank",
}
_MEASURED = """
import resource, sys, time
from datetime import date
from pms.catalogue.calendar_feeds import read_calendar
from pms.foundation.errors import Problem
from pms.sheets.tables import open_all_tables
from tests.sheets.bombs import BOMBS, CALENDARS

is_calendar = sys.argv[1] in CALENDARS
data = (CALENDARS if is_calendar else BOMBS)[sys.argv[1]]()
of_self, of_children = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
before, began = resource.getrusage(of_self).ru_maxrss, time.process_time()
try:
    if is_calendar:
        read_calendar(data, date(2026, 11, 20))
    else:
        sum(len(record.cells) for table in open_all_tables(data) for record in table.records())
except Problem:
    pass
child = resource.getrusage(of_children)
memory = (resource.getrusage(of_self).ru_maxrss - before) // 1024
print(time.process_time() - began + child.ru_utime + child.ru_stime, memory, child.ru_maxrss // 1024)
"""


@pytest.mark.parametrize("name", sorted(set(BOMBS) - READ))
def test_a_file_that_takes_too_much_is_refused(name: str) -> None:
    content = BOMBS[name]()
    with pytest.raises((SheetRefused, TooMany)):
        for table in open_all_tables(content):
            assert len(list(table.records())) < MOST_CELLS


@pytest.mark.thorough("measures processes")
@pytest.mark.parametrize("name", sorted({**BOMBS, **CALENDARS}))
def test_any_file_takes_at_most_ten_seconds_and_200_mebibytes(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _MEASURED, name], capture_output=True, text=True, check=True
    )
    seconds, here, in_the_process = map(float, ran.stdout.split())
    assert seconds < 10
    assert here < 200
    assert in_the_process < 256


def test_a_workbook_of_a_large_house_is_read_whole() -> None:
    rows = ("<row>" + "<c><v>70000</v></c>" * 20 + "</row>" for _ in range(20_000))
    (table,) = open_all_tables(workbook(rows=rows))
    assert sum(len(record.cells) for record in table.records()) == 400_000 < MOST_CELLS
