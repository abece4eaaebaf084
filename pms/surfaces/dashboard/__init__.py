"""The dashboard: one module a noun, behind one gate."""

from flask import Flask

from pms.surfaces.dashboard import (  # noqa: F401 - importing a module adds its routes
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
    gate,
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
from pms.surfaces.dashboard.desk import desk, may
from pms.surfaces.dashboard.routes import dashboard
from pms.surfaces.dashboard.offline import copies
from pms.surfaces.dashboard.people import sign_ins


def install(app: Flask) -> None:
    """Give the application its dashboard."""
    app.register_blueprint(dashboard)
    who.install(app)
    telling.install(app)
    share_links.install(app)
    condition_reports.install(app)
    copies.install(app)
    sign_ins.install(app)
    app.jinja_env.globals.update(
        desk=desk, may=may, menu_groups=menu.menu, bottom_menu=menu.bottom_menu
    )
