"""Sending a sheet."""

from pms.surfaces.dashboard.routes import OFFICE, SHEET_BYTES, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import lazy_gettext as _
from wtforms import FileField, Form

from pms.arrivals.send_sheet import send_sheet as send_sheet_verb
from pms.rules.enumerations import SheetKind
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import PickField, Required
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files


class SendForm(Form):
    """What the sheet holds, and the file."""

    kind = PickField(_("What does it hold?"), [Required()], default=SheetKind.UNITS.value)
    file = FileField(_("CSV or Excel file"))

    def __init__(self, given: Any = None) -> None:
        super().__init__(given)
        self.kind.choices = choices(SheetKind)


@dashboard.get("/import", roles=OFFICE, endpoint="import")
def show_import() -> Response:
    """Show where a sheet is sent."""
    return _shown(SendForm())


@dashboard.post("/import", roles=OFFICE, most_bytes=SHEET_BYTES)
def send_sheet() -> Response:
    """Take the sheet in; the next page tells what it would do."""
    form = SendForm(request.form)
    sent = request.files.get("file")
    content = sent.read() if sent else b""
    return submitted(
        form,
        act=lambda session: send_sheet_verb(
            session,
            clock(),
            actor(),
            files(),
            kind=SheetKind(form.kind.data),
            name=(sent.filename if sent else None) or "",
            content=content,
        ),
        then=lambda sheet_id: go(url_for("dashboard.sheet", sheet_id=sheet_id)),
        again=lambda: _shown(form),
    )


def _shown(form: SendForm) -> Response:
    return page("dashboard/imports/send.html", form=form)
