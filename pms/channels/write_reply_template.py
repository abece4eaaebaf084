"""Writes a reply template: its name and its words in both languages."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_NAME, checked_text, needed_text
from pms.channels.models import ReplyTemplate
from pms.channels.reply_places import PLACES
from pms.channels.reply_templates import template_row
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import listed
from pms.rules.deeds import Deed
from pms.rules.template_places import unknown_places

LONGEST_REPLY: Final = 4_000


def write_reply_template(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    template_id: str | None,
    name: str | None,
    text_ja: str | None,
    text_en: str | None,
    version: int = 0,
) -> str:
    """Write a template, a new one without an id, and return its id.

    Raises `Refused` for a name that another one has and for places nobody fills, and `Collision`
    when somebody wrote it since that version was seen.
    """
    named = " ".join(needed_text("name", name, LONGEST_NAME).split())
    texts = _text("textJa", text_ja), _text("textEn", text_en)
    if not any(texts):
        raise Refused("textJa: write the words in one language at least.")
    if template_id is None:
        row = ReplyTemplate(id=new_id(), version=0)
        session.add(row)
    else:
        row = template_row(session, template_id)
        if row.version != version:
            raise Collision(
                "version: somebody else wrote this template meanwhile: look at it again."
            )
    _refuse_taken(session, row, named)
    row.name, row.text_ja, row.text_en = named, *texts
    note_change(session, clock, actor, Deed.REPLY_TEMPLATE_WRITTEN, row)
    row.updated_at, row.updated_by = clock.now(), actor
    row.version += 1
    try:
        session.flush()
    except IntegrityError as clash:
        # Somebody was as quick elsewhere; the whole transaction is given up.
        raise _taken(named) from clash
    return row.id


def _refuse_taken(session: Session, row: ReplyTemplate, name: str) -> None:
    with session.no_autoflush:
        other = session.scalar(
            select(ReplyTemplate.id).where(ReplyTemplate.name == name, ReplyTemplate.id != row.id)
        )
    if other is not None:
        raise _taken(name)


def _taken(name: str) -> Refused:
    return Refused("name: there is a template '{name}' already.", name=name)


def _text(field: str, text: str | None) -> str:
    words = (checked_text(field, text, LONGEST_REPLY) or "").replace("\r\n", "\n").strip()
    unknown = unknown_places(words, PLACES)
    if unknown:
        raise Refused(
            "{field}: there is no place {places}; there are {known}.",
            field=field,
            places=listed(f"'{name[:60]}'" for name in unknown[:5]),
            known=listed(f"{{{{{name}}}}}" for name in PLACES),
        )
    return words
