"""Codes that are mailed for sign-in: requesting one and counting requests."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.access.auth_tries import Subject, count_try, has_tried, is_over_allowance
from pms.access.models import SignInCode
from pms.access.sessions import Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import Signer, new_token, token_hash
from pms.rules.enumerations import Proof, SignInEventKind, UserKind
from pms.rules.request_budget import (
    CODES_OF_ADDRESS,
    CODES_OF_ASKER,
    CODES_OF_CLIENT,
    CODES_OF_NETWORK,
)
from pms.rules.sign_in_codes import (
    CODE_DIGITS,
    CODE_LIFE,
    GUESSES_WITHIN,
    CodeAsker,
    ends_code,
    takes_link,
)

_PURPOSE: Final = "sign-in code"


class Screen(NamedTuple):
    """What a code is bound to: the kind of user, the workspace, the address, the requesting screen.

    `nonce_hash` identifies the screen, `asker_hash` its browser; a screen of staff belongs to
    no workspace.
    """

    user_kind: UserKind
    workspace_id: str | None
    address: str
    nonce_hash: str
    asker_hash: str = ""

    @property
    def account(self) -> str:
        """The key under which tries for this address are counted."""
        return f"{self.user_kind}\x1f{self.workspace_id or ''}\x1f{self.address}"


def digits_of(signer: Signer, code: SignInCode) -> str:
    """Return the six digits, derived from the row's nonce and the program's secret key."""
    return _digits_by_each_key(signer, code)[0]


def has_digits(signer: Signer, code: SignInCode, digits: str) -> bool:
    """Whether these are the digits, compared in constant time."""
    by_each_key = _digits_by_each_key(signer, code)
    matches = [compare_digest(expected.encode(), digits.encode()) for expected in by_each_key]
    return any(matches)


def _digits_by_each_key(signer: Signer, code: SignInCode) -> list[str]:
    derived = signer.derived_from_each(_PURPOSE, code.id, code.salt, code.address)
    numbers = [int.from_bytes(digest) for digest in derived]
    return [f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}" for number in numbers]


_STILL_SHOWN: Final = 6 * CODE_LIFE
"""How long an expired code is still reported as expired."""


class MailedWay(NamedTuple):
    """How an account signs in now, by digits or by a link, and whether a mail was sent."""

    is_link: bool
    is_sent: bool


def sent_codes(session: Session, clock: Clock, screen: Screen) -> Sequence[SignInCode]:
    """Return the account's codes, locked, newest first, including recently expired ones."""
    return session.scalars(
        select(SignInCode)
        .where(*_of_account(clock, screen, _STILL_SHOWN))
        .order_by(SignInCode.sent_at.desc(), SignInCode.id.desc())
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()


def asker_of(code: SignInCode) -> CodeAsker:
    """Return from where a code was asked for."""
    return CodeAsker(code.asker_hash, code.network_hash, code.is_over_allowance)


def is_ended(code: SignInCode, later: Iterable[SignInCode]) -> bool:
    """Whether one of the account's later codes has ended a code."""
    own = asker_of(code)
    return any(ends_code(asker_of(each), own) for each in later)


def wrong_tries_of_day(session: Session, clock: Clock, screen: Screen) -> int:
    """Return the number of wrong digits in the last day, over all codes of the account."""
    asked = select(func.sum(SignInCode.wrong_tries)).where(
        *_of_account(clock, screen, GUESSES_WITHIN)
    )
    return int(session.scalar(asked) or 0)


def mailed_way(session: Session, clock: Clock, screen: Screen) -> MailedWay:
    """Return what the requesting screen waits for: digits, or a link."""
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
        SignInCode.user_kind == screen.user_kind,
        of_workspace,
        SignInCode.sent_at > clock.now() - within,
    )


NOT_YET: Final = timedelta(0)


class AskedCode(NamedTuple):
    """When a code was requested; with a `wait` none is sent and the live one stays valid."""

    asked_at: datetime
    wait: timedelta = NOT_YET


def request_code(
    session: Session, clock: Clock, screen: Screen, *, visitor: Visitor, locale: str
) -> AskedCode:
    """Store a code for the screen; it ends the older ones that `ends_code` names.

    The worker looks the address up and mails the code, or nothing: so a known and an unknown
    address take the same steps here. Nothing is stored after too many requests. After too many
    wrong tries in a day a link is mailed instead.
    """
    asked_at = clock.now()
    wait = _count(session, clock, screen, visitor)
    if wait:
        return AskedCode(asked_at, wait)
    session.add(
        SignInCode(
            id=new_id(),
            user_kind=screen.user_kind,
            workspace_id=screen.workspace_id,
            address=screen.address,
            locale=locale,
            screen_hash=screen.nonce_hash,
            asker_hash=screen.asker_hash,
            network_hash=token_hash(visitor.client),
            is_over_allowance=any(
                is_over_allowance(session, subject) for subject in _asking_subjects(screen, visitor)
            ),
            is_link=takes_link(wrong_tries_of_day(session, clock, screen)),
            salt=new_token(),
            sent_at=asked_at,
            mail_due_at=asked_at,
        )
    )
    note_event(
        session,
        clock,
        SignInEventKind.CODE_ASKED,
        visitor,
        user_kind=screen.user_kind,
        workspace_id=screen.workspace_id,
        proof=Proof.CODE,
    )
    return AskedCode(asked_at)


def _count(session: Session, clock: Clock, screen: Screen, visitor: Visitor) -> timedelta:
    """Count the request for its browser and network, then for its address.

    A browser in which the address signed in before has a count of its own, and the first request
    from a neighbourhood never waits for those from elsewhere: so strangers cannot keep the owner
    out.
    """
    account, asking = screen.account, _asking_subjects(screen, visitor)
    if visitor.known_device:
        return count_try(session, clock, asking)
    around = Subject("code around", f"{account}\x1f{visitor.neighbourhood}", CODES_OF_ADDRESS)
    everyone = Subject("code of address", account, CODES_OF_ADDRESS)
    everything = Subject("codes", visitor.client, CODES_OF_CLIENT)
    own_allowance = (*asking, everything, around)
    has_asked = has_tried(session, around)
    return count_try(session, clock, (*own_allowance, everyone) if has_asked else own_allowance)


def _asking_subjects(screen: Screen, visitor: Visitor) -> tuple[Subject, ...]:
    """Return whose requests are counted first: the browser's, and those of its network.

    A browser in which the address signed in before has a count of its own alone.
    """
    account = screen.account
    browser = visitor.known_device or screen.asker_hash
    own = Subject("code", f"{account}\x1f{browser}", CODES_OF_ASKER)
    if visitor.known_device:
        return (own,)
    return own, Subject("code of network", f"{account}\x1f{visitor.client}", CODES_OF_NETWORK)
