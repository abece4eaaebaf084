"""Posts: writing, publishing and removing."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.site.content import add_content, locked_content, remove_content, write_changes
from pms.site.models import Post
from pms.site.written_content import WrittenPost, checked_post, content_slug

_FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LAST_YEAR: Final = 2199


def publish_post(
    work: Work, *, post_id: str, at: datetime | None = None, version: int | None = None
) -> Post:
    """Publish a post and return it; one that waits for another instant waits for this one.

    Publishing what is public changes nothing: its day is changed by withdrawing it first.
    """
    row = locked_content(work.session, Post, post_id, version)
    if row.is_out and at in (None, row.published_at):
        return row
    if row.is_out:
        raise Refused("onDay: this post is public already; withdraw it first.")
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


# What an answer shows depends on the workspace's counters and the day alone, as its tag says. So a
# post is not public because a clock has passed, but because somebody wrote that it has.
def workspaces_with_due_posts(session: Session, now: datetime) -> Sequence[str]:
    """Return the workspaces in which a post waits whose instant has come."""
    question = select(Post.workspace_id).where(~Post.is_out, Post.published_at <= now).distinct()
    return session.scalars(question).all()


def release_posts(work: Work) -> int:
    """Let out what is due in the session's workspace, and return how many posts that were.

    Those of earlier days are out by their day already, so that is no audit event of now.
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
    """Take a post away with its texts; its address answers 404 from the next request on."""
    row = locked_content(work.session, Post, post_id, version)
    remove_content(work, AuditEvent.POST_REMOVED, row)


def withdraw_post(work: Work, *, post_id: str, version: int | None = None) -> datetime | None:
    """Withdraw a post that is public or waits, and return the instant it had; a draft has none."""
    row = locked_content(work.session, Post, post_id, version)
    had = row.published_at
    columns = {"published_at": None, "is_out": False}
    write_changes(work, AuditEvent.POST_WITHDRAWN, row, columns=columns)
    return had


def write_post(
    work: Work, *, written: WrittenPost, post_id: str | None = None, version: int | None = None
) -> str:
    """Write a post, a new draft without an id, and return its id.

    What is public changes at once. Raises `Refused` for what cannot be kept, `Collision` for
    another post's slug or when somebody wrote it since that version was seen.
    """
    if post_id is None:
        row = Post(id=new_id(), slug="", version=1)
    else:
        row = locked_content(work.session, Post, post_id, version)
    columns = checked_post(written)
    columns["slug"] = content_slug(work.session, row, written.slug, columns["title_en"])
    if post_id is not None:
        write_changes(work, AuditEvent.POST_WRITTEN, row, columns=columns)
        return row.id
    new = Post(id=row.id, version=1, is_out=False, **columns)
    return add_content(work, AuditEvent.POST_WRITTEN, new)
