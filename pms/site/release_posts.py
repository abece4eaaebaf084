"""Lets posts out whose instant has come, in the transaction that raises the website's version.

What an answer shows depends on the workspace's counters and the day alone, as its tag says. So a
post is not public because a clock has passed, but because somebody wrote that it has.
"""

from collections.abc import Sequence
from datetime import datetime, time

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.days import JAPAN
from pms.rules.deeds import Deed
from pms.site.content_in_hand import write_changes
from pms.site.models import Post


def workspaces_with_due_posts(session: Session, now: datetime) -> Sequence[str]:
    """Return the workspaces in which a post waits whose instant has come."""
    question = select(Post.workspace_id).where(~Post.is_out, Post.published_at <= now).distinct()
    return session.scalars(question).all()


def release_posts(session: Session, clock: Clock, actor: str) -> int:
    """Let out what is due in the session's workspace, and return how many posts that were.

    Those of earlier days are out by their day already, so that is no deed of now.
    """
    began = datetime.combine(clock.today(), time(), JAPAN)
    due = select(Post).where(~Post.is_out, Post.published_at <= clock.now()).with_for_update()
    posts = session.scalars(due.order_by(Post.published_at, Post.id)).all()
    for post in posts:
        if post.published_at is not None and post.published_at < began:
            post.is_out = True
            continue
        columns = {"is_out": True}
        write_changes(session, clock, actor, Deed.POST_CAME_OUT, post, columns=columns)
    session.flush()
    return len(posts)
