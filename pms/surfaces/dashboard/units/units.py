"""The list of units: find one by what it is and from when it is free."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

from flask import Response, request, url_for

from pms.availability.search_units import FoundUnits, search_units
from pms.catalogue.building_names import building_names
from pms.catalogue.listed_units import ListedUnit, listed_unit, unit_rows
from pms.catalogue.queries import areas
from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.paging import Paging
from pms.foundation.versions import CATALOGUE, OCCUPANCY
from pms.rules.availability import Availability
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.units.list_form import Chip, ListForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language
from pms.workspaces.queries import counters

_SEARCHES: Final = KeptAnswers()


class Line(NamedTuple):
    """A unit with its availability."""

    unit: ListedUnit
    availability: Availability


class Found(NamedTuple):
    """One page of what matches, and the counts of the whole match."""

    lines: Sequence[Line] = ()
    total: int = 0
    confirmed: int = 0
    possible: int = 0


@dashboard.get("/units", roles=OFFICE)
def units() -> Response:
    """Show one page of what the filters ask for; a filter that cannot be read is told."""
    form = ListForm(request.args)
    _offer(form)
    is_sound = form.validate()
    paging = asked_paging()
    response = page_or_block(
        "dashboard/units/list.html",
        "results",
        form=form,
        chips=[(chip.text, _without(chip)) for chip in form.chips()] if is_sound else (),
        found=_found(form, paging) if is_sound else Found(),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def _offer(form: ListForm) -> None:
    language = chosen_language()
    form.offer(
        ((one.id, one.name.said(language) or "") for one in building_names(reading())),
        ((area.ja or "", area.said(language) or "") for area in areas(reading()) if area.ja),
    )


def _found(form: ListForm, paging: Paging) -> Found:
    found = _searched(form)
    shown = found.units[paging.offset : paging.offset + paging.limit]
    rows = unit_rows(reading(), [one.id for one in shown], today())
    lines = [Line(listed_unit(rows[one.id]), one.availability) for one in shown]
    return Found(lines, len(found.units), found.confirmed, found.possible)


def _searched(form: ListForm) -> FoundUnits:
    """Return the whole match: its counts take every unit, so it is kept until one changes."""
    search, on = form.search_for(), today()
    state = counters(reading(), CATALOGUE, OCCUPANCY)
    return _SEARCHES.answer(
        reading(), (search, on), state, lambda: search_units(reading(), search, on)
    )


def _without(chip: Chip) -> str:
    kept = {name: text for name, text in request.args.items() if name != "page"}
    changed = {**kept, **chip.without}
    stays = {
        name: text
        for name, text in changed.items()
        if text is not None and (text or name == "excludeRecords")
    }
    return f"{url_for('dashboard.units')}?{urlencode(stays)}"
