"""Moves a picture earlier or later among those of its unit or building."""

from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import Photo
from pms.catalogue.photo_places import number_places, photos_in_order, subject_of_photo
from pms.foundation.audit import Subject, note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def move_photo(
    session: Session, clock: Clock, actor: str, *, photo_id: str, places: int
) -> Subject:
    """Move a picture by so many places, backwards when negative, as far as there are any."""
    photo = row_to_edit(session, Photo, photo_id)
    subject = subject_of_photo(photo)
    before = list(photos_in_order(session, subject))
    after = [other for other in before if other is not photo]
    after.insert(max(0, before.index(photo) + places), photo)
    if after == before:
        return subject
    number_places(after)
    note_deed(
        session,
        clock,
        actor,
        Deed.PHOTOS_ORDERED,
        subject,
        before={"photos": [one.id for one in before]},
        after={"photos": [one.id for one in after]},
    )
    session.flush()
    return subject
