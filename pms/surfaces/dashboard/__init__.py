"""The dashboard's blueprint: every feature's addresses, behind one gate."""

from flask import Blueprint, Flask
from flask_wtf.csrf import CSRFProtect

from pms.surfaces.dashboard import (
    arrears,
    audit,
    billing,
    buildings,
    charges,
    chart,
    checklists,
    deposits,
    fees,
    gallery,
    imports,
    keys,
    ledger,
    me,
    menu,
    occupancy,
    offline,
    owners,
    people,
    photos,
    projects,
    reports,
    requests,
    reservations,
    runs,
    search,
    settings,
    share_links,
    statements,
    tasks,
    tickets,
    today,
    units,
    visits,
    waitlist,
    who,
    work,
)
from pms.surfaces.dashboard.audit import telling
from pms.surfaces.dashboard.desk import REACH, desk, may
from pms.surfaces.dashboard.gate import WORKSPACE, guard
from pms.surfaces.dashboard.offline import copies

FEATURES = (
    today,
    chart,
    audit,
    reservations,
    billing,
    runs,
    keys,
    gallery,
    ledger,
    deposits,
    fees,
    people,
    me,
    buildings,
    owners,
    photos,
    units,
    settings,
    search,
    arrears,
    reports,
    statements,
    occupancy,
    imports,
    waitlist,
    charges,
    work,
    tasks,
    visits,
    requests,
    projects,
    tickets,
    share_links,
    checklists,
    offline,
)


def install(app: Flask, csrf: CSRFProtect) -> None:
    """Give the application its dashboard."""
    blueprint = Blueprint("dashboard", __name__, url_prefix=f"/dashboard/<{WORKSPACE}>")
    addresses = [address for feature in FEATURES for address in feature.ADDRESSES]
    for each in addresses:
        blueprint.add_url_rule(each.rule, each.endpoint, each.view, methods=[each.method])
    app.extensions[REACH] = {address.endpoint: address.roles for address in addresses}
    guard(blueprint, {address.endpoint: address for address in addresses}, csrf)
    copies.mark(blueprint)
    app.register_blueprint(blueprint)
    who.install(app)
    telling.install(app)
    share_links.install(app)
    copies.install(app)
    app.jinja_env.globals.update(
        desk=desk, may=may, menu_groups=menu.menu, bottom_menu=menu.bottom_menu
    )
