"""Says in words what a picture shows, for those who do not see it."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_text
from pms.catalogue.editing import row_to_edit, write_columns
from pms.catalogue.models import Photo
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def describe_photo(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    photo_id: str,
    alt_ja: str | None,
    alt_en: str | None,
    version: int | None = None,
) -> int:
    """Write the words of a picture in both languages and return its version."""
    row = row_to_edit(session, Photo, photo_id, version)
    columns = {
        "alt_ja": checked_text("altJa", alt_ja, LONGEST_LINE) or "",
        "alt_en": checked_text("altEn", alt_en, LONGEST_LINE) or "",
    }
    write_columns(session, clock, actor, Deed.PHOTO_EDITED, row, columns=columns)
    return row.version
