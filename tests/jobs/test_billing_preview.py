"""The preview of a billing run is what the run then writes, in a constant number of questions."""

from datetime import UTC, datetime

from sqlalchemy import event, select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.jobs.billing_run import Look, billing_preview, billing_run
from pms.pricing.models import PricePeriod
from tests.jobs.houses_to_bill import open_house


def clock_in(month: int) -> FixedClock:
    return FixedClock(datetime(2026, month, 25, 3, 0, tzinfo=UTC))


def test_a_run_writes_what_the_preview_showed(database: Database) -> None:
    house_id = open_house(database, "shown", 30)
    for month in (6, 8, 9):
        shown = billing_preview(database, clock_in(month), house_id)
        run = billing_run(database, clock_in(month), "test", house_id)
        assert sum(row.to_issue_yen for row in shown.rows) == run.result.get("total_yen", 0)
        assert sum(row.entries for row in shown.rows) == run.result.get("entries", 0)


def test_after_the_run_nothing_is_left_to_issue(database: Database) -> None:
    house_id = open_house(database, "billed", 20)
    before = billing_preview(database, clock_in(7), house_id)
    billing_run(database, clock_in(7), "test", house_id)
    after = billing_preview(database, clock_in(7), house_id)
    assert sum(row.to_issue_yen for row in after.rows) == 0
    assert {row.reservation_id: row.month_yen for row in after.rows} == {
        row.reservation_id: row.month_yen for row in before.rows
    }


def test_exceptions_stand_above_what_is_the_same(database: Database) -> None:
    house_id = open_house(database, "sorted", 30)
    for month in (6, 7, 8):
        billing_run(database, clock_in(month), "test", house_id)
    shown = billing_preview(database, clock_in(9), house_id)
    looks = [row.look for row in shown.rows]
    assert looks == sorted(looks)
    assert Look.SAME in looks
    assert len(shown.exceptions) == len(looks) - looks.count(Look.SAME)


def test_a_preview_asks_as_much_of_many_as_of_few(database: Database) -> None:
    asked: list[int] = []
    for number, residents in enumerate((3, 30)):
        house_id = open_house(database, f"asked-{number}", residents)
        counted: list[str] = []

        def count(*statement: object, into: list[str] = counted) -> None:
            into.append(str(statement[2]))

        event.listen(database.engine, "before_cursor_execute", count)
        billing_preview(database, clock_in(9), house_id)
        event.remove(database.engine, "before_cursor_execute", count)
        asked.append(len(counted))
    assert asked[0] == asked[1] > 0


def test_a_preview_is_kept_until_a_price_or_a_row_changes(database: Database) -> None:
    house_id = open_house(database, "kept", 5)
    first = billing_preview(database, clock_in(7), house_id)
    assert billing_preview(database, clock_in(7), house_id) is first
    with database.writing(house_id) as session:
        for period in session.scalars(select(PricePeriod)):
            period.base_rent_yen += 1_000
    dearer = billing_preview(database, clock_in(7), house_id)
    assert dearer.to_issue_yen > first.to_issue_yen
    billing_run(database, clock_in(7), "test", house_id)
    assert billing_preview(database, clock_in(7), house_id).to_issue_yen == 0
