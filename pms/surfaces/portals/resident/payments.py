"""Paying what is open: by bank transfer with a reference, or on a provider's page."""

from collections.abc import Sequence

from flask import Response, request, url_for

from pms.checkouts import lookups, open_bills, payment_pages
from pms.checkouts.open_bills import OpenBill
from pms.foundation.errors import no_such
from pms.ledger import queries
from pms.surfaces.fields import HiddenField
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import portal, reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.routes import blueprint
from pms.surfaces.request_scope import clock, database, today


@blueprint.get("/<reservation_id>/payment", endpoint="payment")
def show(reservation_id: str) -> Response:
    """Show one visit of this reservation; the provider sends people back here."""
    checkout_id = request.args.get("checkout", "")
    visit = open_bills.checkout_record(reading(), checkout_id)
    if visit.reservation_id != reservation_id:
        raise no_such("checkout", checkout_id)
    is_back = request.args.get("back") == "1"
    if is_back and open_bills.awaits_look(reading(), visit.id):
        database().write(
            portal().workspace_id, lambda session: lookups.look_up_soon(session, clock(), visit.id)
        )
    return page(
        "portals/resident/payments/visit.html",
        tenancy=own.tenancy(reservation_id),
        visit=visit,
        label=queries.entry_record(reading(), visit.entry_id).label,
        is_back=is_back,
    )


class PayingForm(QueryForm):
    """The entry of a bill; without one it is the oldest due."""

    entryId = HiddenField()


@blueprint.get("/<reservation_id>/pay", endpoint="pay")
def show_paying_form(reservation_id: str) -> Response:
    """Show the bills, and the account and reference for the chosen one."""
    return _render_paying(reservation_id, PayingForm(request.args))


@blueprint.post("/<reservation_id>/pay", endpoint="pay_online")
def set_out(reservation_id: str) -> Response:
    """Write the visit; the worker asks for its page while the next page waits."""
    form = PayingForm()
    back = url_for(".payment", reservation_id=reservation_id, back="1")
    return submitted(
        form,
        act=lambda work: payment_pages.open_checkout(
            work, reservation_id=reservation_id, entry_id=form.entryId.data or "", return_path=back
        ),
        then=lambda id_: go(url_for(".payment", reservation_id=reservation_id, checkout=id_)),
        again=lambda: _render_paying(reservation_id, form),
    )


def _render_paying(reservation_id: str, form: PayingForm) -> Response:
    bills = open_bills.open_bills(reading(), reservation_id, today())
    return page(
        "portals/resident/payments/pay.html",
        tenancy=own.tenancy(reservation_id),
        bills=bills,
        chosen=_chosen(bills, form.entryId.data),
        pays_online=open_bills.pays_online(reading()),
        form=form,
    )


def _chosen(bills: Sequence[OpenBill], entry_id: str | None) -> OpenBill | None:
    first = bills[0] if bills else None
    return next((one for one in bills if one.entry_id == entry_id), first)
