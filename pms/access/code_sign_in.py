"""Sign-in with a mailed code, for staff and for the portals."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.auth_tries import Subject, count_try, forgive
from pms.access.mailed_codes import (
    Screen,
    digits_of,
    is_ended,
    screen_of_code,
    try_digits,
)
from pms.access.members import staff_member
from pms.access.models import Member, Person, SignInCode
from pms.access.session_openings import (
    OpenedSession,
    kind_of,
    open_portal_session,
    open_staff_session,
)
from pms.access.sessions import AuthContext, Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Signer
from pms.rules.enumerations import Proof, SignInEventKind, UserKind
from pms.rules.request_budget import TRIES_OF_ACCOUNT, TRIES_OF_CLIENT
from pms.rules.sign_in_codes import CODE_LIFE, CodeAnswer, SentCode, refusal_of_code
from pms.workspaces.models import Workspace

NOT_YET: Final = timedelta(0)
SIGN_IN_LINK: Final = "sign-in-link"
"""The purpose under which the token of a mailed link is signed; it contains the code's id."""
Opening = Callable[[Session], OpenedSession | None]
"""Opens the session of the address's owner; `None` when nobody has the address."""


class TriedCode(NamedTuple):
    """The result of trying a code: a session with `OPENS`, a wait with `SLOWED_DOWN`."""

    answer: CodeAnswer
    opened: OpenedSession | None = None
    wait: timedelta = NOT_YET


def sign_in_with_code(
    auth: AuthContext, screen: Screen, digits: str, *, visitor: Visitor, opening: Opening
) -> TriedCode:
    """Return a session when these are the digits of the newest code, sent to this screen."""
    trier = Subject("codes tried", visitor.known_device or visitor.client, TRIES_OF_CLIENT)
    own = Subject("codes tried for", f"{screen.account}\x1f{visitor.client}", TRIES_OF_ACCOUNT)

    def try_once(session: Session) -> TriedCode:
        # The first tries for an account never wait for those of others behind the same address.
        counted, wait = own, count_try(session, auth.clock, (own,))
        if wait:
            counted, wait = trier, count_try(session, auth.clock, (trier,))
        if wait:
            return TriedCode(CodeAnswer.SLOWED_DOWN, wait=wait)
        answer, opened = try_digits(
            session, auth.clock, auth.signer, screen, digits, accept=opening
        )
        tried = TriedCode(answer, opened)
        if tried.opened is not None:
            forgive(session, counted, tries=1)
        _note_try(session, auth, screen, visitor, tried)
        return tried

    return auth.write(try_once)


def _note_try(
    session: Session, auth: AuthContext, account: Screen, visitor: Visitor, tried: TriedCode
) -> None:
    """Record the result of a try."""
    if tried.opened is not None:
        kind = kind_of(tried.opened)
    elif tried.answer in (CodeAnswer.SPENT, CodeAnswer.LINK_INSTEAD):
        kind = SignInEventKind.LOCKED_OUT
    else:
        kind = SignInEventKind.FAILED
    note_event(
        session,
        auth.clock,
        kind,
        visitor,
        user_kind=account.user_kind,
        workspace_id=account.workspace_id,
        proof=Proof.CODE,
    )


def link_token(signer: Signer, code: SignInCode) -> str:
    """Return the token in the URL of a mailed link."""
    return signer.short(SIGN_IN_LINK, code.id)


def linked_account(
    auth: AuthContext, user_kind: UserKind, workspace_id: str | None, token: str
) -> Screen | None:
    """Return the account of a mailed link; `None` when the link is used, expired or unknown."""
    with auth.reading() as session:
        code = _find_code_of_link(session, auth, user_kind, workspace_id, token)
        return None if code is None else screen_of_code(code)


def sign_in_with_link(
    auth: AuthContext,
    user_kind: UserKind,
    workspace_id: str | None,
    token: str,
    opening: Callable[[Session, Screen], OpenedSession | None],
    *,
    visitor: Visitor,
) -> OpenedSession | None:
    """Return a session for a mailed link, which works once, as long as a code, on any screen."""

    def open_once(session: Session) -> OpenedSession | None:
        code = _find_code_of_link(session, auth, user_kind, workspace_id, token)
        opened = opening(session, screen_of_code(code)) if code is not None else None
        if code is not None and opened is not None:
            code.used_at = auth.clock.now()
            answer = TriedCode(CodeAnswer.OPENS, opened)
            _note_try(session, auth, screen_of_code(code), visitor, answer)
        return opened

    return auth.write(open_once)


def _find_code_of_link(
    session: Session, auth: AuthContext, user_kind: UserKind, workspace_id: str | None, token: str
) -> SignInCode | None:
    code_id = auth.signer.read_short(SIGN_IN_LINK, token)
    if code_id is None or not is_id(code_id):
        return None
    code = session.scalars(
        select(SignInCode)
        .where(SignInCode.id == code_id, SignInCode.user_kind == user_kind, SignInCode.is_link)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).first()
    if code is None or code.workspace_id != workspace_id:
        return None
    kept = SentCode(code.sent_at, True, 0, code.used_at is not None)
    return code if refusal_of_code(kept, auth.clock.now(), True) is None else None


def sign_in_staff_with_code(
    auth: AuthContext, visitor: Visitor, nonce_hash: str, digits: str
) -> TriedCode:
    """Return a session of the person who has the address, when the code is right."""
    screen = Screen(UserKind.STAFF, None, visitor.address, nonce_hash)
    return sign_in_with_code(
        auth,
        screen,
        digits,
        visitor=visitor,
        opening=lambda session: _open_staff(session, auth, screen.address, visitor),
    )


def sign_in_staff_with_link(
    auth: AuthContext, visitor: Visitor, token: str
) -> OpenedSession | None:
    """Return a session of a mailed link's person; the second factor is still required."""
    return sign_in_with_link(
        auth,
        UserKind.STAFF,
        None,
        token,
        lambda session, account: _open_staff(session, auth, account.address, visitor),
        visitor=visitor,
    )


def _open_staff(
    session: Session, auth: AuthContext, address: str, visitor: Visitor
) -> OpenedSession | None:
    person = staff_member(session, address, for_update=True)
    if person is None:
        return None
    return open_staff_session(
        session,
        auth.clock,
        person,
        proof=Proof.CODE,
        device=visitor.device,
        is_whole=False,
    )


_Known = Callable[[Session, str, str], bool]


def sign_in_to_portal(
    auth: AuthContext, screen: Screen, digits: str, *, visitor: Visitor, is_known: _Known
) -> TriedCode:
    """Return a session of the screen's address, when the code is right and the address is known.

    The address is looked up again: the office may have changed it since the mail was sent.
    """
    return sign_in_with_code(
        auth,
        screen,
        digits,
        visitor=visitor,
        opening=lambda session: _open_portal(session, auth, screen, visitor, is_known),
    )


def sign_in_to_portal_with_link(
    auth: AuthContext,
    user_kind: UserKind,
    workspace_id: str,
    token: str,
    *,
    visitor: Visitor,
    is_known: _Known,
) -> OpenedSession | None:
    """Return a session of the address of a mailed link, when it is still known."""
    return sign_in_with_link(
        auth,
        user_kind,
        workspace_id,
        token,
        lambda session, account: _open_portal(session, auth, account, visitor, is_known),
        visitor=visitor,
    )


def _open_portal(
    session: Session, auth: AuthContext, account: Screen, visitor: Visitor, is_known: _Known
) -> OpenedSession | None:
    workspace_id = account.workspace_id
    if workspace_id is None or not is_known(session, workspace_id, account.address):
        return None
    return open_portal_session(
        session,
        auth.clock,
        user_kind=account.user_kind,
        workspace_id=workspace_id,
        address=account.address,
        device=visitor.device,
    )


_MOST_AT_ONCE: Final = 50


class Recipient(NamedTuple):
    """The recipient of a code: the sending workspace, its name and hue, the language of the mail.

    `path` is the path prefix of the recipient's pages, before `/sign-in`.
    """

    workspace_id: str
    operator: str
    locale: str
    hue: int
    path: str = ""


Recipients = Mapping[UserKind, Callable[[Session, SignInCode], Recipient | None]]


def mail_codes(
    session: Session, clock: Clock, signer: Signer, recipients: Recipients, *, base_url: str
) -> int:
    """Put the due codes into the outbox; return how many were put there.

    A code that a newer one has ended, or that is too old to be useful, is left out.
    """
    due = (
        select(SignInCode)
        .where(SignInCode.mail_due_at <= clock.now())
        .order_by(SignInCode.id.desc())
        .limit(_MOST_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    asked: dict[str, list[SignInCode]] = {}
    leaving = 0
    for code in session.scalars(due):
        code.mail_due_at = None
        later = asked.setdefault(screen_of_code(code).account, [])
        recipient = None if is_ended(code, later) else recipients[code.user_kind](session, code)
        later.append(code)
        if recipient is not None and clock.now() - code.sent_at < CODE_LIFE:
            _mail_code(session, clock, signer, code, recipient, base_url=base_url)
            leaving += 1
    session.flush()
    return leaving


def staff_recipient(session: Session, code: SignInCode) -> Recipient | None:
    """Return the member of staff who has this address, or who is about to take it."""
    if code.person_id is None:
        return recipient_of(session, code.address)
    return recipient_of(session, session.get_one(Person, code.person_id).email)


def recipient_of(session: Session, address: str) -> Recipient | None:
    """Return how to write to a member of staff; the first of several workspaces is the sender."""
    row = session.execute(
        select(Workspace.id, Workspace.name, Workspace.name_en, Workspace.brand_hue, Person.locale)
        .join(Member, Member.workspace_id == Workspace.id)
        .join(Person, Person.id == Member.person_id)
        .where(
            Person.email == address,
            Person.deactivated_at.is_(None),
            Member.removed_at.is_(None),
        )
        .order_by(Member.accepted_at, Workspace.slug)
    ).first()
    if row is None:
        return None
    workspace_id, name, name_en, hue, locale = row
    return Recipient(workspace_id, (name_en or name) if locale == "en" else name, locale, hue)


def _mail_code(
    session: Session,
    clock: Clock,
    signer: Signer,
    code: SignInCode,
    recipient: Recipient,
    *,
    base_url: str,
) -> None:
    locale = recipient.locale
    if code.is_link:
        occasion = "sign-in-link"
        values = {"link": f"{base_url}{recipient.path}/sign-in/link/{link_token(signer, code)}"}
    else:
        occasion = "sign-in-code" if code.person_id is None else "address-code"
        values = {"code": digits_of(signer, code)}
    if code.person_id is not None:
        # Only who reads the mail of an address learns whether it has an account already.
        owned = session.execute(select(Person.locale).where(Person.email == code.address)).first()
        if owned is not None:
            occasion, locale, values = "address-taken", owned.locale, {"address": code.address}
    text = mail_text(
        occasion,
        locale,
        hue=recipient.hue,
        operator=recipient.operator,
        minutes=int(CODE_LIFE.total_seconds()) // 60,
        **values,
    )
    mail = put_mail(session, clock, recipient=code.address, is_urgent=True, **text._asdict())
    mail.workspace_id = recipient.workspace_id
