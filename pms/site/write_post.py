"""Writes a post: a new draft, or an edit of one that may be public already."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.site.content_in_hand import add_content, content_in_hand, write_changes
from pms.site.content_slugs import content_slug
from pms.site.models import Post
from pms.site.written_content import WrittenPost, checked_post


def write_post(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    written: WrittenPost,
    post_id: str | None = None,
    version: int | None = None,
) -> str:
    """Write a post, a new draft without an id, and return its id.

    What is public changes at once. Raises `Refused` for what cannot be kept, `Collision` for
    another post's slug or when somebody wrote it since that version was seen.
    """
    if post_id is None:
        row = Post(id=new_id(), slug="", version=1)
    else:
        row = content_in_hand(session, Post, post_id, version)
    columns = checked_post(written)
    columns["slug"] = content_slug(session, row, written.slug, columns["title_en"])
    if post_id is not None:
        write_changes(session, clock, actor, Deed.POST_WRITTEN, row, columns=columns)
        return row.id
    new = Post(id=row.id, version=1, is_out=False, **columns)
    return add_content(session, clock, actor, Deed.POST_WRITTEN, new)
