"""The portal of this request, and the addresses it answers."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar
from urllib.parse import quote

from flask import Response, g, request
from flask_babel import LazyString

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Door
from pms.surfaces.request_scope import reading_session
from pms.workspaces.queries import Branding


def paper(content: bytes, name: str) -> Response:
    """A PDF, shown by the browser itself."""
    disposition = f"inline; filename*=UTF-8''{quote(name)}"
    headers = {"Content-Type": "application/pdf", "Content-Disposition": disposition}
    return Response(content, headers=headers)


def kept_table(content: bytes, name: str) -> Response:
    """A CSV file to save."""
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    headers = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": disposition}
    return Response(content, headers=headers)


class Place(NamedTuple):
    """One of the few places a portal's bar leads to; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    icon: str
    further: tuple[str, ...] = ()
    """The pages below it, on which it is shown as the current one too."""


class Item(NamedTuple):
    """One place of the bar as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool


ONCE: Final = "once"
"""The field that names one filling of a form: sent twice, it counts once."""
Result = TypeVar("Result")


@dataclass(frozen=True)
class Portal:
    """One workspace's portal; before its door `address` and `session_id` are empty."""

    door: Door
    workspace_id: str
    workspace: Branding
    address: str = ""
    session_id: str = ""

    @property
    def slug(self) -> str:
        """The workspace as its addresses name it."""
        return self.workspace.slug


def portal() -> Portal:
    """Return the portal of this request."""
    found: Portal = g.portal
    return found


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the portal's workspace."""
    return reading_session(portal().workspace_id)


def key_of_form() -> str | None:
    """Return what names this filling of a form, for what must not happen twice."""
    return request.form.get(ONCE) or None
