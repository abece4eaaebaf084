"""Offers somebody a place in a workspace by mail."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Invitation, Member, Person
from pms.foundation.audit import note_change
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.named_links import LinkKind
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Sealer, new_token, token_hash
from pms.rules.addresses import folded_address, is_address
from pms.rules.deeds import Deed
from pms.rules.enumerations import StaffRole
from pms.workspaces.queries import branding

INVITATION_LIFE: Final = timedelta(days=7)
INVITATION: Final = LinkKind("invitation", Invitation.token_hash, is_hashed=True)
_ROLE_NAMES: Final = {
    StaffRole.OPERATOR: Bilingual("運営責任者", "operator"),
    StaffRole.OFFICE: Bilingual("事務担当", "office staff"),
    StaffRole.HOUSEKEEPING: Bilingual("清掃担当", "housekeeping staff"),
    StaffRole.MAINTENANCE: Bilingual("修繕担当", "maintenance staff"),
}


def invite_member(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    email: str,
    role: StaffRole,
    inviter: str,
    locale: str,
    sealer: Sealer,
    link: Callable[[str], str],
) -> Invitation:
    """Return the invitation whose mail leaves with this transaction; an earlier one ends.

    `link` makes an address of a token. Raises `Refused` for a bad address, `Collision` when its
    person is a member already.
    """
    address = _checked(session, email)
    _end_earlier(session, clock, actor, address)
    chance = new_token()
    invitation = Invitation(
        id=new_id(),
        email=address,
        role=role,
        token_hash=token_hash(chance),
        invited_at=clock.now(),
        invited_by=actor,
        expires_at=clock.now() + INVITATION_LIFE,
    )
    session.add(invitation)
    note_change(session, clock, actor, Deed.MEMBER_INVITED, invitation)
    token = sealer.short(INVITATION.purpose, chance)
    _put(session, clock, address, locale, inviter=inviter, role=role, link=link(token))
    session.flush()
    return invitation


def _checked(session: Session, email: str) -> str:
    address = folded_address(email)
    if not is_address(address):
        raise Refused("email: '{email}' is not an e-mail address.", email=email[:100])
    is_member = (
        select(Member.id)
        .join(Person, Person.id == Member.person_id)
        .where(Person.email == address, Member.removed_at.is_(None))
    )
    if session.scalar(is_member) is not None:
        raise Collision("email: '{email}' is a member already.", email=address)
    return address


def _end_earlier(session: Session, clock: Clock, actor: str, address: str) -> None:
    earlier = select(Invitation).where(
        Invitation.email == address,
        Invitation.accepted_at.is_(None),
        Invitation.revoked_at.is_(None),
    )
    for invitation in session.scalars(earlier.with_for_update()):
        invitation.revoked_at, invitation.revoked_by = clock.now(), actor


def _put(
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
        operator=brand.name.said(locale),
        inviter=inviter,
        role_name=_ROLE_NAMES[role].said(locale),
        link=link,
        days=INVITATION_LIFE.days,
    )
    put_mail(session, clock, recipient=address, **text._asdict())
