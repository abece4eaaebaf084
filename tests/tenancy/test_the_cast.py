"""The cast is stored as it is told: two workspaces, one house."""

import pytest
from sqlalchemy import select

from pms.catalogue.models import Building
from pms.foundation.database import Database
from pms.reservations.models import Reservation
from tests.cast import Cast

pytestmark = pytest.mark.differs("sessions and connections")


def test_the_same_house_is_two_records(database: Database, cast: Cast) -> None:
    with database.across_workspaces_reading() as session:
        houses = session.scalars(select(Building)).all()
    assert {house.name for house in houses} == {"シェアハウス カワセミ荘"}
    assert {house.workspace_id for house in houses} == {
        cast.sumida.workspace_id,
        cast.minato.workspace_id,
    }


def test_a_resident_an_owner_resident_and_a_guest_live_there(
    database: Database, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        people = set(session.scalars(select(Reservation.id)))
    assert people == {cast.sumida.resident_id, cast.sumida.owner_resident_id, cast.sumida.guest_id}
