"""The floor of billing writes the very rows that the program wrote, and a second run writes none."""

from pathlib import Path

import pytest

from tests.bench.goals.billing_data import Ground
from tests.bench.goals.billing_floor import floor_seconds, written_rows
from tests.bench.goals.billing_run import bill_here

SIZE = 20


@pytest.fixture(params=["sqlite", "postgresql"])
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Ground:
    is_sqlite = request.param == "sqlite"
    return Ground(tmp_path, None if is_sqlite else request.getfixturevalue("postgresql"))


def test_the_floor_writes_what_the_program_wrote(ground: Ground) -> None:
    billed, by_hand = ground.fresh(SIZE), ground.fresh(SIZE)
    assert bill_here(billed).entries == SIZE
    written = written_rows(billed, ground.server)
    assert bill_here(billed).entries == 0
    assert written_rows(billed, ground.server) == written
    assert {one.table: len(one.rows) for one in written} | {"ledger_line": 0} == {
        "ledger_entry": SIZE,
        "billed_row": SIZE,
        "row_extent": SIZE,
        "ledger_line": 0,
    }
    assert floor_seconds(by_hand, ground.server, written) > 0
    again = written_rows(by_hand, ground.server)
    assert [(one.table, sorted(one.rows)) for one in again] == [
        (one.table, sorted(one.rows)) for one in written
    ]
    for settings in (billed, by_hand):
        ground.drop(settings)
