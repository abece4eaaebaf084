"""The address a member of staff signs in with: asking to change it, and changing it by a mailed code."""

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.access.account_mails import mail_change
from pms.access.mailed_codes import (
    AskedCode,
    Screen,
    request_code,
    try_digits,
    wrong_tries_of_day,
)
from pms.access.models import AuthSession, Member, Person
from pms.access.own_sessions import sign_out_everywhere
from pms.access.passwords import prove_again
from pms.access.sessions import AuthContext, FoundSession, Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Refused
from pms.foundation.mail_addresses import check_address
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.sign_in_codes import CodeAnswer, takes_link


def check_new_address(held: FoundSession, typed: str) -> str:
    """Return the new address in its stored form; raise `Refused` for a bad one or the present one."""
    address = folded_address(check_address("email", typed))
    if address == held.address:
        raise Refused("email: This is already your email address.")
    return address


def ask_for_new_address(
    auth: AuthContext,
    held: FoundSession,
    screen: Screen,
    *,
    current: str | None,
    by: Visitor,
    locale: str,
) -> None:
    """Mail a code to the screen's address for the session's person, who proves who they are.

    It ends the person's earlier codes for whichever address. Whether the address has an account is
    not revealed: the worker looks it up, and mails what its owner may know. Raises `Refused` for a
    missing proof and for too many codes or wrong tries.
    """
    prove_again(auth, held, current, by=by)

    def ask(session: Session) -> AskedCode | None:
        if takes_link(wrong_tries_of_day(session, auth.clock, screen)):
            return None
        return request_code(session, auth.clock, screen, visitor=by, locale=locale)

    asked = auth.write(ask)
    if asked is None:
        raise Refused("email: Too many wrong codes were entered today. Try again tomorrow.")
    if asked.wait > timedelta(0):
        seconds = int(asked.wait.total_seconds())
        raise Refused(
            "email: You requested several codes. Try again in {seconds} seconds.", seconds=seconds
        )


def change_address(
    auth: AuthContext, held: FoundSession, screen: Screen, digits: str, *, by: Visitor
) -> CodeAnswer:
    """Give the session's person the screen's address when the code is right.

    All their other sessions end, and the former address is mailed what was changed.
    """

    def change(session: Session) -> CodeAnswer:
        answer, _ = try_digits(
            session,
            auth.clock,
            auth.signer,
            screen,
            digits,
            accept=lambda session: _take_address(session, auth, held, screen.address, by),
        )
        if answer is not CodeAnswer.OPENS:
            is_locked = answer in (CodeAnswer.SPENT, CodeAnswer.LINK_INSTEAD)
            kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
            note_event(session, auth.clock, kind, by, proof=Proof.CODE)
        return answer

    return auth.write(change)


def _take_address(
    session: Session, auth: AuthContext, held: FoundSession, address: str, by: Visitor
) -> Person | None:
    """Return the person with their new address; `None` when somebody else has it by now."""
    person = session.get_one(Person, held.person_id, with_for_update=True)
    if session.scalar(select(Person.id).where(Person.email == address)) is not None:
        return None
    former = person.email
    try:
        with session.begin_nested():
            # Noted and mailed first: both look the person up by the former address.
            note_event(session, auth.clock, SignInEventKind.ADDRESS_CHANGED, by)
            mail_change(session, auth.clock, person, "address-changed", new_address=address)
            person.email = address
    except IntegrityError:  # the address was taken concurrently
        return None
    sign_out_everywhere(session, auth.clock, person.id, but=held.id)
    session.get_one(AuthSession, held.id, with_for_update=True).address = address
    work = Work(session, auth.clock, f"person/{person.id}")
    places = select(Member).where(Member.person_id == person.id, Member.removed_at.is_(None))
    for member in session.scalars(places.order_by(Member.id)):
        note_audit_event(
            work,
            AuditEvent.MEMBER_ADDRESS_CHANGED,
            subject_of(member),
            before={"email": former},
            after={"email": address},
            workspace_id=member.workspace_id,
        )
    session.flush()
    return person
