"""One project on one page: reports, tasks, hours, purchases, cost, contractors, conversations."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response
from wtforms import Form

from pms.statements.charge_project import charges_of_project
from pms.statements.uncharged_costs import uncharged_cost
from pms.surfaces.dashboard.desk import desk, reading
from pms.surfaces.dashboard.requests.conversations import conversations_about
from pms.surfaces.hypermedia import page
from pms.upkeep.project_cost import project_cost
from pms.upkeep.project_lines import project_hours, project_purchases
from pms.upkeep.project_record import project_record
from pms.upkeep.project_tasks import project_tasks
from pms.upkeep.request_record import requests_of_project
from pms.upkeep.upkeep_photos import PURCHASE, REQUEST, photos_of


@dashboard.get("/projects/<project_id>", roles=MAINTENANCE)
def project(project_id: str) -> Response:
    """Show the project; prices of hours and what the owner bears are for the office alone."""
    return shown(project_id, Form())


def shown(project_id: str, form: Form) -> Response:
    """Show the project, and why the last thing could not be done."""
    project = project_record(reading(), project_id)
    purchases = project_purchases(reading(), project_id)
    requests = requests_of_project(reading(), project_id)
    is_office = desk().is_office
    return page(
        "dashboard/projects/project.html",
        project=project,
        form=form,
        requests=requests,
        photos=photos_of(reading(), REQUEST, [one.id for one in requests]),
        tasks=project_tasks(reading(), project_id),
        hours=project_hours(reading(), project_id),
        purchases=purchases,
        receipts=photos_of(reading(), PURCHASE, [one.id for one in purchases]),
        cost=project_cost(reading(), project_id),
        due=uncharged_cost(reading(), project_id) if is_office else {},
        charges=charges_of_project(reading(), project_id) if is_office else (),
        tickets=conversations_about(project_id=project_id),
    )
