"""Mails the codes that were asked for, or links instead, to those addresses that somebody has."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.code_sign_in import link_token
from pms.access.mailed_codes import digits_of
from pms.access.models import Member, Person, SignInCode
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.tokens import Signer
from pms.rules.enumerations import Door
from pms.rules.sign_in_codes import CODE_LIFE
from pms.workspaces.models import Workspace

_MOST_AT_ONCE: Final = 50


class Recipient(NamedTuple):
    """Whom a code is for: the workspace that writes, its name and hue, the language of the mail.

    `door_path` is where the pages of the door begin, in front of `/sign-in`.
    """

    workspace_id: str
    operator: str
    locale: str
    hue: int
    door_path: str = ""


Recipients = Mapping[Door, Callable[[Session, SignInCode], Recipient | None]]


def mail_codes(
    session: Session, clock: Clock, signer: Signer, recipients: Recipients, *, base_url: str
) -> int:
    """Put the due codes into the outbox; return how many leave.

    A code that a newer one of the same browser replaced or that is too old to be of use is left
    out.
    """
    due = (
        select(SignInCode)
        .where(SignInCode.mail_due_at <= clock.now())
        .order_by(SignInCode.id.desc())
        .limit(_MOST_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    asked: set[tuple[Door, str | None, str, str]] = set()
    leaving = 0
    for code in session.scalars(due):
        code.mail_due_at = None
        whose = (code.door, code.workspace_id, code.address, code.asker_hash)
        recipient = recipients[code.door](session, code) if whose not in asked else None
        asked.add(whose)
        if recipient is not None and clock.now() - code.sent_at < CODE_LIFE:
            _put(session, clock, signer, code, recipient, base_url=base_url)
            leaving += 1
    session.flush()
    return leaving


def staff_recipient(session: Session, code: SignInCode) -> Recipient | None:
    """Return the member of staff whose address this is."""
    return recipient_of(session, code.address)


def recipient_of(session: Session, address: str) -> Recipient | None:
    """Return how a member of staff is written to; the first of several workspaces writes."""
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


def _put(
    session: Session,
    clock: Clock,
    signer: Signer,
    code: SignInCode,
    recipient: Recipient,
    *,
    base_url: str,
) -> None:
    told = (
        {"link": f"{base_url}{recipient.door_path}/sign-in/link/{link_token(signer, code)}"}
        if code.is_link
        else {"code": digits_of(signer, code)}
    )
    text = mail_text(
        "sign-in-link" if code.is_link else "sign-in-code",
        recipient.locale,
        hue=recipient.hue,
        operator=recipient.operator,
        minutes=int(CODE_LIFE.total_seconds()) // 60,
        **told,
    )
    mail = put_mail(session, clock, recipient=code.address, is_urgent=True, **text._asdict())
    mail.workspace_id = recipient.workspace_id
