"""Opening a workspace by a one-time link."""

from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.access.invitations import sign_in_invited
from pms.access.members import add_member, check_name
from pms.access.models import Person, WorkspaceOpening
from pms.access.passwords import new_password_hash
from pms.access.session_openings import OpenedSession
from pms.access.sessions import AuthContext, Visitor
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.tokens import token_hash
from pms.rules.addresses import company_word, folded_address
from pms.rules.enumerations import StaffRole
from pms.workspaces.new_workspaces import open_workspace
from pms.workspaces.slugs import check_workspace_slug, free_workspace_slug


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
        # Delete the link; of two concurrent uses the second finds no row to delete.
        used = session.execute(
            delete(WorkspaceOpening)
            .where(
                WorkspaceOpening.token_hash == token_hash(token),
                WorkspaceOpening.expires_at > auth.clock.now(),
            )
            .returning(WorkspaceOpening.token_hash)
        ).all()
        if not used:
            raise NotFound("This link has been used or has expired.")
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
