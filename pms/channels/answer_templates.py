"""Templates of replies: listing, filling and archiving them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.channels.conversation_lists import InboxVisibility, lock_conversation
from pms.channels.models import ReplyTemplate
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_day
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, locked
from pms.inbox.models import Conversation
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.template_places import fill_plainly
from pms.workspaces.queries import branding


def reply_values(session: Session, row: Conversation, language: str) -> Mapping[str, str | None]:
    """Return the value of each template place in a language; None where it is unknown."""
    values: dict[str, str | None] = {
        "name": row.name,
        "operator": branding(session).name.in_language(language),
    }
    if row.reservation_id is None:
        return values
    name, starts_on, ends_on, unit, ja, en = session.execute(
        select(
            Reservation.name,
            Reservation.starts_on,
            Reservation.ends_on,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id == row.reservation_id)
    ).one()
    return values | {
        "name": name,
        "unit": unit,
        "building": Bilingual(ja, en).in_language(language),
        "moveIn": None if starts_on is None else format_day(starts_on, language),
        "moveOut": None if ends_on is None else format_day(ends_on, language),
    }


class AnswerTemplateRecord(NamedTuple):
    """One template with its texts; one language may be empty."""

    id: str
    name: str
    text_ja: str
    text_en: str
    updated_at: datetime
    updated_by: str
    archived_at: datetime | None
    version: int

    def in_language(self, language: str) -> tuple[str, str]:
        """Return the text and its language: the wanted one, else the one that has a text."""
        texts = {"ja": self.text_ja, "en": self.text_en}
        other = "en" if language == "ja" else "ja"
        return (texts[language], language) if texts.get(language) else (texts[other], other)


def reply_templates(
    session: Session, *, with_archived: bool = False
) -> Sequence[AnswerTemplateRecord]:
    """Return the templates by name; archived ones come last, and only with `with_archived`."""
    question = select(ReplyTemplate).order_by(ReplyTemplate.name, ReplyTemplate.id)
    if not with_archived:
        question = question.where(ReplyTemplate.archived_at.is_(None))
    rows = session.scalars(question).all()
    return [_build_record(row) for row in sorted(rows, key=lambda row: row.archived_at is not None)]


def reply_template(session: Session, template_id: str) -> AnswerTemplateRecord:
    """Return one template; raise `NotFound` for an unknown id."""
    return _build_record(locked(session, ReplyTemplate, template_id))


def _build_record(row: ReplyTemplate) -> AnswerTemplateRecord:
    return AnswerTemplateRecord(
        row.id,
        row.name,
        row.text_ja,
        row.text_en,
        row.updated_at,
        row.updated_by,
        row.archived_at,
        row.version,
    )


def fill_reply(
    session: Session, *, conversation_id: str, template_id: str, visibility: InboxVisibility
) -> str:
    """Return the filled text in the person's language; an unknown value stays a place.

    Raises `Refused` for an archived template, which may be out of date.
    """
    row = lock_conversation(session, conversation_id, visibility, is_changed=False)
    template = reply_template(session, template_id)
    if template.archived_at is not None:
        raise Refused("templateId: this template is archived.")
    text, language = template.in_language(row.locale)
    return fill_plainly(text, reply_values(session, row, language))


def archive_reply_template(work: Work, *, template_id: str, is_archived: bool = True) -> str:
    """Archive or restore a template and return its name; a repetition changes nothing."""
    row = locked(work.session, ReplyTemplate, template_id)
    if (row.archived_at is not None) == is_archived:
        return row.name
    row.archived_at = work.clock.now() if is_archived else None
    facts = {"name": row.name, "is_archived": is_archived}
    about = ("reply_template", row.id)
    note_audit_event(work, AuditEvent.REPLY_TEMPLATE_ARCHIVED, about, after=facts)
    work.session.flush()
    return row.name
