"""The register of guests of a span of days, to print and as a file; each time is written down."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable, Sequence
from datetime import timedelta

from flask import Response, request
from flask_babel import gettext as _
from flask_babel import pgettext

from pms.foundation.spreadsheet import Cell
from pms.rules.enumerations import RegisterField
from pms.stays.export_register import export_register
from pms.stays.register import RegisterLine
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.check_in_links.register_form import SpanForm
from pms.surfaces.dashboard.desk import actor, clock, submitted, today
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import page
from pms.surfaces.reader_choice import chosen_language

_USUAL_DAYS = timedelta(days=30)


@dashboard.get("/check-in-links/register", roles=OFFICE)
def guest_register() -> Response:
    """Ask for the days."""
    return _shown(SpanForm(data={"since": today() - _USUAL_DAYS, "through": today()}), None)


@dashboard.post("/check-in-links/register", roles=OFFICE)
def print_guest_register() -> Response:
    """Show the register of the days as a page to print."""
    form = SpanForm(request.form)
    return _taken(form, lambda lines: _shown(form, lines))


@dashboard.post("/check-in-links/register.csv", roles=OFFICE)
def export_guest_register() -> Response:
    """Give the register of the days as a file."""
    form = SpanForm(request.form)
    return _taken(
        form,
        lambda lines: csv_answer(
            f"guests-{form.since.data}-{form.through.data}.csv", _heads(), map(_cells, lines)
        ),
    )


def _taken(form: SpanForm, then: Callable[[Sequence[RegisterLine]], Response]) -> Response:
    return submitted(
        form,
        act=lambda session: export_register(
            session, clock(), actor(), first_on=form.since.data, last_on=form.through.data
        ),
        then=then,
        again=lambda: _shown(form, None),
    )


def _heads() -> Sequence[str]:
    return [
        _("Building"),
        _("Unit"),
        pgettext("stay", "Check-in"),
        pgettext("stay", "Check-out"),
        _("Guest"),
        _("Full name"),
        _("Lives in Japan"),
        _("Home address"),
        _("Phone or e-mail"),
        _("Nationality"),
        _("Passport number"),
        _("Copy of the passport"),
        *map(word, RegisterField),
    ]


def _cells(line: RegisterLine) -> Sequence[Cell]:
    link, facts = line.link, line.guest.facts
    return [
        link.building.said(chosen_language()),
        link.unit_name,
        link.check_in_on,
        link.check_out_on,
        line.guest.position,
        facts.name,
        _("Yes") if facts.lives_in_japan else _("No"),
        facts.address,
        facts.contact,
        facts.nationality,
        facts.passport_number,
        _("Yes") if facts.has_passport_copy else _("No"),
        *(facts.extras.get(one.value) for one in RegisterField),
    ]


def _shown(form: SpanForm, lines: Sequence[RegisterLine] | None) -> Response:
    return page(
        "dashboard/check_in_links/register.html",
        form=form,
        lines=lines,
        words={one.value: word(one) for one in RegisterField},
    )
