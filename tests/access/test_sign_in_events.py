"""Sign-in events are recorded alike for every address, and read only by whom they concern."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.access.code_sign_in import sign_in_staff_with_code
from pms.access.invitations import accept_invitation, invite_member
from pms.access.members import member_of_address, remove_member
from pms.access.models import AuthSession, SignInEvent
from pms.access.password_sign_in import sign_in_with_password
from pms.access.second_factors import (
    check_second_factor,
    confirm_second_factor,
    forget_second_factor,
    start_second_factor,
)
from pms.access.sessions import Visitor
from pms.access.sign_in_events import (
    ShownSignIn,
    SignInAccount,
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
from pms.rules.enumerations import SignInEventKind, StaffRole, UserKind
from tests.access.conftest import OPERATOR, PASSWORD, STRANGER, SignIns
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("sorting")
ALL = Paging(1, 100)


def types(sign_ins: SignIns, password: str, address: str = OPERATOR) -> bool:
    answer = sign_in_with_password(sign_ins.auth, sign_ins.visitor(address), password)
    return answer.opened is not None


def own(sign_ins: SignIns, person_id: str) -> list[str]:
    with sign_ins.auth.reading() as session:
        return [one.kind.value for one in own_events(session, person_id, ALL).events]


def seen_by(sign_ins: SignIns, house: House, **asked: object) -> Sequence[ShownSignIn]:
    with sign_ins.auth.database.reading(house.workspace_id) as session:
        return staff_events(session, sign_ins.clock, ALL, **asked).events  # type: ignore[arg-type]


def rows(sign_ins: SignIns) -> list[SignInEvent]:
    with sign_ins.auth.reading() as session:
        return list(session.scalars(select(SignInEvent).order_by(SignInEvent.id)))


def test_a_sign_in_and_a_wrong_password_are_recorded_with_address_and_device(
    sign_ins: SignIns,
) -> None:
    types(sign_ins, "wrong")
    sign_ins.clock.advance(timedelta(seconds=1))
    types(sign_ins, PASSWORD)
    assert own(sign_ins, sign_ins.staff.operator_id) == ["signed_in", "failed"]
    with sign_ins.auth.reading() as session:
        newest = own_events(session, sign_ins.staff.operator_id, ALL).events[0]
    assert (newest.client, newest.device) == ("192.0.2.1", "Chrome, Windows")


def test_an_unknown_address_leaves_the_same_rows_and_is_not_named(sign_ins: SignIns) -> None:
    for address in (OPERATOR, STRANGER):
        sign_ins.asks(f"screen of {address}", address, browser=address)
        types(sign_ins, "wrong", address)
    known, unknown = rows(sign_ins)[:2], rows(sign_ins)[2:]
    assert [one.kind for one in known] == [one.kind for one in unknown]
    assert [bool(one.person_id) for one in (*known, *unknown)] == [True, True, False, False]
    assert not any(STRANGER in str(vars(one)) for one in unknown)


def test_the_try_that_locks_for_a_while_says_so_and_what_waits_is_not_recorded(
    sign_ins: SignIns,
) -> None:
    for _ in range(9):
        types(sign_ins, "wrong")
    assert own(sign_ins, sign_ins.staff.operator_id) == ["locked_out", *["failed"] * 4]


def test_a_pin_is_recorded_when_it_is_asked_for_guessed_and_right(sign_ins: SignIns) -> None:
    sign_ins.asks("screen")
    digits = sign_ins.mailed_code()
    wrong = f"{(int(digits) + 1) % 1_000_000:06}"
    for typed in (wrong, digits):
        sign_ins.clock.advance(timedelta(seconds=1))
        sign_in_staff_with_code(sign_ins.auth, sign_ins.visitor(), token_hash("screen"), typed)
    assert own(sign_ins, sign_ins.staff.operator_id) == ["signed_in", "failed", "code_asked"]


def test_the_first_step_is_told_apart_from_coming_in(sign_ins: SignIns) -> None:
    auth, person_id = sign_ins.auth, sign_ins.staff.operator_id
    with auth.database.across_workspaces_writing() as session:
        secret = start_second_factor(session, auth.signer, person_id, issuer="Sumida").secret
        import pyotp

        digits = pyotp.TOTP(secret).at(sign_ins.clock.now())
        recovery = confirm_second_factor(
            session, sign_ins.clock, auth.signer, person_id, digits, by=sign_ins.visitor()
        )
    for typed in ("000000", recovery[0]):
        sign_ins.clock.advance(timedelta(seconds=1))
        types(sign_ins, PASSWORD)
        with auth.reading() as session:
            newest = select(AuthSession.id).order_by(AuthSession.id.desc())
            waiting = session.scalars(newest).first()
        sign_ins.clock.advance(timedelta(seconds=1))
        check_second_factor(auth, sign_ins.visitor(), str(waiting), typed)
    lines = ["signed_in", "factor_asked", "factor_failed", "factor_asked", "factor_set_up"]
    assert own(sign_ins, person_id) == lines


def test_operators_see_their_own_people_alone_and_only_since_they_joined(
    sign_ins: SignIns, cast: Cast
) -> None:
    types(sign_ins, PASSWORD)
    assert [one.name for one in seen_by(sign_ins, cast.sumida)] == ["小川 智子"]
    assert seen_by(sign_ins, cast.minato) == []
    sign_ins.clock.advance(timedelta(minutes=1))
    joins(sign_ins, cast.minato)
    assert seen_by(sign_ins, cast.minato) == []
    sign_ins.clock.advance(timedelta(minutes=1))
    types(sign_ins, PASSWORD)
    assert [one.kind.value for one in seen_by(sign_ins, cast.minato)] == ["signed_in"]
    assert len(seen_by(sign_ins, cast.sumida)) == 2
    with sign_ins.auth.database.writing(cast.minato.workspace_id) as session:
        remove_member(Work(session, sign_ins.clock, "x"), member_of_address(session, OPERATOR).id)
    assert seen_by(sign_ins, cast.minato) == []


def joins(sign_ins: SignIns, house: House) -> None:
    """Have Sumida's operator join another workspace."""
    links: list[str] = []
    with sign_ins.auth.database.writing(house.workspace_id) as session:
        invite_member(
            Work(session, sign_ins.clock, "command line"),
            email=OPERATOR,
            role=StaffRole.OFFICE,
            inviter="x",
            locale="ja",
            signer=sign_ins.auth.signer,
            link=lambda token: links.append(token) or token,  # type: ignore[func-returns-value]
        )
    visitor = sign_ins.visitor()
    accept_invitation(sign_ins.auth, links[0], None, visitor=visitor, signed_in_as=visitor.address)


def test_what_is_done_in_the_name_of_one_workspace_is_hidden_from_another(
    sign_ins: SignIns, cast: Cast
) -> None:
    joins(sign_ins, cast.minato)
    sign_ins.clock.advance(timedelta(minutes=1))
    with sign_ins.auth.database.across_workspaces_writing() as session:
        forget_second_factor(
            session,
            sign_ins.clock,
            sign_ins.staff.operator_id,
            workspace_id=cast.minato.workspace_id,
            by="command line",
        )
    assert [one.kind.value for one in seen_by(sign_ins, cast.minato)] == ["factor_removed"]
    assert seen_by(sign_ins, cast.sumida) == []


def test_operators_ask_for_a_person_a_kind_and_days(sign_ins: SignIns, cast: Cast) -> None:
    types(sign_ins, PASSWORD)
    types(sign_ins, "wrong", "office@sumida.example")
    today = sign_ins.clock.today()
    with sign_ins.auth.database.reading(cast.sumida.workspace_id) as session:
        office = member_of_address(session, "office@sumida.example").id
    failed = SignInEventKind.FAILED
    assert [one.name for one in seen_by(sign_ins, cast.sumida, kind=failed)] == ["岡田 誠"]
    assert [one.kind for one in seen_by(sign_ins, cast.sumida, member_id=office)] == [failed]
    assert len(seen_by(sign_ins, cast.sumida, from_on=today, through_on=today)) == 2
    assert seen_by(sign_ins, cast.sumida, from_on=today + timedelta(days=1)) == []
    assert seen_by(sign_ins, cast.sumida, through_on=today - timedelta(days=1)) == []


def test_an_address_at_one_portal_is_another_at_the_next(sign_ins: SignIns, cast: Cast) -> None:
    resident = Visitor("hanako@example.com", "192.0.2.7", "Safari, iPhone")
    with sign_ins.auth.database.across_workspaces_writing() as session:
        note_event(
            session,
            sign_ins.clock,
            SignInEventKind.SIGNED_IN,
            resident,
            user_kind=UserKind.RESIDENT,
            workspace_id=cast.sumida.workspace_id,
        )

    def events_shown(user_kind: UserKind, house: House) -> int:
        account = SignInAccount(user_kind, house.workspace_id, resident.address)
        with sign_ins.auth.reading() as session:
            return portal_events(session, account, ALL).total

    assert events_shown(UserKind.RESIDENT, cast.sumida) == 1
    assert (
        events_shown(UserKind.OWNER, cast.sumida)
        == events_shown(UserKind.RESIDENT, cast.minato)
        == 0
    )
    assert resident.address not in str([vars(one) for one in rows(sign_ins)])


def test_what_is_older_than_a_workspace_keeps_is_deleted(sign_ins: SignIns, cast: Cast) -> None:
    with sign_ins.auth.database.writing(cast.sumida.workspace_id) as session:
        set_sign_in_policy(Work(session, sign_ins.clock, "person/1"), kept_days=30)
    minatos = "operator@minato.example"
    for address in (OPERATOR, minatos, STRANGER):
        types(sign_ins, "wrong", address)
    kept = {31: 2, 179: 2, 181: 0}
    start = sign_ins.clock.now()
    for days, count in kept.items():
        with sign_ins.auth.database.across_workspaces_writing() as session:
            forget_events(session, start + timedelta(days=days))
        assert len(rows(sign_ins)) == count, days


def test_a_person_of_two_workspaces_is_kept_as_long_as_the_longer(
    sign_ins: SignIns, cast: Cast
) -> None:
    joins(sign_ins, cast.minato)
    for house, days in ((cast.sumida, 30), (cast.minato, 60)):
        with sign_ins.auth.database.writing(house.workspace_id) as session:
            set_sign_in_policy(Work(session, sign_ins.clock, "person/1"), kept_days=days)
    types(sign_ins, PASSWORD)
    sign_ins.clock.advance(timedelta(days=40))
    with sign_ins.auth.database.across_workspaces_writing() as session:
        forget_events(session, sign_ins.clock.now())
    assert seen_by(sign_ins, cast.sumida) == []
    assert len(seen_by(sign_ins, cast.minato)) == 1
