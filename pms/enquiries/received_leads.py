"""Receiving leads from the website."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_TEXT,
    check_email,
    check_phone,
    check_text,
    needed_text,
)
from pms.enquiries.models import Lead
from pms.enquiries.resume_files import Resume
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import known_once, new_id
from pms.foundation.work import Work, has_row
from pms.notices.notices import NoticeEvent, notify_staff
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Locale
from pms.rules.message_words import LeadState
from pms.rules.notices_to_people import ANSWERING, NoticeKind
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
    work: Work,
    *,
    lead: WrittenLead,
    resume: Resume | None = None,
    resume_key: str | None = None,
    external_id: str | None = None,
) -> str:
    """Store the lead and return its id; the résumé's file was stored before, under `resume_key`.

    Raises `Refused` naming a field, `NotFound` for an unknown position, and `Collision` for an
    `external_id` that was used before: nothing is stored twice. The audit event contains no
    personal data.
    """
    known_as = check_text("externalId", external_id, LONGEST_LINE)
    row = Lead(
        id=new_id(),
        **_check_lead(work.session, lead),
        resume_key=resume_key,
        resume_name=resume.name if resume else None,
        resume_type=resume.media_type if resume else None,
        state=LeadState.NEW,
        external_id=known_as,
        received_at=work.clock.now(),
        received_by=work.actor,
        changed_at=work.clock.now(),
        changed_by=work.actor,
        version=1,
    )
    facts = {"has_resume": resume is not None}
    with known_once(work.session, Lead.external_id, known_as):
        work.session.add(row)
        note_audit_event(work, AuditEvent.LEAD_RECEIVED, subject_of(row), after=facts)
    event = NoticeEvent(row.id, f"/leads/{row.id}", {"name": row.name}, occasion="received")
    notify_staff(work, NoticeKind.LEAD_RECEIVED, event, roles=ANSWERING)
    return row.id


def _check_lead(session: Session, written: WrittenLead) -> dict[str, Any]:
    email = check_email("email", written.email)
    if email is None:
        raise Refused("email: enter an email address such as name@example.jp.")
    if written.locale not in _LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=written.locale[:20])
    return {
        "name": needed_text("name", written.name, LONGEST_NAME),
        "email": email,
        "phone": check_phone("phone", written.phone),
        "message": check_text("message", written.message, LONGEST_TEXT) or "",
        "position_id": _check_position(session, written.position_id),
        "locale": written.locale,
    }


def _check_position(session: Session, position_id: str | None) -> str | None:
    """Return the position, also one that has been taken off the website."""
    if not position_id:
        return None
    if not has_row(session, Position, position_id):
        raise NotFound(
            "positionId: position '{position_id}' was not found.", position_id=position_id[:60]
        )
    return position_id
