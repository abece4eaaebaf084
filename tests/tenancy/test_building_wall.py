"""A session that is bound to some buildings neither reads nor writes what is of another."""

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import aliased, joinedload

from pms.catalogue.models import Building, Owner, Unit
from pms.foundation.building_paths import BuildingPath
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.kept_figures import KeptFigure
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.tenancy import OfWorkspace, WorkspaceSession
from pms.foundation.versions import KeptAnswers
from pms.foundation.work import has_row
from pms.pricing.models import PricePeriod
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import TaskKind
from pms.upkeep.models import ChecklistTemplate
from pms.workspaces.models import Fee
from tests import cast as builders
from tests.cast import LONG_AGO, Cast, House

pytestmark = pytest.mark.differs("sessions and lists of ids")

_OTHER = "b" * 32
_ROOM = "c" * 32
_TENANT = "d" * 32


@pytest.fixture
def house(database: Database, cast: Cast) -> House:
    """Sumida, which has a second building with a room and a tenant."""
    with database.writing(cast.sumida.workspace_id) as session:
        for row in (
            builders.building(id=_OTHER, name="鶴見荘", slug="tsurumi"),
            builders.unit(id=_ROOM, building_id=_OTHER, name="903", slug="tsurumi-903"),
            builders.reservation(id=_TENANT, unit_id=_ROOM, name="中村 健"),
            CoOccupant(reservation_id=_TENANT, position=1, name="中村 凛"),
        ):
            session.add(row)
            session.flush()
    return cast.sumida


@pytest.fixture
def bound(database: Database, house: House) -> Database:
    return database.within_buildings([_OTHER])


@pytest.fixture
def reading(bound: Database, house: House) -> Iterator[WorkspaceSession]:
    with bound.reading(house.workspace_id) as session:
        yield session


def test_every_table_of_a_workspace_says_how_it_leads_to_a_building() -> None:
    silent, untold = [], []
    for mapper in Base.registry.mappers:
        if issubclass(mapper.class_, OfWorkspace):
            path: BuildingPath | None = vars(mapper.class_).get("building_path")
            if path is None:
                silent.append(mapper.class_.__name__)
            elif not path.leads_on and len(path.why) < 15:
                untold.append(mapper.class_.__name__)
    assert silent == []
    assert untold == []


def test_it_reads_its_building_and_what_leads_there(reading: WorkspaceSession) -> None:
    assert reading.scalars(select(Building.id)).all() == [_OTHER]
    assert reading.scalars(select(CoOccupant.name)).all() == ["中村 凛"]
    assert reading.scalar(select(func.count()).select_from(Reservation)) == 1
    of_alias = aliased(Reservation)
    assert reading.scalars(select(of_alias.name)).all() == ["中村 健"]
    both = select(Reservation).options(joinedload(Reservation.unit).joinedload(Unit.building))
    assert [row.unit.building.id for row in reading.scalars(both)] == [_OTHER]
    others = select(Unit.id).where(
        ~select(Reservation.id).where(Reservation.unit_id == Unit.id).exists()
    )
    assert reading.scalars(others).all() == []


def test_it_finds_no_owner_of_another_building(reading: WorkspaceSession, house: House) -> None:
    assert reading.scalars(select(Owner.id)).all() == []
    assert not has_row(reading, Owner, house.owner_id)


def test_it_reads_what_is_of_all_buildings_and_nothing_of_the_office(
    database: Database, bound: Database, house: House
) -> None:
    figure = KeptFigure(
        name="n",
        question="q",
        state="s",
        value="1",
        made_at=LONG_AGO,
        asked_on=LONG_AGO.date(),
        cpu_ms=1,
    )
    with database.writing(house.workspace_id) as session:
        session.add(figure)
    with bound.reading(house.workspace_id) as session:
        assert session.scalars(select(Fee.code)).all() == ["water"]
        assert session.scalars(select(KeptFigure.value)).all() == []


def test_a_prepared_statement_and_a_kept_answer_know_the_building(
    database: Database, bound: Database, house: House
) -> None:
    rooms, kept = PreparedInWorkspace(select(Unit.id)), KeptAnswers()
    for asked, count in ((database, 5), (bound, 1), (database, 5)):
        with asked.reading(house.workspace_id) as session:
            assert len(rooms.all(session)) == count
            counted = kept.answer(session, "rooms", 1, lambda: len(rooms.all(session)))
            assert counted == count


def test_it_changes_and_deletes_nothing_of_another_building(
    bound: Database, database: Database, house: House
) -> None:
    with bound.writing(house.workspace_id) as session:
        session.execute(update(Unit).values(rent_yen=1))
        session.execute(delete(CoOccupant))
        with pytest.raises(NotFound):
            session.execute(update(Unit), [{"id": house.free_room_id, "rent_yen": 2}])
    with database.reading(house.workspace_id) as session:
        rents = {row.id: row.rent_yen for row in session.execute(select(Unit.id, Unit.rent_yen))}
        assert rents.pop(_ROOM) == 1
        assert set(rents.values()) == {93_000}
        assert session.scalars(select(CoOccupant.name)).all() == ["佐藤 次郎"]


def test_it_stores_nothing_that_refers_to_another_building(bound: Database, house: House) -> None:
    period = {"id": new_id(), "base_rent_yen": 1, "first_on": date(2027, 1, 1)}
    with (
        pytest.raises(NotFound),
        bound.writing(house.workspace_id) as session,
    ):
        session.add(builders.viewing(unit_id=house.free_room_id))
    with pytest.raises(NotFound), bound.writing(house.workspace_id) as session:
        session.execute(insert(PricePeriod), [{**period, "reservation_id": house.resident_id}])
    with pytest.raises(NotFound), bound.writing(house.workspace_id) as session:
        session.get_one(Reservation, (house.workspace_id, _TENANT)).unit_id = house.free_room_id
    with pytest.raises(NotFound), bound.writing(house.workspace_id) as session:
        session.execute(update(Reservation).values(unit_id=house.free_room_id))
    with bound.writing(house.workspace_id) as session:
        session.add(builders.viewing(unit_id=_ROOM))
        session.execute(insert(PricePeriod), [{**period, "reservation_id": _TENANT}])


def test_it_adds_no_building_and_nothing_that_is_of_none(bound: Database, house: House) -> None:
    words = [{"ja": "床", "en": "Floor"}]
    of_all = ChecklistTemplate(
        kind=TaskKind.CLEANING, points=words, updated_at=LONG_AGO, updated_by="staff"
    )
    for row in (builders.building(slug="new"), of_all):
        with (
            pytest.raises(Refused, match="Choose one of them"),
            bound.writing(house.workspace_id) as session,
        ):
            session.add(row)
