"""The published posts of the website."""

from datetime import date, datetime, time
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, func, literal, or_, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Campaign
from pms.foundation.errors import no_such
from pms.foundation.ids import is_slug
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.rules.days import JAPAN
from pms.site.models import Position, Post, Service


class PublishedPost(NamedTuple):
    """A published post, with its texts in Markdown."""

    slug: str
    title: Bilingual
    summary: Bilingual
    body: Bilingual
    published_at: datetime
    updated_at: datetime


def published_posts(
    session: Session, today: date, paging: Paging
) -> tuple[list[PublishedPost], int]:
    """Return one page of the published posts, newest first, and the total."""
    out = _is_out(today)
    total = session.scalar(select(func.count()).select_from(Post).where(out)) or 0
    posts = session.scalars(
        select(Post)
        .where(out)
        .order_by(Post.published_at.desc(), Post.id.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return [_publish_post(post) for post in posts], total


def published_post(session: Session, slug: str, today: date) -> PublishedPost:
    """Return the post with this slug; raise `NotFound` if it is not published."""
    question = select(Post).where(Post.slug == slug, _is_out(today))
    post = session.scalar(question) if is_slug(slug) else None
    if post is None:
        raise no_such("post", slug)
    return _publish_post(post)


def published_slugs(session: Session, today: date) -> list[tuple[str, str, datetime]]:
    """Return (section, slug, last change) of all published content, sorted by section and slug."""
    coming = or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today)
    out = union_all(
        _select_slugs("posts", Post, _is_out(today)),
        _select_slugs("campaigns", Campaign, Campaign.is_published & coming),
        _select_slugs("positions", Position, Position.is_published),
        _select_slugs("services", Service, Service.is_published),
    ).subquery()
    asked = select(out.c.section, out.c.slug, out.c.updated_at)
    found = session.execute(asked.order_by(out.c.section, out.c.slug))
    return [(section, slug, changed_at) for section, slug, changed_at in found]


def _select_slugs(
    section: str,
    table: type[Post | Campaign | Position | Service],
    is_out: ColumnElement[bool] | InstrumentedAttribute[bool],
) -> Select[str, str, datetime]:
    return select(literal(section).label("section"), table.slug, table.updated_at).where(is_out)


def _publish_post(post: Post) -> PublishedPost:
    assert post.published_at is not None
    return PublishedPost(
        post.slug,
        Bilingual(post.title_ja, post.title_en),
        Bilingual(post.summary_ja, post.summary_en),
        Bilingual(post.body_ja, post.body_en),
        post.published_at,
        post.updated_at,
    )


def _is_out(today: date) -> ColumnElement[bool]:
    # Not by the clock: an answer may change only with a counter of the workspace or with the day,
    # which are part of its tag. Posts of earlier days are out even if no worker released them.
    return or_(Post.is_out, Post.published_at < datetime.combine(today, time(), JAPAN))
