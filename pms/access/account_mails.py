"""Mails to a person about changes of how they sign in."""

from typing import Any

from sqlalchemy.orm import Session

from pms.access.code_sign_in import recipient_of
from pms.access.models import Person
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.rules.days import JAPAN
from pms.rules.enumerations import UserKind
from pms.workspaces.page_links import page_link


def mail_change(
    session: Session, clock: Clock, person: Person, occasion: str, **facts: Any
) -> None:
    """Put the mail of a change into the outbox; nobody is told who is no member any more.

    `facts` are what the mail of this occasion says besides who, when and for which workspace.
    """
    recipient = recipient_of(session, person.email)
    if recipient is None:
        return
    text = mail_text(
        occasion,
        recipient.locale,
        hue=recipient.hue,
        operator=recipient.operator,
        name=person.name,
        changed_on=clock.today(),
        changed_at=f"{clock.now().astimezone(JAPAN):%H:%M}",
        link=page_link(session, UserKind.STAFF, "/me", person.email, recipient.workspace_id),
        **facts,
    )
    mail = put_mail(session, clock, recipient=person.email, **text._asdict())
    mail.workspace_id = recipient.workspace_id
    session.flush()
