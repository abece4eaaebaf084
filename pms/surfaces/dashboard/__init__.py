"""The dashboard: one module a noun, behind one gate."""

from flask import Flask

from pms.surfaces.dashboard import (  # noqa: F401 - importing a module adds its routes
    actor_names,
    amendments,
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
    conversations,
    deposits,
    enquiries,
    fees,
    gallery,
    gate,
    handbooks,
    imports,
    inbox,
    integrations,
    keys,
    leads,
    ledger,
    ledger_charges,
    ledger_entries,
    me,
    menu,
    move_out_notices,
    occupancy,
    offline,
    owners,
    people,
    photos,
    project_endings,
    projects,
    reports,
    request_folding,
    requests,
    reservation_links,
    reservation_list,
    reservation_people,
    reservation_prices,
    reservation_statuses,
    reservations,
    runs,
    search,
    settings,
    share_links,
    statements,
    stay_terms,
    supplier_orders,
    task_changes,
    tasks,
    telemetry,
    tickets,
    today,
    unit_list,
    units,
    viewing_week,
    viewings,
    visit_planning,
    visits,
    waitlist,
    website_texts,
    work,
)
from pms.surfaces.dashboard.desk import desk, may
from pms.surfaces.dashboard.routes import dashboard


def install(app: Flask) -> None:
    """Give the application its dashboard."""
    app.register_blueprint(dashboard)
    actor_names.install(app)
    audit.install(app)
    share_links.install(app)
    condition_reports.install(app)
    offline.install(app)
    people.install(app)
    app.jinja_env.globals.update(
        desk=desk, may=may, menu_groups=menu.menu, bottom_menu=menu.bottom_menu
    )
