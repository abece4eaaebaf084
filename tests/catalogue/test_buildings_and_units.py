"""The office adds and edits buildings, units, fees and owners by hand."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pms.catalogue.buildings import add_building, edit_building, name_building_owner
from pms.catalogue.checks import WrittenBuilding, WrittenOwner
from pms.catalogue.owner_lists import owner_lines
from pms.catalogue.owners import add_owner, edit_owner
from pms.catalogue.records import (
    building_lines,
    building_record,
    owner_record,
    unit_fee_records,
    unit_record,
)
from pms.catalogue.unit_fields import WrittenUnit
from pms.catalogue.units import add_unit, edit_unit, set_unit_fees
from pms.foundation.audit import audit_events, last_change
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.workspaces.models import Workspace
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR

pytestmark = pytest.mark.differs("constraints")


def test_a_building_is_added_tidied_and_found(
    session: WorkspaceSession, clock: FixedClock, house: WrittenBuilding
) -> None:
    added = add_building(Work(session, clock, ACTOR), written=house)
    record = building_record(session, added)
    assert (record.slug, record.written.postcode) == ("maison-hibari", "110-0005")
    assert (record.version, record.unit_count, record.owner_id) == (1, 0, None)
    lines, total = building_lines(session, Paging(1, 50), "ひばり")
    assert ([line.id for line in lines], total) == ([added], 1)
    done = audit_events(session, subject=("building", added)).audit_events[0]
    assert (done.audit_event, done.actor) == (AuditEvent.BUILDING_ADDED, ACTOR)
    assert done.after["name"] == "メゾン ひばり"


def test_two_buildings_do_not_bear_one_name(
    session: WorkspaceSession, clock: FixedClock, house: WrittenBuilding
) -> None:
    again = replace(house, name="シェアハウスカワセミ荘")
    with pytest.raises(Collision, match=r"^name: 'シェアハウスカワセミ荘' already exists"):
        add_building(Work(session, clock, ACTOR), written=again)


def test_an_edit_is_counted_and_told_with_what_was_before(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    seen = building_record(session, cast.sumida.building_id)
    written = replace(seen.written, area="台東区")
    version = edit_building(
        Work(session, clock, ACTOR), building_id=seen.id, version=seen.version, written=written
    )
    assert version == seen.version + 1
    change = last_change(session, ("building", seen.id), "area")
    assert change is not None
    assert (change.actor, change.before, change.after) == (ACTOR, "墨田区", "台東区")
    assert building_record(session, seen.id).slug == seen.slug


def test_an_edit_that_changes_nothing_is_no_audit_event(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    seen = unit_record(session, cast.sumida.free_room_id)
    version = edit_unit(
        Work(session, clock, ACTOR), unit_id=seen.id, version=seen.version, written=seen.written
    )
    assert version == seen.version
    assert audit_events(session, subject=("unit", seen.id)).total == 0


def test_a_stale_edit_collides(session: WorkspaceSession, clock: FixedClock, cast: Cast) -> None:
    seen = unit_record(session, cast.sumida.free_room_id)

    def edit(rent_yen: int) -> None:
        written = replace(seen.written, rent_yen=rent_yen)
        edit_unit(
            Work(session, clock, ACTOR), unit_id=seen.id, version=seen.version, written=written
        )

    edit(90_000)
    with pytest.raises(Collision, match=r"opened it \(version 1, now 2\)"):
        edit(91_000)
    assert unit_record(session, seen.id).written.rent_yen == 90_000


def test_a_unit_is_added_with_its_lines_once(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, room: WrittenUnit
) -> None:
    added = add_unit(Work(session, clock, ACTOR), building_id=cast.sumida.building_id, written=room)
    record = unit_record(session, added)
    assert record.written.features == ("浴室",)
    assert record.slug == f"{cast.sumida.building_slug}-301"


def test_a_room_is_in_its_building_once_however_it_is_spelt(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, room: WrittenUnit
) -> None:
    twice = replace(room, name="１０２ 号室")
    with pytest.raises(Collision, match=r"^name: "):
        add_unit(Work(session, clock, ACTOR), building_id=cast.sumida.building_id, written=twice)
    seen = unit_record(session, cast.sumida.residents_room_id)
    with pytest.raises(Collision, match=r"^name: "):
        edit_unit(
            Work(session, clock, ACTOR),
            unit_id=seen.id,
            version=1,
            written=replace(seen.written, name="102"),
        )


@pytest.mark.parametrize(
    "wrong",
    [
        ("name", {"name": " "}),
        ("name", {"name": "a" * 101}),
        ("name", {"name": "a\0b"}),
        ("layout", {"layout": "x" * 21}),
        ("rentYen", {"rent_yen": -1}),
        ("rentYen", {"rent_yen": 10**12}),
        ("rentYen", {"rent_yen": True}),
        ("bedrooms", {"bedrooms": 51}),
        ("sizeSqm", {"size_centi_sqm": 0}),
        ("floor", {"floor": 201}),
        ("minimumStayDays", {"minimum_stay_days": 0}),
        ("features", {"features": tuple(str(number) for number in range(41))}),
        ("descriptionEn", {"description_en": "a" * 10_001}),
    ],
)
def test_what_no_unit_is_gets_refused_by_the_name_of_its_field(
    session: WorkspaceSession,
    clock: FixedClock,
    cast: Cast,
    room: WrittenUnit,
    wrong: tuple[str, dict[str, Any]],
) -> None:
    field, change = wrong
    with pytest.raises(Refused) as refused:
        add_unit(
            Work(session, clock, ACTOR),
            building_id=cast.sumida.building_id,
            written=replace(room, **change),
        )
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("email", {"email": "no mail"}),
        ("phone", {"phone": "call me"}),
        ("nameKana", {"name_kana": "Yamamoto"}),
        ("name", {"name": ""}),
    ],
)
def test_what_no_owner_is_gets_refused(
    session: WorkspaceSession, clock: FixedClock, field: str, change: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refused:
        add_owner(
            Work(session, clock, ACTOR), written=replace(WrittenOwner(name="林 誠"), **change)
        )
    assert refused.value.field == field


def test_an_owner_is_added_tidied_edited_and_listed(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    typed = WrittenOwner(name="林 誠", name_kana="はやし まこと", phone="０３ー１２３４－５６７８")
    added = add_owner(Work(session, clock, ACTOR), written=typed)
    record = owner_record(session, added)
    assert (record.written.name_kana, record.written.phone) == ("ハヤシ マコト", "03-1234-5678")
    written = replace(record.written, email="hayashi@example.jp")
    assert edit_owner(Work(session, clock, ACTOR), owner_id=added, version=1, written=written) == 2
    with pytest.raises(Collision):
        edit_owner(Work(session, clock, ACTOR), owner_id=added, version=1, written=written)
    name_building_owner(
        Work(session, clock, ACTOR), building_id=cast.sumida.building_id, owner_id=added, version=1
    )
    lines, total = owner_lines(session, Paging(1, 50))
    owned = {line.name: [id_ for id_, _ in line.buildings] for line in lines}
    assert owned == {"林 誠": [cast.sumida.building_id], "山本 茂": []}
    assert total == 2


def test_fees_are_set_changed_and_taken_away(
    session: WorkspaceSession, clock: FixedClock, cast: Cast
) -> None:
    unit_id = cast.sumida.free_room_id
    (before,) = unit_fee_records(session, unit_id)
    assert before.amount_yen == 5_000
    for version, amount_yen in enumerate((6_000, None, 7_000), start=1):
        fees = {before.code: amount_yen}
        after = set_unit_fees(
            Work(session, clock, ACTOR), unit_id=unit_id, version=version, amounts=fees
        )
        assert after == version + 1
        assert unit_fee_records(session, unit_id)[0].amount_yen == amount_yen
    assert set_unit_fees(Work(session, clock, ACTOR), unit_id=unit_id, version=4, amounts=fees) == 4
    events = audit_events(session, subject=("unit", unit_id)).audit_events[-1]
    assert events.before == {"monthly_fees": {before.code: 5_000}}
    with pytest.raises(Refused, match="is not a monthly fee of this"):
        set_unit_fees(Work(session, clock, ACTOR), unit_id=unit_id, version=4, amounts={"gone": 1})


def test_nothing_of_another_workspace_is_found(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, room: WrittenUnit
) -> None:
    others: list[Callable[[], object]] = [
        lambda: building_record(session, cast.minato.building_id),
        lambda: unit_record(session, cast.minato.free_room_id),
        lambda: owner_record(session, cast.minato.owner_id),
        lambda: add_unit(
            Work(session, clock, ACTOR), building_id=cast.minato.building_id, written=room
        ),
        lambda: name_building_owner(
            Work(session, clock, ACTOR),
            building_id=cast.sumida.building_id,
            owner_id=cast.minato.owner_id,
        ),
    ]
    for ask in others:
        with pytest.raises(NotFound):
            ask()


def test_a_listing_learns_of_an_edit(database: Database, clock: FixedClock, cast: Cast) -> None:
    def counter() -> int:
        with database.reading(cast.sumida.workspace_id) as session:
            return session.query(Workspace.catalogue_version).scalar() or 0

    before = counter()
    with database.writing(cast.sumida.workspace_id) as session:
        seen = unit_record(session, cast.sumida.free_room_id)
        written = replace(seen.written, rent_yen=80_000)
        edit_unit(Work(session, clock, ACTOR), unit_id=seen.id, version=1, written=written)
    assert counter() == before + 1
