"""What happens at a door is recorded alike for everyone, and read by whom it concerns alone."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.access.code_sign_in import sign_in_staff_with_code
from pms.access.invitations import accept_invitation, invite_member
from pms.access.members import member_of_address, remove_member
from pms.access.models import DoorSession, SignInEvent
from pms.access.passwords import sign_in_with_password
from pms.access.second_factors import (
    check_second_factor,
    confirm_second_factor,
    forget_second_factor,
    start_second_factor,
)
from pms.access.sessions import Visitor
from pms.access.sign_in_events import (
    Account,
    ShownEvent,
    forget_events,
    note_event,
    own_events,
    portal_events,
    set_sign_in_policy,
    staff_events,
)
from pms.foundation.lists import Paging
from pms.foundation.tokens import token_hash
from pms.foundation.work import Work
from pms.rules.enumerations import Door, SignInEventKind, StaffRole
from tests.access.conftest import OPERATOR, PASSWORD, STRANGER, Doors
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("sorting")
ALL = Paging(1, 100)


def types(doors: Doors, password: str, address: str = OPERATOR) -> bool:
    answer = sign_in_with_password(doors.doorway, doors.visitor(address), password)
    return answer.opened is not None


def own(doors: Doors, person_id: str) -> list[str]:
    with doors.doorway.reading() as session:
        return [one.kind.value for one in own_events(session, person_id, ALL).events]


def seen_by(doors: Doors, house: House, **asked: object) -> Sequence[ShownEvent]:
    with doors.doorway.database.reading(house.workspace_id) as session:
        return staff_events(session, doors.clock, ALL, **asked).events  # type: ignore[arg-type]


def rows(doors: Doors) -> list[SignInEvent]:
    with doors.doorway.reading() as session:
        return list(session.scalars(select(SignInEvent).order_by(SignInEvent.id)))


def test_a_sign_in_and_a_wrong_password_are_recorded_with_address_and_device(doors: Doors) -> None:
    types(doors, "wrong")
    doors.clock.advance(timedelta(seconds=1))
    types(doors, PASSWORD)
    assert own(doors, doors.staff.operator_id) == ["signed_in", "failed"]
    with doors.doorway.reading() as session:
        newest = own_events(session, doors.staff.operator_id, ALL).events[0]
    assert (newest.client, newest.device) == ("192.0.2.1", "Chrome, Windows")


def test_an_unknown_address_leaves_the_same_rows_and_is_not_named(doors: Doors) -> None:
    for address in (OPERATOR, STRANGER):
        doors.asks(f"screen of {address}", address, browser=address)
        types(doors, "wrong", address)
    known, unknown = rows(doors)[:2], rows(doors)[2:]
    assert [one.kind for one in known] == [one.kind for one in unknown]
    assert [bool(one.person_id) for one in (*known, *unknown)] == [True, True, False, False]
    assert not any(STRANGER in str(vars(one)) for one in unknown)


def test_the_try_that_locks_for_a_while_says_so_and_what_waits_is_not_recorded(
    doors: Doors,
) -> None:
    for _ in range(9):
        types(doors, "wrong")
    assert own(doors, doors.staff.operator_id) == ["locked_out", *["failed"] * 4]


def test_a_pin_is_recorded_when_it_is_asked_for_guessed_and_right(doors: Doors) -> None:
    doors.asks("screen")
    digits = doors.mailed_code()
    wrong = f"{(int(digits) + 1) % 1_000_000:06}"
    for typed in (wrong, digits):
        doors.clock.advance(timedelta(seconds=1))
        sign_in_staff_with_code(doors.doorway, doors.visitor(), token_hash("screen"), typed)
    assert own(doors, doors.staff.operator_id) == ["signed_in", "failed", "code_asked"]


def test_the_first_step_is_told_apart_from_coming_in(doors: Doors) -> None:
    doorway, person_id = doors.doorway, doors.staff.operator_id
    with doorway.database.across_workspaces_writing() as session:
        secret = start_second_factor(session, doorway.signer, person_id, issuer="Sumida").secret
        import pyotp

        digits = pyotp.TOTP(secret).at(doors.clock.now())
        recovery = confirm_second_factor(
            session, doors.clock, doorway.signer, person_id, digits, by=doors.visitor()
        )
    for typed in ("000000", recovery[0]):
        doors.clock.advance(timedelta(seconds=1))
        types(doors, PASSWORD)
        with doorway.reading() as session:
            newest = select(DoorSession.id).order_by(DoorSession.id.desc())
            waiting = session.scalars(newest).first()
        doors.clock.advance(timedelta(seconds=1))
        check_second_factor(doorway, doors.visitor(), str(waiting), typed)
    lines = ["signed_in", "factor_asked", "factor_failed", "factor_asked", "factor_set_up"]
    assert own(doors, person_id) == lines


def test_operators_see_their_own_people_alone_and_only_since_they_joined(
    doors: Doors, cast: Cast
) -> None:
    types(doors, PASSWORD)
    assert [one.name for one in seen_by(doors, cast.sumida)] == ["小川 智子"]
    assert seen_by(doors, cast.minato) == []
    doors.clock.advance(timedelta(minutes=1))
    joins(doors, cast.minato)
    assert seen_by(doors, cast.minato) == []
    doors.clock.advance(timedelta(minutes=1))
    types(doors, PASSWORD)
    assert [one.kind.value for one in seen_by(doors, cast.minato)] == ["signed_in"]
    assert len(seen_by(doors, cast.sumida)) == 2
    with doors.doorway.database.writing(cast.minato.workspace_id) as session:
        remove_member(Work(session, doors.clock, "x"), member_of_address(session, OPERATOR).id)
    assert seen_by(doors, cast.minato) == []


def joins(doors: Doors, house: House) -> None:
    """Have Sumida's operator join another workspace."""
    links: list[str] = []
    with doors.doorway.database.writing(house.workspace_id) as session:
        invite_member(
            Work(session, doors.clock, "command line"),
            email=OPERATOR,
            role=StaffRole.OFFICE,
            inviter="x",
            locale="ja",
            signer=doors.doorway.signer,
            link=lambda token: links.append(token) or token,  # type: ignore[func-returns-value]
        )
    accept_invitation(doors.doorway, links[0], None, visitor=doors.visitor())


def test_what_is_done_in_the_name_of_one_workspace_is_hidden_from_another(
    doors: Doors, cast: Cast
) -> None:
    joins(doors, cast.minato)
    doors.clock.advance(timedelta(minutes=1))
    with doors.doorway.database.across_workspaces_writing() as session:
        forget_second_factor(
            session,
            doors.clock,
            doors.staff.operator_id,
            workspace_id=cast.minato.workspace_id,
            by="command line",
        )
    assert [one.kind.value for one in seen_by(doors, cast.minato)] == ["factor_removed"]
    assert seen_by(doors, cast.sumida) == []


def test_operators_ask_for_a_person_a_kind_and_days(doors: Doors, cast: Cast) -> None:
    types(doors, PASSWORD)
    types(doors, "wrong", "office@sumida.example")
    today = doors.clock.today()
    with doors.doorway.database.reading(cast.sumida.workspace_id) as session:
        office = member_of_address(session, "office@sumida.example").id
    failed = SignInEventKind.FAILED
    assert [one.name for one in seen_by(doors, cast.sumida, kind=failed)] == ["岡田 誠"]
    assert [one.kind for one in seen_by(doors, cast.sumida, member_id=office)] == [failed]
    assert len(seen_by(doors, cast.sumida, from_on=today, through_on=today)) == 2
    assert seen_by(doors, cast.sumida, from_on=today + timedelta(days=1)) == []
    assert seen_by(doors, cast.sumida, through_on=today - timedelta(days=1)) == []


def test_an_address_at_one_portal_is_another_at_the_next(doors: Doors, cast: Cast) -> None:
    resident = Visitor("hanako@example.com", "192.0.2.7", "Safari, iPhone")
    with doors.doorway.database.across_workspaces_writing() as session:
        note_event(
            session,
            doors.clock,
            SignInEventKind.SIGNED_IN,
            resident,
            door=Door.RESIDENT,
            workspace_id=cast.sumida.workspace_id,
        )

    def events_shown(door: Door, house: House) -> int:
        account = Account(door, house.workspace_id, resident.address)
        with doors.doorway.reading() as session:
            return portal_events(session, account, ALL).total

    assert events_shown(Door.RESIDENT, cast.sumida) == 1
    assert events_shown(Door.OWNER, cast.sumida) == events_shown(Door.RESIDENT, cast.minato) == 0
    assert resident.address not in str([vars(one) for one in rows(doors)])


def test_what_is_older_than_a_workspace_keeps_is_deleted(doors: Doors, cast: Cast) -> None:
    with doors.doorway.database.writing(cast.sumida.workspace_id) as session:
        set_sign_in_policy(Work(session, doors.clock, "person/1"), kept_days=30)
    minatos = "operator@minato.example"
    for address in (OPERATOR, minatos, STRANGER):
        types(doors, "wrong", address)
    kept = {31: 2, 179: 2, 181: 0}
    start = doors.clock.now()
    for days, count in kept.items():
        with doors.doorway.database.across_workspaces_writing() as session:
            forget_events(session, start + timedelta(days=days))
        assert len(rows(doors)) == count, days


def test_a_person_of_two_workspaces_is_kept_as_long_as_the_longer(doors: Doors, cast: Cast) -> None:
    joins(doors, cast.minato)
    for house, days in ((cast.sumida, 30), (cast.minato, 60)):
        with doors.doorway.database.writing(house.workspace_id) as session:
            set_sign_in_policy(Work(session, doors.clock, "person/1"), kept_days=days)
    types(doors, PASSWORD)
    doors.clock.advance(timedelta(days=40))
    with doors.doorway.database.across_workspaces_writing() as session:
        forget_events(session, doors.clock.now())
    assert seen_by(doors, cast.sumida) == []
    assert len(seen_by(doors, cast.minato)) == 1
