"""Who names another workspace's records in a body is told what they are told of records of nobody."""

import pytest

from pms.foundation.database import Database
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, error_of
from tests.surfaces.agent_api.bodies import ENQUIRY, SOUND, check_in, offer, rows

NOBODY = "0" * 32
UNITS = ("free_room_id", "residents_room_id", "guests_room_id")


@pytest.mark.parametrize("unit", UNITS)
def test_a_strangers_unit_is_not_found_and_nothing_is_written(
    website: Asker, database: Database, cast: Cast, unit: str
) -> None:
    foreign = getattr(cast.minato, unit)
    before = rows(database)
    for path, body in (
        ("/inquiries", ENQUIRY),
        ("/check-in-links", check_in(cast.sumida)),
        ("/reservation-links", offer(cast.sumida)),
    ):
        theirs = website.post(path, {**body, "unitId": foreign})
        nobodys = website.post(path, {**body, "unitId": NOBODY})
        assert theirs.status_code == nobodys.status_code == 404, (path, theirs.text)
        assert error_of(theirs).replace(foreign, NOBODY) == error_of(nobodys)
    assert rows(database) == before


def test_no_other_id_of_a_body_confirms_a_strangers_record(
    website: Asker, database: Database, cast: Cast
) -> None:
    before = rows(database)
    for path, name in (("/purchases", "buildingId"), ("/leads", "positionId")):
        body = SOUND[path](cast.sumida)
        theirs = website.post(path, {**body, name: cast.minato.building_id})
        nobodys = website.post(path, {**body, name: NOBODY})
        assert theirs.status_code == nobodys.status_code, (path, theirs.text)
        assert theirs.status_code in (400, 404), (path, theirs.text)
        assert error_of(theirs).replace(cast.minato.building_id, NOBODY) == error_of(nobodys)
    assert rows(database) == before


def test_an_external_id_of_a_stranger_is_free_here(website: Asker, visitor: Asker) -> None:
    website.created("/inquiries", {**ENQUIRY, "externalId": "1"})
    visitor.created("/inquiries", {**ENQUIRY, "externalId": "1"})
