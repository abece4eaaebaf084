"""Archives a reply template, or brings it back."""

from sqlalchemy.orm import Session

from pms.channels.reply_templates import template_row
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def archive_reply_template(
    session: Session, clock: Clock, actor: str, *, template_id: str, is_archived: bool = True
) -> str:
    """Archive a template, or bring it back, and return its name; doing it again changes nothing."""
    row = template_row(session, template_id)
    if (row.archived_at is not None) == is_archived:
        return row.name
    row.archived_at = clock.now() if is_archived else None
    told = {"name": row.name, "is_archived": is_archived}
    about = ("reply_template", row.id)
    note_deed(session, clock, actor, Deed.REPLY_TEMPLATE_ARCHIVED, about, after=told)
    session.flush()
    return row.name
