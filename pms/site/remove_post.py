"""Removes a post for good."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.site.content_in_hand import content_in_hand, remove_content
from pms.site.models import Post


def remove_post(
    session: Session, clock: Clock, actor: str, *, post_id: str, version: int | None = None
) -> None:
    """Take a post away with its texts; its address answers 404 from the next request on."""
    row = content_in_hand(session, Post, post_id, version)
    remove_content(session, clock, actor, Deed.POST_REMOVED, row)
