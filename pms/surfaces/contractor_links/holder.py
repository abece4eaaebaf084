"""Who holds the link of this request, and how they act in the project it opens, and only there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from flask import Response, g, request, url_for
from flask_babel import gettext as _
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.handbook_copies import ContractorFacts
from pms.surfaces.hypermedia import UNACCEPTED, page
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.upkeep.opened_link import OpenedLink
from pms.upkeep.project_record import ProjectRecord, project_record
from pms.upkeep.reach import Reach

__all__ = ["Holder", "clock", "holder", "reading", "submitted", "today"]

ONCE: Final = "once"
"""The field that names one filling of a form: sent twice, it counts once."""
Result = TypeVar("Result")


@dataclass(frozen=True)
class Holder:
    """A contractor with a live link: whose it is, and the project it opens."""

    link: OpenedLink
    workspace_id: str

    @property
    def actor(self) -> str:
        """Who acts, as the audit keeps it."""
        return f"contractor/{self.link.id}"

    @property
    def project_id(self) -> str:
        """The one project."""
        return self.link.project_id

    @property
    def reach(self) -> Reach:
        """The tasks of the project, no others."""
        return Reach.of_project(self.link.project_id)

    def project(self) -> ProjectRecord:
        """Return the project as it stands."""
        return project_record(reading(), self.link.project_id)

    def reader(self) -> ContractorFacts:
        """Return what decides which pages of the handbook are theirs."""
        return ContractorFacts(self.project().unit_id)


def holder() -> Holder:
    """Return who holds the link of this request."""
    found: Holder = g.link_holder
    return found


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the link's workspace."""
    return reading_session(holder().workspace_id)


def key_of_form() -> str | None:
    """Return what names this filling of a form, for what must not happen twice."""
    return request.form.get(ONCE) or None


def home(*, told: str | None = None, anchor: str | None = None) -> str:
    """Return the address of the project's page, which says what was just done."""
    return str(url_for("contractor_links.project", told=told, _anchor=anchor))


def submitted(
    form: Form,
    act: Callable[[WorkspaceSession], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Act on a form in one transaction, or show it again (422) with everything typed in it."""
    if form.validate():
        try:
            result = database().write(holder().workspace_id, act)
        except (Refused, Collision) as problem:
            _place(form, problem)
        else:
            return then(result)
    response = again()
    response.status_code = UNACCEPTED
    return response


def shown(template: str, **facts: object) -> Response:
    """Return a page of the surface."""
    return page(f"contractor_links/{template}.html", **facts)


def told_words(told: str | None) -> str:
    """Return what is said after a deed; a word of nobody's says nothing."""
    words = {
        "hours": _("Hours logged."),
        "purchase": _("Purchase added."),
        "moved": _("Saved."),
        "photo": _("Photos added."),
        "removed": _("Removed."),
        "reported": _("Reported. The office reads it."),
    }
    return str(words.get(told or "", ""))


def _place(form: Form, problem: Problem) -> None:
    field = form._fields.get(problem.field or "")
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(said(problem))
    else:
        field.errors = [*field.errors, said(problem, with_field=False)]
