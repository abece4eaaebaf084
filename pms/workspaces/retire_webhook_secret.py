"""Retires a secret that deliveries are checked with, at once."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.workspaces.models import WebhookSecret


def retire_webhook_secret(session: Session, clock: Clock, actor: str, *, secret_id: str) -> bool:
    """Let a secret be good no longer from now on; tell whether it was. Raises `NotFound`."""
    asked = select(WebhookSecret).where(WebhookSecret.id == secret_id).with_for_update()
    row = session.scalar(asked) if is_id(secret_id) else None
    if row is None:
        raise NotFound("There is no webhook secret '{secret_id}'.", secret_id=secret_id[:60])
    if row.retires_at is not None and row.retires_at <= clock.now():
        return False
    row.retires_at, row.version = clock.now(), row.version + 1
    told = {"source": row.source.value, "purpose": row.purpose.value}
    about = of_workspace(session)
    note_deed(session, clock, actor, Deed.WEBHOOK_SECRET_RETIRED, about, before=told)
    session.flush()
    return True
