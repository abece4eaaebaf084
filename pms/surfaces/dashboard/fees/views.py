"""The fee catalogue on screens."""

from types import MappingProxyType
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.pricing.fee_uses import fee_uses
from pms.pricing.remove_fee import remove_fee
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.fees.fee_form import FeeForm, NewFeeForm
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page
from pms.workspaces.add_fee import add_fee
from pms.workspaces.edit_fee import edit_fee
from pms.workspaces.fee_records import fee_record, fee_records

_COLUMNS: Final = MappingProxyType({"timing": "is_monthly"})


def index() -> Response:
    """Show the catalogue, and how often each fee is used."""
    return page("dashboard/fees/index.html", fees=fee_records(reading()), uses=fee_uses(reading()))


def new() -> Response:
    """Show the form of a new fee."""
    return page("dashboard/fees/new.html", form=NewFeeForm())


def add() -> Response:
    """Store a fee."""
    form = NewFeeForm(request.form)
    return submitted(
        form,
        act=lambda session: add_fee(
            session, clock(), actor(), code=form.code.data, written=form.written
        ),
        then=lambda _id: go(url_for("dashboard.fees"), said=_("Fee added.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )


def show(fee_id: str) -> Response:
    """Show one fee to edit it."""
    record = fee_record(reading(), fee_id)
    return _shown(fee_id, Edit.of(FeeForm.of(record.written), record.version))


def edit(fee_id: str) -> Response:
    """Write a fee anew."""
    form = FeeForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> int:
        record = fee_record(session, fee_id)
        now = Edit.of(FeeForm.of(record.written), record.version)
        typed.merge(session, now, subject=("fee", fee_id), columns=_COLUMNS)
        return edit_fee(
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


def remove(fee_id: str) -> Response:
    """Remove a fee that nothing uses."""
    form = Form()
    return submitted(
        form,
        act=lambda session: remove_fee(session, clock(), actor(), fee_id),
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
