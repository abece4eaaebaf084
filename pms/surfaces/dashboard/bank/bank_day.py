"""The page of bank day: the file, what is certain by one button, and what a person looks at."""

from pms.surfaces.dashboard.routes import OFFICE, SHEET_BYTES, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext, ngettext
from wtforms import Form

from pms.bank.bank_day import match_waiting, recently_placed
from pms.bank.imports import import_file, imports_in_force, undo_import as undo_import_verb
from pms.bank.transfers import place_certain as place_certain_verb
from pms.foundation.errors import Refused
from pms.surfaces.dashboard.bank.file_form import FileForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import go, page


@dashboard.get("/bank", roles=OFFICE)
def bank_day() -> Response:
    """Show what waits."""
    return _shown(FileForm())


@dashboard.post("/bank", roles=OFFICE, most_bytes=SHEET_BYTES)
def read_bank_file() -> Response:
    """Read a file in; what is certain then waits for one button."""
    form = FileForm(request.form)
    sent = request.files.get("file")
    content = sent.read() if sent else b""

    def act(session: Any) -> tuple[int, int]:
        if not content:
            raise Refused("file: choose the file of the bank.")
        done = import_file(
            session,
            clock(),
            actor(),
            content,
            file_name=(sent.filename if sent else None) or "",
            account=form.accountName.data,
            chosen=form.chosen or None,
            accepts_gap=bool(form.gap.data),
        )
        return sum(one.new_rows for one in done), sum(one.rows for one in done)

    return submitted(
        form,
        act=act,
        then=lambda counts: go(url_for("dashboard.bank_day"), said=_said(*counts)),
        again=lambda: _shown(form),
    )


def _said(new_rows: int, rows: int) -> str:
    if not new_rows:
        return str(gettext("All rows of this file were here already; nothing has changed."))
    new = ngettext("%(num)d new row was read in.", "%(num)d new rows were read in.", new_rows)
    known = rows - new_rows
    if not known:
        return str(new)
    old = ngettext("%(num)d was here already.", "%(num)d were here already.", known)
    return f"{new} {old}"


@dashboard.post("/bank/certain", roles=OFFICE)
def place_certain() -> Response:
    """Record all that is certain."""
    form = Form()
    return submitted(
        form,
        act=lambda session: place_certain_verb(session, clock(), actor()),
        then=lambda placed: go(
            url_for("dashboard.bank_day"),
            said=ngettext(
                "%(num)d transfer was recorded.", "%(num)d transfers were recorded.", placed
            ),
        ),
        again=lambda: _shown(FileForm(), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo", roles=OFFICE)
def undo_import(import_id: str) -> Response:
    """Take the rows of a file out again."""
    form = Form()
    return submitted(
        form,
        act=lambda session: undo_import_verb(session, clock(), actor(), import_id),
        then=lambda rows: go(
            url_for("dashboard.bank_day"),
            said=ngettext("%(num)d row was taken out.", "%(num)d rows were taken out.", rows),
        ),
        again=lambda: _shown(FileForm(), form),
    )


def _shown(form: FileForm, refused: Form | None = None) -> Response:
    session = reading()
    return page(
        "dashboard/bank/bank_day.html",
        form=form,
        refused=refused or form,
        day=match_waiting(session, today()),
        imports=imports_in_force(session, most=10),
        placed=recently_placed(session),
    )
