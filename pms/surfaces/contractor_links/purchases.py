"""Adds what was bought for the project, with its receipt, and takes an own purchase back."""

from collections.abc import Sequence

from flask import Response, request
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Form

from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.contractor_links.holder import (
    clock,
    holder,
    home,
    key_of_form,
    reading,
    shown,
    submitted,
    today,
)
from pms.surfaces.contractor_links.purchase_form import PurchaseForm
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files
from pms.upkeep.add_purchase import add_purchase
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.remove_purchase import remove_purchase
from pms.upkeep.task_cards import TaskCard
from pms.upkeep.tasks_of_project import tasks_of_project
from pms.upkeep.upkeep_photos import PURCHASE


def show() -> Response:
    """Show the form, ready for today."""
    ready = {"boughtOn": today(), "once": new_id()}
    return _form(PurchaseForm(data=ready, files=files(), tasks=_tasks()))


def add() -> Response:
    """Add the purchase with the picture of its receipt."""
    form = PurchaseForm(
        CombinedMultiDict((request.files, request.form)), files=files(), tasks=_tasks()
    )
    return submitted(
        form,
        act=lambda session: _added(session, form),
        then=lambda _id: go(home(told="purchase", anchor="purchases")),
        again=lambda: _form(form),
    )


def remove(purchase_id: str) -> Response:
    """Take back what was added through this link."""
    return submitted(
        Form(),
        act=lambda session: remove_purchase(
            session,
            clock(),
            holder().actor,
            project_id=holder().project_id,
            purchase_id=purchase_id,
            only_own=True,
        ),
        then=lambda _none: go(home(told="removed", anchor="purchases")),
        again=show,
    )


def _added(session: WorkspaceSession, form: PurchaseForm) -> str | None:
    purchase_id = add_purchase(
        session,
        clock(),
        holder().actor,
        project_id=holder().project_id,
        bought_on=form.boughtOn.data,
        what=form.what.data,
        amount_yen=form.amountYen.data,
        shop=form.shop.data,
        task_id=form.taskId.data,
        key=key_of_form(),
    )
    if purchase_id is not None:
        for sized in form.sized:
            subject = (PURCHASE, purchase_id)
            add_upkeep_photo(session, clock(), holder().actor, subject=subject, sized=sized)
    return purchase_id


def _tasks() -> Sequence[TaskCard]:
    return tasks_of_project(reading(), holder().project_id)


def _form(form: PurchaseForm) -> Response:
    return shown("purchase", form=form, today=today())
