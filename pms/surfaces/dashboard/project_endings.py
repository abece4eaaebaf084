"""Editing a project, ending or reopening it, and charging its cost to the owner."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import records
from pms.catalogue.units import unit_names
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.statements import owner_money
from pms.surfaces.dashboard.gate import MAINTENANCE, OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    ManyField,
    Optional,
    Printable,
    Required,
    TextField,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import today
from pms.upkeep import project_lists, projects, request_lists, tasks, ticket_lists
from pms.upkeep.project_lists import ProjectRecord
from pms.upkeep.ticket_lists import ListedTicket

_LINE: Final = re.compile(r"([a-z_]+):(-?[0-9]{1,12})")


class ChargingForm(FlaskForm):
    """The categories to charge, each with the amount that was shown."""

    charge = ManyField()

    def offer(self, due: Mapping[FeeCategory, int]) -> None:
        """Fill the list with the due amounts and those sent; the use case refuses outdated ones."""
        given = request.form.getlist("charge")
        self.charge.choices = [
            (charge, charge) for charge in {*map(_charge_text, due.items()), *given}
        ]

    @property
    def seen_amounts(self) -> Mapping[FeeCategory, int]:
        """The amounts by category; raises `Refused` for a malformed value."""
        return dict(_read_charge(charge) for charge in self.charge.data or ())


@dashboard.get("/projects/<project_id>/charge", roles=OFFICE)
def check_charging(project_id: str) -> Response:
    """Show what would be charged."""
    return _render_charging(project_id, ChargingForm())


@dashboard.post("/projects/<project_id>/charge", roles=OFFICE)
def charge_project(project_id: str) -> Response:
    """Post the deductions and show the project."""
    form = ChargingForm()
    form.offer(
        owner_money.uncharged_cost(
            reading(), project_lists.project_record(reading(), project_id).id
        )
    )

    def act(work: Work) -> Mapping[FeeCategory, int]:
        if not form.seen_amounts:
            raise Refused("charge: choose at least one amount.")
        return owner_money.charge_project(work, project_id=project_id, seen=form.seen_amounts)

    return submitted(
        form,
        act=act,
        then=lambda _posted: go(
            url_for("dashboard.project", project_id=project_id, _anchor="cost"),
            message=_("The owner has been charged."),
        ),
        again=lambda: _render_charging(project_id, form),
    )


def _render_charging(project_id: str, form: ChargingForm) -> Response:
    project = project_lists.project_record(reading(), project_id)
    due = owner_money.uncharged_cost(reading(), project_id)
    form.offer(due)
    return page(
        "dashboard/projects/charging.html",
        project=project,
        building=records.building_record(reading(), project.building_id),
        form=form,
        lines=[
            (
                _charge_text((kind, yen)),
                kind,
                owner_money.charge_label(project.number, project.title, kind, yen),
                yen,
            )
            for kind, yen in due.items()
        ],
        total=sum(due.values()),
        today=today(),
    )


def _charge_text(line: tuple[FeeCategory, int]) -> str:
    return f"{line[0].value}:{line[1]}"


def _read_charge(text: str) -> tuple[FeeCategory, int]:
    found = _LINE.fullmatch(text)
    if found is None or found[1] not in list(FeeCategory):
        raise Refused("charge: '{given}' is not an amount on this page.", given=text[:40])
    return FeeCategory(found[1]), int(found[2])


class EditingForm(FlaskForm):
    """What can be changed of a project; its building cannot."""

    title = TextField(lazy_gettext("Title"), [Required(), Printable()])
    description = LongTextField(lazy_gettext("Work to do"), [Optional()])
    unitId = ChoiceField(lazy_gettext("Where"), [Optional()])

    @classmethod
    def of(cls, project: ProjectRecord) -> Self:
        """Return the form filled with the recorded project."""
        form = cls(
            formdata=None,
            data={
                "title": project.title,
                "description": project.description,
                "unitId": project.unit_id,
            },
        )
        form.offer(project)
        return form

    def offer(self, project: ProjectRecord) -> None:
        """Fill the list with the units of the project's building."""
        units = unit_names(reading(), project.building_id)
        named = [(unit.id, unit.name) for unit in units]
        self.unitId.choices = [("", str(_("Shared areas"))), *named]


@dashboard.get("/projects/<project_id>/edit", roles=MAINTENANCE)
def edit_project(project_id: str) -> Response:
    """Show the form with the project's facts."""
    project = project_lists.project_record(reading(), project_id)
    return _render_edit(project, Edit.of(EditingForm.of(project), project.version))


@dashboard.post("/projects/<project_id>/edit", roles=MAINTENANCE)
def save_project(project_id: str) -> Response:
    """Save the facts, merged with changes that others saved meanwhile."""
    project = project_lists.project_record(reading(), project_id)
    form = EditingForm()
    form.offer(project)
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = project_lists.project_record(work.session, project_id)
        now = Edit.of(EditingForm.of(record), record.version)
        edit.merge(work, now, subject=("maintenance_project", project_id))
        return projects.edit_project(
            work,
            project_id=project_id,
            title=form.title.data,
            description=form.description.data,
            unit_id=form.unitId.data or None,
            version=record.version,
        )

    return edit.save(
        act,
        url_for("dashboard.project", project_id=project_id),
        again=lambda: _render_edit(project, edit),
    )


def _render_edit(project: ProjectRecord, edit: Edit) -> Response:
    return page("dashboard/projects/edit.html", project=project, form=edit.form, edit=edit)


_INTO = {"done": ProjectState.DONE, "cancelled": ProjectState.CANCELLED}


class EndingForm(QueryForm):
    """How the project ends, and how many open tasks were shown that close with it."""

    into = HiddenField()
    closes = HiddenField()

    @property
    def state(self) -> ProjectState:
        """The state that was chosen; done unless the project is cancelled."""
        return _INTO.get(self.into.data or "", ProjectState.DONE)


@dashboard.get("/projects/<project_id>/end", roles=MAINTENANCE)
def check_ending(project_id: str) -> Response:
    """Show what ending would do."""
    return _render_ending(project_id, EndingForm(request.args))


@dashboard.post("/projects/<project_id>/end", roles=MAINTENANCE)
def end_project(project_id: str) -> Response:
    """End the project and show it."""
    form = EndingForm()

    def act(work: Work) -> None:
        tasks.lock_project(work.session, project_id)  # no task can be added from here on
        left = str(len(projects.list_open_tasks(work.session, project_id)))
        projects.end_project(
            work, project_id=project_id, into=form.state, closes_tasks=form.closes.data == left
        )

    return submitted(
        form,
        act=act,
        then=lambda _none: _go_to_project(
            project_id,
            _("The project is complete.")
            if form.state == ProjectState.DONE
            else _("The project has been cancelled."),
        ),
        again=lambda: _render_ending(project_id, form),
    )


@dashboard.get("/projects/<project_id>/reopening", roles=MAINTENANCE)
def check_reopening(project_id: str) -> Response:
    """Show what reopening would do."""
    return _render_reopening(project_id, FlaskForm())


@dashboard.post("/projects/<project_id>/reopening", roles=MAINTENANCE)
def reopen_project(project_id: str) -> Response:
    """Reopen the project and show it."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: projects.reopen_project(work, project_id=project_id),
        then=lambda _none: _go_to_project(project_id, _("Project reopened.")),
        again=lambda: _render_reopening(project_id, form),
    )


def _go_to_project(project_id: str, text: str) -> Response:
    return go(url_for("dashboard.project", project_id=project_id), message=text)


def _open_tickets(project_id: str) -> Sequence[ListedTicket]:
    found = ticket_lists.tickets_of_project(reading(), project_id)
    return [ticket for ticket in found if ticket.state == "open"]


def _render_ending(project_id: str, form: EndingForm) -> Response:
    tasks = project_lists.project_tasks(reading(), project_id)
    return page(
        "dashboard/projects/ending.html",
        project=project_lists.project_record(reading(), project_id),
        form=form,
        is_done=form.state == ProjectState.DONE,
        left=[task for task in tasks if task.state != "done"],
        requests=[
            folded
            for folded in request_lists.requests_of_project(reading(), project_id)
            if folded.is_folded
        ],
        tickets=_open_tickets(project_id),
    )


def _render_reopening(project_id: str, form: Form) -> Response:
    requests = request_lists.requests_of_project(reading(), project_id)
    return page(
        "dashboard/projects/reopening.html",
        project=project_lists.project_record(reading(), project_id),
        form=form,
        requests=[report for report in requests if report.closed_because is None],
        tickets=_open_tickets(project_id),
    )
