"""Who holds the link of this request, and how they act on the offer it opens, and only there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from flask import Response, g, redirect, url_for
from wtforms import Form, HiddenField

from pms.contracts.merge_contract import lease_kind_of
from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.offers.offered_unit import UnitGone
from pms.offers.opened_link import OpenedOffer
from pms.rules.enumerations import LeaseKind, ReservationLinkState
from pms.surfaces.hypermedia import UNACCEPTED, page
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import clock, database, reading_session, today

__all__ = ["Applicant", "applicant", "clock", "reading", "submitted", "today"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Applicant:
    """Somebody with a link that is live or was accepted, and the offer it opens."""

    offer: OpenedOffer
    workspace_id: str

    @property
    def actor(self) -> str:
        """Who acts, as the audit keeps it."""
        return f"applicant/{self.offer.id}"

    @property
    def is_deciding(self) -> bool:
        """Whether the offer still waits to be accepted."""
        return self.offer.state is ReservationLinkState.LIVE

    @property
    def is_explained(self) -> bool:
        """Whether the lease is of a fixed term, which is explained before it is signed."""
        kind = lease_kind_of(reading(), self.offer.template_id)
        return kind is LeaseKind.FIXED_TERM


def applicant() -> Applicant:
    """Return who holds the link of this request."""
    found: Applicant = g.applicant
    return found


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the link's workspace."""
    return reading_session(applicant().workspace_id)


def to(endpoint: str) -> Response:
    """Move on to another page of the link."""
    moved: Response = redirect(url_for(f"reservation_links.{endpoint}"), 303)  # type: ignore[assignment]
    return moved


def submitted(
    form: Form,
    act: Callable[[WorkspaceSession], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Act on a form in one transaction, or show it again (422) with everything typed in it.

    When the unit went while somebody typed, the page says that instead.
    """
    if form.validate():
        try:
            result = database().write(applicant().workspace_id, act)
        except UnitGone:
            return noticed("gone", 410, offer=applicant().offer)
        except (Refused, Collision) as problem:
            _place(form, problem)
        else:
            return then(result)
    response = again()
    response.status_code = UNACCEPTED
    return response


def shown(template: str, **facts: object) -> Response:
    """Return a page of the surface."""
    return page(f"reservation_links/{template}.html", **facts)


def noticed(kind: str, status: int, **facts: object) -> Response:
    """Return the page that says why nothing is shown."""
    response = shown("notice", kind=kind, **facts)
    response.status_code = status
    return response


def _place(form: Form, problem: Problem) -> None:
    field = form._fields.get(problem.field or "")
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(said(problem))
    else:
        field.errors = [*field.errors, said(problem, with_field=False)]
