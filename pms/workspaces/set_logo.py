"""Gives a workspace its logo, or takes it away."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.rules.deeds import Deed
from pms.workspaces.logo_picture import store_logo
from pms.workspaces.models import Workspace
from pms.workspaces.settings_to_edit import workspace_to_edit


def set_logo(
    session: Session,
    clock: Clock,
    actor: str,
    files: Files,
    *,
    content: bytes | None,
    expected_version: int | None = None,
) -> Workspace:
    """Store an uploaded JPEG, PNG or WebP as the logo; without content there is none any more.

    Raises `Refused` for what is no sound picture, and `Collision` for a stale version.
    """
    row = workspace_to_edit(session, expected_version)
    before = {"logo_file_key": row.logo_file_key}
    after = {"logo_file_key": None if content is None else store_logo(content, files)}
    if before != after:
        row.logo_file_key = after["logo_file_key"]
        row.version += 1
        about = of_workspace(session)
        note_difference(
            session, clock, actor, Deed.WORKSPACE_DESCRIBED, about, before=before, after=after
        )
        session.flush()
    return row
