"""The pictures of one unit or one building in their order."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import Building, Photo, Unit
from pms.foundation.audit import Subject


def subject_of_photo(photo: Photo) -> Subject:
    """Return the unit or the building a picture shows."""
    if photo.unit_id is not None:
        return ("unit", photo.unit_id)
    return ("building", str(photo.building_id))


def lock_subject(session: Session, subject: Subject) -> None:
    """Lock the unit or the building itself; raise `NotFound` when there is none."""
    kind, id_ = subject
    if kind == "unit":
        row_to_edit(session, Unit, id_)
    else:
        row_to_edit(session, Building, id_)


def photos_in_order(session: Session, subject: Subject) -> Sequence[Photo]:
    """Return the pictures of a subject, locked, the first one first."""
    question = select(Photo).where(_is_of(subject)).order_by(Photo.position, Photo.id)
    return session.scalars(
        question.with_for_update(key_share=True).execution_options(populate_existing=True)
    ).all()


def number_places(photos: Sequence[Photo]) -> None:
    """Give each picture its place, counted from 1."""
    for place, photo in enumerate(photos, start=1):
        if photo.position != place:
            photo.position = place


def _is_of(subject: Subject) -> ColumnElement[bool]:
    kind, id_ = subject
    return (Photo.unit_id if kind == "unit" else Photo.building_id) == id_
