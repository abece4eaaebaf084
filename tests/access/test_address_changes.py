"""A member of staff changes their own address: proven twice, told to the former one, known to nobody else."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pms.access.address_changes import ask_for_new_address, change_address, check_new_address
from pms.access.code_sign_in import sign_in_staff_with_code
from pms.access.mailed_codes import Screen
from pms.access.models import AuthSession, Member, Person, SignInEvent
from pms.access.password_sign_in import sign_in_with_password
from pms.access.sessions import FoundSession, find_session
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Refused
from pms.foundation.outbox import OutboxMail
from pms.foundation.tokens import token_hash
from pms.rules.enumerations import StaffRole, UserKind
from pms.rules.sign_in_codes import CodeAnswer
from tests.access.conftest import OPERATOR, PASSWORD, SignIns
from tests.cast import Cast
from tests.departures.racing import race

NEW = "tomoko@new.example"
TAKEN = "office@sumida.example"


def signs_in(sign_ins: SignIns, address: str = OPERATOR) -> FoundSession | None:
    opened = sign_in_with_password(sign_ins.auth, sign_ins.visitor(address), PASSWORD).opened
    if opened is None:
        return None
    with sign_ins.auth.reading() as session:
        return find_session(session.connection(), opened.token, sign_ins.clock.now())


@pytest.fixture
def held(sign_ins: SignIns) -> FoundSession:
    """The session of Sumida's operator, signed in by password."""
    found = signs_in(sign_ins)
    assert found is not None
    return found


def screen(held: FoundSession, address: str = NEW, name: str = "screen") -> Screen:
    return Screen(UserKind.STAFF, None, address, token_hash(name), person_id=held.person_id)


def asks(
    sign_ins: SignIns,
    held: FoundSession,
    address: str = NEW,
    name: str = "screen",
    *,
    current: str = PASSWORD,
    client: str = "192.0.2.1",
) -> None:
    ask_for_new_address(
        sign_ins.auth,
        held,
        screen(held, address, name),
        current=current,
        by=sign_ins.visitor(held.address, client),
        locale="en",
    )


def types(
    sign_ins: SignIns, held: FoundSession, digits: str, address: str = NEW, name: str = "screen"
) -> CodeAnswer:
    by = sign_ins.visitor(held.address)
    return change_address(sign_ins.auth, held, screen(held, address, name), digits, by=by)


def address_of(sign_ins: SignIns, person_id: str) -> str:
    with sign_ins.auth.reading() as session:
        return session.get_one(Person, person_id).email


def wrong(digits: str) -> str:
    return f"{(int(digits) + 1) % 1_000_000:06}"


def mails(sign_ins: SignIns) -> list[OutboxMail]:
    sign_ins.mails()
    with sign_ins.auth.reading() as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def test_the_code_from_the_new_address_makes_it_the_one_to_sign_in_with(
    sign_ins: SignIns, held: FoundSession
) -> None:
    asks(sign_ins, held)
    assert sign_ins.newest_mail().recipient == NEW
    assert address_of(sign_ins, sign_ins.staff.operator_id) == OPERATOR
    assert types(sign_ins, held, sign_ins.mailed_code()) is CodeAnswer.OPENS
    assert address_of(sign_ins, sign_ins.staff.operator_id) == NEW
    assert signs_in(sign_ins) is None
    assert signs_in(sign_ins, NEW) is not None


def test_the_former_address_is_told_and_all_other_sessions_end(
    sign_ins: SignIns, held: FoundSession
) -> None:
    signs_in(sign_ins)
    asks(sign_ins, held)
    assert types(sign_ins, held, sign_ins.mailed_code()) is CodeAnswer.OPENS
    last = mails(sign_ins)[-1]
    assert last.recipient == OPERATOR
    assert "メールアドレスが変更されました" in last.subject
    assert NEW in last.text
    with sign_ins.auth.reading() as session:
        live = session.scalars(select(AuthSession).where(AuthSession.revoked_at.is_(None))).all()
        assert [(row.id, row.address) for row in live] == [(held.id, NEW)]


def test_it_is_in_the_sign_in_history_and_in_the_audit_of_every_workspace_of_the_person(
    sign_ins: SignIns, held: FoundSession, cast: Cast
) -> None:
    with sign_ins.auth.database.across_workspaces_writing() as session:
        session.add(
            Member(
                workspace_id=cast.minato.workspace_id,
                person_id=held.person_id,
                role=StaffRole.OFFICE,
                accepted_at=sign_ins.clock.now(),
            )
        )
    asks(sign_ins, held)
    types(sign_ins, held, sign_ins.mailed_code())
    with sign_ins.auth.reading() as session:
        events = session.scalars(select(SignInEvent).order_by(SignInEvent.id)).all()
        assert [event.kind.value for event in events] == [
            "signed_in",
            "code_asked",
            "address_changed",
        ]
        assert {event.person_id for event in events} == {held.person_id}
        recorded = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == "member.address_changed")
        ).all()
    assert {record.workspace_id for record in recorded} == {
        cast.sumida.workspace_id,
        cast.minato.workspace_id,
    }
    assert {(record.actor, str(record.before), str(record.after)) for record in recorded} == {
        (f"person/{held.person_id}", str({"email": OPERATOR}), str({"email": NEW}))
    }


def test_without_the_password_nothing_is_mailed(sign_ins: SignIns, held: FoundSession) -> None:
    for typed in ("", "wrong"):
        with pytest.raises(Refused, match="currentPassword: The password is wrong"):
            asks(sign_ins, held, current=typed)
    assert mails(sign_ins) == []


def test_a_session_of_a_fresh_code_needs_no_password(sign_ins: SignIns) -> None:
    sign_ins.asks("sign in")
    opened = sign_in_staff_with_code(
        sign_ins.auth, sign_ins.visitor(), token_hash("sign in"), sign_ins.mailed_code()
    ).opened
    assert opened is not None
    with sign_ins.auth.reading() as session:
        fresh = find_session(session.connection(), opened.token, sign_ins.clock.now())
    assert fresh is not None
    asks(sign_ins, fresh, current="")
    assert types(sign_ins, fresh, sign_ins.mailed_code()) is CodeAnswer.OPENS


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("", "email: '' is not"),
        ("tomoko", "email: 'tomoko' is not"),
        (" Operator@SUMIDA.example ", "email: This is already your email address"),
    ],
)
def test_no_address_none_at_all_and_the_same_one_are_refused_at_its_field(
    held: FoundSession, typed: str, refusal: str
) -> None:
    with pytest.raises(Refused, match=refusal):
        check_new_address(held, typed)


def test_a_new_address_is_stored_as_it_is_compared(held: FoundSession) -> None:
    assert check_new_address(held, " Ｔomoko@New.Example ") == NEW


def test_an_address_that_has_an_account_is_answered_alike_and_its_owner_is_told(
    sign_ins: SignIns, held: FoundSession
) -> None:
    asks(sign_ins, held, TAKEN)
    mail = sign_ins.newest_mail()
    assert mail.recipient == TAKEN
    assert "登録済み" in mail.subject
    assert not re.search(r"\d{6}", mail.subject + mail.text), "no code"
    taken = types(sign_ins, held, "000000", TAKEN)
    asks(sign_ins, held, NEW, "another")
    free = types(sign_ins, held, wrong(sign_ins.mailed_code()), NEW, "another")
    assert taken is free is CodeAnswer.WRONG
    with sign_ins.auth.reading() as session:
        of_owner = select(func.count()).where(SignInEvent.person_id == sign_ins.staff.office_id)
        assert session.scalar(of_owner) == 0, "it is no event of the account that has the address"


def test_an_address_taken_after_the_code_was_mailed_is_not_given_twice(
    sign_ins: SignIns, held: FoundSession
) -> None:
    asks(sign_ins, held)
    digits = sign_ins.mailed_code()
    with sign_ins.auth.database.across_workspaces_writing() as session:
        session.get_one(Person, sign_ins.staff.office_id).email = NEW
    assert types(sign_ins, held, digits) is CodeAnswer.WRONG
    assert address_of(sign_ins, sign_ins.staff.operator_id) == OPERATOR


def test_only_the_newest_code_works_whichever_address_and_network_it_was_asked_from(
    sign_ins: SignIns, held: FoundSession
) -> None:
    asks(sign_ins, held)
    old = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(seconds=1))
    asks(sign_ins, held, "tomoko@other.example", "other", client="198.51.100.7")
    new = sign_ins.mailed_code()
    assert types(sign_ins, held, old) is CodeAnswer.REPLACED
    assert types(sign_ins, held, new, "tomoko@other.example", "other") is CodeAnswer.OPENS


def test_a_code_for_a_new_address_signs_nobody_in_and_ends_no_code_of_that_address(
    sign_ins: SignIns, held: FoundSession
) -> None:
    sign_ins.asks("owner", TAKEN)
    digits = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(seconds=1))
    asks(sign_ins, held, TAKEN)
    visitor = sign_ins.visitor(TAKEN)
    wanted = sign_in_staff_with_code(sign_ins.auth, visitor, token_hash("screen"), digits)
    assert wanted.answer is CodeAnswer.OTHER_SCREEN
    own = sign_in_staff_with_code(sign_ins.auth, visitor, token_hash("owner"), digits)
    assert own.answer is CodeAnswer.OPENS


@pytest.mark.parametrize(("seconds", "answer"), [(599, "opens"), (600, "expired")])
def test_the_code_lasts_ten_minutes(
    sign_ins: SignIns, held: FoundSession, seconds: int, answer: str
) -> None:
    asks(sign_ins, held)
    digits = sign_ins.mailed_code()
    sign_ins.clock.advance(timedelta(seconds=seconds))
    assert types(sign_ins, held, digits) == answer


def test_five_wrong_tries_end_a_code_and_fifteen_the_day(
    sign_ins: SignIns, held: FoundSession
) -> None:
    for number in range(3):
        asks(sign_ins, held, name=str(number))
        digits = sign_ins.mailed_code()
        answers = [types(sign_ins, held, wrong(digits), name=str(number)) for _ in range(5)]
        assert answers[:4] == [CodeAnswer.WRONG] * 4
        assert types(sign_ins, held, digits, name=str(number)) is not CodeAnswer.OPENS
        sign_ins.clock.advance(timedelta(minutes=10))
    sign_ins.clock.advance(timedelta(hours=2))
    with pytest.raises(Refused, match="email: Too many wrong codes were entered today"):
        asks(sign_ins, held)


def test_asking_again_and_again_has_to_wait(sign_ins: SignIns, held: FoundSession) -> None:
    for number in range(3):
        asks(sign_ins, held, f"tomoko{number}@new.example")
    with pytest.raises(Refused, match="email: You requested several codes"):
        asks(sign_ins, held, client="198.51.100.7")


@pytest.mark.differs("locks")
def test_of_two_who_take_an_address_at_once_one_gets_it(
    sign_ins: SignIns, held: FoundSession
) -> None:
    other = signs_in(sign_ins, TAKEN)
    assert other is not None
    both, codes = (held, other), []
    for each in both:
        asks(sign_ins, each)
        codes.append(sign_ins.mailed_code())
    answers, _ = race(2, lambda number: types(sign_ins, both[number], codes[number]))
    assert sorted(answers) == [CodeAnswer.OPENS, CodeAnswer.WRONG]
