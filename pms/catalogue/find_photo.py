"""Finds the stored file of a picture by its public address; on the path of every picture."""

import re
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, bindparam, select

from pms.catalogue.models import Photo
from pms.foundation.ids import is_id
from pms.foundation.prepared import Prepared
from pms.workspaces.models import Workspace

_SLUG = re.compile(r"[\w-]{1,100}")
_FIND: Final = Prepared(
    select(Photo.files)
    .join(Workspace, Workspace.id == Photo.workspace_id)
    .where(Workspace.slug == bindparam("slug"), Photo.id == bindparam("photo_id"))
)


def find_photo(
    connection: Connection, workspace_slug: str, photo_id: str, width: int
) -> str | None:
    """Return the key of the file, `None` when this workspace has no such picture or width.

    The connection is bound to no workspace: the address names it, and the statement asks for it.
    """
    if not (_SLUG.fullmatch(workspace_slug) and is_id(photo_id)):
        return None
    found = _FIND.first(connection, slug=workspace_slug, photo_id=photo_id)
    files: Mapping[str, str] = found[0] if found else {}
    return files.get(str(width))
