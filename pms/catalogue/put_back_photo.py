"""Hangs a picture again that was taken down, as the audit remembers it."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Photo
from pms.catalogue.photo_places import (
    lock_subject,
    number_places,
    photos_in_order,
    subject_of_photo,
)
from pms.foundation.audit import Subject, note_change
from pms.foundation.audit_trail import deeds
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.rules.deeds import Deed

_COLUMNS = (
    "building_id",
    "unit_id",
    "position",
    "width",
    "height",
    "files",
    "alt_ja",
    "alt_en",
)


def put_back_photo(session: Session, clock: Clock, actor: str, *, photo_id: str) -> Subject:
    """Store a removed picture again at its place and return whose it is."""
    removals = deeds(session, subject=("photo", photo_id), deed=Deed.PHOTO_REMOVED, limit=1).deeds
    hangs = session.scalar(select(Photo.id).where(Photo.id == photo_id)) if removals else None
    if not removals or hangs is not None:
        raise NotFound("There is no removed picture '{id}'.", id=photo_id[:60])
    was = removals[0].before
    photo = Photo(
        id=photo_id,
        **{column: was.get(column) for column in _COLUMNS},
        created_at=clock.now(),
    )
    subject = subject_of_photo(photo)
    lock_subject(session, subject)
    others = list(photos_in_order(session, subject))
    session.add(photo)
    note_change(session, clock, actor, Deed.PHOTO_ADDED, photo)
    others.insert(photo.position - 1, photo)
    number_places(others)
    session.flush()
    return subject
