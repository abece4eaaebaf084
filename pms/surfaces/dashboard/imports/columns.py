"""Saying which title of a sheet each column has, and which of its odd rows are right."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
import re
from collections.abc import Mapping
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.name_sheet_columns import confirm_rows as confirm_rows_verb, name_sheet_columns as name_sheet_columns_verb
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.imports.sheet import shown
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files

_COLUMN = "column."
_LINE = re.compile(r"[0-9]{1,9}", re.ASCII)


@dashboard.post("/import/<sheet_id>/columns", roles=OFFICE)
def name_sheet_columns(sheet_id: str) -> Response:
    """Keep the titles chosen and show again what the sheet would do."""
    form = Form()
    return submitted(
        form,
        act=lambda session: name_sheet_columns_verb(
            session,
            clock(),
            actor(),
            files(),
            sheet_id=sheet_id,
            titles=_chosen(request.form),
            table=request.form.get("sheet", ""),
        ),
        then=lambda _none: go(
            url_for("dashboard.sheet", sheet_id=sheet_id), said=_("Read anew with these columns.")
        ),
        again=lambda: shown(sheet_id, form),
    )


@dashboard.post("/import/<sheet_id>/confirmed", roles=OFFICE)
def confirm_rows(sheet_id: str) -> Response:
    """Take the odd rows that are ticked, and no longer those that were shown and are not."""
    form = Form()
    shown_lines, ticked = _lines("shown"), _lines("confirmed")
    return submitted(
        form,
        act=lambda session: confirm_rows_verb(
            session,
            clock(),
            actor(),
            sheet_id=sheet_id,
            shown=shown_lines,
            confirmed=shown_lines if request.form.get("all") else ticked,
        ),
        then=lambda _none: go(url_for("dashboard.sheet", sheet_id=sheet_id), said=_("Saved.")),
        again=lambda: shown(sheet_id, form),
    )


def _lines(name: str) -> list[int]:
    return [int(line) for line in request.form.getlist(name) if _LINE.fullmatch(line)]


def _chosen(given: Mapping[str, Any]) -> dict[str, str]:
    return {
        name.removeprefix(_COLUMN): str(title)
        for name, title in given.items()
        if name.startswith(_COLUMN)
    }
