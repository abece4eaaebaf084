"""The page a link opens: the project, its tasks, hours, purchases and photos."""

from flask import Response, abort, request

from pms.catalogue.building_address import building_address
from pms.surfaces.contractor_links.holder import Holder, holder, reading, shown, today
from pms.upkeep.photos_of_requests import photos_of_requests
from pms.upkeep.project_lines import project_hours, project_purchases
from pms.upkeep.reported_words import reported_words
from pms.upkeep.share_links import contractor_names
from pms.upkeep.tasks_of_project import tasks_of_project
from pms.upkeep.upkeep_photos import PURCHASE, TASK, photos_of


def show() -> Response:
    """Show the project as its contractor needs it, for a phone."""
    project_id = holder().project_id
    tasks = tasks_of_project(reading(), project_id)
    hours = project_hours(reading(), project_id)
    purchases = project_purchases(reading(), project_id)
    project = holder().project()
    return shown(
        "project",
        project=project,
        address=building_address(reading(), project.building_id),
        tasks=tasks,
        task_photos=photos_of(reading(), TASK, [task.id for task in tasks]),
        reported=reported_words(reading(), project_id),
        report_photos=photos_of_requests(reading(), project_id),
        hours=hours,
        purchases=purchases,
        receipts=photos_of(reading(), PURCHASE, [each.id for each in purchases]),
        names=_names(
            holder(), {*(one.logged_by for one in hours), *(one.logged_by for one in purchases)}
        ),
        told=request.args.get("told"),
        today=today(),
    )


def nothing(_rest: str) -> Response:
    """There is nothing else."""
    abort(404)


def _names(own: Holder, actors: set[str]) -> dict[str, str]:
    """Who logged what: contractors by name, everybody else is the office."""
    mark = "contractor/"
    links = {actor.removeprefix(mark) for actor in actors if actor.startswith(mark)}
    names = contractor_names(reading(), links - {own.link.id}) if links else {}
    return {f"{mark}{link_id}": name for link_id, name in names.items()} | {
        own.actor: own.link.contractor_name
    }
