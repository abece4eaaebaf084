"""Charges the owner what a project costs, after a look at the exact amounts."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
import re
from collections.abc import Mapping
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.records import building_record
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import FeeCategory
from pms.statements.charge_project import charge_label, charge_project as charge_project_verb
from pms.statements.uncharged_costs import uncharged_cost
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.fields import ManyField
from pms.surfaces.hypermedia import go, page
from pms.upkeep.project_record import project_record

_LINE: Final = re.compile(r"([a-z_]+):(-?[0-9]{1,12})")


class ChargingForm(Form):
    """The categories to charge, each with the amount that was shown."""

    charge = ManyField()

    def offer(self, due: Mapping[FeeCategory, int]) -> None:
        """Give the form what is due; what is due no more is told by the use case."""
        given = request.form.getlist("charge")
        self.charge.choices = [(one, one) for one in {*map(_written, due.items()), *given}]

    @property
    def seen(self) -> Mapping[FeeCategory, int]:
        """The amounts by category; raises `Refused` for what no page of ours sends."""
        return dict(_read(one) for one in self.charge.data or ())


@dashboard.get("/projects/<project_id>/charge", roles=OFFICE)
def check_charging(project_id: str) -> Response:
    """Show what would be charged."""
    return _shown(project_id, ChargingForm())


@dashboard.post("/projects/<project_id>/charge", roles=OFFICE)
def charge_project(project_id: str) -> Response:
    """Post the deductions and show the project."""
    form = ChargingForm(request.form)
    form.offer(uncharged_cost(reading(), project_record(reading(), project_id).id))

    def act(session: WorkspaceSession) -> Mapping[FeeCategory, int]:
        if not form.seen:
            raise Refused("charge: choose at least one amount.")
        return charge_project_verb(session, clock(), actor(), project_id=project_id, seen=form.seen)

    return submitted(
        form,
        act=act,
        then=lambda _posted: go(
            url_for("dashboard.project", project_id=project_id, _anchor="cost"),
            said=_("The owner is charged."),
        ),
        again=lambda: _shown(project_id, form),
    )


def _shown(project_id: str, form: ChargingForm) -> Response:
    project = project_record(reading(), project_id)
    due = uncharged_cost(reading(), project_id)
    form.offer(due)
    return page(
        "dashboard/projects/charging.html",
        project=project,
        building=building_record(reading(), project.building_id),
        form=form,
        lines=[
            (
                _written((kind, yen)),
                kind,
                charge_label(project.number, project.title, kind, yen),
                yen,
            )
            for kind, yen in due.items()
        ],
        total=sum(due.values()),
        today=today(),
    )


def _written(line: tuple[FeeCategory, int]) -> str:
    return f"{line[0].value}:{line[1]}"


def _read(text: str) -> tuple[FeeCategory, int]:
    found = _LINE.fullmatch(text)
    if found is None or found[1] not in list(FeeCategory):
        raise Refused("charge: '{given}' is no amount of this page.", given=text[:40])
    return FeeCategory(found[1]), int(found[2])
