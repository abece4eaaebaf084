"""A sample stands beside one's own workspace, writes to nobody, and goes whole."""

import pytest
from flask import Flask
from sqlalchemy import func, select

from pms.access.members import place_of
from pms.catalogue.models import Unit
from pms.demo.sample import open_sample, throw_sample_away
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.ledger.models import LedgerLine
from pms.reservations.models import Reservation
from pms.workspaces.queries import all_workspaces, workspace_id_of
from tests.cast import Cast
from tests.staff import Staff, open_browser

COUNTED = (Unit, Reservation, LedgerLine)


def counts(database: Database, workspace_id: str) -> list[int | None]:
    with database.reading(workspace_id) as session:
        return [session.scalar(select(func.count()).select_from(table)) for table in COUNTED]


def slugs(database: Database) -> set[str]:
    with database.across_workspaces_reading() as session:
        return {one.slug for one in all_workspaces(session)}


@pytest.mark.differs("deleting what was written once")
def test_a_sample_is_opened_filled_and_thrown_away_from_the_dashboard(
    app: Flask, database: Database, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    before = {one: counts(database, one.workspace_id) for one in (cast.sumida, cast.minato)}
    own = open_browser(app, clock, staff.operator_id, cast.sumida.slug)
    assert own.post("/sample/removal").status_code == 422
    address = own.post("/sample").headers["Location"]
    assert address == "/dashboard/sumida-sample/"
    assert own.post("/sample").headers["Location"] == address
    assert slugs(database) == {"sumida", "minato", "sumida-sample"}
    with database.across_workspaces_reading() as session:
        sample_id = workspace_id_of(session, "sumida-sample")
        assert place_of(session, sample_id, staff.operator_id) is not None
        assert place_of(session, sample_id, staff.office_id) is None
    assert all(count and count > 20 for count in counts(database, sample_id))
    with database.reading(sample_id) as session:
        taken = select(Reservation.name).where(Reservation.taken_over_on.is_not(None))
        assert len(session.scalars(taken).all()) == 3
    sample = open_browser(app, clock, staff.operator_id, "sumida-sample")
    assert "Delete the sample" in sample.get("/?lang=en").text
    assert sample.post("/sample").status_code == 422
    assert sample.post("/sample/removal").headers["Location"] == "/dashboard/sumida/"
    assert slugs(database) == {"sumida", "minato"}
    assert {one: counts(database, one.workspace_id) for one in before} == before


def test_nobody_but_an_operator_opens_or_throws_away(
    app: Flask, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    office = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    assert office.post("/sample").status_code == 403
    assert office.post("/sample/removal").status_code == 403


def test_only_a_sample_can_be_thrown_away(
    database: Database, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    with pytest.raises(Refused):
        throw_sample_away(database, cast.sumida.workspace_id)
    open_sample(database, clock, workspace_id=cast.sumida.workspace_id, person_id=staff.operator_id)
    with pytest.raises(Refused):
        throw_sample_away(database, cast.sumida.workspace_id)
    assert "sumida" in slugs(database)
