"""Add purchases for the project with their receipts, and remove the contractor's own ones."""

from collections.abc import Sequence
from typing import Any

from flask import Response
from flask_babel import lazy_gettext
from wtforms import MultipleFileField

from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.surfaces.contractor_links.project import PictureForm, blueprint, holder, home, task_choices
from pms.surfaces.fields import ChoiceField, DayField, Optional, Required, TextField, YenField
from pms.surfaces.forms import LinkForm, key_of_form, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import today
from pms.upkeep import photos, project_lines, task_days
from pms.upkeep.boards import TaskCard
from pms.upkeep.photos import PURCHASE


class ContractorPurchaseForm(PictureForm):
    """What was bought, its price, day and shop, and a picture of the receipt."""

    what = TextField(lazy_gettext("What was bought"), [Required()])
    amountYen = YenField(lazy_gettext("Amount with tax (yen)"), [Required()], minimum_yen=1)
    photo = MultipleFileField(lazy_gettext("Photo of the receipt"), [Optional()])
    boughtOn = DayField(lazy_gettext("Day"), [Required()])
    shop = TextField(lazy_gettext("Shop"), [Optional()])
    taskId = ChoiceField(lazy_gettext("Task"), [Optional()])

    def __init__(self, *given: Any, tasks: Sequence[TaskCard] = (), **values: Any) -> None:
        super().__init__(*given, **values)
        self.taskId.choices = task_choices(tasks)


@blueprint.get("/purchases", endpoint="purchase")
def show() -> Response:
    """Show the form, filled in with today."""
    ready = {"boughtOn": today(), "once": new_id()}
    return _render_purchase(ContractorPurchaseForm(formdata=None, data=ready, tasks=_list_tasks()))


@blueprint.post("/purchases", endpoint="add_purchase")
def add() -> Response:
    """Add the purchase with the picture of its receipt."""
    form = ContractorPurchaseForm(tasks=_list_tasks())
    return submitted(
        form,
        act=lambda work: _add_purchase(work, form),
        then=lambda _id: go(home(text="purchase", anchor="purchases")),
        again=lambda: _render_purchase(form),
    )


@blueprint.post("/purchases/<purchase_id>/removal", endpoint="remove_purchase")
def remove(purchase_id: str) -> Response:
    """Remove a purchase that was added through this link."""
    return submitted(
        LinkForm(),
        act=lambda work: project_lines.remove_purchase(
            work, project_id=holder().project_id, purchase_id=purchase_id, only_own=True
        ),
        then=lambda _none: go(home(text="removed", anchor="purchases")),
        again=show,
    )


def _add_purchase(work: Work, form: ContractorPurchaseForm) -> str | None:
    purchase_id = project_lines.add_purchase(
        work,
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
            photos.add_upkeep_photo(work, subject=subject, sized=sized)
    return purchase_id


def _list_tasks() -> Sequence[TaskCard]:
    return task_days.tasks_of_project(reading(), holder().project_id)


def _render_purchase(form: ContractorPurchaseForm) -> Response:
    return page("contractor_links/purchase.html", form=form, today=today())
