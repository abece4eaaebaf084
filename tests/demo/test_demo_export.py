"""The demo leaves as a sheet and comes back into an empty workspace with the same next bills."""

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.ledger.billing import preview_month
from pms.rules.days import add_months, month_first, month_last
from tests.demo.test_demo_workspaces import Seeded
from tests.takeover.round_trip import exported, next_bills, taken_back


def test_every_tenancy_is_billed_the_same_to_the_yen(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    today = clock.today()
    through_on = month_last(add_months(month_first(today), 1))
    for workspace in seeded:
        data = exported(database, workspace.id, today)
        back_id, run = taken_back(database, clock, data, slug=f"back-{workspace.slug}")
        before = next_bills(database, workspace.id, today, through_on)
        assert len(before) > 15
        assert before == next_bills(database, back_id, today, through_on)
        with database.reading(workspace.id) as session:
            problems = preview_month(session, clock, through_on=through_on).problems
        assert len(run.refused) == len(problems)
