"""The surface of contractors: a link opens one project, on a phone, without an account."""

from flask import Blueprint, Flask

from pms.surfaces.contractor_links import holder as handbook
from pms.surfaces.contractor_links import holder as hours
from pms.surfaces.contractor_links import holder as photos
from pms.surfaces.contractor_links import holder as project
from pms.surfaces.contractor_links import holder as reports
from pms.surfaces.contractor_links import purchases, tasks
from pms.surfaces.contractor_links import tasks as moves
from pms.surfaces.contractor_links.holder import ContractorGate, holder, told_words
from pms.surfaces.link_gate import TOKEN, guard

_TASK = "/tasks/<task_id>"
_ADDRESSES = (
    ("GET", "", "project", project.show_project),
    ("GET", "/hours", "hours", hours.show_hours),
    ("POST", "/hours", "log_hours", hours.log),
    ("POST", "/hours/<hours_id>/removal", "remove_hours", hours.remove),
    ("GET", "/purchases", "purchase", purchases.show),
    ("POST", "/purchases", "add_purchase", purchases.add),
    ("POST", "/purchases/<purchase_id>/removal", "remove_purchase", purchases.remove),
    ("GET", "/reports", "report", reports.show),
    ("POST", "/reports", "send_report", reports.report),
    ("GET", _TASK, "task", tasks.show),
    ("POST", _TASK, "move_task", moves.move),
    ("POST", f"{_TASK}/photos", "add_photos", tasks.add_photos),
    ("POST", f"{_TASK}/points/<item_id>", "tick_point", tasks.tick),
    ("GET", "/handbook", "handbook", handbook.show_handbook),
    ("POST", "/handbook/<page_id>", "reveal_code", handbook.reveal),
    ("GET", "/photos/<photo_id>/<int:width>", "photo", photos.picture),
    ("GET", "/<path:_rest>", "nothing", project.nothing),
)


def install(app: Flask) -> None:
    """Give the application the pages of contractors' links."""
    blueprint = Blueprint("contractor_links", __name__, url_prefix=f"/contractor/<{TOKEN}>")
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    guard(blueprint, ContractorGate())
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(link_holder=holder, told_words=told_words)
