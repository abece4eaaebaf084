"""The audit: who did what and when, and the same as a table to keep."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from collections.abc import Iterator
from typing import Final

from flask import Response, request
from flask_babel import gettext as _
from markupsafe import Markup

from pms.foundation.audit_trail import DeedPage, actors, deeds
from pms.foundation.paging import Paging
from pms.rules.days import JAPAN
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.audit.audit_form import AuditForm
from pms.surfaces.dashboard.audit.telling import ToldChange, ToldDeed, told_deeds
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block

_MOST_ROWS: Final = 10_000
_ROWS_A_PAGE: Final = 40  # each tells its changes, which makes it the tallest row there is


@dashboard.get("/audit", roles=OPERATOR)
def audit() -> Response:
    """Show one page of the deeds that the filters ask for."""
    form, is_sound = _asked()
    paging = asked_paging(_ROWS_A_PAGE)
    found = _found(form, paging) if is_sound else DeedPage((), 0)
    response = page_or_block(
        "dashboard/audit/page.html",
        "results",
        form=form,
        deeds=found.deeds,
        total=found.total,
        paging=paging,
        is_filtered=any(field.data for field in form),
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/audit.csv", roles=OPERATOR)
def audit_table() -> Response:
    """Give what the filters ask for as CSV, the newest first."""
    form, is_sound = _asked()
    found = _found(form, Paging(1, _MOST_ROWS)) if is_sound else DeedPage((), 0)
    heads = [_("When"), _("Who"), _("Deed"), _("Kind"), _("About"), _("Changes")]
    name = f"audit-{today().isoformat()}.csv"
    return csv_answer(name, heads, _rows(told_deeds(found.deeds)))


def _asked() -> tuple[AuditForm, bool]:
    form = AuditForm(request.args)
    form.offer(actors(reading()))
    return form, form.validate()


def _found(form: AuditForm, paging: Paging) -> DeedPage:
    return deeds(reading(), **form.asked(), page=paging.page, limit=paging.limit)


def _rows(told: list[ToldDeed]) -> Iterator[list[str]]:
    for deed in told:
        at = f"{deed.at.astimezone(JAPAN):%Y-%m-%d %H:%M:%S}"
        changes = "; ".join(_in_words(change) for change in deed.changes)
        yield [at, deed.who, deed.what, deed.kind, deed.name, changes]


def _in_words(change: ToldChange) -> str:
    sides = [_bare(side) for side in (change.before, change.after) if side is not None]
    return f"{change.fact}: {' → '.join(sides)}"


def _bare(said: str) -> str:
    """Without the marks that pages put around days."""
    return said.striptags() if isinstance(said, Markup) else said
