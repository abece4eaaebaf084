"""What the forms of every surface share: base classes, and running the action of a sent form.

@dashboard.post("/fees", roles=OFFICE)
def add_fee() -> Response:
    form = NewFeeForm()
    return submitted(
        form,
        act=lambda work: fees.add_fee(work, ...),
        then=lambda fee_id: go(url_for("dashboard.fees"), message=_("Saved.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )

A `FlaskForm` reads the request by itself. A form that is only shown while another one is sent is
made with `formdata=None`.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from flask import Response, g, request
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form, HiddenField

from pms.foundation.errors import Collision, Problem, Refused
from pms.foundation.work import Work
from pms.surfaces.hypermedia import UNACCEPTED, Undo, go
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, database

ONCE: Final = "once"
"""The field with the key of one filling of a form: sent twice, it is executed once."""
Result = TypeVar("Result")


class QueryForm(FlaskForm):
    """A form that the query string may fill in; if posted, `CSRFProtect` checks its token."""

    class Meta(FlaskForm.Meta):
        csrf = False


class TabbedForm(QueryForm):
    """The filters of a list whose tabs set the field `state`."""

    @property
    def narrowing(self) -> dict[str, Any]:
        """The query arguments that keep the other filters while the state changes."""
        return {each.name: each.data for each in self if each.data and each.name != "state"}

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter besides the state is set."""
        return bool(self.narrowing)


class LinkForm(FlaskForm):
    """A form of a page opened by a link; the link gate checks the link's own token.

    In a portal `CSRFProtect` checks the portal's token.
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
    """Run the form's action in one transaction, or show the form again (422) as it was typed.

    The workspace and the actor are those that the surface's gate set. A refusal is shown beside the
    field its message names, else above the form; so is a `refusal` found before. Problems of the
    types in `left_to_blueprint` are raised, for an error handler to answer. `then` is called after
    the transaction is committed.
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
        place_problem(form, refusal)
    return mark_unaccepted(again())


def submit_archiving(
    act: Callable[[Work, bool], str],
    again: Callable[[FlaskForm], Response],
    *,
    address: str,
    list_address: str,
) -> Response:
    """Archive a record by a request to its `address`, or restore it when that says so.

    `act` takes whether to archive and returns the record's name. The answer is the list, with the
    way to undo an archiving.
    """
    form, is_archived = FlaskForm(), request.form.get("back") != "1"

    def then(name: str) -> Response:
        message = (
            _("%(name)s is archived.", name=name)
            if is_archived
            else _("%(name)s is restored.", name=name)
        )
        undo = Undo(address, {"back": "1"}) if is_archived else None
        return go(list_address, message=message, undo=undo)

    return submitted(
        form, act=lambda work: act(work, is_archived), then=then, again=lambda: again(form)
    )


def mark_unaccepted(response: Response) -> Response:
    """Set the status of a form that was not accepted (422) and return the answer."""
    response.status_code = UNACCEPTED
    return response


def place_problem(form: Form, problem: Problem) -> None:
    """Show a refusal beside the field it names, else above the form."""
    field = form[problem.field] if problem.field and problem.field in form else None
    # A hidden field shows no messages.
    if field is None or isinstance(field, HiddenField):
        form.form_errors.append(refusal_text(problem))
    else:
        field.errors = [*field.errors, refusal_text(problem, with_field=False)]


def key_of_form() -> str | None:
    """Return the key of this filling of the form, for actions that must not run twice."""
    return request.form.get(ONCE) or None
