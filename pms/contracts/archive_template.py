"""Takes a template out of use, or back into it; what was issued with it stays."""

from sqlalchemy.orm import Session

from pms.contracts.templates import template_row
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def archive_template(
    session: Session, clock: Clock, actor: str, *, template_id: str, is_archived: bool = True
) -> str:
    """Archive a template, or bring it back, and return its name; doing it again changes nothing.

    When the default one goes, the built-in text is used until another is made the default.
    """
    row = template_row(session, template_id)
    if (row.archived_at is not None) == is_archived:
        return row.name
    row.archived_at = clock.now() if is_archived else None
    row.is_default = False
    about, told = ("contract_template", row.id), {"name": row.name, "is_archived": is_archived}
    note_deed(session, clock, actor, Deed.CONTRACT_TEMPLATE_ARCHIVED, about, after=told)
    session.flush()
    return row.name
