"""Codes that are mailed for sign-in: requesting one and counting requests."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final, NamedTuple, TypeVar

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
    LINKS_OF_CLIENT,
)
from pms.rules.sign_in_codes import (
    CODE_DIGITS,
    CODE_LIFE,
    GUESSES_WITHIN,
    CodeAnswer,
    CodeAsker,
    SentCode,
    ends_code,
    refusal_of_code,
    takes_link,
)

_PURPOSE: Final = "sign-in code"


class Screen(NamedTuple):
    """What a code is bound to: the kind of user, the workspace, the address, the requesting screen.

    `nonce_hash` identifies the screen, `asker_hash` its browser; a screen of staff belongs to
    no workspace. With a `person_id` the code opens nothing: it proves the address that this member
    of staff is about to take.
    """

    user_kind: UserKind
    workspace_id: str | None
    address: str
    nonce_hash: str
    asker_hash: str = ""
    person_id: str | None = None

    @property
    def account(self) -> str:
        """The key under which tries for this address, or for a person's new one, are counted."""
        if self.person_id is not None:
            return f"new address\x1f{self.person_id}"
        return f"{self.user_kind}\x1f{self.workspace_id or ''}\x1f{self.address}"


def screen_of_code(code: SignInCode) -> Screen:
    """Return the screen that a code is bound to."""
    return Screen(
        code.user_kind,
        code.workspace_id,
        code.address,
        code.screen_hash,
        code.asker_hash,
        code.person_id,
    )


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


Accepted = TypeVar("Accepted")


def try_digits(
    session: Session,
    clock: Clock,
    signer: Signer,
    screen: Screen,
    digits: str,
    *,
    accept: Callable[[Session], Accepted | None],
) -> tuple[CodeAnswer, Accepted | None]:
    """Try digits on a screen; right ones are used up by what `accept` returns.

    The account's codes are locked: concurrent tries are counted one by one, and one succeeds. When
    `accept` returns `None`, the right digits are answered as wrong ones.
    """
    sent = sent_codes(session, clock, screen)
    own = [code for code in sent if code.screen_hash == screen.nonce_hash]
    code = own[0] if own else None
    refusal = refusal_of_code(_newest_seen_code(code, sent), clock.now(), code is not None)
    if code is None or refusal is not None:
        return refusal or CodeAnswer.OTHER_SCREEN, None
    wrong_tries = wrong_tries_of_day(session, clock, screen)
    if code.is_link or takes_link(wrong_tries):
        return CodeAnswer.LINK_INSTEAD, None
    if has_digits(signer, code, digits):
        accepted = accept(session)
        if accepted is not None:
            code.used_at = clock.now()
            return CodeAnswer.OPENS, accepted
    elif any(has_digits(signer, older, digits) for older in own[1:]):
        return CodeAnswer.REPLACED, None
    code.wrong_tries += 1
    if takes_link(wrong_tries + 1):
        return CodeAnswer.LINK_INSTEAD, None
    # The fifth wrong try invalidates the code, and its answer says so.
    again = refusal_of_code(_newest_seen_code(code, sent), clock.now(), True)
    return again or CodeAnswer.WRONG, None


def _newest_seen_code(code: SignInCode | None, sent: Sequence[SignInCode]) -> SentCode | None:
    if code is None:
        return None
    later = sent[: sent.index(code)]
    is_newest = not is_ended(code, later)
    return SentCode(code.sent_at, is_newest, code.wrong_tries, code.used_at is not None)


def mailed_way(session: Session, clock: Clock, screen: Screen) -> MailedWay:
    """Return what the requesting screen waits for: digits, or a link."""
    newest = session.scalars(
        select(SignInCode)
        .where(*_of_account(clock, screen, CODE_LIFE), SignInCode.screen_hash == screen.nonce_hash)
        .order_by(SignInCode.sent_at.desc(), SignInCode.id.desc())
    ).first()
    if newest is not None and newest.is_link:
        return MailedWay(is_link=True, is_sent=newest.used_at is None)
    if newest is None and _has_live_link(session, clock, screen, CODE_LIFE):
        return MailedWay(is_link=True, is_sent=True)
    return MailedWay(takes_link(wrong_tries_of_day(session, clock, screen)), is_sent=False)


def _has_live_link(session: Session, clock: Clock, screen: Screen, within: timedelta) -> bool:
    """Whether a link was mailed to the account within a time and can still be used."""
    live = select(SignInCode.id).where(
        *_of_account(clock, screen, within), SignInCode.is_link, SignInCode.used_at.is_(None)
    )
    return session.scalar(live.limit(1)) is not None


def _of_account(clock: Clock, screen: Screen, within: timedelta) -> tuple[ColumnElement[bool], ...]:
    sent_lately = SignInCode.sent_at > clock.now() - within
    if screen.person_id is not None:
        # Codes to whichever addresses the person asked to take: the newest of all works.
        return SignInCode.person_id == screen.person_id, sent_lately
    of_workspace = (
        SignInCode.workspace_id == screen.workspace_id
        if screen.workspace_id
        else SignInCode.workspace_id.is_(None)
    )
    return (
        SignInCode.address == screen.address,
        SignInCode.user_kind == screen.user_kind,
        SignInCode.person_id.is_(None),
        of_workspace,
        sent_lately,
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
    address take the same steps here. Only a browser that asks too often has to wait. When others
    ask too often for the address or from the network, a link is mailed, which works in any browser,
    and none while one can still be used: so nobody keeps another person out, and the mails of an
    hour are few. A link is also mailed after too many wrong tries in a day. A code for a new address
    is asked for by who is signed in, so no others are counted with them.
    """
    asked_at = clock.now()
    own, network = _asking_subjects(screen, visitor)
    is_alone = bool(visitor.known_device or screen.person_id)
    shared = () if is_alone else _shared_subjects(session, screen, visitor, network)
    wait = count_try(session, clock, (own,))
    is_crowded = not wait and bool(count_try(session, clock, shared))
    if is_crowded:
        wait = count_try(session, clock, (Subject("links", visitor.client, LINKS_OF_CLIENT),))
    if wait or (is_crowded and _has_live_link(session, clock, screen, CODE_LIFE / 2)):
        return AskedCode(asked_at, wait)
    asking = (own,) if is_alone else (own, network)
    session.add(
        SignInCode(
            id=new_id(),
            user_kind=screen.user_kind,
            workspace_id=screen.workspace_id,
            address=screen.address,
            person_id=screen.person_id,
            locale=locale,
            screen_hash=screen.nonce_hash,
            asker_hash=screen.asker_hash,
            network_hash=token_hash(visitor.client),
            is_over_allowance=is_crowded
            or any(is_over_allowance(session, subject) for subject in asking),
            is_link=is_crowded or takes_link(wrong_tries_of_day(session, clock, screen)),
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


def _asking_subjects(screen: Screen, visitor: Visitor) -> tuple[Subject, Subject]:
    """Return what counts the requests of a browser for the account, and those of its network."""
    browser = visitor.known_device or screen.asker_hash
    return (
        Subject("code", f"{screen.account}\x1f{browser}", CODES_OF_ASKER),
        Subject("code of network", f"{screen.account}\x1f{visitor.client}", CODES_OF_NETWORK),
    )


def _shared_subjects(
    session: Session, screen: Screen, visitor: Visitor, network: Subject
) -> tuple[Subject, ...]:
    """Return what a browser shares with others: its network, the account, the account's networks.

    The first request from a neighbourhood does not count with those from elsewhere.
    """
    around = Subject(
        "code around", f"{screen.account}\x1f{visitor.neighbourhood}", CODES_OF_ADDRESS
    )
    everything = Subject("codes", visitor.client, CODES_OF_CLIENT)
    everyone = Subject("code of address", screen.account, CODES_OF_ADDRESS)
    shared = (network, everything, around)
    return (*shared, everyone) if has_tried(session, around) else shared
