"""The dashboard: one module a noun, behind one gate."""

from flask import Flask

from pms.surfaces.dashboard import (  # noqa: F401 - importing a module adds its routes
    arrears,
    assistant,
    audit,
    bank,
    billing,
    buildings,
    buildings_handbook,
    calendars,
    charges,
    chart,
    check_in_links,
    checklists,
    condition_reports,
    content,
    content_website,
    contract_templates,
    contracts,
    deposits,
    enquiries,
    fees,
    gallery,
    gate,
    imports,
    inbox,
    inbox_acting,
    integrations,
    keys,
    leads,
    ledger,
    ledger_credit,
    ledger_entry,
    me,
    menu,
    occupancy,
    offline,
    owners,
    people,
    photos,
    projects,
    projects_ending,
    reports,
    requests,
    requests_folding,
    reservation_links,
    reservations,
    reservations_amendment_preview,
    reservations_list,
    reservations_notice,
    reservations_people,
    reservations_price,
    reservations_statuses,
    runs,
    search,
    settings,
    share_links,
    statements,
    stay_terms,
    supplier_orders,
    tasks,
    tasks_cancelling,
    telemetry,
    tickets,
    today,
    units,
    units_list,
    viewings,
    viewings_week,
    visits,
    visits_planning,
    waitlist,
    who,
    work,
)
from pms.surfaces.dashboard.desk import desk, may
from pms.surfaces.dashboard.routes import dashboard


def install(app: Flask) -> None:
    """Give the application its dashboard."""
    app.register_blueprint(dashboard)
    who.install(app)
    audit.install(app)
    share_links.install(app)
    condition_reports.install(app)
    offline.install(app)
    people.install(app)
    app.jinja_env.globals.update(
        desk=desk, may=may, menu_groups=menu.menu, bottom_menu=menu.bottom_menu
    )
