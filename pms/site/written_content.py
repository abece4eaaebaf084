"""What is written of the website's content, as it is typed and as it is checked, field by field."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, checked_text, needed_text
from pms.catalogue.models import Campaign
from pms.catalogue.slugs import checked_slug, slug_of
from pms.foundation.errors import Collision, Refused
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


LONGEST_BODY: Final = 50_000
LONGEST_SUMMARY: Final = 500
Columns = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPost:
    """A post as it is typed; without a slug one is made of the title."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    summary_ja: str | None = None
    summary_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCampaign:
    """A campaign as it is typed, both its days included; without a last day it is open-ended."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None
    starts_on: date
    ends_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLeaflet:
    """A position or a service as it is typed; a service has no place."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None
    place_ja: str | None = None
    place_en: str | None = None


def checked_post(written: WrittenPost) -> Columns:
    """Return the columns of a post but its slug, or raise `Refused` naming what is wrong."""
    return {
        **_title_and_body(written),
        "summary_ja": checked_text("summaryJa", written.summary_ja, LONGEST_SUMMARY) or "",
        "summary_en": checked_text("summaryEn", written.summary_en, LONGEST_SUMMARY),
    }


def checked_campaign(written: WrittenCampaign) -> Columns:
    """Return the columns of a campaign but its slug, or raise `Refused`."""
    if written.ends_on is not None and written.ends_on < written.starts_on:
        raise Refused(
            "endsOn: {last_on} is before the first day, {first_on}.",
            last_on=written.ends_on,
            first_on=written.starts_on,
        )
    days = {"starts_on": written.starts_on, "ends_on": written.ends_on}
    return {**_filled(_title_and_body(written)), **days}


def checked_leaflet(written: WrittenLeaflet) -> Columns:
    """Return the columns of a position or service but its slug and place, or raise `Refused`."""
    return _filled(_title_and_body(written))


def checked_place(written: WrittenLeaflet) -> Columns:
    """Return where a position is, in both languages."""
    return {
        "place_ja": checked_text("placeJa", written.place_ja, LONGEST_LINE),
        "place_en": checked_text("placeEn", written.place_en, LONGEST_LINE),
    }


def _title_and_body(written: WrittenPost | WrittenCampaign | WrittenLeaflet) -> Columns:
    # One language is enough: readers of the other are shown it, and the office is told.
    needed_text("titleJa", written.title_ja or written.title_en)
    needed_text("bodyJa", written.body_ja or written.body_en, LONGEST_BODY)
    return {
        "title_ja": checked_text("titleJa", written.title_ja, LONGEST_LINE) or "",
        "title_en": checked_text("titleEn", written.title_en, LONGEST_LINE),
        "body_ja": checked_text("bodyJa", written.body_ja, LONGEST_BODY) or "",
        "body_en": checked_text("bodyEn", written.body_en, LONGEST_BODY),
    }


def _filled(columns: Columns) -> Columns:
    return {name: value or "" for name, value in columns.items()}
