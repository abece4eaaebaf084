"""Secrets for verifying webhooks: adding and retiring them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Signer
from pms.foundation.work import Work, find_row, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.workspaces.models import WebhookSecret

OVERLAP: Final = timedelta(hours=24)
"""How long events signed with the previous secret are still accepted."""
_LEAST: Final = 8
_MOST: Final = 400
_MOST_AT_ONCE: Final = 10
_SHOWN: Final = 4


def add_webhook_secret(
    work: Work,
    signer: Signer,
    *,
    source: WebhookSource,
    purpose: SecretPurpose,
    secret: str,
    replaces: bool = True,
) -> str:
    """Seal a source's secret and return its id; with `replaces` older ones retire in a day.

    Raises `Refused` naming the field, and `Collision` for a secret that is stored already.
    """
    secret = _check_secret(secret)
    if purpose is SecretPurpose.HANDSHAKE and source is not WebhookSource.WHATSAPP:
        raise Refused("purpose: only WhatsApp checks the connection.")
    if source is WebhookSource.OTA:
        raise Refused("source: the relay of booking sites uses a key, not a secret.")
    asked = select(WebhookSecret).where(
        WebhookSecret.source == source, WebhookSecret.purpose == purpose
    )
    rows = work.session.scalars(asked.order_by(WebhookSecret.id).with_for_update())
    older = [row for row in rows if row.retires_at is None or row.retires_at > work.clock.now()]
    if any(_is_same(work.session, signer, known, secret) for known in older):
        raise Collision("secret: this secret is already set.")
    if len(older) >= _MOST_AT_ONCE:
        raise Refused("secret: at most {most} can be active at once.", most=_MOST_AT_ONCE)
    row = WebhookSecret(
        id=new_id(),
        source=source,
        purpose=purpose,
        sealed_secret=seal(signer, workspace_of(work.session), secret),
        hint=secret[-_SHOWN:],
        added_at=work.clock.now(),
        added_by=work.actor,
    )
    work.session.add(row)
    _retire_in_a_day(older if replaces else (), work.clock)
    # Neither the secret nor its end: readers of the audit need not know which one it is.
    facts = {"source": source.value, "purpose": purpose.value, "replaces": replaces}
    about = of_workspace(work.session)
    note_audit_event(work, AuditEvent.WEBHOOK_SECRET_ADDED, about, after=facts)
    work.session.flush()
    return row.id


def _retire_in_a_day(older: Iterable[WebhookSecret], clock: Clock) -> None:
    latest = clock.now() + OVERLAP
    for row in older:
        row.retires_at = min(row.retires_at or latest, latest)
        row.version += 1


def _is_same(session: Session, signer: Signer, row: WebhookSecret, secret: str) -> bool:
    try:
        return unseal(signer, workspace_of(session), row.sealed_secret) == secret
    except UnreadableSecretError:
        return False


def _check_secret(secret: str) -> str:
    secret = secret.strip()
    if not _LEAST <= len(secret) <= _MOST or not secret.isascii() or not secret.isprintable():
        raise Refused(
            "secret: enter {least} to {most} letters, digits and signs.",
            least=_LEAST,
            most=_MOST,
        )
    return secret


def retire_webhook_secret(work: Work, *, secret_id: str) -> bool:
    """Invalidate a secret from now on; whether it was valid. Raises `NotFound`."""
    row = locked(work.session, WebhookSecret, secret_id)
    if row.retires_at is not None and row.retires_at <= work.clock.now():
        return False
    row.retires_at, row.version = work.clock.now(), row.version + 1
    facts = {"source": row.source.value, "purpose": row.purpose.value}
    about = of_workspace(work.session)
    note_audit_event(work, AuditEvent.WEBHOOK_SECRET_RETIRED, about, before=facts)
    work.session.flush()
    return True


class WebhookSecretRecord(NamedTuple):
    """A stored secret: `hint` is its end, `retires_at` when it becomes invalid."""

    id: str
    source: WebhookSource
    purpose: SecretPurpose
    hint: str
    added_at: datetime
    added_by: str
    retires_at: datetime | None
    version: int


def webhook_secrets(session: Session, clock: Clock) -> Sequence[WebhookSecretRecord]:
    """Return the secrets that are valid now, newest of each source first."""
    is_good = or_(WebhookSecret.retires_at.is_(None), WebhookSecret.retires_at > clock.now())
    asked = (
        select(WebhookSecret)
        .where(is_good)
        .order_by(WebhookSecret.source, WebhookSecret.added_at.desc(), WebhookSecret.id.desc())
    )
    return [_build_record(row) for row in session.scalars(asked)]


def webhook_secret(session: Session, secret_id: str) -> WebhookSecretRecord:
    """Return one secret's record, without the secret; raise `NotFound` for an unknown id."""
    row = find_row(session, WebhookSecret, secret_id)
    return _build_record(row)


def _build_record(row: WebhookSecret) -> WebhookSecretRecord:
    return WebhookSecretRecord(*(getattr(row, name) for name in WebhookSecretRecord._fields))
