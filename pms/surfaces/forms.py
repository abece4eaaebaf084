"""What the forms of every surface share: their bases, and acting on what was sent.

@dashboard.post("/fees", roles=OFFICE)
def add_fee() -> Response:
    form = NewFeeForm()
    return submitted(
        form,
        act=lambda work: fees.add_fee(work, ...),
        then=lambda fee_id: go(url_for("dashboard.fees"), message=_("Saved.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )

A `FlaskForm` reads the request by itself. One that is only shown while another is sent is made
with `formdata=None`.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from flask import Response, g, request
from flask_wtf import FlaskForm
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.work import Work
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, database

ONCE: Final = "once"
"""The field that names one filling of a form: sent twice, it counts once."""
Result = TypeVar("Result")


class QueryForm(FlaskForm):
    """A form that the address may fill in; where it is sent too, `CSRFProtect` asks for the token."""

    class Meta(FlaskForm.Meta):
        csrf = False


class LinkForm(FlaskForm):
    """A form of a page that a link opens; the gate of the link asks for the link's own token.

    In a portal `CSRFProtect` asks for the portal's.
    """

    class Meta(FlaskForm.Meta):
        csrf = False


def submitted(
    form: FlaskForm,
    act: Callable[[Work], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
    *,
    refusal: Problem | None = None,
    left_to_blueprint: tuple[type[Problem], ...] = (),
) -> Response:
    """Act on a form in one transaction, or show it again (422) with everything typed in it.

    The workspace, and who acts, are what the surface's gate found. A refusal is put beside the
    field its message names, else above the form; a `refusal` that came before is placed alike.
    `left_to_blueprint` are problems that an error handler answers. `then` answers after the
    transaction is committed.
    """
    is_valid = form.validate_on_submit()
    if is_valid and refusal is None:
        try:
            result = database().write_as(g.workspace_id, clock(), g.actor, act)
        except left_to_blueprint:
            raise
        except (Refused, Collision) as problem:
            refusal = problem
        else:
            return then(result)
    if refusal is not None:
        place(form, refusal)
    return unaccepted(again())


def unaccepted(response: Response) -> Response:
    """Return an answer as that of a form that was not accepted (422)."""
    response.status_code = UNACCEPTED
    return response


def place(form: Form, problem: Problem) -> None:
    """Put a refusal beside the field it names, else above the form."""
    field = form[problem.field] if problem.field and problem.field in form else None
    # Beside a field that nobody sees, nobody would read it.
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(refusal_text(problem))
    else:
        field.errors = [*field.errors, refusal_text(problem, with_field=False)]


def key_of_form() -> str | None:
    """Return what names this filling of a form, for what must not happen twice."""
    return request.form.get(ONCE) or None
