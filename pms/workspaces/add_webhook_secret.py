"""Keeps a secret that deliveries are checked with; the ones before it stay good for a day."""

from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Sealer
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.rules.deeds import Deed
from pms.workspaces.models import WebhookSecret

OVERLAP: Final = timedelta(hours=24)
"""How long what was signed before a change is still taken."""
_LEAST: Final = 8
_MOST: Final = 400
_MOST_AT_ONCE: Final = 10
_SHOWN: Final = 4


def add_webhook_secret(
    session: Session,
    clock: Clock,
    actor: str,
    sealer: Sealer,
    *,
    source: WebhookSource,
    purpose: SecretPurpose,
    secret: str,
    replaces: bool = True,
) -> str:
    """Seal a secret of a source and return its id; with `replaces` older ones retire in a day.

    Raises `Refused` naming the field, and `Collision` for a secret that is there already.
    """
    secret = _checked(secret)
    if purpose is SecretPurpose.HANDSHAKE and source is not WebhookSource.WHATSAPP:
        raise Refused("purpose: only WhatsApp asks for a handshake.")
    if source is WebhookSource.OTA:
        raise Refused("source: what relays messages of portals carries a key, not a secret.")
    older = _good_ones(session, clock, source, purpose)
    if any(_is_same(session, sealer, one, secret) for one in older):
        raise Collision("secret: this one is set already.")
    if len(older) >= _MOST_AT_ONCE:
        raise Refused("secret: {most} are good at once at most.", most=_MOST_AT_ONCE)
    row = WebhookSecret(
        id=new_id(),
        source=source,
        purpose=purpose,
        sealed_secret=seal(sealer, workspace_of(session), secret),
        hint=secret[-_SHOWN:],
        added_at=clock.now(),
        added_by=actor,
    )
    session.add(row)
    for one in older if replaces else ():
        one.retires_at = min(one.retires_at or clock.now() + OVERLAP, clock.now() + OVERLAP)
        one.version += 1
    # Neither the secret nor its end: who reads the audit need not know which one it is.
    told = {"source": source.value, "purpose": purpose.value, "replaces": replaces}
    about = of_workspace(session)
    note_deed(session, clock, actor, Deed.WEBHOOK_SECRET_ADDED, about, after=told)
    session.flush()
    return row.id


def _good_ones(
    session: Session, clock: Clock, source: WebhookSource, purpose: SecretPurpose
) -> list[WebhookSecret]:
    asked = select(WebhookSecret).where(
        WebhookSecret.source == source, WebhookSecret.purpose == purpose
    )
    rows = session.scalars(asked.order_by(WebhookSecret.id).with_for_update())
    return [row for row in rows if row.retires_at is None or row.retires_at > clock.now()]


def _is_same(session: Session, sealer: Sealer, row: WebhookSecret, secret: str) -> bool:
    try:
        return unseal(sealer, workspace_of(session), row.sealed_secret) == secret
    except UnreadableSecretError:
        return False


def _checked(secret: str) -> str:
    secret = secret.strip()
    if not _LEAST <= len(secret) <= _MOST or not secret.isascii() or not secret.isprintable():
        raise Refused(
            "secret: {least} to {most} letters, digits and signs are allowed.",
            least=_LEAST,
            most=_MOST,
        )
    return secret
