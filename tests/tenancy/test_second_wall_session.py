"""The second wall: a session of one workspace neither reads nor writes another's rows."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from sqlalchemy import delete, exists, func, insert, literal, select, text, union_all, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, aliased, joinedload, selectinload, subqueryload

from pms.catalogue.models import Building, Owner, Unit
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.readiness import Heartbeat
from pms.foundation.tenancy import WallTouchedError, WorkspaceSession
from pms.reservations.models import Reservation
from pms.site.models import Post
from pms.workspaces.models import Workspace
from tests import cast as builders
from tests.cast import LONG_AGO, Cast, House

pytestmark = pytest.mark.differs("sessions and connections")


@pytest.fixture
def ours(cast: Cast) -> House:
    return cast.sumida


@pytest.fixture
def theirs(cast: Cast) -> House:
    return cast.minato


@pytest.fixture
def session(database: Database, ours: House) -> Iterator[WorkspaceSession]:
    """A writing session of our workspace whose work is thrown away."""
    with WorkspaceSession(bind=database.engine, workspace_id=ours.workspace_id) as session:
        yield session


def everything(database: Database) -> list[tuple[str, int]]:
    """What the stranger has, to see that nothing of it was touched."""
    with database.across_workspaces_reading() as session:
        return [
            (unit.slug, unit.rent_yen or 0)
            for unit in session.scalars(select(Unit).order_by(Unit.slug))
        ]


def test_an_unbound_session_answers_nothing(database: Database, cast: Cast) -> None:
    with WorkspaceSession(bind=database.engine) as session:
        with pytest.raises(WallTouchedError, match="bound to no workspace"):
            session.scalars(select(Unit))
        session.add(builders.owner(workspace_id=cast.sumida.workspace_id))
        with pytest.raises(WallTouchedError, match="bound to no workspace"):
            session.flush()
        session.rollback()
        with pytest.raises(WallTouchedError, match="bound to no workspace"):
            session.execute(update(Unit).values(rent_yen=1))


# Reading


def test_entities_columns_and_counts_are_ours(session: Session, ours: House) -> None:
    assert {unit.workspace_id for unit in session.scalars(select(Unit))} == {ours.workspace_id}
    assert set(session.scalars(select(Unit.workspace_id))) == {ours.workspace_id}
    assert session.scalar(select(func.count()).select_from(Unit)) == 4
    assert session.scalar(select(func.count(Unit.id))) == 4
    assert session.query(Unit).count() == 4


def test_asking_for_the_strangers_workspace_answers_nothing(
    session: Session, theirs: House
) -> None:
    foreign = select(Unit).where(Unit.workspace_id == theirs.workspace_id)
    assert session.scalars(foreign).all() == []
    assert session.scalars(select(Unit).where(Unit.id == theirs.free_room_id)).all() == []
    either = (Unit.workspace_id == theirs.workspace_id) | literal(True)
    assert len(session.scalars(select(Unit).where(either)).all()) == 4


def test_joins_meet_only_our_rows(session: Session, ours: House) -> None:
    loose = select(Unit.workspace_id, Building.workspace_id).join(
        Building, Building.name == Building.name
    )
    assert set(session.execute(loose)) == {(ours.workspace_id, ours.workspace_id)}
    outer = select(Unit.id, Reservation.workspace_id).outerjoin(
        Reservation, Reservation.name == "山本 茂"
    )
    assert {row[1] for row in session.execute(outer)} == {ours.workspace_id}


def test_aliases_are_no_disguise(session: Session, ours: House) -> None:
    here, there = aliased(Unit), aliased(Unit)
    pairs = select(here.workspace_id, there.workspace_id).where(here.name == there.name)
    assert set(session.execute(pairs)) == {(ours.workspace_id, ours.workspace_id)}


def test_exists_and_subqueries_do_not_see_the_stranger(session: Session, theirs: House) -> None:
    stranger_lives = exists().where(Reservation.email == theirs.resident_email)
    assert session.scalars(select(Unit).where(stranger_lives)).all() == []
    ids = select(Reservation.unit_id).where(Reservation.email == theirs.resident_email)
    assert session.scalars(select(Unit.id).where(Unit.id.in_(ids))).all() == []
    inner = select(Unit.id).where(Unit.id == theirs.free_room_id).subquery()
    assert session.execute(select(inner)).all() == []
    count = select(func.count(Unit.id)).scalar_subquery()
    assert session.scalar(select(count)) == 4


def test_common_table_expressions_and_unions_do_not_see_the_stranger(
    session: Session, theirs: House
) -> None:
    named = select(Unit.id).cte()
    assert len(session.execute(select(named)).all()) == 4
    assert len(session.execute(union_all(select(Unit.id), select(Owner.id))).all()) == 5
    either = union_all(select(Unit.id), select(Unit.id)).subquery()
    assert theirs.free_room_id not in set(session.scalars(select(either.c.id)))


def test_a_bare_exists_does_not_see_the_stranger(
    session: Session, ours: House, theirs: House
) -> None:
    def is_there(house: House) -> object:
        return session.scalar(select(exists(select(Unit.id).where(Unit.id == house.free_room_id))))

    assert is_there(ours)
    assert not is_there(theirs)


def test_relationships_stay_inside(session: Session, ours: House) -> None:
    lazy = session.scalars(select(Reservation)).first()
    assert lazy is not None
    assert lazy.unit.building.workspace_id == ours.workspace_id
    session.expunge_all()
    for load in (joinedload, selectinload, subqueryload):
        path = load(Reservation.unit).options(load(Unit.building))
        people = session.scalars(select(Reservation).options(path)).unique().all()
        assert len(people) == 3
        assert {person.unit.building.workspace_id for person in people} == {ours.workspace_id}
        session.expunge_all()


def test_a_foreign_key_set_by_hand_leads_nowhere(session: Session, theirs: House) -> None:
    bent = session.scalars(select(Unit)).first()
    assert bent is not None
    with session.no_autoflush:
        bent.building_id = theirs.building_id
        session.expire(bent, ["building"])
        assert bent.building is None


def test_get_finds_no_stranger(session: Session, ours: House, theirs: House) -> None:
    assert session.get(Unit, (theirs.workspace_id, theirs.free_room_id)) is None
    assert session.get(Unit, (ours.workspace_id, theirs.free_room_id)) is None
    assert session.get(Unit, (ours.workspace_id, ours.free_room_id)) is not None


def test_a_stranger_carried_in_from_elsewhere_is_refused(
    database: Database, session: Session, theirs: House
) -> None:
    """`Session.get` answers from what a session already holds, so nobody may bring a row in."""
    with database.across_workspaces_reading() as everywhere:
        carried = everywhere.get_one(Unit, (theirs.workspace_id, theirs.free_room_id))
        everywhere.expunge(carried)
    session.add(carried)
    carried.rent_yen = 1
    with pytest.raises(WallTouchedError):
        session.flush()


def test_sql_text_and_raw_tables_do_not_pass(session: Session) -> None:
    with pytest.raises(WallTouchedError):
        session.execute(text("SELECT id FROM unit"))
    with pytest.raises(WallTouchedError):
        session.execute(select(Unit.__table__))
    with pytest.raises(WallTouchedError):
        session.execute(update(Base.metadata.tables["unit"]).values(rent_yen=1))
    with pytest.raises(WallTouchedError):
        session.execute(select(text("id FROM unit")))


def test_orm_select_from_text_does_not_pass(session: Session, theirs: House) -> None:
    from_text = select(Unit).from_statement(text("SELECT * FROM unit"))
    with pytest.raises(WallTouchedError):
        session.scalars(from_text).all()


def test_streams_refreshes_and_deferred_columns_stay_inside(session: Session, ours: House) -> None:
    streamed = session.scalars(select(Unit).execution_options(yield_per=1))
    assert {unit.workspace_id for unit in streamed} == {ours.workspace_id}
    unit = session.get_one(Unit, (ours.workspace_id, ours.free_room_id))
    session.refresh(unit)
    session.expire(unit)
    assert unit.rent_yen == 93_000


# Writing


def test_inserted_objects_are_stamped(database: Database, ours: House) -> None:
    with database.writing(ours.workspace_id) as session:
        newcomer = builders.owner(name="高橋 恵")
        session.add(newcomer)
    assert newcomer.workspace_id == ours.workspace_id


def test_an_object_that_names_another_workspace_is_refused(session: Session, theirs: House) -> None:
    session.add(builders.owner(workspace_id=theirs.workspace_id))
    with pytest.raises(WallTouchedError, match="another workspace"):
        session.flush()


def test_an_object_cannot_be_moved_to_another_workspace(session: Session, theirs: House) -> None:
    mine = session.scalars(select(Owner)).one()
    mine.workspace_id = theirs.workspace_id
    with pytest.raises(WallTouchedError, match="another workspace"):
        session.flush()


def test_merging_a_strangers_row_is_refused(session: Session, theirs: House) -> None:
    copy = builders.owner(workspace_id=theirs.workspace_id, id=theirs.owner_id, name="某")
    session.merge(copy)
    with pytest.raises(WallTouchedError, match="another workspace"):
        session.flush()


def test_bulk_inserts_are_stamped_and_mismatches_refused(
    session: Session, ours: House, theirs: House
) -> None:
    row = {"name": "高橋 恵", "locale": "ja", "created_at": LONG_AGO}
    session.execute(insert(Owner), [row.copy(), row.copy()])
    assert session.scalar(select(func.count(Owner.id))) == 3
    with pytest.raises(WallTouchedError, match="another workspace"):
        session.execute(insert(Owner), [row | {"workspace_id": theirs.workspace_id}])
    with pytest.raises(WallTouchedError):
        session.execute(insert(Owner).values(row | {"workspace_id": theirs.workspace_id}))
    with pytest.raises(WallTouchedError):
        chosen = select(literal(theirs.workspace_id), Owner.id, Owner.name)
        session.execute(insert(Owner).from_select(["workspace_id", "id", "name"], chosen))


def test_bulk_updates_reach_only_our_rows(database: Database, ours: House) -> None:
    with database.writing(ours.workspace_id) as session:
        session.execute(update(Unit).values(rent_yen=1))
    assert {(slug.endswith("sumida"), rent) for slug, rent in everything(database)} == {
        (True, 1),
        (False, 93_000),
    }


def test_bulk_updates_aimed_at_the_stranger_reach_nobody(
    database: Database, ours: House, theirs: House
) -> None:
    before = everything(database)
    with database.writing(ours.workspace_id) as session:
        aimed = update(Unit).where(Unit.workspace_id == theirs.workspace_id).values(rent_yen=1)
        session.execute(aimed)
        session.execute(aimed.execution_options(synchronize_session=False))
        session.query(Unit).filter(Unit.id == theirs.free_room_id).update({"rent_yen": 1})
    assert everything(database) == before


def test_updates_by_primary_key_do_not_reach_the_stranger(
    database: Database, ours: House, theirs: House
) -> None:
    before = everything(database)
    row = {"workspace_id": theirs.workspace_id, "id": theirs.free_room_id, "rent_yen": 1}
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.execute(update(Unit), [row])
    assert everything(database) == before


def test_a_bulk_update_cannot_give_rows_away(
    database: Database, ours: House, theirs: House
) -> None:
    given = update(Post).values(workspace_id=theirs.workspace_id, slug="given-away")
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.execute(given)
    with database.reading(ours.workspace_id) as session:
        assert session.scalar(select(func.count(Post.id))) == 1


def test_bulk_deletes_reach_only_our_rows(database: Database, ours: House, theirs: House) -> None:
    with database.writing(ours.workspace_id) as session:
        session.execute(delete(Post).where(Post.workspace_id == theirs.workspace_id))
        session.execute(delete(Post).where(Post.slug == theirs.post_slug))
        session.query(Post).filter(Post.slug == theirs.post_slug).delete()
        session.execute(delete(Post))
    with database.across_workspaces_reading() as session:
        assert session.scalars(select(Post.slug)).all() == [theirs.post_slug]


def test_legacy_bulk_writes_do_not_pass(database: Database, ours: House, theirs: House) -> None:
    row = {"workspace_id": theirs.workspace_id, "id": theirs.free_room_id, "rent_yen": 1}
    before = everything(database)
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.bulk_update_mappings(Unit, [row])
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.bulk_save_objects([builders.owner(workspace_id=theirs.workspace_id)])
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.bulk_insert_mappings(Owner, [{"workspace_id": theirs.workspace_id, "name": "某"}])
    assert everything(database) == before


def test_of_the_workspaces_only_our_own_is_met(
    database: Database, ours: House, theirs: House
) -> None:
    with database.writing(ours.workspace_id) as session:
        assert session.scalars(select(Workspace.id)).all() == [ours.workspace_id]
        assert session.get(Workspace, theirs.workspace_id) is None
        session.execute(update(Workspace).values(name="某"))
        session.get_one(Workspace, ours.workspace_id).brand_hue = 10
    with database.across_workspaces_reading() as session:
        names = {row.slug: (row.name, row.brand_hue) for row in session.scalars(select(Workspace))}
    assert names == {"sumida": ("某", 10), "minato": ("港リビング", 250)}


def test_a_strangers_workspace_is_not_carried_in(
    database: Database, ours: House, theirs: House
) -> None:
    with database.across_workspaces_reading() as session:
        carried = session.get_one(Workspace, theirs.workspace_id)
        session.expunge(carried)
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.add(carried)
        carried.name = "某"


def test_what_belongs_to_everyone_is_not_written_from_inside(
    database: Database, ours: House
) -> None:
    for statement in (update(Heartbeat).values(name="x"), delete(Heartbeat)):
        with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
            session.execute(statement)


def test_no_workspace_is_founded_from_inside(database: Database, ours: House) -> None:
    with pytest.raises(WallTouchedError), database.writing(ours.workspace_id) as session:
        session.add(builders.workspace(slug="forged", name="某"))


def test_reading_sessions_write_nothing_that_stays(database: Database, ours: House) -> None:
    # PostgreSQL refuses it at once, SQLite forgets it.
    with suppress(DBAPIError), database.reading(ours.workspace_id) as session:
        session.execute(update(Unit).values(rent_yen=1))
    assert {rent for _, rent in everything(database)} == {93_000}


def test_the_same_question_is_answered_anew_for_each_workspace(
    database: Database, ours: House, theirs: House
) -> None:
    """Statements are cached by shape, so the workspace must be a value and not a part of it."""
    for house in (ours, theirs, ours, theirs):
        with database.reading(house.workspace_id) as session:
            assert session.scalars(select(Post.slug)).all() == [house.post_slug]
            assert session.get_one(Unit, (house.workspace_id, house.free_room_id))
            resident = session.get_one(Reservation, (house.workspace_id, house.resident_id))
            assert resident.unit.workspace_id == house.workspace_id


def test_two_sessions_side_by_side_do_not_mix(
    database: Database, ours: House, theirs: House
) -> None:
    with (
        database.reading(ours.workspace_id) as here,
        database.reading(theirs.workspace_id) as there,
    ):
        for session, house in ((here, ours), (there, theirs), (here, ours)):
            assert session.scalars(select(Post.slug)).all() == [house.post_slug]
            session.expire_all()
            session.rollback()


def test_a_change_of_ours_raises_our_counters_alone(
    database: Database, ours: House, theirs: House
) -> None:
    def counters() -> dict[str, tuple[int, int]]:
        with database.across_workspaces_reading() as session:
            rows = session.scalars(select(Workspace))
            return {row.slug: (row.catalogue_version, row.occupancy_version) for row in rows}

    before = counters()
    with database.writing(ours.workspace_id) as session:
        session.execute(update(Unit).values(rent_yen=1))
        session.get_one(Reservation, (ours.workspace_id, ours.guest_id)).move_out_date = None
        session.get_one(
            Reservation, (ours.workspace_id, ours.resident_id)
        ).expected_departure_date = builders.LONG_AGO.date()
    after = counters()
    assert after[theirs.slug] == before[theirs.slug]
    assert all(new > old for new, old in zip(after[ours.slug], before[ours.slug], strict=True))


# The exit


def test_the_named_exit_sees_and_writes_everywhere(
    database: Database, ours: House, theirs: House
) -> None:
    with database.across_workspaces_writing() as session:
        session.execute(update(Unit).values(rent_yen=2))
    assert {rent for _, rent in everything(database)} == {2}
    with database.across_workspaces_reading() as session:
        assert set(session.scalars(select(Unit.workspace_id))) == {
            ours.workspace_id,
            theirs.workspace_id,
        }


def test_a_failed_unit_of_work_leaves_nothing(database: Database, ours: House) -> None:
    with pytest.raises(ZeroDivisionError), database.writing(ours.workspace_id) as session:
        session.execute(update(Unit).values(rent_yen=1))
        raise ZeroDivisionError
    assert {rent for _, rent in everything(database)} == {93_000}
