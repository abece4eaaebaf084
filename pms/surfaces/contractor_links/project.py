"""What a contractor's link opens: one project with hours, reports, handbook and photos."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, g, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import MultipleFileField

from pms.catalogue import buildings, handbook
from pms.foundation.ids import new_id
from pms.foundation.tokens import NamedLink
from pms.foundation.work import Work
from pms.rules.enumerations import ShareLinkState
from pms.rules.handbook_copies import ContractorFacts
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    HiddenField,
    HoursField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import LinkForm, PhotosForm, key_of_form, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.link_gate import TOKEN, LinkGate, reading
from pms.surfaces.request_scope import files, reading_session, today
from pms.upkeep import (
    photo_files,
    photos,
    project_lines,
    project_lists,
    reported_words,
    requests,
    share_links,
    task_days,
)
from pms.upkeep.boards import TaskCard
from pms.upkeep.photo_files import PhotoVisibility
from pms.upkeep.photos import PURCHASE, TASK
from pms.upkeep.project_lists import ProjectRecord
from pms.upkeep.share_links import SHARE_LINK, OpenedLink
from pms.upkeep.task_visibility import TaskVisibility

blueprint = Blueprint("contractor_links", __name__, url_prefix=f"/contractor/<{TOKEN}>")


@dataclass(frozen=True)
class LinkContractor:
    """A contractor with a live link, and its project."""

    link: OpenedLink
    workspace_id: str

    @property
    def actor(self) -> str:
        """The actor written to the audit."""
        return f"contractor/{self.link.id}"

    @property
    def project_id(self) -> str:
        """The link's project."""
        return self.link.project_id

    @property
    def visibility(self) -> TaskVisibility:
        """The tasks of this project only."""
        return TaskVisibility.of_project(self.link.project_id)

    def project(self) -> ProjectRecord:
        """Return the project as it is now."""
        return project_lists.project_record(reading(), self.link.project_id)

    def reader(self) -> ContractorFacts:
        """Return the facts that decide which handbook pages this contractor may read."""
        return ContractorFacts(self.project().unit_id)


def holder() -> LinkContractor:
    """Return the holder of this request's link."""
    found: LinkContractor = g.link_holder
    return found


def home(*, text: str | None = None, anchor: str | None = None) -> str:
    """Return the address of the project's page, with the message to show."""
    return str(url_for("contractor_links.project", message=text, _anchor=anchor))


def status_words(text: str | None) -> str:
    """Return the message shown after an action; empty for an unknown word."""
    words = {
        "hours": _("Hours saved."),
        "purchase": _("Purchase added."),
        "moved": _("Saved."),
        "photo": _("Photos added."),
        "removed": _("Removed."),
        "reported": _("Report sent. The office will read it."),
    }
    return str(words.get(text or "", ""))


@blueprint.get("/photos/<photo_id>/<int:width>", endpoint="photo")
def show_photo(photo_id: str, width: int) -> Response:
    """Send a picture of this project; it is not cached."""
    visibility = PhotoVisibility.of_project(holder().project_id, holder().actor)
    content = files().get(photo_files.upkeep_photo_file(reading(), photo_id, width, visibility))
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


class PictureForm(PhotosForm, LinkForm):
    """Optional pictures; `sized` holds them once the form is valid."""

    photo = MultipleFileField(lazy_gettext("New photos"))
    once = HiddenField()
    needs_photo = False


class TaskPhotosForm(PictureForm):
    """Pictures of a task; at least one is required."""

    needs_photo = True


class ContractorReportForm(PictureForm):
    """What is wrong, where, and pictures of it."""

    what = LongTextField(lazy_gettext("What is wrong?"), [Required()])
    isOutside = FlagField(lazy_gettext("Outside this unit, in the building"))
    photo = MultipleFileField(lazy_gettext("Photos"), [Optional()])


@blueprint.get("/reports", endpoint="report")
def show_report_form() -> Response:
    """Show the form."""
    return _render_report(ContractorReportForm(formdata=None, data={"once": new_id()}))


@blueprint.post("/reports")
def send_report() -> Response:
    """Save the report with its pictures."""
    form = ContractorReportForm()
    return submitted(
        form,
        act=lambda work: _report_work(work, form),
        then=lambda _id: go(home(text="reported")),
        again=lambda: _render_report(form),
    )


def _report_work(work: Work, form: ContractorReportForm) -> str | None:
    return requests.report_beside_work(
        work,
        project_id=holder().project_id,
        what=form.what.data,
        is_in_unit=not form.isOutside.data,
        photos=form.sized,
        key=key_of_form(),
    )


def _render_report(form: ContractorReportForm) -> Response:
    return page("contractor_links/report.html", form=form, project=holder().project())


@blueprint.get("/handbook", endpoint="handbook")
def show_handbook() -> Response:
    """Show the pages, without codes."""
    return _render_handbook()


@blueprint.post("/handbook/<page_id>")
def reveal_code(page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    project, reader = holder().project(), holder().reader()
    return submitted(
        LinkForm(),
        act=lambda work: handbook.reveal_copied_code(
            work, page_id=page_id, building_id=project.building_id, reader=reader
        ),
        then=lambda code: _render_handbook(page_id, code),
        again=_render_handbook,
    )


def _render_handbook(page_id: str | None = None, code: str | None = None) -> Response:
    project = holder().project()
    copy = handbook.handbook_copy(
        reading(), building_id=project.building_id, reader=holder().reader()
    )
    return page(
        "contractor_links/handbook.html",
        project=project,
        pages=copy,
        revealed=page_id,
        code=code,
        page_address=url_for("contractor_links.handbook"),
    )


class ContractorGate(LinkGate[OpenedLink]):
    """Give a live link access to its project only."""

    kind = SHARE_LINK
    templates = "contractor_links"
    most_bytes = 100 * 1024 * 1024

    def find(self, named: NamedLink) -> OpenedLink | None:
        """Return the link with its state of today."""
        return share_links.opened_link(reading_session(named.workspace_id), today(), named)

    def language(self, link: OpenedLink) -> str:
        """Return the contractor's language."""
        return link.locale

    def admit(self, link: OpenedLink, workspace_id: str) -> LinkContractor | Response:
        """Return the contractor; the use of the link is recorded at most once a minute."""
        if link.state is not ShareLinkState.LIVE:
            return self.notice("ended", 410, link=link)
        self.note_opening(workspace_id, link.id, link.last_opened_at)
        return LinkContractor(link, workspace_id)


@blueprint.get("", endpoint="project")
def show_project() -> Response:
    """Show the project on a page made for phones."""
    project_id = holder().project_id
    tasks = task_days.tasks_of_project(reading(), project_id)
    hours = project_lines.project_hours(reading(), project_id)
    purchases = project_lines.project_purchases(reading(), project_id)
    project = holder().project()
    # The names by actor: contractors by name, all others as the office.
    own = holder()
    actors = {*(log.logged_by for log in hours), *(line.logged_by for line in purchases)}
    mark = "contractor/"
    links = {actor.removeprefix(mark) for actor in actors if actor.startswith(mark)}
    names = share_links.contractor_names(reading(), links - {own.link.id}) if links else {}
    names_by_actor = {f"{mark}{link_id}": name for link_id, name in names.items()}
    names_by_actor[own.actor] = own.link.contractor_name
    return page(
        "contractor_links/project.html",
        project=project,
        address=buildings.building_address(reading(), project.building_id),
        tasks=tasks,
        task_photos=photos.photos_of(reading(), TASK, [task.id for task in tasks]),
        reported=reported_words.reported_words(reading(), project_id),
        report_photos=photos.photos_of_requests(reading(), project_id),
        hours=hours,
        purchases=purchases,
        receipts=photos.photos_of(reading(), PURCHASE, [each.id for each in purchases]),
        names=names_by_actor,
        message=request.args.get("message", request.args.get("told")),
        today=today(),
    )


class ContractorHoursForm(LinkForm):
    """The minutes, the day and the task."""

    minutes = HoursField(lazy_gettext("Hours worked"), [Required()])
    workedOn = DayField(lazy_gettext("Day"), [Required()])
    taskId = ChoiceField(lazy_gettext("Task"), [Optional()])
    note = TextField(lazy_gettext("Note"), [Optional()])
    once = HiddenField()

    def __init__(self, *given: Any, tasks: Sequence[TaskCard] = (), **values: Any) -> None:
        super().__init__(*given, **values)
        self.taskId.choices = task_choices(tasks)


def task_choices(tasks: Sequence[TaskCard]) -> list[tuple[str, str]]:
    """Return the tasks of the project as choices of a form."""
    named = [(task.id, task.title or label_of(task.kind)) for task in tasks]
    return [("", _("The whole project")), *named]


@blueprint.get("/hours", endpoint="hours")
def show_hours() -> Response:
    """Show the form, filled in with today."""
    return _render_hours(
        ContractorHoursForm(
            formdata=None, data={"workedOn": today(), "once": new_id()}, tasks=_list_tasks()
        )
    )


@blueprint.post("/hours")
def log_hours() -> Response:
    """Log the time at the link's rate."""
    form = ContractorHoursForm(tasks=_list_tasks())
    return submitted(
        form,
        act=lambda work: project_lines.log_hours(
            work,
            project_id=holder().project_id,
            worked_on=form.workedOn.data,
            minutes=form.minutes.data,
            task_id=form.taskId.data,
            hourly_yen=holder().link.hourly_yen,
            note=form.note.data,
            key=key_of_form(),
        ),
        then=lambda _id: go(home(text="hours", anchor="hours")),
        again=lambda: _render_hours(form),
    )


@blueprint.post("/hours/<hours_id>/removal")
def remove_hours(hours_id: str) -> Response:
    """Remove an entry that was logged through this link."""
    return submitted(
        LinkForm(),
        act=lambda work: project_lines.remove_hours(
            work, project_id=holder().project_id, hours_id=hours_id, only_own=True
        ),
        then=lambda _none: go(home(text="removed", anchor="hours")),
        again=show_hours,
    )


def _list_tasks() -> Sequence[TaskCard]:
    return task_days.tasks_of_project(reading(), holder().project_id)


def _render_hours(form: ContractorHoursForm) -> Response:
    return page("contractor_links/hours.html", form=form, today=today())
