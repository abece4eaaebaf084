"""The code that was mailed: typing it, asking for another."""

from typing import Final

from flask import Response, request, url_for

from pms.access.sign_in_to_portal import sign_in_to_portal
from pms.access.sign_in_with_code import TriedCode
from pms.rules.enumerations import Door
from pms.rules.sign_in_codes import CODE_LIFE, CodeAnswer, read_code
from pms.surfaces.code_refusals import code_refusal
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    forget_screen,
    sent_again,
    way_of,
)
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.pin_form import PinForm
from pms.surfaces.portals.doors.asking import request_code_for
from pms.surfaces.portals.doors.coming_in import come_in
from pms.surfaces.portals.doors.known_addresses import is_known
from pms.surfaces.portals.portal import portal
from pms.surfaces.request_scope import clock
from pms.surfaces.safe_path import safe_path
from pms.surfaces.signed_in import doorway
from pms.surfaces.visitor import visitor
from pms.surfaces.waiting import said_wait

RESEND_SECONDS: Final = 30


def show(screen: str) -> Response:
    """The page that waits for the code; it survives being loaded anew."""
    asking = _asking(screen)
    if portal().address:
        return go(safe_path(asking.back if asking else None) or url_for(".home"))
    return _page(asking, PinForm())


def enter(screen: str) -> Response:
    """Try the digits."""
    asking, form = _asking(screen), PinForm(request.form)
    if asking is None or not form.validate():
        return _page(asking, form, status=UNACCEPTED)
    tried = sign_in_to_portal(
        doorway(),
        asking.bound_to,
        read_code(form.pin.data or "") or "",
        visitor=visitor(asking.bound_to.address),
        is_known=is_known(portal().door),
    )
    if tried.opened is None:
        return _refused(asking, form, tried)
    forget_screen(screen)
    return come_in(tried.opened, asking.back)


def ask_again(screen: str) -> Response:
    """Have another code mailed to the same screen."""
    asking = _asking(screen)
    if asking is None:
        return _page(None, PinForm(), status=UNACCEPTED)
    wait = request_code_for(screen, asking.bound_to)
    return go(url_for(".code", screen=screen), said=None if wait else sent_again(asking))


def _asking(screen: str) -> AskingScreen | None:
    asking = asking_screen(screen, portal().door, clock().now())
    is_here = asking is not None and asking.bound_to.workspace_id == portal().workspace_id
    return asking if is_here else None


def _refused(asking: AskingScreen, form: PinForm, tried: TriedCode) -> Response:
    form.pin.errors = [code_refusal(tried.answer, tried.wait)]
    # Digits that were tried are of no more use: the next ones are typed into an empty field.
    form.pin.data = None
    return _page(asking, form, status=UNACCEPTED, answer=tried.answer)


def _page(
    asking: AskingScreen | None,
    form: PinForm,
    *,
    status: int = 200,
    answer: CodeAnswer | None = None,
) -> Response:
    now = clock().now()
    response = page(
        "portals/code.html",
        form=form,
        asking=asking,
        answer=answer,
        way=way_of(asking),
        minutes=int(CODE_LIFE.total_seconds()) // 60,
        wait=said_wait(asking.again_at - now) if asking and asking.again_at else None,
        resend_in=_resend_in(asking) if asking else 0,
        is_of_owners=portal().door is Door.OWNER,
    )
    response.status_code = status
    return response


def _resend_in(asking: AskingScreen) -> int:
    since = int((clock().now() - asking.asked_at).total_seconds())
    return max(RESEND_SECONDS - since, 0)
