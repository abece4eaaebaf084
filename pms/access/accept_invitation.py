"""Takes an offered place: somebody new gives name and password, somebody known only joins."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.add_member import checked_name, find_or_add_person, place_of
from pms.access.doorway import Doorway, Visitor
from pms.access.models import Invitation, Member, Person
from pms.access.new_password import new_password_hash
from pms.access.open_invitations import NamedInvitation, named_invitation
from pms.access.open_session import OpenedSession, open_staff_session
from pms.access.sign_in_events import note_event
from pms.foundation.audit import note_change
from pms.foundation.errors import NotFound
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import Proof, SignInEventKind


class NewPerson(NamedTuple):
    """What somebody new tells of themselves."""

    name: str
    password: str
    locale: str


def accept_invitation(
    doorway: Doorway, token: str, new: NewPerson | None, *, visitor: Visitor
) -> OpenedSession | None:
    """Return a session for somebody new; a known person joins and signs in as always.

    The link was mailed to the address, which proves it. Raises `NotFound` for a link that opens
    nothing any more, `Refused` for a missing name or a weak password.
    """
    with doorway.reading() as session:
        named = named_invitation(session, doorway.clock, doorway.sealer, token)
    if named is None:
        raise NotFound("This invitation is used, taken back or too old.")
    person_id = None if named.is_known else _new_person(doorway, named, new)
    doorway.database.write(named.workspace_id, lambda session: _join(session, doorway, named))
    if person_id is None or new is None:
        return None

    def open_session(session: Session) -> OpenedSession:
        person = session.get_one(Person, person_id)
        opened = open_staff_session(
            session,
            doorway.clock,
            person,
            proof=Proof.INVITATION,
            device=visitor.device,
            is_whole=True,
        )
        note_event(
            session,
            doorway.clock,
            SignInEventKind.SIGNED_IN,
            visitor,
            workspace_id=named.workspace_id,
            proof=Proof.INVITATION,
        )
        return opened

    return doorway.write(open_session)


def _new_person(doorway: Doorway, named: NamedInvitation, new: NewPerson | None) -> str:
    told = new or NewPerson("", "", "ja")
    checked_name(told.name)
    hash_ = new_password_hash(doorway.passwords, told.password, named.email)
    person = doorway.write(
        lambda session: find_or_add_person(
            session,
            doorway.clock,
            email=named.email,
            name=told.name,
            locale=told.locale,
            password_hash=hash_,
        )
    )
    return person.id


def _join(session: Session, doorway: Doorway, named: NamedInvitation) -> None:
    """Two who follow the same link at once meet here: the second finds it used."""
    invitation = session.scalars(
        select(Invitation).where(Invitation.id == named.id).with_for_update()
    ).one()
    if invitation.accepted_at is not None or invitation.revoked_at is not None:
        raise NotFound("This invitation is used, taken back or too old.")
    person = session.scalars(select(Person).where(Person.email == named.email)).one()
    invitation.accepted_at = doorway.clock.now()
    if place_of(session, named.workspace_id, person.id) is None:
        member = Member(
            id=new_id(),
            person_id=person.id,
            role=invitation.role,
            invited_at=invitation.invited_at,
            invited_by=invitation.invited_by,
            accepted_at=doorway.clock.now(),
        )
        session.add(member)
        note_change(session, doorway.clock, f"person/{person.id}", Deed.MEMBER_JOINED, member)
    session.flush()
