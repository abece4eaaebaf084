"""The pictures a resident took of their own reports."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.upkeep.models import MaintenanceRequest, UpkeepPhoto
from pms.upkeep.upkeep_photos import REQUEST, TakenPhoto, photos_of


def own_photos(session: Session, taken_by: str, request_id: str | None) -> Sequence[TakenPhoto]:
    """Return what a resident took of one report, the oldest first; what others took is not told."""
    if request_id is None:
        return ()
    taken = photos_of(session, REQUEST, [request_id]).get(request_id, ())
    return [photo for photo in taken if photo.taken_by == taken_by]


def own_photo_file(
    session: Session, taken_by: str, *, reservation_id: str, photo_id: str, width: int
) -> str:
    """Return the key of the file of one of them; `NotFound` for any other picture."""
    files = None
    if is_id(photo_id):
        files = session.scalar(
            select(UpkeepPhoto.files)
            .join(
                MaintenanceRequest,
                (MaintenanceRequest.workspace_id == UpkeepPhoto.workspace_id)
                & (MaintenanceRequest.id == UpkeepPhoto.request_id),
            )
            .where(
                UpkeepPhoto.id == photo_id,
                UpkeepPhoto.taken_by == taken_by,
                MaintenanceRequest.reservation_id == reservation_id,
            )
        )
    key: str | None = files.get(str(width)) if files else None
    if key is None:
        raise NotFound("There is no picture '{photo_id}'.", photo_id=photo_id[:60])
    return key
