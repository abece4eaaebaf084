"""Publishes a month, of one building or of all as a run, after a page that says what leaves."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.asked_runs import ask_run
from pms.rules.enumerations import RunKind
from pms.statements.owner_months import OwnerBuildingMonth, all_owner_months, owner_month
from pms.statements.publish_statement import publish_statement as publish_statement_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.statements.asked_month import month_named
from pms.surfaces.dashboard.statements.uncharged import takes_charges, uncharged_of
from pms.surfaces.hypermedia import go, page
from pms.surfaces.page_words import month as said_month


@dashboard.get("/owner-statements/<month>/buildings/<building_id>/publication", roles=OFFICE)
def check_publishing(month: str, building_id: str) -> Response:
    """Show what publishing one building's month would do."""
    return shown(month, building_id, Form())


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/publication", roles=OFFICE)
def publish_statement(month: str, building_id: str) -> Response:
    """Publish one building's month as its next version."""
    form, month_on = Form(request.form), month_named(month)
    return submitted(
        form,
        act=lambda session: (
            publish_statement_verb(
                session,
                clock(),
                actor(),
                building_id=building_id,
                month_on=month_on,
                base_url=current_app.config["BASE_URL"],
            ).version
        ),
        then=lambda version: go(
            url_for("dashboard.owner_statement", month=month, building_id=building_id),
            said=_("Published as version %(version)s.", version=version),
        ),
        again=lambda: shown(month, building_id, form),
    )


@dashboard.get("/owner-statements/<month>/publication", roles=OFFICE)
def check_publishing_all(month: str) -> Response:
    """Show which buildings' months would be published."""
    return _all_shown(month, Form())


@dashboard.post("/owner-statements/<month>/publication", roles=OFFICE)
def publish_all(month: str) -> Response:
    """Ask for the run that publishes them; a worker begins within seconds."""
    form, month_on = Form(request.form), month_named(month)
    return submitted(
        form,
        act=lambda session: (
            ask_run(session, clock(), actor(), kind=RunKind.PUBLISHING, subject=month).id
        ),
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id),
            said=_("Publishing of %(month)s begins.", month=said_month(month_on)),
        ),
        again=lambda: _all_shown(month, form),
    )


def shown(month: str, building_id: str, form: Form) -> Response:
    """Show the page with what the month lacks, and why the last thing could not be done."""
    month_on = month_named(month)
    found = owner_month(reading(), building_id, month_on, today())
    return page(
        "dashboard/statements/publish.html",
        form=form,
        month=month,
        month_on=month_on,
        found=found,
        uncharged=uncharged_of([found], month_on).get(building_id, ()),
        is_open=takes_charges(found),
    )


def _all_shown(month: str, form: Form) -> Response:
    month_on = month_named(month)
    found: Sequence[OwnerBuildingMonth] = all_owner_months(reading(), month_on, today())
    return page(
        "dashboard/statements/publish_all.html",
        form=form,
        month=month,
        month_on=month_on,
        uncharged=uncharged_of([one for one in found if one.is_to_publish], month_on),
        leaving=[one for one in found if one.is_to_publish],
        barred=[one for one in found if one.bar is not None],
        unchanged=sum(1 for one in found if one.bar is None and not one.is_to_publish),
    )
