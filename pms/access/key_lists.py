"""API keys as they are listed, and the workspaces they belong to."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.workspaces.models import Workspace


class KeyOfWorkspace(NamedTuple):
    """What may be shown of a key, with the slug of its workspace."""

    workspace: str
    id: str
    name: str
    hint: str
    scopes: list[str]
    is_public: bool
    is_legacy: bool
    budget_per_hour: int
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
    replaced_by_id: str | None

    @property
    def state(self) -> str:
        """The state: live, legacy, revoked or replaced."""
        if self.revoked_at is None:
            return "legacy" if self.is_legacy else "live"
        return "replaced" if self.replaced_by_id else "revoked"


_KEYS = (
    select(
        Workspace.slug,
        ApiKey.id,
        ApiKey.name,
        ApiKey.hint,
        ApiKey.scopes,
        ApiKey.is_public,
        ApiKey.is_legacy,
        ApiKey.budget_per_hour,
        ApiKey.created_at,
        ApiKey.last_used_at,
        ApiKey.revoked_at,
        ApiKey.replaced_by_id,
    )
    .join(Workspace, Workspace.id == ApiKey.workspace_id)
    .order_by(
        Workspace.slug,
        ApiKey.revoked_at.is_not(None),
        ApiKey.created_at.desc(),
        ApiKey.id.desc(),
    )
)


def keys_of_workspaces(session: Session) -> Sequence[KeyOfWorkspace]:
    """Return the keys the session may see by workspace, live ones first, then newest first."""
    return [KeyOfWorkspace._make(row) for row in session.execute(_KEYS)]


def key_names(session: Session) -> dict[str, str]:
    """Return the names of all keys by their ids, revoked ones included."""
    return {row.id: row.name for row in session.execute(select(ApiKey.id, ApiKey.name))}


def workspace_id_of_key(session: Session, key_id: str) -> str:
    """Return the workspace of a key; raise `NotFound` for an unknown id."""
    question = select(ApiKey.workspace_id).where(ApiKey.id == key_id)
    workspace_id = session.scalar(question) if is_id(key_id) else None
    if workspace_id is None:
        raise no_such("key", key_id)
    return workspace_id


def workspaces_of_keys(session: Session, key_ids: Sequence[str]) -> dict[str, str]:
    """Return the workspaces of these keys by the key's id; deleted keys are left out."""
    question = select(ApiKey.id, ApiKey.workspace_id).where(one_of(ApiKey.id, key_ids))
    return {row.id: row.workspace_id for row in session.execute(question)}
