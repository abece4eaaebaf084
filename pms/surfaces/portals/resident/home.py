"""The resident's home: straight to the only tenancy, or a choice among several."""

from flask import Response, url_for

from pms.arrivals.reservation_header import reservation_header
from pms.checkouts.transfer_reference import transfer_reference
from pms.ledger.queries import standings
from pms.statements.due_money import due_money
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import reading, today
from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.steps_in import steps_in


def show() -> Response:
    """Go on to the only tenancy, or let one be chosen."""
    owned = own.tenancies()
    if len(owned) == 1:
        return go(url_for(".tenancy", reservation_id=owned[0].id))
    return page("portals/resident/chooser.html", tenancies=owned)


def show_tenancy(reservation_id: str) -> Response:
    """One tenancy at a glance: what is to be paid, what comes next, what can be done."""
    header = reservation_header(reading(), reservation_id, today())
    standing = standings(reading(), [reservation_id], today()).get(reservation_id, ())
    money = due_money(standing, today())
    return page(
        "portals/resident/home.html",
        tenancy=own.tenancy(reservation_id),
        header=header,
        money=money,
        steps=steps_in(header),
        transfer=transfer_reference(reading(), reservation_id, money.entry_id)
        if money.entry_id
        else None,
    )


ADDRESSES = (
    PortalAddress("/", "home", show),
    PortalAddress(f"/<{own.PARAMETER}>", "tenancy", show_tenancy),
)
