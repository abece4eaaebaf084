"""Takes a picture down."""

from sqlalchemy.orm import Session

from pms.catalogue.editing import remove_row, row_to_edit
from pms.catalogue.models import Photo
from pms.catalogue.photo_places import number_places, photos_in_order, subject_of_photo
from pms.foundation.audit import Subject
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def remove_photo(session: Session, clock: Clock, actor: str, *, photo_id: str) -> Subject:
    """Take a picture away and return whose it was; its stored files stay."""
    photo = row_to_edit(session, Photo, photo_id)
    subject = subject_of_photo(photo)
    remove_row(session, clock, actor, Deed.PHOTO_REMOVED, photo)
    number_places(photos_in_order(session, subject))
    session.flush()
    return subject
