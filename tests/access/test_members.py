"""People get a place by invitation, change roles and lose places; one operator always stays."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pms.access.invitations import (
    NewPerson,
    accept_invitation,
    invite_member,
    named_invitation,
    open_invitations,
    revoke_invitation,
)
from pms.access.members import change_role, member_of, member_of_address, members, remove_member
from pms.access.models import Member, Person
from pms.access.password_sign_in import sign_in_with_password
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole
from tests.access.conftest import OPERATOR, SignIns
from tests.cast import Cast
from tests.departures.racing import race

ACTOR = "person/somebody"
NEW = NewPerson("新井 舞", "quiet river house", "ja")


@pytest.fixture
def sumida(cast: Cast) -> str:
    return cast.sumida.workspace_id


def invited(
    sign_ins: SignIns, workspace_id: str, email: str = "mai@new.example", role: str = "office"
) -> str:
    tokens: list[str] = []

    def link(token: str) -> str:
        tokens.append(token)
        return f"https://pms.example/invitations/{token}"

    with sign_ins.auth.database.writing(workspace_id) as session:
        invite_member(
            Work(session, sign_ins.clock, ACTOR),
            email=email,
            role=StaffRole(role),
            inviter="小川",
            locale="ja",
            signer=sign_ins.auth.signer,
            link=link,
        )
    return tokens[0]


def accepts(sign_ins: SignIns, token: str) -> bool:
    return accept_invitation(sign_ins.auth, token, NEW, visitor=sign_ins.visitor("")) is not None


def id_of(sign_ins: SignIns, workspace_id: str, email: str) -> str:
    with sign_ins.auth.database.reading(workspace_id) as session:
        return member_of_address(session, email).id


def test_an_invited_person_sets_a_password_and_is_in(sign_ins: SignIns, sumida: str) -> None:
    token = invited(sign_ins, sumida)
    assert accepts(sign_ins, token)
    visitor = sign_ins.visitor("mai@new.example")
    assert sign_in_with_password(sign_ins.auth, visitor, NEW.password).opened is not None
    with sign_ins.auth.database.reading(sumida) as session:
        member = member_of_address(session, "mai@new.example")
        assert (member.name, member.role) == ("新井 舞", StaffRole.OFFICE)
        mail = session.scalars(select(OutboxMail)).one()
        assert token in mail.text
        audit_events = session.scalars(
            select(AuditRecord.audit_event).order_by(AuditRecord.id)
        ).all()
        assert audit_events == [AuditEvent.MEMBER_INVITED, AuditEvent.MEMBER_JOINED]


def test_a_link_is_worth_nothing_once_used_taken_back_replaced_or_old(
    sign_ins: SignIns, sumida: str
) -> None:
    used = invited(sign_ins, sumida)
    accepts(sign_ins, used)
    replaced = invited(sign_ins, sumida, "b@new.example")
    invited(sign_ins, sumida, "b@new.example")
    taken_back = invited(sign_ins, sumida, "c@new.example")
    with sign_ins.auth.database.writing(sumida) as session:
        (row,) = (
            one for one in open_invitations(session, sign_ins.clock) if one.email == "c@new.example"
        )
        revoke_invitation(Work(session, sign_ins.clock, ACTOR), row.id)
    old = invited(sign_ins, sumida, "d@new.example")
    sign_ins.clock.advance(timedelta(days=7))
    for token in (used, replaced, taken_back, old, old + "x", "nonsense"):
        with pytest.raises(NotFound):
            accepts(sign_ins, token)


def test_a_link_of_one_workspace_names_no_other(sign_ins: SignIns, sumida: str) -> None:
    token = invited(sign_ins, sumida)
    with sign_ins.auth.reading() as session:
        named = named_invitation(session, sign_ins.clock, sign_ins.auth.signer, token)
    assert named is not None
    assert named.workspace_id == sumida


def test_somebody_known_only_joins_and_keeps_their_password(sign_ins: SignIns, cast: Cast) -> None:
    token = invited(sign_ins, cast.minato.workspace_id, OPERATOR)
    with pytest.raises(Refused):
        accept_invitation(sign_ins.auth, token, None, visitor=sign_ins.visitor(""))
    visitor = sign_ins.visitor("")
    joined = accept_invitation(sign_ins.auth, token, None, visitor=visitor, signed_in_as=OPERATOR)
    assert joined is None
    with sign_ins.auth.reading() as session:
        places = session.scalar(
            select(func.count())
            .select_from(Member)
            .where(Member.person_id == sign_ins.staff.operator_id)
        )
    assert places == 2


def test_a_member_is_not_invited_again(sign_ins: SignIns, sumida: str) -> None:
    with pytest.raises(Collision):
        invited(sign_ins, sumida, " Operator@SUMIDA.example")
    with pytest.raises(Refused):
        invited(sign_ins, sumida, "no address")


def test_a_weak_password_leaves_the_invitation_open(sign_ins: SignIns, sumida: str) -> None:
    token = invited(sign_ins, sumida)
    with pytest.raises(Refused):
        accept_invitation(
            sign_ins.auth, token, NewPerson("Mai", "short", "ja"), visitor=sign_ins.visitor("")
        )
    assert accepts(sign_ins, token)


def test_of_many_who_follow_a_link_at_once_one_place_comes(sign_ins: SignIns, sumida: str) -> None:
    token = invited(sign_ins, sumida)

    def follow(_: int) -> bool:
        try:
            return accepts(sign_ins, token)
        except NotFound:
            return False

    came, _ = race(8, follow)
    # Whoever finds the person known already has them join, and sign in as always.
    assert came.count(True) <= 1
    visitor = sign_ins.visitor("mai@new.example")
    assert sign_in_with_password(sign_ins.auth, visitor, NEW.password).opened is not None
    with sign_ins.auth.reading() as session:
        person = select(Person.id).where(Person.email == "mai@new.example")
        places = select(func.count()).where(Member.person_id == person.scalar_subquery())
        assert session.scalar(places) == 1


def test_the_last_operator_is_neither_demoted_nor_removed(sign_ins: SignIns, sumida: str) -> None:
    last = id_of(sign_ins, sumida, OPERATOR)
    with sign_ins.auth.database.writing(sumida) as session:
        with pytest.raises(Refused):
            change_role(Work(session, sign_ins.clock, ACTOR), last, StaffRole.OFFICE)
        with pytest.raises(Refused):
            remove_member(Work(session, sign_ins.clock, ACTOR), last)
        second = member_of_address(session, "office@sumida.example").id
        change_role(Work(session, sign_ins.clock, ACTOR), second, StaffRole.OPERATOR)
        assert remove_member(Work(session, sign_ins.clock, ACTOR), last).removed_by == ACTOR


def test_two_operators_who_remove_each_other_leave_one(sign_ins: SignIns, sumida: str) -> None:
    first, second = (
        id_of(sign_ins, sumida, email) for email in (OPERATOR, "office@sumida.example")
    )
    with sign_ins.auth.database.writing(sumida) as session:
        change_role(Work(session, sign_ins.clock, ACTOR), second, StaffRole.OPERATOR)

    def remove(number: int) -> str:
        with sign_ins.auth.database.writing(sumida) as session:
            return remove_member(
                Work(session, sign_ins.clock, ACTOR), (first, second)[number % 2]
            ).id

    race(2, remove)
    with sign_ins.auth.database.reading(sumida) as session:
        left = [member for member in members(session) if member.role is StaffRole.OPERATOR]
    assert len(left) == 1


def test_another_workspaces_member_counts_as_none(
    sign_ins: SignIns, cast: Cast, sumida: str
) -> None:
    strangers = id_of(sign_ins, cast.minato.workspace_id, "operator@minato.example")
    with sign_ins.auth.database.writing(sumida) as session:
        for audit_event in (
            lambda: change_role(Work(session, sign_ins.clock, ACTOR), strangers, StaffRole.OFFICE),
            lambda: remove_member(Work(session, sign_ins.clock, ACTOR), strangers),
            lambda: member_of(session, strangers),
        ):
            with pytest.raises(NotFound):
                audit_event()


def test_a_removed_person_may_come_back(sign_ins: SignIns, sumida: str) -> None:
    with sign_ins.auth.database.writing(sumida) as session:
        member = member_of_address(session, "office@sumida.example")
        remove_member(Work(session, sign_ins.clock, ACTOR), member.id)
    token = invited(sign_ins, sumida, "office@sumida.example", "maintenance")
    accept_invitation(sign_ins.auth, token, None, visitor=sign_ins.visitor(""))
    with sign_ins.auth.database.reading(sumida) as session:
        assert member_of_address(session, "office@sumida.example").role is StaffRole.MAINTENANCE
