"""The portal of this request: its workspace, and who is signed in."""

from dataclasses import dataclass
from typing import Final

from flask import g

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import UserKind
from pms.surfaces.request_scope import reading_session
from pms.workspaces.queries import Branding

WORKSPACE: Final = "workspace"
"""The URL parameter with the workspace's slug."""


@dataclass(frozen=True)
class Portal:
    """One workspace's portal; before sign-in `address` and `session_id` are empty."""

    user_kind: UserKind
    workspace_id: str
    workspace: Branding
    address: str = ""
    session_id: str = ""

    @property
    def slug(self) -> str:
        """The workspace's slug."""
        return self.workspace.slug


def portal() -> Portal:
    """Return the portal of this request."""
    found: Portal = g.portal
    return found


def reading() -> WorkspaceSession:
    """Return the request's session for reading, bound to the portal's workspace."""
    return reading_session(portal().workspace_id)
