"""One-time links that open a workspace: the first one of an installation, and later ones."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.access.auth_tries import Subject, count_try
from pms.access.invitations import sign_in_invited
from pms.access.members import add_member, check_name
from pms.access.models import Person, WorkspaceOpening
from pms.access.passwords import new_password_hash
from pms.access.sessions import AuthContext, OpenedSession, Visitor
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import new_token, token_hash
from pms.rules.addresses import company_word, folded_address
from pms.rules.enumerations import StaffRole
from pms.rules.request_budget import SIGN_UPS
from pms.workspaces.models import Workspace
from pms.workspaces.queries import open_workspace
from pms.workspaces.slugs import check_workspace_slug, free_workspace_slug

PRODUCT: Final = Bilingual("物件管理サービス", "Property Management Service")
"""What signs the mail of a sign-up: the reader knows no workspace of this installation."""
_HUE: Final = 250
LIFE: Final = timedelta(days=7)
_START: Final = "start"
_SIGN_UP: Final = "sign-up"
_MOST_A_DAY: Final = 100


class NewOperator(NamedTuple):
    """The workspace to open, and its first operator.

    Without a slug it gets one made of `words`, of the operator's company address, or by chance.
    """

    slug: str | None
    words: tuple[str, ...]
    workspace: str
    workspace_en: str | None
    name: str
    email: str
    password: str
    locale: str


class Opened(NamedTuple):
    """An opened workspace; without a session its operator had an account already."""

    slug: str
    session: OpenedSession | None


def make_opening(session: Session, clock: Clock, *, made_by: str, email: str | None = None) -> str:
    """Return the token of a new one-time link; the session writes across workspaces."""
    token = new_token()
    session.add(
        WorkspaceOpening(
            token_hash=token_hash(token),
            made_by=made_by,
            email=email,
            made_at=clock.now(),
            expires_at=clock.now() + LIFE,
        )
    )
    session.flush()
    return token


def make_first_opening(session: Session, clock: Clock) -> str:
    """Return the token of the link printed at start; the link of an earlier start is deleted."""
    session.execute(delete(WorkspaceOpening).where(WorkspaceOpening.made_by == _START))
    return make_opening(session, clock, made_by=_START)


def is_open(session: Session, clock: Clock, token: str) -> bool:
    """Whether a link can still open a workspace."""
    asked = select(func.count()).where(
        WorkspaceOpening.token_hash == token_hash(token),
        WorkspaceOpening.expires_at > clock.now(),
    )
    return bool(session.scalar(asked))


def opened_for(session: Session, token: str) -> str | None:
    """Return the address a one-time link was mailed to, which following it confirms."""
    asked = select(WorkspaceOpening.email).where(WorkspaceOpening.token_hash == token_hash(token))
    return session.scalar(asked)


def may_sign_up(session: Session) -> bool:
    """Whether there is a workspace whose outbox can send the mail."""
    return _first_workspace(session) is not None


def ask_to_sign_up(
    session: Session, clock: Clock, visitor: Visitor, *, base_url: str, locale: str
) -> None:
    """Mail a one-time link to the visitor's address; the session writes across workspaces.

    The outcome is not revealed: too many requests, or too many on one day, mail nothing, and an
    address that has an account is mailed like any other.
    """
    subjects = (
        Subject("sign-ups", visitor.client, SIGN_UPS),
        Subject("sign-ups of", visitor.address, SIGN_UPS),
    )
    first = _first_workspace(session)
    if first is None or _count_made_today(session, clock) >= _MOST_A_DAY:
        return
    if count_try(session, clock, subjects):
        return
    token = make_opening(session, clock, made_by=_SIGN_UP, email=visitor.address)
    text = mail_text(
        "sign-up",
        locale,
        hue=_HUE,
        operator=PRODUCT.in_language(locale),
        link=f"{base_url}/open/{token}",
        days=LIFE.days,
    )
    mail = put_mail(session, clock, recipient=visitor.address, is_urgent=True, **text._asdict())
    mail.workspace_id, mail.sender_name = first.id, PRODUCT.in_language(locale)


def _first_workspace(session: Session) -> Workspace | None:
    """The workspace that was opened first: that of the installation's operator."""
    own = select(Workspace).where(Workspace.sample_of.is_(None))
    return session.scalars(own.order_by(Workspace.created_at, Workspace.id).limit(1)).first()


def _count_made_today(session: Session, clock: Clock) -> int:
    asked = select(func.count()).where(
        WorkspaceOpening.made_by == _SIGN_UP,
        WorkspaceOpening.made_at > clock.now() - timedelta(days=1),
    )
    return session.scalar(asked) or 0


def open_by_address(auth: AuthContext, token: str, new: NewOperator, visitor: Visitor) -> Opened:
    """Open the workspace of a link, once, and sign its operator in; all in one transaction.

    A person with an account keeps name and password and signs in as usual. Raises `NotFound` for a
    used or expired link, `Refused` for a bad slug, name, address or password, `Collision` for a
    slug that is taken.
    """
    check_name(new.name)
    with auth.reading() as reading:
        # Following a mailed link confirmed that address; the link opens a workspace for no other.
        new = new._replace(email=opened_for(reading, token) or new.email)
    names = (new.name, new.workspace, new.workspace_en, new.slug)
    hash_ = new_password_hash(auth.passwords, new.password, folded_address(new.email), names)

    def act(session: Session) -> Opened:
        _use_link(session, auth.clock, token)
        return _open_for_operator(session, auth, new, visitor, password_hash=hash_)

    return auth.database.write_across_workspaces(act)


def _open_for_operator(
    session: Session, auth: AuthContext, new: NewOperator, visitor: Visitor, *, password_hash: str
) -> Opened:
    """Open the workspace with its operator, who is signed in unless they had an account before."""
    email = folded_address(new.email)
    company = company_word(email)
    words = (*new.words, company) if company else new.words
    slug = check_workspace_slug(new.slug) if new.slug else free_workspace_slug(session, words)
    is_known = session.scalar(select(Person.id).where(Person.email == email)) is not None
    workspace_id = open_workspace(
        session, auth.clock, slug=slug, name=new.workspace, name_en=new.workspace_en
    )
    place = add_member(
        session,
        auth.clock,
        workspace_id=workspace_id,
        email=new.email,
        name=new.name,
        role=StaffRole.OPERATOR,
        locale=new.locale,
        password_hash=password_hash,
    )
    if is_known:
        return Opened(slug, None)
    opened = sign_in_invited(
        session, auth, visitor, person_id=place.person_id, workspace_id=workspace_id
    )
    return Opened(slug, opened)


def _use_link(session: Session, clock: Clock, token: str) -> None:
    """Delete the link; of two concurrent uses the second finds no row to delete."""
    used = session.execute(
        delete(WorkspaceOpening)
        .where(
            WorkspaceOpening.token_hash == token_hash(token),
            WorkspaceOpening.expires_at > clock.now(),
        )
        .returning(WorkspaceOpening.token_hash)
    ).all()
    if not used:
        raise NotFound("This link has been used or has expired.")
