"""Questions about the codes that an account was sent, whatever its address is worth."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.models import SignInCode
from pms.foundation.clock import Clock
from pms.rules.sign_in_codes import CODE_LIFE, GUESSES_WITHIN, takes_link

_STILL_TOLD: Final = 6 * CODE_LIFE
"""So long it is still told of a code that it expired."""


class MailedWay(NamedTuple):
    """How an account is let in today: by digits, or by a link, and whether one is on its way."""

    is_link: bool
    is_sent: bool


def sent_codes(session: Session, clock: Clock, screen: Screen) -> Sequence[SignInCode]:
    """Return the account's codes, locked, the newest first, and those expired not long ago."""
    return session.scalars(
        select(SignInCode)
        .where(*_of_account(clock, screen, _STILL_TOLD))
        .order_by(SignInCode.sent_at.desc(), SignInCode.id.desc())
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()


def wrong_tries_of_day(session: Session, clock: Clock, screen: Screen) -> int:
    """Return how often digits were guessed wrong in a day, over all codes of the account."""
    asked = select(func.sum(SignInCode.wrong_tries)).where(
        *_of_account(clock, screen, GUESSES_WITHIN)
    )
    return int(session.scalar(asked) or 0)


def mailed_way(session: Session, clock: Clock, screen: Screen) -> MailedWay:
    """Return what a screen that asked is to wait for: digits, or a link."""
    newest = session.scalars(
        select(SignInCode)
        .where(*_of_account(clock, screen, CODE_LIFE), SignInCode.screen_hash == screen.nonce_hash)
        .order_by(SignInCode.sent_at.desc(), SignInCode.id.desc())
    ).first()
    if newest is not None and newest.is_link:
        return MailedWay(is_link=True, is_sent=newest.used_at is None)
    return MailedWay(takes_link(wrong_tries_of_day(session, clock, screen)), is_sent=False)


def _of_account(clock: Clock, screen: Screen, within: timedelta) -> tuple[ColumnElement[bool], ...]:
    of_workspace = (
        SignInCode.workspace_id == screen.workspace_id
        if screen.workspace_id
        else SignInCode.workspace_id.is_(None)
    )
    return (
        SignInCode.address == screen.address,
        SignInCode.door == screen.door,
        of_workspace,
        SignInCode.sent_at > clock.now() - within,
    )
