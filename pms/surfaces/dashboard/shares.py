"""Shares of several owners of a building, and the invoices of the management fee."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import HiddenInput

from pms.catalogue import records
from pms.catalogue.owners import MOST_OWNERS, SharesFrom, owner_names, shares_of_buildings
from pms.foundation.errors import Refused
from pms.rules.owner_income import read_share
from pms.statements import fee_invoices, owner_months
from pms.surfaces.dashboard.blueprint import OFFICE, dashboard
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.dashboard.statements import month_named
from pms.surfaces.downloads import pdf_answer
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_PLACES: Final = tuple(range(1, MOST_OWNERS + 1))


class SharesForm(FlaskForm):
    """The owners of a building in order with their shares, from a day on."""

    fromOn = DayField(lazy_gettext("From"), [Required()])
    owner1 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share1 = TextField(lazy_gettext("Share"), [Optional()])
    owner2 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share2 = TextField(lazy_gettext("Share"), [Optional()])
    owner3 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share3 = TextField(lazy_gettext("Share"), [Optional()])
    owner4 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share4 = TextField(lazy_gettext("Share"), [Optional()])
    owner5 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share5 = TextField(lazy_gettext("Share"), [Optional()])
    owner6 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share6 = TextField(lazy_gettext("Share"), [Optional()])
    version = WholeNumberField(validators=[Required()], widget=HiddenInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [
            ("", lazy_gettext("No owner")),
            *((i, n) for i, n in records.owner_choices(reading())),
        ]
        for owner, _share in self.rows():
            owner.choices = named

    def rows(self) -> Iterator[tuple[ChoiceField, TextField]]:
        """Return the fields of each owner."""
        return ((self[f"owner{place}"], self[f"share{place}"]) for place in _PLACES)

    def parts(self) -> list[tuple[str, Fraction]]:
        """Return the chosen owners; raise `Refused` for a share that cannot be read."""
        found = []
        for owner, share in self.rows():
            if not owner.data and not share.data:
                continue
            part = read_share(share.data or "")
            if part is None:
                raise Refused(
                    "{field}: '{given}' is not a share. Enter 1/3 or 25%.",
                    field=share.name,
                    given=(share.data or "")[:40],
                )
            if not owner.data:
                raise Refused("{field}: choose the owner of this share.", field=owner.name)
            found.append((owner.data, part))
        return found


@dashboard.get("/buildings/<building_id>/shares", roles=OFFICE)
def building_shares(building_id: str) -> Response:
    """Show the form of the building's owners, from a day on."""
    record = records.building_record(reading(), building_id)
    data: dict[str, Any] = {"fromOn": today(), "version": record.version}
    history = _history(building_id)
    if history:
        for place, share in enumerate(history[-1].shares, 1):
            data |= {f"owner{place}": share.owner_id, f"share{place}": share.text}
    else:
        data |= {"owner1": record.owner_id}
    return _shares_shown(building_id, SharesForm(data=data))


@dashboard.post("/buildings/<building_id>/shares", roles=OFFICE)
def set_building_shares(building_id: str) -> Response:
    """Write the building's owners from a day on."""
    form = SharesForm()
    return submitted(
        form,
        act=lambda work: fee_invoices.set_shares(
            work,
            building_id=building_id,
            from_on=form.fromOn.data,
            parts=form.parts(),
            version=form.version.data,
        ),
        then=lambda _version: go(
            url_for("dashboard.building", building_id=building_id), message=_("Saved.")
        ),
        again=lambda: _shares_shown(building_id, form),
    )


def _history(building_id: str) -> list[SharesFrom]:
    return list(shares_of_buildings(reading(), [building_id]).get(building_id, ()))


def _shares_shown(building_id: str, form: SharesForm) -> Response:
    history = _history(building_id)
    shares = [share for one in history for share in one.shares]
    return page(
        "dashboard/buildings/shares.html",
        form=form,
        building=records.building_record(reading(), building_id),
        history=history[::-1],
        names=owner_names(reading(), shares),
    )


@dashboard.get("/fee-invoices/<fee_invoice_id>/paper", roles=OFFICE)
def fee_invoice_paper(fee_invoice_id: str) -> Response:
    """Show an invoice of the management fee as a PDF."""
    row = fee_invoices.fee_invoice_of(reading(), fee_invoice_id)
    return pdf_answer(fee_invoices.fee_invoice_pdf(row, chosen_language()), f"{row.number}.pdf")


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/fee-invoices", roles=OFFICE)
def issue_fee_invoices(month: str, building_id: str) -> Response:
    """Issue the fee invoices that are missing for a month published by an earlier release."""
    form, month_on = FlaskForm(), month_named(month)
    back = url_for("dashboard.owner_statement", month=month, building_id=building_id)
    return submitted(
        form,
        act=lambda work: owner_months.issue_missing_fee_invoices(
            work, building_id=building_id, month_on=month_on
        ),
        then=lambda _count: go(back, message=_("Management fee invoice issued.")),
        again=lambda: go(back),
    )
