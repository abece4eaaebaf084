"""Takes in somebody who applies for a position or offers to work together, with their résumé."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import (
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_email,
    checked_phone,
    checked_text,
    needed_text,
)
from pms.enquiries.models import Lead
from pms.enquiries.resumes.resume import Resume
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.external_ids import known_once
from pms.foundation.ids import is_id, new_id
from pms.rules.channel_words import LeadState
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale
from pms.site.models import Position

_LOCALES: Final = tuple(locale.value for locale in Locale)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLead:
    """Who applies, for what, and what they wrote."""

    name: str | None
    email: str | None
    phone: str | None = None
    message: str | None = None
    position_id: str | None = None
    locale: str = Locale.JA


def receive_lead(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    lead: WrittenLead,
    resume: Resume | None = None,
    resume_key: str | None = None,
    external_id: str | None = None,
) -> str:
    """Store the lead and return its id; the file of a résumé is stored before, under `resume_key`.

    Raises `Refused` naming a field, `NotFound` for a position of nobody here, and `Collision` for
    an `external_id` that came before: nothing is stored twice. The audit keeps that somebody
    applied, and nothing of who it is.
    """
    known_as = checked_text("externalId", external_id, LONGEST_LINE)
    row = Lead(
        id=new_id(),
        **_checked(session, lead),
        resume_key=resume_key,
        resume_name=resume.name if resume else None,
        resume_type=resume.media_type if resume else None,
        state=LeadState.NEW,
        external_id=known_as,
        received_at=clock.now(),
        received_by=actor,
        changed_at=clock.now(),
        changed_by=actor,
        version=1,
    )
    told = {"has_resume": resume is not None}
    with known_once(session, Lead.external_id, known_as):
        session.add(row)
        note_deed(session, clock, actor, Deed.LEAD_RECEIVED, subject_of(row), after=told)
    return row.id


def _checked(session: Session, written: WrittenLead) -> dict[str, Any]:
    email = checked_email("email", written.email)
    if email is None:
        raise Refused("email: this is needed; an address such as name@example.jp.")
    if written.locale not in _LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=written.locale[:20])
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "email": email,
        "phone": checked_phone("phone", written.phone),
        "message": checked_text("message", written.message, LONGEST_TEXT) or "",
        "position_id": _position(session, written.position_id),
        "locale": written.locale,
    }


def _position(session: Session, position_id: str | None) -> str | None:
    """One that is taken off the website meanwhile is still the one somebody applied for."""
    if not position_id:
        return None
    known = select(Position.id).where(Position.id == position_id)
    if not is_id(position_id) or session.scalar(known) is None:
        raise NotFound(
            "positionId: there is no position '{position_id}'.", position_id=position_id[:60]
        )
    return position_id
