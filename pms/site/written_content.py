"""Writing and checking the website's content: posts, positions and services."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final, TypeAlias

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, check_text, needed_text
from pms.catalogue.models import Campaign
from pms.catalogue.slugs import check_slug, slug_of
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.message_words import LeafletKind
from pms.site.content import LEAFLET_EVENTS, TABLES
from pms.site.content_changes import add_content, remove_content, write_changes
from pms.site.models import Position, Post, Service

Content: TypeAlias = Post | Campaign | Position | Service
MOST_CHARACTERS: Final = 80


def content_slug(session: Session, row: Content, typed: str | None, title: str | None) -> str:
    """Return the slug for a row: the typed one, else the present one, else one from the title.

    Raises `Refused` for a slug that is not valid in an address, `Collision` for one that is taken.
    """
    wanted = (typed or "").strip().lower()
    if not wanted:
        return row.slug or _make_slug(session, type(row), title or "")
    check_slug(wanted, MOST_CHARACTERS)
    if wanted in _find_taken_slugs(session, type(row), wanted, row.id):
        raise Collision("slug: '{value}' is already used as an address.", value=wanted)
    return wanted


def save_content(
    work: Work, audit_event: AuditEvent, row: Content, columns: dict[str, Any], slug: str | None
) -> str:
    """Save the columns of a stored row, or add the new one, with its slug; return its id."""
    columns["slug"] = content_slug(work.session, row, slug, columns["title_en"])
    if row in work.session:
        write_changes(work, audit_event, row, columns=columns)
        return row.id
    for name, value in columns.items():
        setattr(row, name, value)
    return add_content(work, audit_event, row)


def _make_slug(session: Session, model: type[Content], title: str) -> str:
    word = slug_of(title, model.__tablename__, set())
    return slug_of(title, model.__tablename__, _find_taken_slugs(session, model, word, None))


def _find_taken_slugs(
    session: Session, model: type[Content], word: str, own_id: str | None
) -> set[str]:
    question = select(model.id, model.slug).where(model.slug.startswith(word, autoescape=True))
    with session.no_autoflush:
        return {slug for id_, slug in session.execute(question) if id_ != own_id}


LONGEST_BODY: Final = 50_000
LONGEST_SUMMARY: Final = 500
Columns = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPost:
    """A post as typed; without a slug one is made from the title."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    summary_ja: str | None = None
    summary_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCampaign:
    """A campaign as typed, both days included; without a last day it is open-ended."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None
    starts_on: date
    ends_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLeaflet:
    """A position or a service as typed; a service has no place."""

    slug: str | None = None
    title_ja: str | None = None
    title_en: str | None = None
    body_ja: str | None = None
    body_en: str | None = None
    place_ja: str | None = None
    place_en: str | None = None


def check_post(written: WrittenPost) -> Columns:
    """Return the columns of a post except its slug, or raise `Refused` naming what is wrong."""
    return {
        **_title_and_body(written),
        "summary_ja": check_text("summaryJa", written.summary_ja, LONGEST_SUMMARY) or "",
        "summary_en": check_text("summaryEn", written.summary_en, LONGEST_SUMMARY),
    }


def check_campaign(written: WrittenCampaign) -> Columns:
    """Return the columns of a campaign except its slug, or raise `Refused`."""
    if written.ends_on is not None and written.ends_on < written.starts_on:
        raise Refused(
            "endsOn: {last_on} is before the first day, {first_on}.",
            last_on=written.ends_on,
            first_on=written.starts_on,
        )
    days = {"starts_on": written.starts_on, "ends_on": written.ends_on}
    return {**_fill_columns(_title_and_body(written)), **days}


def check_leaflet(written: WrittenLeaflet) -> Columns:
    """Return the columns of a position or service except slug and place, or raise `Refused`."""
    return _fill_columns(_title_and_body(written))


def check_place(written: WrittenLeaflet) -> Columns:
    """Return the place of a position, in both languages."""
    return {
        "place_ja": check_text("placeJa", written.place_ja, LONGEST_LINE),
        "place_en": check_text("placeEn", written.place_en, LONGEST_LINE),
    }


def _title_and_body(written: WrittenPost | WrittenCampaign | WrittenLeaflet) -> Columns:
    # One language is enough: readers of the other one are shown it, and the office is warned.
    needed_text("titleJa", written.title_ja or written.title_en)
    needed_text("bodyJa", written.body_ja or written.body_en, LONGEST_BODY)
    return {
        "title_ja": check_text("titleJa", written.title_ja, LONGEST_LINE) or "",
        "title_en": check_text("titleEn", written.title_en, LONGEST_LINE),
        "body_ja": check_text("bodyJa", written.body_ja, LONGEST_BODY) or "",
        "body_en": check_text("bodyEn", written.body_en, LONGEST_BODY),
    }


def _fill_columns(columns: Columns) -> Columns:
    return {name: value or "" for name, value in columns.items()}


_FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LAST_YEAR: Final = 2199


def publish_post(
    work: Work, *, post_id: str, at: datetime | None = None, version: int | None = None
) -> Post:
    """Publish a post, now or at an instant, and return it; a scheduled one is rescheduled.

    A public post stays as it is. Raises `Refused` for another instant of a public post, which must
    be withdrawn first.
    """
    row = locked(work.session, Post, post_id, version)
    if row.is_out and at in (None, row.published_at):
        return row
    if row.is_out:
        raise Refused("onDay: this post is already public. Unpublish it first.")
    now = work.clock.now().replace(microsecond=0)
    chosen = at or now
    if chosen < _FIRST or chosen.year > _LAST_YEAR:
        raise Refused(
            "onDay: {day} is not between 2000 and {last_year}.",
            day=chosen.date(),
            last_year=_LAST_YEAR,
        )
    columns = {"published_at": chosen, "is_out": chosen <= now}
    write_changes(work, AuditEvent.POST_PUBLISHED, row, columns=columns)
    return row


# An answer depends only on the workspace's counters and the day, as its tag says. So a post does
# not become public by the clock, but by a write.
def workspaces_with_due_posts(session: Session, now: datetime) -> Sequence[str]:
    """Return the workspaces with a post whose publishing time has passed and that is not out."""
    question = select(Post.workspace_id).where(~Post.is_out, Post.published_at <= now).distinct()
    return session.scalars(question).all()


def release_posts(work: Work) -> int:
    """Release the due posts of the session's workspace, and return how many.

    Posts of earlier days are public by their day already, so they get no audit event.
    """
    began = datetime.combine(work.clock.today(), time(), JAPAN)
    due = select(Post).where(~Post.is_out, Post.published_at <= work.clock.now()).with_for_update()
    posts = work.session.scalars(due.order_by(Post.published_at, Post.id)).all()
    for post in posts:
        if post.published_at is not None and post.published_at < began:
            post.is_out = True
            continue
        columns = {"is_out": True}
        write_changes(work, AuditEvent.POST_CAME_OUT, post, columns=columns)
    work.session.flush()
    return len(posts)


def remove_post(work: Work, *, post_id: str, version: int | None = None) -> None:
    """Delete a post with its texts; its address answers 404 from the next request on."""
    row = locked(work.session, Post, post_id, version)
    remove_content(work, AuditEvent.POST_REMOVED, row)


def withdraw_post(work: Work, *, post_id: str, version: int | None = None) -> datetime | None:
    """Withdraw a public or scheduled post, and return its publishing time; a draft has none."""
    row = locked(work.session, Post, post_id, version)
    had = row.published_at
    columns = {"published_at": None, "is_out": False}
    write_changes(work, AuditEvent.POST_WITHDRAWN, row, columns=columns)
    return had


def write_post(
    work: Work, *, written: WrittenPost, post_id: str | None = None, version: int | None = None
) -> str:
    """Save a post, or without an id a new draft, and return its id.

    A public post changes at once. Raises `Refused` for invalid texts, `Collision` for a slug that
    is taken or if the post changed since that version.
    """
    if post_id is None:
        row = Post(id=new_id(), slug="", version=1, is_out=False)
    else:
        row = locked(work.session, Post, post_id, version)
    return save_content(work, AuditEvent.POST_WRITTEN, row, check_post(written), written.slug)


def move_leaflet(work: Work, *, kind: LeafletKind, leaflet_id: str, places: int) -> bool:
    """Move it by `places`, upwards if negative, within the list; return whether it moved.

    The version stays as it is, so that open edits of its texts are not refused.
    """
    model = TABLES[kind]
    row = locked(work.session, model, leaflet_id)
    asked = select(model).order_by(model.order, model.id).with_for_update()
    before: list[Position | Service] = list(work.session.scalars(asked))
    after = [other for other in before if other is not row]
    after.insert(max(0, before.index(row) + places), row)
    if after == before:
        return False
    was = before.index(row) + 1
    for place, other in enumerate(after, start=1):
        other.order = place
    note_audit_event(
        work,
        LEAFLET_EVENTS[kind].ordered,
        subject_of(row),
        before={"position": was},
        after={"position": after.index(row) + 1},
    )
    work.session.flush()
    return True


def publish_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Publish it at once; one that is public stays as it is."""
    row = locked(work.session, TABLES[kind], leaflet_id, version)
    columns = {"is_published": True}
    write_changes(work, LEAFLET_EVENTS[kind].published, row, columns=columns)


def remove_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Delete it with its texts; raise `Refused` for a position that a lead applied for."""
    row = locked(work.session, TABLES[kind], leaflet_id, version)
    remove_content(work, LEAFLET_EVENTS[kind].removed, row)


def withdraw_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Hide it at once; its texts and its place in the order stay."""
    row = locked(work.session, TABLES[kind], leaflet_id, version)
    columns = {"is_published": False}
    write_changes(work, LEAFLET_EVENTS[kind].withdrawn, row, columns=columns)


def write_leaflet(
    work: Work,
    *,
    kind: LeafletKind,
    written: WrittenLeaflet,
    leaflet_id: str | None = None,
    version: int | None = None,
) -> str:
    """Save one and return its id; raise `Refused` or `Collision` as for a post."""
    model, audit_event = TABLES[kind], LEAFLET_EVENTS[kind].written
    columns = check_leaflet(written)
    if kind == LeafletKind.POSITION:
        columns |= check_place(written)
    if leaflet_id is None:
        last = work.session.scalar(select(func.max(model.order))) or 0
        row = model(id=new_id(), slug="", version=1, is_published=False, order=last + 1)
    else:
        row = locked(work.session, model, leaflet_id, version)
    return save_content(work, audit_event, row, columns, written.slug)
