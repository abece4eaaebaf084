"""Signing in to a portal: an address, to which a code is mailed if somebody here has it."""

from flask import Response, request, url_for

from pms.rules.addresses import folded_address
from pms.surfaces.code_screens import open_screen
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.portals.doors.address_form import AddressForm
from pms.surfaces.portals.doors.asking import request_code_for
from pms.surfaces.portals.portal import portal
from pms.surfaces.safe_path import safe_path


def show() -> Response:
    """The page that asks for the address; whoever is in already goes on."""
    if portal().address:
        return go(safe_path(request.args.get("next")) or url_for(".home"))
    return page("portals/sign_in.html", form=AddressForm(request.args))


def ask() -> Response:
    """Ask for a code from a new screen, whatever the address is worth."""
    form = AddressForm(request.form)
    if not form.validate():
        response = page("portals/sign_in.html", form=form)
        response.status_code = UNACCEPTED
        return response
    at, address = portal(), folded_address(form.email.data or "")
    number, bound_to = open_screen(at.door, at.workspace_id, address, safe_path(form.next.data))
    request_code_for(number, bound_to)
    return go(url_for(".code", screen=number))
