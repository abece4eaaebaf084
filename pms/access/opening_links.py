"""Making the one-time links that open a workspace: the first one of an installation, and later ones."""

from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.access.auth_tries import Subject, count_try
from pms.access.models import WorkspaceOpening
from pms.access.sessions import Visitor
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import new_token, token_hash
from pms.foundation.translations import translate_both
from pms.rules.request_budget import SIGN_UPS
from pms.workspaces.models import Workspace

PRODUCT: Final = translate_both("Property Management Service")
"""What signs the mail of a sign-up: the reader knows no workspace of this installation."""
_HUE: Final = 250
LIFE: Final = timedelta(days=7)
_START: Final = "start"
_SIGN_UP: Final = "sign-up"
_MOST_A_DAY: Final = 100


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
