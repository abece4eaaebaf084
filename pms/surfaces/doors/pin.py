"""The PIN that was mailed: asking for it, typing it, asking again."""

from datetime import timedelta
from typing import Final

from flask import Response, request, url_for

from pms.access.code_digits import Screen
from pms.access.request_code import request_code
from pms.access.sign_in_staff_with_code import sign_in_staff_with_code
from pms.access.sign_in_with_code import TriedCode
from pms.rules.enumerations import Door
from pms.rules.sign_in_codes import CODE_LIFE, CodeAnswer, read_code
from pms.surfaces.code_refusals import code_refusal
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    forget_screen,
    note_asked,
    open_screen,
    sent_again,
    way_of,
)
from pms.surfaces.doors.arriving import arrive
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.pin_form import PinForm
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.safe_path import safe_path
from pms.surfaces.signed_in import doorway, write_of_people
from pms.surfaces.visitor import visitor
from pms.surfaces.waiting import said_wait

RESEND_SECONDS: Final = 30


def ask(typed_address: str, back: str | None) -> Response:
    """Ask for a PIN from a new screen, whatever the address is worth."""
    address = visitor(typed_address).address
    number, bound_to = open_screen(Door.STAFF, None, address, safe_path(back))
    _request(number, bound_to)
    return go(url_for("doors.pin", screen=number))


def show(screen: str) -> Response:
    """The page that waits for the PIN; it survives being loaded anew."""
    return _page(asking_screen(screen, Door.STAFF, clock().now()), PinForm())


def enter(screen: str) -> Response:
    """Try the digits."""
    asking = asking_screen(screen, Door.STAFF, clock().now())
    form = PinForm(request.form)
    if asking is None:
        return _page(None, form, status=UNACCEPTED)
    if not form.validate():
        return _page(asking, form, status=UNACCEPTED)
    who, digits = visitor(asking.bound_to.address), read_code(form.pin.data or "") or ""
    tried = sign_in_staff_with_code(doorway(), who, asking.bound_to.nonce_hash, digits)
    if tried.opened is not None:
        forget_screen(screen)
        return arrive(tried.opened, asking.back)
    return _refused(asking, form, tried)


def ask_again(screen: str) -> Response:
    """Have another PIN mailed to the same screen."""
    asking = asking_screen(screen, Door.STAFF, clock().now())
    if asking is None:
        return _page(None, PinForm(), status=UNACCEPTED)
    wait = _request(screen, asking.bound_to)
    return go(url_for("doors.pin", screen=screen), said=None if wait else sent_again(asking))


def _request(number: str, bound_to: Screen) -> timedelta:
    asked = write_of_people(
        lambda session: request_code(
            session, clock(), bound_to, visitor=visitor(bound_to.address), locale=chosen_language()
        )
    )
    again_at = asked.asked_at + asked.wait if asked.wait else None
    note_asked(number, asked.asked_at, again_at)
    return asked.wait


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
        "doors/pin.html",
        form=form,
        asking=asking,
        answer=answer,
        way=way_of(asking),
        minutes=int(CODE_LIFE.total_seconds()) // 60,
        wait=said_wait(asking.again_at - now) if asking and asking.again_at else None,
        resend_in=_resend_in(asking) if asking else 0,
    )
    response.status_code = status
    return response


def _resend_in(asking: AskingScreen) -> int:
    passed = int((clock().now() - asking.asked_at).total_seconds())
    return max(RESEND_SECONDS - passed, 0)
