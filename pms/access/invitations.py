"""Invitations to a workspace: sending, opening, accepting and revoking them."""

from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.members import check_buildings, check_name, find_or_add_person, place_of
from pms.access.models import Invitation, Member, Person
from pms.access.passwords import new_password_hash
from pms.access.session_openings import OpenedSession, open_staff_session
from pms.access.sessions import AuthContext, Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_addresses import check_address
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import LinkKind, Signer, named_link, new_token, token_hash
from pms.foundation.translations import deferred_texts, translate
from pms.foundation.work import Work, locked
from pms.rules.addresses import folded_address
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Proof, SignInEventKind, StaffRole
from pms.workspaces.models import Workspace
from pms.workspaces.queries import branding

INVITATION_LIFE: Final = timedelta(days=7)
INVITATION: Final = LinkKind("invitation", Invitation.token_hash, is_hashed=True)
_ROLE_NAMES: Final = deferred_texts(
    {
        StaffRole.OPERATOR: "operator",
        StaffRole.OFFICE: "office staff",
        StaffRole.HOUSEKEEPING: "housekeeping staff",
        StaffRole.MAINTENANCE: "maintenance staff",
    }
)


def invite_member(
    work: Work,
    *,
    email: str,
    role: StaffRole,
    inviter: str,
    locale: str,
    signer: Signer,
    link: Callable[[str], str],
    building_ids: Collection[str] | None = None,
) -> Invitation:
    """Return a new invitation, mailed with this transaction; an earlier one is revoked.

    `link` makes the URL of a token, and `building_ids` are those that the member will work for.
    Raises `Refused` for a bad address and what `check_buildings` refuses, `Collision` when its
    person is a member already.
    """
    address = folded_address(check_address("email", email))
    is_member = (
        select(Member.id)
        .join(Person, Person.id == Member.person_id)
        .where(Person.email == address, Member.removed_at.is_(None))
    )
    if work.session.scalar(is_member) is not None:
        raise Collision("email: '{email}' is already a member.", email=address)
    _end_earlier(work, address)
    nonce = new_token()
    invitation = Invitation(
        id=new_id(),
        email=address,
        role=role,
        building_ids=check_buildings(role, building_ids),
        token_hash=token_hash(nonce),
        invited_at=work.clock.now(),
        invited_by=work.actor,
        expires_at=work.clock.now() + INVITATION_LIFE,
    )
    work.session.add(invitation)
    note_change(work, AuditEvent.MEMBER_INVITED, invitation)
    token = signer.short(INVITATION.purpose, nonce)
    _mail_invitation(
        work.session, work.clock, address, locale, inviter=inviter, role=role, link=link(token)
    )
    work.session.flush()
    return invitation


def _end_earlier(work: Work, address: str) -> None:
    earlier = select(Invitation).where(
        Invitation.email == address,
        Invitation.accepted_at.is_(None),
        Invitation.revoked_at.is_(None),
    )
    for invitation in work.session.scalars(earlier.with_for_update()):
        invitation.revoked_at, invitation.revoked_by = work.clock.now(), work.actor


def _mail_invitation(
    session: Session,
    clock: Clock,
    address: str,
    locale: str,
    *,
    inviter: str,
    role: StaffRole,
    link: str,
) -> None:
    brand = branding(session)
    text = mail_text(
        "invitation",
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        inviter=inviter,
        role_name=translate(_ROLE_NAMES[role], locale),
        link=link,
        days=INVITATION_LIFE.days,
    )
    put_mail(session, clock, recipient=address, **text._asdict())


class OpenInvitation(NamedTuple):
    """An invitation that was not accepted yet, as the list of people shows it."""

    id: str
    email: str
    role: StaffRole
    building_ids: Sequence[str] | None
    invited_at: datetime
    expires_at: datetime


class NamedInvitation(NamedTuple):
    """An invitation as its link shows it, and whether its person has an account already.

    Somebody who works in another workspace accepts it signed in as themselves: the account is more
    than the mailbox.
    """

    id: str
    workspace_id: str
    workspace_slug: str
    workspace_name: str
    workspace_name_en: str | None
    email: str
    role: StaffRole
    is_known: bool
    is_member_elsewhere: bool


def open_invitations(session: Session, clock: Clock) -> Sequence[OpenInvitation]:
    """Return the invitations of the session's workspace that can still be accepted."""
    rows = session.execute(
        select(
            Invitation.id,
            Invitation.email,
            Invitation.role,
            Invitation.building_ids,
            Invitation.invited_at,
            Invitation.expires_at,
        )
        .where(
            Invitation.accepted_at.is_(None),
            Invitation.revoked_at.is_(None),
            Invitation.expires_at > clock.now(),
        )
        .order_by(Invitation.invited_at, Invitation.id)
    )
    return [OpenInvitation._make(row) for row in rows]


def named_invitation(
    session: Session, clock: Clock, signer: Signer, token: str
) -> NamedInvitation | None:
    """Return the invitation of a link; `None` when it is no longer valid.

    The session reads across workspaces: the workspace is known from the link.
    """
    named = named_link(lambda: nullcontext(session), signer, INVITATION, token)
    if named is None:
        return None
    workspace_id, invitation_id, nonce = named
    works = select(Member.id).where(Member.person_id == Person.id, Member.removed_at.is_(None))
    row = session.execute(
        select(
            Invitation.id,
            Workspace.id,
            Workspace.slug,
            Workspace.name,
            Workspace.name_en,
            Invitation.email,
            Invitation.role,
            Person.id.is_not(None),
            works.exists(),
        )
        .join(Workspace, Workspace.id == Invitation.workspace_id)
        .outerjoin(Person, Person.email == Invitation.email)
        .where(
            Invitation.workspace_id == workspace_id,
            Invitation.id == invitation_id,
            Invitation.token_hash == token_hash(nonce),
            Invitation.accepted_at.is_(None),
            Invitation.revoked_at.is_(None),
            Invitation.expires_at > clock.now(),
        )
    ).first()
    return None if row is None else NamedInvitation(*row[:7], bool(row[7]), bool(row[8]))


class NewPerson(NamedTuple):
    """What a new person enters about themselves."""

    name: str
    password: str
    locale: str


def accept_invitation(
    auth: AuthContext,
    token: str,
    new: NewPerson | None,
    *,
    visitor: Visitor,
    signed_in_as: str | None = None,
) -> OpenedSession | None:
    """Accept an invitation; return a session for a new person, none for one who has an account.

    `signed_in_as` is the signed-in address, which somebody who works in another workspace must be.
    A former member joins and signs in as usual: the link was mailed to the address, which proves
    it. Raises `NotFound` for an invalid link, `Refused` for another address, a missing name or a
    weak password.
    """
    with auth.reading() as session:
        named = named_invitation(session, auth.clock, auth.signer, token)
    if named is None:
        raise NotFound("This invitation has been used, cancelled or has expired.")
    if named.is_member_elsewhere and signed_in_as != named.email:
        raise Refused("Sign in as {email} to accept this invitation.", email=named.email)
    person_id = None if named.is_known else _new_person(auth, named, new)
    auth.database.write(
        named.workspace_id, lambda session: _add_invited_member(session, auth, named)
    )
    if person_id is None or new is None:
        return None

    return auth.write(
        lambda session: sign_in_invited(
            session, auth, visitor, person_id=person_id, workspace_id=named.workspace_id
        )
    )


def sign_in_invited(
    session: Session, auth: AuthContext, visitor: Visitor, *, person_id: str, workspace_id: str
) -> OpenedSession:
    """Open a session for a person whose address was proven by a mailed link."""
    opened = open_staff_session(
        session,
        auth.clock,
        session.get_one(Person, person_id),
        proof=Proof.INVITATION,
        device=visitor.device,
        is_whole=True,
    )
    note_event(
        session,
        auth.clock,
        SignInEventKind.SIGNED_IN,
        visitor,
        workspace_id=workspace_id,
        proof=Proof.INVITATION,
    )
    return opened


def _new_person(auth: AuthContext, named: NamedInvitation, new: NewPerson | None) -> str:
    wanted = new or NewPerson("", "", "ja")
    check_name(wanted.name)
    names = (
        wanted.name,
        named.workspace_slug,
        named.workspace_name,
        named.workspace_name_en,
    )
    hash_ = new_password_hash(auth.passwords, wanted.password, named.email, names)
    person = auth.write(
        lambda session: find_or_add_person(
            session,
            auth.clock,
            email=named.email,
            name=wanted.name,
            locale=wanted.locale,
            password_hash=hash_,
        )
    )
    return person.id


def _add_invited_member(session: Session, auth: AuthContext, named: NamedInvitation) -> None:
    """Add the member; of two concurrent uses of a link the second finds it used."""
    invitation = session.scalars(
        select(Invitation).where(Invitation.id == named.id).with_for_update()
    ).one()
    if invitation.accepted_at is not None or invitation.revoked_at is not None:
        raise NotFound("This invitation has been used, cancelled or has expired.")
    person = session.scalars(select(Person).where(Person.email == named.email)).one()
    invitation.accepted_at = auth.clock.now()
    if place_of(session, named.workspace_id, person.id) is None:
        member = Member(
            id=new_id(),
            person_id=person.id,
            role=invitation.role,
            building_ids=invitation.building_ids,
            invited_at=invitation.invited_at,
            invited_by=invitation.invited_by,
            accepted_at=auth.clock.now(),
        )
        session.add(member)
        note_change(
            Work(session, auth.clock, f"person/{person.id}"), AuditEvent.MEMBER_JOINED, member
        )
    session.flush()


def revoke_invitation(work: Work, invitation_id: str) -> Invitation:
    """Revoke the invitation and return it; its link is invalid from now on."""
    invitation = locked(work.session, Invitation, invitation_id)
    if invitation.accepted_at is not None:
        raise Refused(
            "The invitation to '{email}' has already been accepted.", email=invitation.email
        )
    if invitation.revoked_at is None:
        invitation.revoked_at, invitation.revoked_by = work.clock.now(), work.actor
        note_change(work, AuditEvent.INVITATION_REVOKED, invitation)
        work.session.flush()
    return invitation
