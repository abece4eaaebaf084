"""Acts on a form about oneself: a person belongs to no workspace, so neither does the deed."""

from collections.abc import Callable
from typing import TypeVar

from flask import Response
from wtforms import Form

from pms.foundation.errors import Refused
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.refusal_wording import said

Result = TypeVar("Result")


def acted(
    form: Form,
    act: Callable[[], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Act on a form, or show it again (422) with the reason beside its field."""
    if form.validate():
        try:
            return then(act())
        except Refused as refusal:
            field = form._fields.get(refusal.field or "")
            if field is None:
                form.form_errors.append(said(refusal))
            else:
                field.errors = [*field.errors, said(refusal)]
    response = again()
    response.status_code = UNACCEPTED
    return response
