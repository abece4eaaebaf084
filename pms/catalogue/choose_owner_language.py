"""Keeps the language an owner chose for their mails and papers."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit, write_columns
from pms.catalogue.models import Owner
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale


def choose_owner_language(
    session: Session, clock: Clock, actor: str, *, owner_ids: Sequence[str], locale: Locale
) -> None:
    """Write the language into every owner record of an address."""
    for owner_id in owner_ids:
        row = row_to_edit(session, Owner, owner_id)
        columns = {"locale": locale.value}
        write_columns(session, clock, actor, Deed.OWNER_EDITED, row, columns=columns)
