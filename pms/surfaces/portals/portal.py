"""The portal of this request: whose workspace, which door, and who is signed in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from flask import Response, g, request
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Door
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.workspaces.queries import Branding

__all__ = [
    "ONCE",
    "Portal",
    "clock",
    "key_of_form",
    "place",
    "portal",
    "reading",
    "submitted",
    "today",
]

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


def submitted(
    form: Form,
    act: Callable[[WorkspaceSession], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Act on a form in one transaction, or show it again (422) with everything typed in it.

    A refusal stands beside the field its message names, else above the form. `then` answers after
    the transaction is committed.
    """
    if form.validate():
        try:
            result = database().write(portal().workspace_id, act)
        except (Refused, Collision) as problem:
            place(form, problem)
        else:
            return then(result)
    response = again()
    response.status_code = UNACCEPTED
    return response


def place(form: Form, problem: Problem) -> None:
    """Put a refusal beside the field it names, else above the form."""
    field = form._fields.get(problem.field or "")
    # Beside a field that nobody sees, nobody would read it.
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(said(problem))
    else:
        field.errors = [*field.errors, said(problem, with_field=False)]
