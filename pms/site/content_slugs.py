"""Checks the words of an address on the website, or makes them out of a title."""

from typing import Final, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.catalogue.slugs import checked_slug, slug_of
from pms.foundation.errors import Collision
from pms.site.models import Position, Post, Service

Content: TypeAlias = Post | Campaign | Position | Service
MOST_CHARACTERS: Final = 80


def content_slug(session: Session, row: Content, typed: str | None, title: str | None) -> str:
    """Return the slug for a row: the one typed, else the one it has, else one made of the title.

    Raises `Refused` for what an address does not take plainly, `Collision` for another's slug.
    """
    wanted = (typed or "").strip().lower()
    if not wanted:
        return row.slug or _made(session, type(row), title or "")
    checked_slug(wanted, MOST_CHARACTERS)
    if wanted in _taken(session, type(row), wanted, row.id):
        raise Collision("slug: '{value}' is the address of another one already.", value=wanted)
    return wanted


def _made(session: Session, model: type[Content], title: str) -> str:
    word = slug_of(title, model.__tablename__, set())
    return slug_of(title, model.__tablename__, _taken(session, model, word, None))


def _taken(session: Session, model: type[Content], word: str, own_id: str | None) -> set[str]:
    question = select(model.id, model.slug).where(model.slug.startswith(word, autoescape=True))
    with session.no_autoflush:
        return {slug for id_, slug in session.execute(question) if id_ != own_id}
