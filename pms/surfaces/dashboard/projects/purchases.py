"""Adds something bought for a project, with its receipt, and takes it back."""

from pms.surfaces.dashboard.routes import MAINTENANCE, PHOTO_BYTES, dashboard
from flask import Response, url_for
from flask_babel import gettext as _

from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import FeeCategory
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.projects.purchases_form import PurchaseForm
from pms.surfaces.dashboard.projects.taking_back import took_back
from pms.surfaces.dashboard.requests.taken_photos import sent
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.add_purchase import add_purchase as add_purchase_verb
from pms.upkeep.project_record import ProjectRecord, project_record
from pms.upkeep.project_tasks import project_tasks
from pms.upkeep.remove_purchase import remove_purchase as remove_purchase_verb
from pms.upkeep.upkeep_photos import PURCHASE


@dashboard.get("/projects/<project_id>/purchases/new", roles=MAINTENANCE)
def new_purchase(project_id: str) -> Response:
    """Show the form, with today filled in."""
    project = project_record(reading(), project_id)
    given = {"boughtOn": today(), "category": FeeCategory.REPAIR.value, "once": new_id()}
    return _shown(project, PurchaseForm(data=given))


@dashboard.post("/projects/<project_id>/purchases/new", roles=MAINTENANCE, most_bytes=PHOTO_BYTES)
def add_purchase(project_id: str) -> Response:
    """Keep the purchase with its receipt and show the project."""
    project = project_record(reading(), project_id)
    form = PurchaseForm(sent())
    form.offer(project_tasks(reading(), project.id))

    def act(session: WorkspaceSession) -> str | None:
        made = add_purchase_verb(
            session,
            clock(),
            actor(),
            project_id=project_id,
            bought_on=form.boughtOn.data,
            what=form.what.data,
            amount_yen=form.amountYen.data,
            shop=form.shop.data,
            category=FeeCategory(form.category.data),
            task_id=form.taskId.data,
            key=form.once.data,
        )
        if made:
            form.keep(session, (PURCHASE, made))
        return made

    return submitted(
        form,
        act,
        then=lambda _id: go(
            url_for("dashboard.project", project_id=project_id, _anchor="purchases"),
            said=_("The purchase is added."),
        ),
        again=lambda: _shown(project, form),
    )


@dashboard.post("/projects/<project_id>/purchases/<purchase_id>/removal", roles=MAINTENANCE)
def remove_purchase(project_id: str, purchase_id: str) -> Response:
    """Take a purchase back."""
    return took_back(
        project_id, remove_purchase_verb, _("The purchase is taken back."), purchase_id=purchase_id
    )


def _shown(project: ProjectRecord, form: PurchaseForm) -> Response:
    form.offer(project_tasks(reading(), project.id))
    shown = {"project": project, "form": form, "today": today()}
    return page_or_block("dashboard/projects/purchase.html", "buying", **shown)
