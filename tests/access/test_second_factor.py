"""The second factor: asked after the first, each step once, recovery codes once, slow to guess."""

from datetime import timedelta

import pyotp
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import AuthSession, Person
from pms.access.password_sign_in import sign_in_with_password
from pms.access.second_factors import (
    FactorAnswer,
    check_second_factor,
    confirm_second_factor,
    forget_second_factor,
    remove_second_factor,
    start_second_factor,
    waiting_factor,
)
from pms.access.session_openings import OpenedSession
from pms.access.sessions import find_session
from pms.foundation.errors import Refused
from tests.access.conftest import PASSWORD, SignIns
from tests.cast import Cast


class Factor:
    """The operator's authenticator, and its codes typed when signing in."""

    def __init__(self, sign_ins: SignIns) -> None:
        self.sign_ins = sign_ins
        self.person_id = sign_ins.staff.operator_id
        signer = sign_ins.auth.signer
        with sign_ins.auth.database.across_workspaces_writing() as session:
            self.secret = start_second_factor(
                session, signer, self.person_id, issuer="Sumida"
            ).secret
            self.recovery = confirm_second_factor(
                session,
                sign_ins.clock,
                signer,
                self.person_id,
                self.digits(),
                by=sign_ins.visitor(),
            )
        sign_ins.clock.advance(timedelta(seconds=60))

    def digits(self, steps: int = 0) -> str:
        moment = self.sign_ins.clock.now() + timedelta(seconds=30 * steps)
        return pyotp.TOTP(self.secret).at(moment)

    def enters(self) -> OpenedSession:
        opened = sign_in_with_password(self.sign_ins.auth, self.sign_ins.visitor(), PASSWORD).opened
        assert opened is not None
        return opened

    def shows(self, typed: str) -> FactorAnswer:
        self.enters()
        with self.sign_ins.auth.reading() as session:
            newest = select(AuthSession.id).order_by(AuthSession.id.desc())
            waiting = session.scalars(newest).first()
        assert waiting is not None
        return check_second_factor(self.sign_ins.auth, self.sign_ins.visitor(), waiting, typed)

    def removes(self, session: Session, typed: str) -> None:
        sign_ins = self.sign_ins
        remove_second_factor(
            session,
            sign_ins.clock,
            sign_ins.auth.signer,
            self.person_id,
            typed,
            by=sign_ins.visitor(),
        )


@pytest.fixture
def factor(sign_ins: SignIns) -> Factor:
    return Factor(sign_ins)


def is_in(factor: Factor, opened: OpenedSession) -> bool:
    database = factor.sign_ins.auth.database
    found = database.ask_across_workspaces(
        lambda connection: find_session(connection, opened.token, factor.sign_ins.clock.now())
    )
    return found is not None and not found.waits_for_factor


def test_the_password_alone_only_leads_to_the_second_factor(factor: Factor) -> None:
    opened = factor.enters()
    assert opened.waits_for_factor
    assert not is_in(factor, opened)


def test_the_digits_of_now_open_and_full_width_is_read(factor: Factor) -> None:
    typed = factor.digits().translate({ord(str(n)): chr(0xFF10 + n) for n in range(10)})
    opened = factor.shows(typed).opened
    assert opened is not None
    assert is_in(factor, opened)


@pytest.mark.parametrize(("steps", "opens"), [(-2, False), (-1, True), (1, True), (2, False)])
def test_one_step_early_or_late_is_forgiven(factor: Factor, steps: int, opens: bool) -> None:
    assert (factor.shows(factor.digits(steps)).opened is not None) == opens


def test_a_step_is_worth_nothing_once_it_or_a_later_one_was_used(factor: Factor) -> None:
    earlier, now = factor.digits(-1), factor.digits()
    assert factor.shows(now).opened is not None
    assert factor.shows(now).opened is None
    assert factor.shows(earlier).opened is None


def test_a_recovery_code_opens_once_however_it_is_typed(factor: Factor) -> None:
    code = factor.recovery[3].upper().replace("-", " ")
    assert factor.shows(code).opened is not None
    assert factor.shows(code).opened is None
    assert factor.shows(factor.recovery[4]).opened is not None


def test_a_waiting_session_is_gone_once_it_was_used(factor: Factor) -> None:
    factor.shows(factor.digits())
    with factor.sign_ins.auth.reading() as session:
        waiting = session.scalars(select(AuthSession).where(AuthSession.waits_for_factor)).one()
    assert waiting.revoked_at is not None
    sign_ins = factor.sign_ins
    again = check_second_factor(sign_ins.auth, sign_ins.visitor(), waiting.id, factor.recovery[0])
    assert again.opened is None


def test_guessing_digits_is_slowed_down(factor: Factor) -> None:
    answers = [factor.shows("000000") for _ in range(6)]
    assert [bool(answer.wait) for answer in answers] == [False] * 5 + [True]
    assert factor.shows(factor.digits()).opened is None
    factor.sign_ins.clock.advance(timedelta(minutes=15))
    assert factor.shows(factor.digits()).opened is not None


def test_nothing_of_the_secret_stands_in_the_database(factor: Factor) -> None:
    with factor.sign_ins.auth.reading() as session:
        kept = str(vars(session.get_one(Person, factor.person_id)))
    assert factor.secret not in kept
    assert factor.recovery[0] not in kept


def test_the_secret_is_never_shown_again(factor: Factor) -> None:
    signer = factor.sign_ins.auth.signer
    with factor.sign_ins.auth.database.across_workspaces_writing() as session:
        assert waiting_factor(session, signer, factor.person_id, issuer="Sumida") is None
        with pytest.raises(Refused):
            start_second_factor(session, signer, factor.person_id, issuer="Sumida")


def test_removing_it_takes_the_digits_once_more(factor: Factor) -> None:
    with factor.sign_ins.auth.database.across_workspaces_writing() as session:
        with pytest.raises(Refused):
            factor.removes(session, "000000")
        factor.removes(session, factor.digits())
    assert not factor.enters().waits_for_factor


def test_who_lost_everything_is_let_in_by_an_administrator(factor: Factor, cast: Cast) -> None:
    with factor.sign_ins.auth.database.across_workspaces_writing() as session:
        forget_second_factor(
            session,
            factor.sign_ins.clock,
            factor.person_id,
            workspace_id=cast.sumida.workspace_id,
            by="command line",
        )
    assert not factor.enters().waits_for_factor
