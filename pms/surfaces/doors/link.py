"""The link that is mailed instead of a PIN on a day with too many wrong ones."""

from flask import Response

from pms.access.sign_in_staff_with_code import sign_in_staff_with_link
from pms.access.sign_in_with_code import linked_account
from pms.rules.enumerations import Door
from pms.surfaces.doors.arriving import arrive
from pms.surfaces.hypermedia import page
from pms.surfaces.signed_in import doorway
from pms.surfaces.visitor import visitor

_GONE = 410


def show(token: str) -> Response:
    """The page the link opens; only its button signs in, so no mail scanner uses it up."""
    account = linked_account(doorway(), Door.STAFF, None, token)
    response = page("doors/link.html", account=account, token=token)
    response.status_code = 200 if account else _GONE
    return response


def enter(token: str) -> Response:
    """Sign in by the link, once; a second factor is still asked for."""
    account = linked_account(doorway(), Door.STAFF, None, token)
    opened = account and sign_in_staff_with_link(doorway(), visitor(account.address), token)
    return arrive(opened, None) if opened else show(token)
