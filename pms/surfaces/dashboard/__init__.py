"""The dashboard's blueprint: every feature's addresses, behind one gate."""

from flask import Blueprint, Flask

from pms.surfaces.dashboard import (
    arrears,
    assistant,
    audit,
    bank,
    billing,
    buildings,
    calendars,
    charges,
    chart,
    check_in_links,
    checklists,
    condition_reports,
    content,
    contract_templates,
    contracts,
    deposits,
    enquiries,
    fees,
    gallery,
    imports,
    inbox,
    integrations,
    keys,
    leads,
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
    reservation_links,
    reservations,
    runs,
    search,
    settings,
    share_links,
    statements,
    stay_terms,
    supplier_orders,
    tasks,
    telemetry,
    tickets,
    today,
    units,
    viewings,
    visits,
    waitlist,
    who,
    work,
)
from pms.surfaces.dashboard.audit import telling
from pms.surfaces.dashboard.desk import REACH, desk, may
from pms.surfaces.dashboard.gate import WORKSPACE, guard
from pms.surfaces.dashboard.offline import copies
from pms.surfaces.dashboard.people import sign_ins
from pms.surfaces.form_tokens import FormTokens

FEATURES = (
    today,
    chart,
    audit,
    reservations,
    billing,
    bank,
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
    check_in_links,
    stay_terms,
    contract_templates,
    contracts,
    integrations,
    reservation_links,
    condition_reports,
    calendars,
    enquiries,
    viewings,
    inbox,
    leads,
    supplier_orders,
    content,
    telemetry,
    assistant,
)


def install(app: Flask, csrf: FormTokens) -> None:
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
    condition_reports.install(app)
    copies.install(app)
    sign_ins.install(app)
    app.jinja_env.globals.update(
        desk=desk, may=may, menu_groups=menu.menu, bottom_menu=menu.bottom_menu
    )
