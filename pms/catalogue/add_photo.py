"""Hangs a picture in a unit or on a building."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_text
from pms.catalogue.editing import add_row
from pms.catalogue.models import Photo
from pms.catalogue.photo_places import lock_subject, photos_in_order
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import Subject
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed

MOST_PHOTOS = 60


def add_photo(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    subject: Subject,
    sized: SizedPhoto,
    alt_ja: str | None = None,
    alt_en: str | None = None,
) -> str:
    """Store a picture behind those that hang already and return its id.

    `sized` comes from `size_photo`, which takes its time and needs no transaction.
    """
    kind, id_ = subject
    lock_subject(session, subject)
    hanging = len(photos_in_order(session, subject))
    if hanging >= MOST_PHOTOS:
        raise Refused("photo: {most} pictures hang here already, the most.", most=MOST_PHOTOS)
    row = Photo(
        building_id=None if kind == "unit" else id_,
        unit_id=id_ if kind == "unit" else None,
        position=hanging + 1,
        width=sized.width,
        height=sized.height,
        files=dict(sized.files),
        alt_ja=checked_text("altJa", alt_ja, LONGEST_LINE) or "",
        alt_en=checked_text("altEn", alt_en, LONGEST_LINE) or "",
        created_at=clock.now(),
    )
    return add_row(session, clock, actor, Deed.PHOTO_ADDED, row)
