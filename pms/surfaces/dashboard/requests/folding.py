"""Folds reports into a project: which of them, into which, after a look at what it does."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.errors import NotFound
from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.requests.folding_form import FoldingForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.fold_requests import fold_requests as fold_requests_verb
from pms.upkeep.project_list import open_projects
from pms.upkeep.project_record import ProjectRecord
from pms.upkeep.request_list import RequestSearch, request_list
from pms.upkeep.request_record import RequestRecord, chosen_requests

_MOST = Paging(1, 50)


class Offered(NamedTuple):
    """What may be chosen: open reports of the same places, and open projects of the building."""

    requests: Sequence[RequestRecord]
    projects: Sequence[ProjectRecord]


@dashboard.get("/requests/fold", roles=MAINTENANCE)
def check_folding() -> Response:
    """Show the reports that were chosen, others of the same units, and where they may go."""
    if not request.args.getlist("requestIds"):
        return go(url_for("dashboard.requests"), said=_("Choose at least one report first."))
    chosen = chosen_requests(reading(), request.args.getlist("requestIds"))
    form = FoldingForm(data={"requestIds": [one.id for one in chosen]})
    if chosen and not form.title.data:
        form.title.data = chosen[0].title
    return _shown(form, chosen)


@dashboard.post("/requests/fold", roles=MAINTENANCE)
def fold_requests() -> Response:
    """Fold them and go to the project."""
    form = FoldingForm(request.form)
    chosen = chosen_requests(reading(), request.form.getlist("requestIds"))
    _offer(form, chosen)
    return submitted(
        form,
        act=lambda session: fold_requests_verb(
            session,
            clock(),
            actor(),
            request_ids=form.requestIds.data or (),
            project_id=form.project_id,
            title=form.title.data,
        ),
        then=lambda project_id: go(
            url_for("dashboard.project", project_id=project_id),
            said=_("Reports folded: %(count)s.", count=len(form.requestIds.data or ())),
        ),
        again=lambda: _shown(form, chosen),
    )


def _shown(form: FoldingForm, chosen: Sequence[RequestRecord]) -> Response:
    offered = _offer(form, chosen)
    return page_or_block(
        "dashboard/requests/folding.html",
        "folding",
        form=form,
        chosen=chosen,
        notes=_notes(offered),
        is_several=len({one.building_id for one in chosen}) > 1,
    )


def _offer(form: FoldingForm, chosen: Sequence[RequestRecord]) -> Offered:
    if not chosen:
        raise NotFound("There are no such reports.")
    building_id = chosen[0].building_id
    search = RequestSearch(building_id=building_id)
    units = {one.unit_id for one in chosen}
    known = {one.id for one in chosen}
    twins = [
        one
        for one in request_list(reading(), search, _MOST).requests
        if one.id not in known and one.unit_id in units
    ]
    projects = open_projects(reading(), building_id)
    nearest = sorted(projects, key=lambda one: one.unit_id not in units)
    offered = Offered([*chosen, *twins], nearest)
    form.offer(*offered)
    return offered


def _notes(offered: Offered) -> Mapping[str, str]:
    """The line below each choice: the place of a report or a project."""
    language = chosen_language()
    places: list[RequestRecord | ProjectRecord] = [*offered.requests, *offered.projects]
    return {
        one.id: one.unit_name
        or _("Shared areas of %(building)s", building=one.building.said(language))
        for one in places
    }
