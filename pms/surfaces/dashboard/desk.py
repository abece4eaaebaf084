"""The desk a member of staff works at: who they are, whose workspace, and how they act in it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from flask import Response, g
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.routes import dashboard
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import clock, database, reading_session, today

__all__ = ["Desk", "actor", "clock", "desk", "may", "place", "reading", "submitted", "today"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Desk:
    """Who works here and in which workspace."""

    person_id: str
    name: str
    email: str
    role: StaffRole
    workspace_id: str
    slug: str
    workspace_name: str
    brand_hue: int
    logo_file_key: str | None
    has_several_workspaces: bool
    factor_due_on: date | None
    """From when on a workspace demands a second factor, of somebody who has none."""
    factor_demanded_by: str
    needs_factor: bool
    """Whether that day has come: until it is set up nothing else opens."""

    @property
    def is_office(self) -> bool:
        """Whether money and people's data are for this person's eyes."""
        return self.role in (StaffRole.OPERATOR, StaffRole.OFFICE)


def desk() -> Desk:
    """Return the desk of this request."""
    found: Desk = g.desk
    return found


def actor() -> str:
    """Return who acts, as the audit keeps it."""
    return f"person/{desk().person_id}"


def may(endpoint: str) -> bool:
    """Whether this person reaches an address of the dashboard, named without its blueprint."""
    reach = dashboard.reach.get(endpoint)
    return reach is not None and desk().role in reach.roles


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the desk's workspace."""
    return reading_session(desk().workspace_id)


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
    if not form.validate():
        return _unaccepted(again())
    try:
        result = database().write(desk().workspace_id, act)
    except (Refused, Collision) as problem:
        place(form, problem)
        return _unaccepted(again())
    return then(result)


def _unaccepted(response: Response) -> Response:
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
