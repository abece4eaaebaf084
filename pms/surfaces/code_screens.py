"""Remember in the browser's session which screens asked for an emailed code, of every kind of user.

A screen has a number in its address and a nonce in the signed cookie. A reload keeps both, another
browser has at most the number, and another tab that asks gets its own number.
"""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from flask import Response, session
from flask_babel import gettext as _
from flask_babel import ngettext

from pms.access import mailed_codes
from pms.access.code_sign_in import TriedCode
from pms.access.mailed_codes import MailedWay, Screen, mailed_way
from pms.foundation.tokens import new_token, token_hash
from pms.rules.enumerations import UserKind
from pms.rules.sign_in_codes import CODE_LIFE, CodeAnswer
from pms.surfaces.forms import PinForm
from pms.surfaces.hypermedia import page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import auth_context, visitor, write_of_people


def format_wait(wait: timedelta) -> str:
    """Return a wait in words, rounded up: 5 seconds, 2 minutes."""
    seconds = max(int(wait.total_seconds()), 1)
    if seconds < 60:
        return str(ngettext("%(num)s second", "%(num)s seconds", seconds))
    return str(ngettext("%(num)s minute", "%(num)s minutes", -(-seconds // 60)))


def code_refusal(answer: CodeAnswer, wait: timedelta) -> str:
    """Return why a code was refused, and what to do next."""
    match answer:
        case CodeAnswer.EXPIRED:
            message = _("This code was used or is older than 10 minutes. Request a new one.")
        case CodeAnswer.SPENT:
            message = _("This code was entered wrongly five times. Request a new one.")
        case CodeAnswer.REPLACED:
            message = _(
                "A newer code was sent. Enter the one from the latest email on the screen that asked for it."
            )
        case CodeAnswer.OTHER_SCREEN:
            message = _("This code was requested on another screen. Enter it there.")
        case CodeAnswer.LINK_INSTEAD:
            message = _("Too many wrong codes were entered for this address today.")
        case CodeAnswer.SLOWED_DOWN:
            message = _("Too many tries. Wait %(wait)s and try again.", wait=format_wait(wait))
        case _:
            message = _("The code is wrong. Check the latest email.")
    return str(message)


_SCREENS: Final = "screens"
_ASKER: Final = "asker"  # what stands for this browser among all that ask for codes
_MOST: Final = 3
RESEND_SECONDS: Final = 30
"""How long a screen waits before it offers to mail another code."""
_Kept = tuple[str, str, str | None, str, str | None, int, int]
"""Nonce, kind of user, workspace, address, return path; timestamps: asked at, may ask again at."""


class AskingScreen(NamedTuple):
    """A screen that asked for a code, with what its page shows."""

    number: str
    bound_to: Screen
    asked_at: datetime
    again_at: datetime | None
    back: str | None


def code_page(
    template: str,
    asking: AskingScreen | None,
    form: PinForm,
    *,
    status: int = 200,
    tried: TriedCode | None = None,
    **facts: Any,
) -> Response:
    """Return the page on which an emailed code is typed, with the reason if a code was refused."""
    if tried is not None:
        form.pin.errors = [code_refusal(tried.answer, tried.wait)]
        # A refused code is cleared, so that the next one is typed into an empty field.
        form.pin.data = None
    now = clock().now()
    response = page(
        template,
        form=form,
        asking=asking,
        answer=tried.answer if tried else None,
        way=way_of(asking),
        minutes=int(CODE_LIFE.total_seconds()) // 60,
        wait=format_wait(asking.again_at - now) if asking and asking.again_at else None,
        resend_in=max(RESEND_SECONDS - int((now - asking.asked_at).total_seconds()), 0)
        if asking
        else 0,
        **facts,
    )
    response.status_code = status
    return response


def open_screen(
    user_kind: UserKind, workspace_id: str | None, address: str, back: str | None
) -> tuple[str, Screen]:
    """Open a screen; return its number and the screen that its code is bound to."""
    number, nonce = new_token()[:16], new_token()
    screens = _remembered_codes()
    screens[number] = (nonce, user_kind.value, workspace_id, address, back, 0, 0)
    while len(screens) > _MOST:
        screens.pop(next(iter(screens)))
    session.permanent = True
    session.modified = True
    session.setdefault(_ASKER, new_token())
    return number, _build_screen(user_kind, workspace_id, address, nonce)


def request_code(number: str, bound_to: Screen) -> timedelta:
    """Request a code for a screen; return how long to wait if too many were requested."""
    asked = write_of_people(
        lambda session: mailed_codes.request_code(
            session, clock(), bound_to, visitor=visitor(bound_to.address), locale=chosen_language()
        )
    )
    again_at = asked.asked_at + asked.wait if asked.wait else None
    _note_asked(number, asked.asked_at, again_at)
    return asked.wait


def _note_asked(number: str, asked_at: datetime, again_at: datetime | None) -> None:
    """Store when a screen asked, and until when it has to wait if nothing was sent."""
    screens = _remembered_codes()
    nonce, user_kind, workspace_id, address, back, last_asked, _ = screens[number]
    asked = int(asked_at.timestamp()) if again_at is None or not last_asked else last_asked
    again = int(again_at.timestamp()) if again_at else 0
    screens[number] = (nonce, user_kind, workspace_id, address, back, asked, again)
    session.modified = True


def asking_screen(number: str, user_kind: UserKind, now: datetime) -> AskingScreen | None:
    """Return the screen with this number, or None if this browser did not open it for this kind."""
    kept = _remembered_codes().get(number)
    if kept is None or kept[1] != user_kind.value:
        return None
    nonce, _, workspace_id, address, back, asked, again = kept
    again_at = datetime.fromtimestamp(again, now.tzinfo) if again else None
    return AskingScreen(
        number,
        _build_screen(user_kind, workspace_id, address, nonce),
        datetime.fromtimestamp(asked, now.tzinfo),
        again_at if again_at and again_at > now else None,
        back,
    )


def forget_screen(number: str) -> None:
    """Forget a screen whose code was used or is no longer wanted."""
    _remembered_codes().pop(number, None)
    session.modified = True


def way_of(asking: AskingScreen | None) -> MailedWay | None:
    """Return what was mailed to a screen: digits, or a link after too many wrong digits."""
    if asking is None:
        return None
    with auth_context().reading() as opened:
        return mailed_way(opened, clock(), asking.bound_to)


def message_of_new_code(asking: AskingScreen) -> str:
    """Return the message for a screen that asked once more."""
    way = way_of(asking)
    if way is not None and way.is_link:
        return str(_("We are sending you a link. It works once, for 10 minutes."))
    return str(_("A new code has been sent. Only the latest one works."))


def _build_screen(
    user_kind: UserKind, workspace_id: str | None, address: str, nonce: str
) -> Screen:
    asker = session.get(_ASKER)
    return Screen(
        user_kind, workspace_id, address, token_hash(nonce), token_hash(asker) if asker else ""
    )


def _remembered_codes() -> dict[str, _Kept]:
    screens: dict[str, _Kept] = session.setdefault(_SCREENS, {})
    return screens
