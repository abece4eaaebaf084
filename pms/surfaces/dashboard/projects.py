"""Maintenance projects: their tasks, hours, purchases and cost."""

from collections.abc import Callable, Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import records
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.statements import owner_money
from pms.surfaces.dashboard.gate import (
    MAINTENANCE,
    PHOTO_BYTES,
    actor,
    current_member,
    dashboard,
    reading,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.requests import TakenPhotosForm, conversations_about
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    HoursField,
    LongTextField,
    Optional,
    Printable,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import TabbedForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import LABELS, choices, label_of
from pms.surfaces.request_scope import clock, today
from pms.upkeep import photos, project_lines, project_lists, request_lists
from pms.upkeep import projects as upkeep_projects
from pms.upkeep.photos import PURCHASE, REQUEST
from pms.upkeep.project_lists import FoundProjects, ProjectRecord, ProjectSearch, ProjectTask
from pms.upkeep.projects import WantedProject

_ALL: Final = "all"


class ProjectsForm(TabbedForm):
    """The filters of the projects; the state is in the tabs."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])
    search = TextField(lazy_gettext("Number or text"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with their choices."""
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *building_choices()]
        self.state.choices = [*choices(ProjectState), (_ALL, str(lazy_gettext("All")))]

    @property
    def search_for(self) -> ProjectSearch:
        """The search of a valid form; without a state, the open projects."""
        state = self.state.data or ProjectState.OPEN
        return ProjectSearch(
            state=None if state == _ALL else ProjectState(state),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )


@dashboard.get("/projects", roles=MAINTENANCE)
def projects() -> Response:
    """Show one page of the projects; an invalid filter is reported."""
    form = ProjectsForm(request.args)
    form.offer()
    is_sound, paging = form.validate(), asked_paging()
    found = FoundProjects((), 0)
    if is_sound:
        found = project_lists.project_list(reading(), form.search_for, paging)
    ids = [project.id for project in found.projects]
    response = page_or_block(
        "dashboard/projects/list.html",
        "results",
        form=form,
        found=found,
        tasks=project_lists.tasks_of_projects(reading(), ids),
        costs=project_lists.costs_of_projects(reading(), ids) if current_member().is_office else {},
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/projects/<project_id>", roles=MAINTENANCE)
def project(project_id: str) -> Response:
    """Show the project; hourly prices and the owner's share are for office staff only."""
    return render_project(project_id, FlaskForm())


def render_project(project_id: str, form: Form) -> Response:
    """Show the project with the refusal of the last action."""
    project = project_lists.project_record(reading(), project_id)
    purchases = project_lines.project_purchases(reading(), project_id)
    requests = request_lists.requests_of_project(reading(), project_id)
    is_office = current_member().is_office
    return page(
        "dashboard/projects/project.html",
        project=project,
        form=form,
        requests=requests,
        photos=photos.photos_of(reading(), REQUEST, [report.id for report in requests]),
        tasks=project_lists.project_tasks(reading(), project_id),
        hours=project_lines.project_hours(reading(), project_id),
        purchases=purchases,
        receipts=photos.photos_of(reading(), PURCHASE, [purchase.id for purchase in purchases]),
        cost=project_lists.project_cost(reading(), project_id),
        due=owner_money.uncharged_cost(reading(), project_id) if is_office else {},
        charges=owner_money.charges_of_project(reading(), project_id) if is_office else (),
        tickets=conversations_about(project_id=project_id),
    )


def took_back(
    project_id: str, audit_event: Callable[..., None], text: str, **which: str
) -> Response:
    """Run an action on the project and confirm it, or show the project with the refusal."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: audit_event(work, project_id=project_id, **which),
        then=lambda _none: go(url_for("dashboard.project", project_id=project_id), message=text),
        again=lambda: render_project(project_id, form),
    )


class ProjectHoursForm(FlaskForm):
    """A day and the hours worked; only office staff are asked for the price of an hour."""

    once = HiddenField()
    workedOn = DayField(lazy_gettext("Day"), [Required()])
    minutes = HoursField(lazy_gettext("Hours worked"), [Required()])
    hourlyYen = YenField(lazy_gettext("Hourly rate (yen)"), [Optional()])
    taskId = ChoiceField(lazy_gettext("Task"), [Optional()])
    note = TextField(lazy_gettext("Note"), [Optional()])

    def offer(self, tasks: Sequence[ProjectTask], *, is_office: bool) -> None:
        """Fill the list of tasks, and drop the price for people who may not see prices."""
        self.taskId.choices = task_choices(tasks)
        if not is_office:
            del self.hourlyYen

    @property
    def hourly_yen(self) -> int | None:
        """The price of an hour, or None where it was not asked for or not given."""
        return self.hourlyYen.data if "hourlyYen" in self else None


def task_choices(tasks: Sequence[ProjectTask]) -> list[tuple[str, str]]:
    """Return the tasks of a project that are not cancelled as choices, after the whole project."""
    standing = [task for task in tasks if task.cancelled_at is None]
    return [
        ("", _("The whole project")),
        *((task.id, task.title or label_of(task.kind)) for task in standing),
    ]


class ProjectPurchaseForm(TakenPhotosForm):
    """A purchase; the amount is what was paid, including tax."""

    once = HiddenField()
    what = TextField(lazy_gettext("What was bought"), [Required()])
    amountYen = YenField(lazy_gettext("Amount paid (yen)"), [Required()], minimum_yen=1)
    boughtOn = DayField(lazy_gettext("Day"), [Required()])
    shop = TextField(lazy_gettext("Shop"), [Optional()])
    category = ChoiceField(
        lazy_gettext("Category"),
        [Required()],
        choices=[(kind.value, LABELS[FeeCategory][kind]) for kind in PURCHASE_CATEGORIES],
    )
    taskId = ChoiceField(lazy_gettext("Task"), [Optional()])

    def offer(self, tasks: Sequence[ProjectTask]) -> None:
        """Fill the list of the project's tasks."""
        self.taskId.choices = task_choices(tasks)


@dashboard.get("/projects/<project_id>/purchases/new", roles=MAINTENANCE)
def new_purchase(project_id: str) -> Response:
    """Show the form for a purchase, with today filled in."""
    project = project_lists.project_record(reading(), project_id)
    given = {"boughtOn": today(), "category": FeeCategory.REPAIR.value, "once": new_id()}
    return _render_purchase(project, ProjectPurchaseForm(data=given))


@dashboard.post("/projects/<project_id>/purchases/new", roles=MAINTENANCE, most_bytes=PHOTO_BYTES)
def add_purchase(project_id: str) -> Response:
    """Store the purchase with its receipt and show the project."""
    project = project_lists.project_record(reading(), project_id)
    form = ProjectPurchaseForm()
    form.offer(project_lists.project_tasks(reading(), project.id))

    return submitted(
        form,
        act=lambda work: _add_purchase(work, project_id, form),
        then=lambda _id: go(
            url_for("dashboard.project", project_id=project_id, _anchor="purchases"),
            message=_("Purchase saved."),
        ),
        again=lambda: _render_purchase(project, form),
    )


def _add_purchase(work: Work, project_id: str, form: ProjectPurchaseForm) -> None:
    made = project_lines.add_purchase(
        work,
        project_id=project_id,
        bought_on=form.boughtOn.data,
        what=form.what.data,
        amount_yen=form.amountYen.data,
        shop=form.shop.data,
        category=FeeCategory(form.category.data),
        task_id=form.taskId.data,
        key=form.once.data,
    )
    if made:
        form.keep(work, (PURCHASE, made))


@dashboard.post("/projects/<project_id>/purchases/<purchase_id>/removal", roles=MAINTENANCE)
def remove_purchase(project_id: str, purchase_id: str) -> Response:
    """Reverse a purchase."""
    return took_back(
        project_id,
        project_lines.remove_purchase,
        _("Purchase reversed."),
        purchase_id=purchase_id,
    )


def _render_purchase(project: ProjectRecord, form: ProjectPurchaseForm) -> Response:
    form.offer(project_lists.project_tasks(reading(), project.id))
    shown = {"project": project, "form": form, "today": today()}
    return page_or_block("dashboard/projects/purchase.html", "buying", **shown)


@dashboard.get("/projects/<project_id>/hours/new", roles=MAINTENANCE)
def new_hours(project_id: str) -> Response:
    """Show the form for hours, with today filled in."""
    project = project_lists.project_record(reading(), project_id)
    form = ProjectHoursForm(data={"workedOn": today(), "once": new_id()})
    return _render_hours(project, _hours_form(form, project))


@dashboard.post("/projects/<project_id>/hours/new", roles=MAINTENANCE)
def log_hours(project_id: str) -> Response:
    """Log the hours and show the project."""
    project = project_lists.project_record(reading(), project_id)
    form = _hours_form(ProjectHoursForm(), project)
    return submitted(
        form,
        act=lambda work: project_lines.log_hours(
            work,
            project_id=project_id,
            worked_on=form.workedOn.data,
            minutes=form.minutes.data,
            hourly_yen=form.hourly_yen,
            task_id=form.taskId.data,
            note=form.note.data,
            key=form.once.data,
        ),
        then=lambda _id: go(
            url_for("dashboard.project", project_id=project_id, _anchor="hours"),
            message=_("Hours saved."),
        ),
        again=lambda: _render_hours(project, form),
    )


@dashboard.post("/projects/<project_id>/hours/<hours_id>/removal", roles=MAINTENANCE)
def remove_hours(project_id: str, hours_id: str) -> Response:
    """Reverse logged hours."""
    return took_back(
        project_id, project_lines.remove_hours, _("Hours reversed."), hours_id=hours_id
    )


def _hours_form(form: ProjectHoursForm, project: ProjectRecord) -> ProjectHoursForm:
    form.offer(
        project_lists.project_tasks(reading(), project.id), is_office=current_member().is_office
    )
    return form


def _render_hours(project: ProjectRecord, form: ProjectHoursForm) -> Response:
    shown = {"project": project, "form": form, "today": today()}
    return page_or_block("dashboard/projects/hours.html", "logging", **shown)


class NewProjectForm(FlaskForm):
    """A new project; a unit chosen before is fixed, and `once` recognizes a form sent twice."""

    once = HiddenField()
    unitId = HiddenField()
    buildingId = ChoiceField(lazy_gettext("Building"), [Required()])
    title = TextField(lazy_gettext("Title"), [Required(), Printable()])
    description = LongTextField(lazy_gettext("Work to do"), [Optional()])

    def offer(self) -> None:
        """Fill the list of buildings."""
        named = building_choices()
        self.buildingId.choices = [("", str(_("Choose"))), *named]

    @property
    def wanted_project(self) -> WantedProject:
        """The project of a valid form."""
        return WantedProject(
            building_id=self.buildingId.data,
            unit_id=self.unitId.data or None,
            title=self.title.data,
            description=self.description.data,
        )


@dashboard.get("/projects/new", roles=MAINTENANCE)
def new_project() -> Response:
    """Show the empty form, with the unit or building of the query filled in."""
    unit_id, building_id = request.args.get("unitId", ""), request.args.get("buildingId")
    if is_id(unit_id):
        building_id = records.unit_record(reading(), unit_id).building_id
    given = {"unitId": unit_id, "buildingId": building_id, "once": new_id()}
    return _render_opening(NewProjectForm(data=given))


@dashboard.post("/projects/new", roles=MAINTENANCE)
def open_project() -> Response:
    """Open the project and show it."""
    form = NewProjectForm()
    form.offer()

    def act(work: Work) -> str | None:
        if not is_new(work.session, clock(), actor(), form.once.data):
            return None
        return upkeep_projects.open_project(work, wanted=form.wanted_project)

    return submitted(form, act, then=_project_message, again=lambda: _render_opening(form))


def _project_message(project_id: str | None) -> Response:
    if project_id is None:
        return go(url_for("dashboard.projects"))
    return go(url_for("dashboard.project", project_id=project_id), message=_("Project created."))


def _render_opening(form: NewProjectForm) -> Response:
    form.offer()
    chosen = form.unitId.data or ""
    unit = records.unit_record(reading(), chosen) if is_id(chosen) else None
    return page_or_block("dashboard/projects/new.html", "opening", form=form, unit=unit)
