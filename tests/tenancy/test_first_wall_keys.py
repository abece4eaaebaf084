"""The first wall: the database itself refuses a link into another workspace."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from pms.catalogue.models import Building, CampaignUnit, Unit, UnitFee
from pms.foundation.database import Database
from pms.reservations.models import CoOccupant, Reservation
from pms.workspaces.models import Workspace
from tests import cast as builders
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("constraints")

FOREIGN_LINKS: dict[str, Callable[[House, House], Any]] = {
    "a unit in a stranger's building": lambda ours, theirs: builders.unit(
        workspace_id=ours.workspace_id, building_id=theirs.building_id, slug="x", name="901"
    ),
    "a building of a stranger's owner": lambda ours, theirs: builders.building(
        workspace_id=ours.workspace_id, owner_id=theirs.owner_id, slug="x", name="別館"
    ),
    "a reservation of a stranger's unit": lambda ours, theirs: builders.reservation(
        workspace_id=ours.workspace_id, unit_id=theirs.free_room_id
    ),
    "a viewing of a stranger's unit": lambda ours, theirs: builders.viewing(
        workspace_id=ours.workspace_id, unit_id=theirs.free_room_id
    ),
    "a block of a stranger's unit": lambda ours, theirs: builders.external_block(
        workspace_id=ours.workspace_id, unit_id=theirs.free_room_id
    ),
    "a picture of a stranger's building": lambda ours, theirs: builders.photo(
        workspace_id=ours.workspace_id, building_id=theirs.building_id
    ),
    "a co-occupant of a stranger's resident": lambda ours, theirs: CoOccupant(
        workspace_id=ours.workspace_id, reservation_id=theirs.resident_id, position=2, name="某"
    ),
}


@pytest.mark.parametrize("link", FOREIGN_LINKS)
def test_a_link_into_another_workspace_cannot_be_stored(
    database: Database, cast: Cast, link: str
) -> None:
    # Across workspaces the session lets everything pass, so only the key is left to refuse.
    with (
        pytest.raises(IntegrityError, match=r"(?i)foreign key"),
        database.across_workspaces_writing() as session,
    ):
        session.add(FOREIGN_LINKS[link](cast.sumida, cast.minato))


def test_a_link_cannot_be_bent_into_another_workspace_later(database: Database, cast: Cast) -> None:
    move = update(Unit).where(Unit.id == cast.sumida.free_room_id)
    with (
        pytest.raises(IntegrityError, match=r"(?i)foreign key"),
        database.across_workspaces_writing() as session,
    ):
        session.execute(move.values(building_id=cast.minato.building_id))


def test_a_row_with_links_cannot_move_to_another_workspace(database: Database, cast: Cast) -> None:
    move = update(Unit).where(Unit.id == cast.sumida.free_room_id)
    with (
        pytest.raises(IntegrityError, match=r"(?i)foreign key"),
        database.across_workspaces_writing() as session,
    ):
        session.execute(move.values(workspace_id=cast.minato.workspace_id))


def test_the_same_id_may_exist_in_two_workspaces_without_meeting(
    database: Database, cast: Cast
) -> None:
    twin = cast.minato.free_room_id
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            builders.unit(
                id=twin, building_id=cast.sumida.building_id, slug="twin", name="901", rent_yen=1
            )
        )
    with database.reading(cast.minato.workspace_id) as session:
        assert session.get_one(Unit, (cast.minato.workspace_id, twin)).rent_yen == 93_000


def test_deleting_a_workspace_leaves_the_other_whole(database: Database, cast: Cast) -> None:
    counted = [Building, Unit, UnitFee, CampaignUnit, Reservation, CoOccupant]
    with database.reading(cast.minato.workspace_id) as session:
        before = [session.scalar(select(func.count()).select_from(table)) for table in counted]
    with database.across_workspaces_writing() as session:
        session.execute(delete(Workspace).where(Workspace.id == cast.sumida.workspace_id))
    with database.reading(cast.minato.workspace_id) as session:
        after = [session.scalar(select(func.count()).select_from(table)) for table in counted]
    assert before == after
