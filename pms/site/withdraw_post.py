"""Withdraws a post, so that it is a draft again."""

from datetime import datetime

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, write_changes
from pms.site.models import Post


def withdraw_post(
    session: Session, clock: Clock, actor: str, *, post_id: str, version: int | None = None
) -> datetime | None:
    """Withdraw a post that is public or waits, and return the instant it had; a draft has none."""
    row = content_in_hand(session, Post, post_id, version)
    had = row.published_at
    columns = {"published_at": None, "is_out": False}
    write_changes(session, clock, actor, Deed.POST_WITHDRAWN, row, columns=columns)
    return had
