"""The fee catalogue on screens."""

from pms.surfaces.dashboard.routes import OFFICE, OPERATOR, dashboard
from types import MappingProxyType
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.pricing.fee_uses import fee_uses
from pms.pricing.remove_fee import remove_fee as remove_fee_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.fees.fee_form import FeeForm, NewFeeForm
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page
from pms.workspaces.add_fee import add_fee as add_fee_verb
from pms.workspaces.edit_fee import edit_fee as edit_fee_verb
from pms.workspaces.fee_records import fee_record, fee_records

_COLUMNS: Final = MappingProxyType({"timing": "is_monthly"})


@dashboard.get("/fees", roles=OFFICE)
def fees() -> Response:
    """Show the catalogue, and how often each fee is used."""
    return page("dashboard/fees/index.html", fees=fee_records(reading()), uses=fee_uses(reading()))


@dashboard.get("/fees/new", roles=OPERATOR)
def new_fee() -> Response:
    """Show the form of a new fee."""
    return page("dashboard/fees/new.html", form=NewFeeForm())


@dashboard.post("/fees", roles=OPERATOR)
def add_fee() -> Response:
    """Store a fee."""
    form = NewFeeForm(request.form)
    return submitted(
        form,
        act=lambda session: add_fee_verb(
            session, clock(), actor(), code=form.code.data, written=form.written
        ),
        then=lambda _id: go(url_for("dashboard.fees"), said=_("Fee added.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )


@dashboard.get("/fees/<fee_id>", roles=OPERATOR)
def fee(fee_id: str) -> Response:
    """Show one fee to edit it."""
    record = fee_record(reading(), fee_id)
    return _shown(fee_id, Edit.of(FeeForm.of(record.written), record.version))


@dashboard.post("/fees/<fee_id>", roles=OPERATOR)
def edit_fee(fee_id: str) -> Response:
    """Write a fee anew."""
    form = FeeForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> int:
        record = fee_record(session, fee_id)
        now = Edit.of(FeeForm.of(record.written), record.version)
        typed.merge(session, now, subject=("fee", fee_id), columns=_COLUMNS)
        return edit_fee_verb(
            session,
            clock(),
            actor(),
            fee_id=fee_id,
            version=record.version,
            written=form.written,
        )

    return submitted(
        form,
        act,
        then=lambda _version: go(url_for("dashboard.fees"), said=typed.said(_("Saved."))),
        again=lambda: _shown(fee_id, typed),
    )


@dashboard.post("/fees/<fee_id>/removal", roles=OPERATOR)
def remove_fee(fee_id: str) -> Response:
    """Remove a fee that nothing uses."""
    form = Form()
    return submitted(
        form,
        act=lambda session: remove_fee_verb(session, clock(), actor(), fee_id),
        then=lambda code: go(url_for("dashboard.fees"), said=_("%(code)s is removed.", code=code)),
        again=lambda: _shown(fee_id, _of(fee_id), form),
    )


def _of(fee_id: str) -> Edit:
    record = fee_record(reading(), fee_id)
    return Edit.of(FeeForm.of(record.written), record.version)


def _shown(fee_id: str, shown: Edit, refused: Form | None = None) -> Response:
    record = fee_record(reading(), fee_id)
    uses = fee_uses(reading()).get(record.code, 0)
    return page(
        "dashboard/fees/fee.html",
        fee=record,
        edit=shown,
        form=shown.form,
        uses=uses,
        refused=refused,
    )
