"""Questions about the words the office answers with again and again."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import ReplyTemplate
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


class TemplateRecord(NamedTuple):
    """One template with its words; one language may be empty."""

    id: str
    name: str
    text_ja: str
    text_en: str
    updated_at: datetime
    updated_by: str
    archived_at: datetime | None
    version: int

    def said(self, language: str) -> tuple[str, str]:
        """Return the words and their language: the one asked for, or the one there are words in."""
        texts = {"ja": self.text_ja, "en": self.text_en}
        other = "en" if language == "ja" else "ja"
        return (texts[language], language) if texts.get(language) else (texts[other], other)


def reply_templates(session: Session, *, with_archived: bool = False) -> Sequence[TemplateRecord]:
    """Return the templates by name, archived ones last and only where they are asked for."""
    question = select(ReplyTemplate).order_by(ReplyTemplate.name, ReplyTemplate.id)
    if not with_archived:
        question = question.where(ReplyTemplate.archived_at.is_(None))
    rows = session.scalars(question).all()
    return [_record(row) for row in sorted(rows, key=lambda row: row.archived_at is not None)]


def reply_template(session: Session, template_id: str) -> TemplateRecord:
    """Return one template; raise `NotFound` for an id of nobody here."""
    return _record(template_row(session, template_id))


def template_row(session: Session, template_id: str) -> ReplyTemplate:
    """Return the row of a template, locked where the session writes; raise `NotFound`."""
    asked = select(ReplyTemplate).where(ReplyTemplate.id == template_id).with_for_update()
    row = session.scalar(asked) if is_id(template_id) else None
    if row is None:
        raise NotFound("There is no reply template '{template_id}'.", template_id=template_id[:60])
    return row


def _record(row: ReplyTemplate) -> TemplateRecord:
    return TemplateRecord(
        row.id,
        row.name,
        row.text_ja,
        row.text_en,
        row.updated_at,
        row.updated_by,
        row.archived_at,
        row.version,
    )
