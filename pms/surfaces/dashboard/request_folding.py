"""Folding reports into a project, after a preview."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm

from pms.foundation.errors import NotFound
from pms.foundation.lists import Paging
from pms.rules.enumerations import RequestState
from pms.surfaces.dashboard.gate import MAINTENANCE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    ManyField,
    Optional,
    PickField,
    Printable,
    Required,
    TextField,
)
from pms.surfaces.forms import TabbedForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep import photos, project_lists, request_folding, request_lists
from pms.upkeep.photos import REQUEST
from pms.upkeep.project_lists import ProjectRecord
from pms.upkeep.request_lists import FoundRequests, RequestRecord, RequestSearch

NEW: Final = "new"


class FoldingForm(FlaskForm):
    """Reports of one building, and one of its open projects or a new one with a title."""

    requestIds = ManyField(worded("maintenance request", "Reports"), [Required()])
    projectId = PickField(lazy_gettext("Project"), [Required()], default=NEW)
    title = TextField(lazy_gettext("Title of the new project"), [Optional(), Printable()])

    def offer(self, requests: Sequence[RequestRecord], projects: Sequence[ProjectRecord]) -> None:
        """Fill the lists with their choices."""
        self.requestIds.choices = [(report.id, report.title) for report in requests]
        self.projectId.choices = [
            (NEW, _("A new project")),
            *((project.id, f"{project.name} {project.title}") for project in projects),
        ]

    @property
    def project_id(self) -> str | None:
        """The chosen open project, or None for a new one."""
        chosen: str = self.projectId.data
        return None if chosen == NEW else chosen


_MOST = Paging(1, 50)


class FoldingChoices(NamedTuple):
    """The choices: open reports of the same places, and open projects of the building."""

    requests: Sequence[RequestRecord]
    projects: Sequence[ProjectRecord]


@dashboard.get("/requests/fold", roles=MAINTENANCE)
def check_folding() -> Response:
    """Show the chosen reports, others of the same units, and the projects they can go into."""
    if not request.args.getlist("requestIds"):
        return go(url_for("dashboard.requests"), message=_("Choose at least one report first."))
    chosen = request_lists.chosen_requests(reading(), request.args.getlist("requestIds"))
    form = FoldingForm(data={"requestIds": [report.id for report in chosen]})
    if chosen and not form.title.data:
        form.title.data = chosen[0].title
    return _render_folding(form, chosen)


@dashboard.post("/requests/fold", roles=MAINTENANCE)
def fold_requests() -> Response:
    """Fold the reports and show the project."""
    form = FoldingForm()
    chosen = request_lists.chosen_requests(reading(), request.form.getlist("requestIds"))
    _offer_choices(form, chosen)
    return submitted(
        form,
        act=lambda work: request_folding.fold_requests(
            work,
            request_ids=form.requestIds.data or (),
            project_id=form.project_id,
            title=form.title.data,
        ),
        then=lambda project_id: go(
            url_for("dashboard.project", project_id=project_id),
            message=_(
                "Reports added to the project: %(count)s.", count=len(form.requestIds.data or ())
            ),
        ),
        again=lambda: _render_folding(form, chosen),
    )


def _render_folding(form: FoldingForm, chosen: Sequence[RequestRecord]) -> Response:
    offered = _offer_choices(form, chosen)
    return page_or_block(
        "dashboard/requests/folding.html",
        "folding",
        form=form,
        chosen=chosen,
        notes=_describe_places(offered),
        is_several=len({report.building_id for report in chosen}) > 1,
    )


def _offer_choices(form: FoldingForm, chosen: Sequence[RequestRecord]) -> FoldingChoices:
    if not chosen:
        raise NotFound("These reports were not found.")
    building_id = chosen[0].building_id
    search = RequestSearch(building_id=building_id)
    units = {report.unit_id for report in chosen}
    known = {report.id for report in chosen}
    twins = [
        report
        for report in request_lists.request_list(reading(), search, _MOST).requests
        if report.id not in known and report.unit_id in units
    ]
    projects = project_lists.open_projects(reading(), building_id)
    nearest = sorted(projects, key=lambda project: project.unit_id not in units)
    offered = FoldingChoices([*chosen, *twins], nearest)
    form.offer(*offered)
    return offered


def _describe_places(offered: FoldingChoices) -> Mapping[str, str]:
    """Return the place of each report and project, shown below its choice."""
    language = chosen_language()
    places: list[RequestRecord | ProjectRecord] = [*offered.requests, *offered.projects]
    return {
        place.id: place.unit_name
        or _("Shared areas of %(building)s", building=place.building.in_language(language))
        for place in places
    }


_ALL: Final = "all"


class ReportFilterForm(TabbedForm):
    """The filters of the reports; the state is in the tabs."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])
    search = TextField(lazy_gettext("Report text or room"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with their choices."""
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *building_choices()]
        self.state.choices = [*choices(RequestState), (_ALL, str(lazy_gettext("All")))]

    @property
    def search_for(self) -> RequestSearch:
        """The search of a valid form; without a state, the undecided reports."""
        state = self.state.data or RequestState.REPORTED
        return RequestSearch(
            state=None if state == _ALL else RequestState(state),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )


@dashboard.get("/requests", roles=MAINTENANCE)
def requests() -> Response:
    """Show one page of the reports; an invalid filter is reported."""
    form = ReportFilterForm(request.args)
    form.offer()
    is_sound, paging = form.validate(), asked_paging()
    found = (
        request_lists.request_list(reading(), form.search_for, paging)
        if is_sound
        else FoundRequests((), 0)
    )
    response = page_or_block(
        "dashboard/requests/inbox.html",
        "results",
        form=form,
        found=found,
        twins=request_lists.open_twins(reading(), found.requests),
        photos=photos.photos_of(reading(), REQUEST, [report.id for report in found.requests]),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)
