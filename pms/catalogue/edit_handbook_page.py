"""Edits a page of a building's handbook."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_page
from pms.catalogue.editing import row_to_edit, write_columns
from pms.catalogue.models import HandbookPage
from pms.catalogue.written_facts import WrittenPage
from pms.foundation.clock import Clock
from pms.foundation.sealing import opened_text, sealed_text
from pms.rules.deeds import Deed


def edit_handbook_page(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    page_id: str,
    version: int,
    written: WrittenPage,
    is_code_kept: bool = False,
) -> int:
    """Write a page anew and return its version.

    With `is_code_kept` the guarded code stays: a form does not carry a code nobody asked to see.
    """
    row = row_to_edit(session, HandbookPage, page_id, version)
    columns = checked_page(written)
    code = columns.pop("guarded_code")
    # The same code sealed once more would look like a change.
    if not is_code_kept and code != opened_text(session, row.guarded_code):
        columns["guarded_code"] = sealed_text(session, code)
    write_columns(session, clock, actor, Deed.HANDBOOK_PAGE_EDITED, row, columns=columns)
    return row.version
