"""Reads the pictures of a unit or a building as the office keeps them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Photo
from pms.catalogue.photo_places import subject_of_photo
from pms.foundation.audit import Subject
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


class HungPhoto(NamedTuple):
    """A picture in its order; `width` and `height` are its largest size in pixels."""

    id: str
    subject: Subject
    version: int
    width: int
    height: int
    alt: Bilingual


def photos_hung(session: Session, subject: Subject) -> Sequence[HungPhoto]:
    """Return the pictures of a unit or a building, the first one first."""
    kind, id_ = subject
    column = Photo.unit_id if kind == "unit" else Photo.building_id
    rows = session.scalars(select(Photo).where(column == id_).order_by(Photo.position, Photo.id))
    return [_hung(row) for row in rows]


def photo_record(session: Session, photo_id: str) -> HungPhoto:
    """Return one picture; raise `NotFound` for an id that is not of this workspace."""
    row = session.scalar(select(Photo).where(Photo.id == photo_id)) if is_id(photo_id) else None
    if row is None:
        raise NotFound("There is no photo '{id}'.", id=photo_id[:60])
    return _hung(row)


def _hung(row: Photo) -> HungPhoto:
    return HungPhoto(
        row.id,
        subject_of_photo(row),
        row.version,
        row.width,
        row.height,
        Bilingual(row.alt_ja, row.alt_en),
    )
