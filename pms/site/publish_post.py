"""Publishes a post: now, or at an instant to come; an instant past is the date it is shown under."""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, write_changes
from pms.site.models import Post

_FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LAST_YEAR: Final = 2199


def publish_post(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    post_id: str,
    at: datetime | None = None,
    version: int | None = None,
) -> Post:
    """Publish a post and return it; one that waits for another instant waits for this one.

    Publishing what is public changes nothing: its day is changed by withdrawing it first.
    """
    row = content_in_hand(session, Post, post_id, version)
    if row.is_out and at in (None, row.published_at):
        return row
    if row.is_out:
        raise Refused("onDay: this post is public already; withdraw it first.")
    now = clock.now().replace(microsecond=0)
    chosen = at or now
    if chosen < _FIRST or chosen.year > _LAST_YEAR:
        raise Refused(
            "onDay: {day} is not between 2000 and {last_year}.",
            day=chosen.date(),
            last_year=_LAST_YEAR,
        )
    columns = {"published_at": chosen, "is_out": chosen <= now}
    write_changes(session, clock, actor, Deed.POST_PUBLISHED, row, columns=columns)
    return row
