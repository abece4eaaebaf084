"""The demo shows every state the service knows, the same on every machine, on both databases."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

import pytest
from sqlalchemy import select

from pms.access.key_lookup import find_key
from pms.access.models import ApiKey, SignInEvent
from pms.availability.units import UnitSearch, search_units
from pms.catalogue.models import Building, Campaign, ExternalBlock, HandbookPage, Photo, Unit
from pms.demo.rows import PARENTS_FIRST, Album
from pms.demo.seed_demo import SeededWorkspace, seed_demo
from pms.enquiries.models import Viewing
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import CorruptDay
from pms.rules.enumerations import (
    AvailabilityState,
    BlockSource,
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
    SignInEventKind,
    UnitType,
    ViewingStatus,
)
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.unit_stays import Stay, TenancyFacts, conflicts, month_to_month_state, read_spans
from pms.site.models import Post
from pms.workspaces.models import Workspace
from tests.availability.surfaces import differing_answers

Seeded = tuple[SeededWorkspace, ...]


def everything(database: Database, table: Any) -> list[Any]:
    with database.across_workspaces_reading() as session:
        return list(session.scalars(select(table).order_by(table.id)))


def as_stay(reservation: Reservation) -> Stay:
    return Stay(
        id=reservation.id,
        start_on=reservation.override_move_in_date or reservation.move_in_date,
        end_on=reservation.override_contract_end_date or reservation.contract_end_date,
        move_out_on=reservation.move_out_date,
        expected_departure_on=reservation.expected_departure_date,
        is_forced=reservation.forced_on is not None,
        kind=ReservationKind(reservation.kind),
        is_cancelled=reservation.cancelled_at is not None,
    )


def stays_by_unit(reservations: Iterable[Reservation]) -> dict[tuple[str, str], list[Stay]]:
    stays: defaultdict[tuple[str, str], list[Stay]] = defaultdict(list)
    for reservation in reservations:
        stays[reservation.workspace_id, reservation.unit_id].append(as_stay(reservation))
    return stays


def test_two_workspaces_hold_120_units_and_400_reservations(
    database: Database, seeded: Seeded
) -> None:
    assert [one.slug for one in seeded] == ["midori-living", "tokyo-nest"]
    assert len(everything(database, Unit)) == sum(one.units for one in seeded) == 120
    assert len(everything(database, Reservation)) == sum(one.reservations for one in seeded) == 400


def test_both_hold_the_same_house_as_records_of_their_own(
    database: Database, seeded: Seeded
) -> None:
    by_address = defaultdict(set)
    for building in everything(database, Building):
        by_address[building.address].add((building.workspace_id, building.name))
    shared = [records for records in by_address.values() if len(records) > 1]
    assert len(by_address) == 6
    assert [{name for _, name in records} for records in shared] == [
        {"Kawasemi House", "シェアハウス カワセミ荘"}
    ]


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("lifecycle", Lifecycle),
        ("payment_status", PaymentStatus),
        ("esign_status", EsignStatus),
        ("kind", ReservationKind),
    ],
)
def test_every_word_of_a_reservation_is_there(
    database: Database, seeded: Seeded, column: str, words: type[StrEnum]
) -> None:
    met = {getattr(reservation, column) for reservation in everything(database, Reservation)}
    assert met == set(words)


def test_every_availability_is_there_in_each_workspace(
    database: Database, seeded: Seeded, today: date
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = search_units(session, UnitSearch(excluded=()), today)
        assert {unit.availability.state for unit in found.units} == set(AvailabilityState)
        assert len(found.units) == workspace.units
        assert found.confirmed > 5
        assert found.possible > 1


def test_states_without_a_readable_date_are_there(
    database: Database, seeded: Seeded, today: date
) -> None:
    undated = Counter[str]()
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = search_units(session, UnitSearch(excluded=()), today)
        undated.update(u.availability.state for u in found.units if u.availability.on is None)
    assert undated[AvailabilityState.AVAILABLE_FROM]
    assert undated[AvailabilityState.POSSIBLY_AVAILABLE]
    assert undated[AvailabilityState.RESERVED]


def test_month_to_month_is_there_derived_forced_and_cleared(
    database: Database, seeded: Seeded, today: date
) -> None:
    forced = everything(database, ForcedMonthToMonth)
    assert {row.cleared_at is None for row in forced} == {True, False}
    states = Counter(_state(stay, today) for stay in everything(database, Reservation))
    assert states[MonthToMonthState.DERIVED] >= 10


def _state(reservation: Reservation, today: date) -> MonthToMonthState:
    stay = as_stay(reservation)
    move_out = reservation.move_out_date
    if not isinstance(stay.start_on, date) or isinstance(move_out, CorruptDay):
        return MonthToMonthState.NONE
    end = stay.end_on if isinstance(stay.end_on, date) else None
    tenancy = TenancyFacts(
        ContractTerm(stay.start_on, end),
        stay.kind,
        move_out_on=move_out,
        is_cancelled=stay.is_cancelled,
    )
    return month_to_month_state(tenancy, today, DEFAULT_POLICY)


def test_no_two_tenancies_hold_one_unit_on_the_same_night(
    database: Database, seeded: Seeded, today: date
) -> None:
    for stays in stays_by_unit(everything(database, Reservation)).values():
        assert not conflicts(read_spans(stays, today, DEFAULT_POLICY).spans)


def test_what_is_rare_is_there_too(database: Database, seeded: Seeded, today: date) -> None:
    reservations = everything(database, Reservation)
    days = [value for row in reservations for value in vars(row).values()]
    assert any(isinstance(day, CorruptDay) for day in days)
    expected = [row.expected_departure_date for row in reservations]
    assert {day < today for day in expected if isinstance(day, date)} == {True, False}
    assert any(row.override_move_in_date for row in reservations)
    assert any(row.override_contract_end_date for row in reservations)
    assert any(row.arrival_date for row in reservations)
    assert any(row.move_out_date == today for row in reservations)
    assert len(everything(database, CoOccupant)) > 10


def test_every_surface_gives_one_answer_about_each_unit(
    database: Database, seeded: Seeded, today: date
) -> None:
    with database.across_workspaces_reading() as session:
        workspaces = session.scalars(select(Workspace.id)).all()
    for workspace_id in workspaces:
        with database.reading(workspace_id) as session:
            unit_ids = session.scalars(select(Unit.id)).all()
            assert differing_answers(session, unit_ids, today) == []


def test_somebody_holds_two_tenancies(database: Database, seeded: Seeded) -> None:
    kinds = defaultdict(set)
    for row in everything(database, Reservation):
        kinds[row.email_key].add(row.lifecycle)
    assert any({Lifecycle.TRANSFERRED, Lifecycle.LIVING} <= held for held in kinds.values())
    returned = [held for held in kinds.values() if Lifecycle.LIVING in held and len(held) > 1]
    assert len(returned) > 3


def test_external_blocks_come_from_every_source(
    database: Database, seeded: Seeded, today: date
) -> None:
    blocks = everything(database, ExternalBlock)
    assert {block.source for block in blocks} == set(BlockSource)
    assert {block.first_on > today for block in blocks} == {True, False}


def test_viewings_campaigns_and_posts_lie_around_today(
    database: Database, seeded: Seeded, clock: FixedClock, today: date
) -> None:
    assert {viewing.status for viewing in everything(database, Viewing)} == set(ViewingStatus)
    campaigns = everything(database, Campaign)
    assert {(campaign.starts_on > today) for campaign in campaigns} == {True, False}
    assert any(campaign.ends_on and campaign.ends_on < today for campaign in campaigns)
    published = [post.published_at for post in everything(database, Post)]
    assert None in published
    assert {at > clock.now() for at in published if at} == {True, False}
    assert any(post.title_en is None for post in everything(database, Post))


def test_prices_are_those_of_tokyo(database: Database, seeded: Seeded) -> None:
    for unit in everything(database, Unit):
        low, high = (40_000, 75_000) if unit.type == UnitType.SHAREHOUSE else (80_000, 190_000)
        assert low <= unit.rent_yen <= high
        assert unit.description_ja
        assert unit.description_en
        assert len(unit.features) == len(unit.features_en) >= 3


def test_nobody_real_can_be_reached(database: Database, seeded: Seeded) -> None:
    for row in (*everything(database, Reservation), *everything(database, Viewing)):
        email = getattr(row, "email", None) or row.visitor_email
        phone = getattr(row, "phone", None) or row.visitor_phone
        assert email.endswith(("@example.jp", "@example.com", ".example"))
        assert email.isascii()
        assert phone.split("-")[1].startswith("0")


def test_every_unit_and_house_is_pictured_and_every_house_explained(
    database: Database, seeded: Seeded
) -> None:
    photos = everything(database, Photo)
    pictured = {photo.unit_id or photo.building_id for photo in photos}
    assert {unit.id for unit in everything(database, Unit)} <= pictured
    houses = {building.id for building in everything(database, Building)}
    assert houses <= pictured
    pages = everything(database, HandbookPage)
    assert {page.building_id for page in pages if page.guarded_code} == houses


def test_nothing_was_touched_later_than_now(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for table in PARENTS_FIRST:
        for row in everything(database, table):
            for column in ("created_at", "updated_at"):
                assert getattr(row, column, clock.now()) <= clock.now(), table


def test_a_second_seeding_changes_nothing(
    database: Database, seeded: Seeded, clock: FixedClock, album: Album
) -> None:
    before = {table: len(everything(database, table)) for table in (*PARENTS_FIRST, ApiKey)}
    again = seed_demo(database, Files(database.settings), clock.today(), clock, album=album)
    assert again == ()
    assert before == {table: len(everything(database, table)) for table in before}


def test_the_keys_open_the_workspace_they_were_made_for(database: Database, seeded: Seeded) -> None:
    with database.connection_across_workspaces() as connection:
        for workspace in seeded:
            read = find_key(connection, workspace.read_key)
            residents = find_key(connection, workspace.residents_key)
            assert read is not None
            assert residents is not None
            assert read.workspace_id == residents.workspace_id == workspace.id
            assert "properties:read" in read.scopes
            assert "residents:read" in residents.scopes


@pytest.mark.thorough("seeds the demo anew; that it comes out whole is tried in quick tests")
def test_nothing_is_kept_of_a_seeding_that_fails_and_another_one_is_whole(
    database: Database, clock: FixedClock, album: Album
) -> None:
    class StoppedClock(FixedClock):
        def now(self) -> Any:
            raise InterruptedError

    clock.advance(timedelta(days=40))
    stopped = StoppedClock(clock.now())
    with pytest.raises(InterruptedError):
        seed_demo(database, Files(database.settings), clock.today(), stopped, album=album)
    assert not everything(database, Workspace)
    made = seed_demo(database, Files(database.settings), clock.today(), clock, album=album)
    assert sum(one.reservations for one in made) == 400


@pytest.mark.thorough("a whole seeding for each day; two days are seeded in quick tests")
@pytest.mark.parametrize("days", [1, 101])
def test_on_any_day_the_demo_is_whole(
    database: Database, clock: FixedClock, album: Album, days: int
) -> None:
    clock.advance(timedelta(days=days))
    made = seed_demo(database, Files(database.settings), clock.today(), clock, album=album)
    assert sum(one.reservations for one in made) == 400


def test_who_came_in_lately_can_be_seen(seeded: Seeded, database: Database) -> None:
    kinds = {event.kind for event in everything(database, SignInEvent)}
    found = SignInEventKind.SIGNED_IN, SignInEventKind.LOCKED_OUT, SignInEventKind.CODE_ASKED
    assert kinds.issuperset(found)
