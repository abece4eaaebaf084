"""Copies of the handbook: pages of a unit, who has which page, and codes by tap."""

from dataclasses import replace

import pytest

from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import (
    add_handbook_page,
    add_unit_page,
    edit_handbook_page,
    handbook_copy,
    handbook_of,
    handbook_of_unit,
    page_record,
    reveal_copied_code,
)
from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.errors import NotFound
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HandbookReader
from pms.rules.handbook_copies import CodeSight, ContractorFacts, ResidentFacts
from tests.cast import Cast
from tests.catalogue.conftest import ACTOR


@pytest.fixture
def heater_id(session: WorkspaceSession, clock: FixedClock, cast: Cast, door: WrittenPage) -> str:
    """A page about room 101 alone."""
    written = replace(door, title_ja="給湯器", title_en="Heater", guarded_code="*0451#")
    unit_id = cast.sumida.residents_room_id
    return add_unit_page(Work(session, clock, ACTOR), unit_id=unit_id, written=written)


def test_a_page_of_a_unit_stands_on_the_unit_alone(
    session: WorkspaceSession, cast: Cast, heater_id: str
) -> None:
    house = cast.sumida
    (entry,) = handbook_of_unit(session, house.residents_room_id).entries
    assert (entry.id, entry.readers) == (heater_id, frozenset(HandbookReader))
    assert heater_id not in {each.id for each in handbook_of(session, house.building_id).entries}
    assert handbook_of_unit(session, house.free_room_id).entries == []
    assert page_record(session, heater_id).unit_id == house.residents_room_id


def test_a_copy_holds_the_building_first_then_the_readers_unit_and_no_code(
    session: WorkspaceSession, cast: Cast, heater_id: str
) -> None:
    house = cast.sumida
    reader = ContractorFacts(house.residents_room_id)
    copy = handbook_copy(session, building_id=house.building_id, reader=reader)
    assert [page.is_of_unit for page in copy] == [False, True]
    assert copy[-1].id == heater_id
    assert {page.code for page in copy} == {CodeSight.BY_TAP}
    assert "*0451#" not in repr(copy)
    assert "4729#" not in repr(copy)
    elsewhere = ContractorFacts(house.free_room_id)
    others = handbook_copy(session, building_id=house.building_id, reader=elsewhere)
    assert heater_id not in {page.id for page in others}


def test_a_page_for_staff_is_in_nobodys_copy(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, door: WrittenPage
) -> None:
    house = cast.sumida
    secret = replace(door, is_for_contractors=False, is_for_residents=False, is_for_guests=False)
    page_id = add_handbook_page(
        Work(session, clock, ACTOR), building_id=house.building_id, written=secret
    )
    reader = ContractorFacts(house.residents_room_id)
    copy = handbook_copy(session, building_id=house.building_id, reader=reader)
    assert page_id not in {page.id for page in copy}
    with pytest.raises(NotFound):
        reveal_copied_code(
            Work(session, clock, "x/1"),
            page_id=page_id,
            building_id=house.building_id,
            reader=reader,
        )
    edit_handbook_page(Work(session, clock, ACTOR), page_id=page_id, version=1, written=door)
    copy = handbook_copy(session, building_id=house.building_id, reader=reader)
    assert page_id in {page.id for page in copy}


def test_a_look_at_a_code_is_written_down_under_the_readers_name(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, heater_id: str
) -> None:
    house = cast.sumida
    actor = "contractor/0123"
    code = reveal_copied_code(
        Work(session, clock, actor),
        page_id=heater_id,
        building_id=house.building_id,
        reader=ContractorFacts(house.residents_room_id),
    )
    assert code == "*0451#"
    events = audit_events(session, audit_event=AuditEvent.CODE_REVEALED).audit_events
    assert [done.actor for done in events] == [actor]


def test_who_no_longer_lives_there_sees_the_page_and_not_the_code(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, heater_id: str
) -> None:
    house = cast.sumida
    former = ResidentFacts(house.residents_room_id, is_living=False)
    copy = handbook_copy(session, building_id=house.building_id, reader=former)
    assert {page.code for page in copy} == {CodeSight.NOT_LIVING}
    for page_id in (heater_id, "no-id", "0" * 32):
        with pytest.raises(NotFound):
            reveal_copied_code(
                Work(session, clock, ACTOR),
                page_id=page_id,
                building_id=house.building_id,
                reader=former,
            )


def test_a_unit_of_another_workspace_gets_no_page(
    session: WorkspaceSession, clock: FixedClock, cast: Cast, door: WrittenPage
) -> None:
    with pytest.raises(NotFound):
        add_unit_page(Work(session, clock, ACTOR), unit_id=cast.minato.free_room_id, written=door)
    reader = ContractorFacts(cast.minato.free_room_id)
    assert handbook_copy(session, building_id=cast.minato.building_id, reader=reader) == []
