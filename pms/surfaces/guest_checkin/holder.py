"""Who holds the link of this request: the guests of one stay, and how they act in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from flask import Response, g
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.stays.register import GuestEntry, guests_of
from pms.stays.stay_links import StayLink, stay_link
from pms.stays.stay_terms import Terms, stay_terms
from pms.surfaces.hypermedia import UNACCEPTED, page
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import clock, database, reading_session, today

__all__ = ["Holder", "clock", "holder", "place", "reading", "shown", "submitted"]

MOST_BYTES: Final = 12 * 1024 * 1024
Result = TypeVar("Result")


@dataclass(frozen=True)
class Holder:
    """Guests with a live link: their stay, and how far their check-in is."""

    link: StayLink
    workspace_id: str

    @property
    def actor(self) -> str:
        """Who acts, as the audit keeps it."""
        return f"reservation/{self.link.reservation_id}"

    @cached_property
    def terms(self) -> Terms:
        """How the workspace takes its guests in."""
        return stay_terms(reading())

    @cached_property
    def guests(self) -> Sequence[GuestEntry]:
        """The guests of whom something is written."""
        return guests_of(reading(), self.link.id, self.terms)

    @property
    def is_editable(self) -> bool:
        """Whether what is written may still be changed: until the check-in time."""
        arrival = self.terms.arrives_at(self.link.check_in_on)
        return arrival is None or clock().now() < arrival

    @property
    def is_arrival_planned(self) -> bool:
        """Whether the time is told and the rules are agreed to."""
        is_agreed = self.link.rules_accepted_at is not None or not self.terms.has_rules
        return self.link.arrival_time is not None and is_agreed

    def guest(self, position: int) -> GuestEntry | None:
        """Return what is written of a guest, if anything."""
        return next((one for one in self.guests if one.position == position), None)

    def again(self) -> "Holder":
        """Return the holder as the register stands after a change of it."""
        with database().reading(self.workspace_id) as session:
            terms = stay_terms(session)
            link = stay_link(session, self.link.id, today())
            changed = Holder(link, self.workspace_id)
            changed.__dict__.update(terms=terms, guests=guests_of(session, link.id, terms))
        return changed

    def first_missing(self) -> int | None:
        """Return the first guest of whom the register lacks something."""
        complete = {one.position for one in self.guests if one.is_complete}
        return next((n for n in range(1, self.link.guests + 1) if n not in complete), None)


def holder() -> Holder:
    """Return who holds the link of this request."""
    found: Holder = g.stay_holder
    return found


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the link's workspace."""
    return reading_session(g.workspace_id)


def submitted(
    form: Form,
    act: Callable[[WorkspaceSession], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
    refusal: Problem | None = None,
) -> Response:
    """Act on a form in one transaction, or show it again (422) with everything typed in it.

    A refusal that came before is placed in the form as its own are.
    """
    is_valid = form.validate()
    if refusal is not None:
        place(form, refusal)
    elif is_valid:
        try:
            result = database().write(holder().workspace_id, act)
        except (Refused, Collision) as problem:
            place(form, problem)
        else:
            return then(result)
    response = again()
    response.status_code = UNACCEPTED
    return response


def shown(template: str, **facts: object) -> Response:
    """Return a page of the surface."""
    return page(f"guest_checkin/{template}.html", **facts)


def place(form: Form, problem: Problem) -> None:
    """Put a refusal beside the field it names, else above the form."""
    field = form._fields.get(problem.field or "")
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(said(problem))
    else:
        field.errors = [*field.errors, said(problem, with_field=False)]
