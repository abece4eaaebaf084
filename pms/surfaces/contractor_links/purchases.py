"""Adds what was bought for the project, with its receipt, and takes an own purchase back."""

from collections.abc import Sequence
from typing import Any

from flask import Response, request
from flask_babel import lazy_gettext
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Form, MultipleFileField

from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.contractor_links.project import (
    PictureForm,
    holder,
    home,
    key_of_form,
    reading,
    shown,
    submitted,
    task_choices,
)
from pms.surfaces.fields import ChoiceField, DayField, Optional, Required, TextField, YenField
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import clock, files, today
from pms.upkeep import photos, project_lines, task_days
from pms.upkeep.boards import TaskCard
from pms.upkeep.photos import PURCHASE


class PurchaseForm(PictureForm):
    """What, for how much, when and where; the receipt as a picture."""

    what = TextField(lazy_gettext("What"), [Required()])
    amountYen = YenField(lazy_gettext("Amount with tax (yen)"), [Required()], minimum_yen=1)
    photo = MultipleFileField(lazy_gettext("Photo of the receipt"), [Optional()])
    boughtOn = DayField(lazy_gettext("Day"), [Required()])
    shop = TextField(lazy_gettext("Shop"), [Optional()])
    taskId = ChoiceField(lazy_gettext("Task"), [Optional()])

    def __init__(
        self, *given: Any, files: Files, tasks: Sequence[TaskCard] = (), **values: Any
    ) -> None:
        super().__init__(*given, files=files, **values)
        self.taskId.choices = task_choices(tasks)


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
        act=lambda session: project_lines.remove_purchase(
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
    purchase_id = project_lines.add_purchase(
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
            photos.add_upkeep_photo(session, clock(), holder().actor, subject=subject, sized=sized)
    return purchase_id


def _tasks() -> Sequence[TaskCard]:
    return task_days.tasks_of_project(reading(), holder().project_id)


def _form(form: PurchaseForm) -> Response:
    return shown("purchase", form=form, today=today())
