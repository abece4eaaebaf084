"""Shows what is open and how it is paid, and sets out for the provider's page."""

from collections.abc import Sequence

from flask import Response, request, url_for

from pms.checkouts.open_bills import OpenBill, open_bills
from pms.checkouts.open_checkout import open_checkout
from pms.checkouts.queries import pays_online
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.payments.paying_form import PayingForm


def show(reservation_id: str) -> Response:
    """Show the bills, and the account and reference for the chosen one."""
    return _shown(reservation_id, PayingForm(request.args))


def set_out(reservation_id: str) -> Response:
    """Write the visit; the worker asks for its page while the next page waits."""
    form = PayingForm(request.form)
    back = url_for(".payment", reservation_id=reservation_id, back="1")
    return submitted(
        form,
        act=lambda session: open_checkout(
            session,
            clock(),
            own.actor(),
            reservation_id=reservation_id,
            entry_id=form.entryId.data or "",
            return_path=back,
        ),
        then=lambda id_: go(url_for(".payment", reservation_id=reservation_id, checkout=id_)),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: PayingForm) -> Response:
    bills = open_bills(reading(), reservation_id, today())
    return page(
        "portals/resident/payments/pay.html",
        tenancy=own.tenancy(reservation_id),
        bills=bills,
        chosen=_chosen(bills, form.entryId.data),
        pays_online=pays_online(reading()),
        form=form,
    )


def _chosen(bills: Sequence[OpenBill], entry_id: str | None) -> OpenBill | None:
    first = bills[0] if bills else None
    return next((one for one in bills if one.entry_id == entry_id), first)
