"""Keeps the photo of a passport as a file of its own."""

from pms.foundation.errors import Problem
from pms.stays.send_passport import send_passport
from pms.surfaces.guest_checkin.holder import clock, holder
from pms.surfaces.request_scope import database, files


def keep_copy(position: int, picture: bytes) -> None:
    """Store the file; what it replaces is deleted, and so is itself when it is refused."""
    key = files().put_alone(picture, "webp")
    try:
        freed = database().write(
            holder().workspace_id,
            lambda session: send_passport(
                session,
                clock(),
                holder().actor,
                link_id=holder().link.id,
                position=position,
                file_key=key,
            ),
        )
    except Problem:
        files().delete(key)
        raise
    forget(freed)


def forget(key: str | None) -> None:
    """Delete a copy that nothing names any more."""
    if key is not None:
        files().delete(key)
