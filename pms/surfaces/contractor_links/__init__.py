"""The surface of contractors: a link opens one project, on a phone, without an account."""

from flask import Blueprint, Flask

from pms.surfaces.contractor_links import project, purchases, tasks
from pms.surfaces.contractor_links.project import ContractorGate, holder, told_words
from pms.surfaces.link_gate import TOKEN, guard

_TASK = "/tasks/<task_id>"
_ADDRESSES = (
    ("GET", "", "project", project.show_project),
    ("GET", "/hours", "hours", project.show_hours),
    ("POST", "/hours", "log_hours", project.log_hours),
    ("POST", "/hours/<hours_id>/removal", "remove_hours", project.remove_hours),
    ("GET", "/purchases", "purchase", purchases.show),
    ("POST", "/purchases", "add_purchase", purchases.add),
    ("POST", "/purchases/<purchase_id>/removal", "remove_purchase", purchases.remove),
    ("GET", "/reports", "report", project.show_report_form),
    ("POST", "/reports", "send_report", project.send_report),
    ("GET", _TASK, "task", tasks.show),
    ("POST", _TASK, "move_task", tasks.move),
    ("POST", f"{_TASK}/photos", "add_photos", tasks.add_photos),
    ("POST", f"{_TASK}/points/<item_id>", "tick_point", tasks.tick),
    ("GET", "/handbook", "handbook", project.show_handbook),
    ("POST", "/handbook/<page_id>", "reveal_code", project.reveal_code),
    ("GET", "/photos/<photo_id>/<int:width>", "photo", project.show_photo),
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
