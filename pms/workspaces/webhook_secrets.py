"""Questions about the secrets that deliveries are checked with; nobody is shown one again."""

from collections.abc import Sequence
from datetime import datetime
from hmac import compare_digest
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Sealer
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.workspaces.models import WebhookSecret, Workspace

NOBODY: Final = "0" * 32
"""Stands for the workspace of an address that names none: it has no secrets."""
_DECOY: Final = "no delivery was ever signed with this"


class WebhookSecretRecord(NamedTuple):
    """A secret as it is kept: `hint` is its end, `retires_at` when it is good no longer."""

    id: str
    source: WebhookSource
    purpose: SecretPurpose
    hint: str
    added_at: datetime
    added_by: str
    retires_at: datetime | None
    version: int


def workspace_addressed(session: Session, slug: str) -> str:
    """Return the id of the workspace an address names, `NOBODY` when there is none."""
    return session.scalar(select(Workspace.id).where(Workspace.slug == slug)) or NOBODY


def active_secrets(
    session: Session,
    clock: Clock,
    sealer: Sealer,
    source: WebhookSource,
    purpose: SecretPurpose = SecretPurpose.SIGNATURE,
) -> Sequence[str]:
    """Return the secrets that are good now; a decoy where there are none.

    So as much is opened and compared for a workspace that does not exist as for one that does.
    """
    owner = workspace_of(session)
    sealed = session.scalars(_good(clock.now(), source, purpose)).all()
    found = [secret for one in sealed if (secret := _opened(sealer, owner, one))]
    return found or [_opened(sealer, owner, seal(sealer, owner, _DECOY)) or _DECOY]


def is_handshake(
    session: Session, clock: Clock, sealer: Sealer, source: WebhookSource, presented: str
) -> bool:
    """Tell whether a token is one that the provider was given to prove itself with."""
    known = active_secrets(session, clock, sealer, source, SecretPurpose.HANDSHAKE)
    met = [compare_digest(one.encode(), presented.encode()) for one in known if one != _DECOY]
    return any(met)


def webhook_secrets(session: Session, clock: Clock) -> Sequence[WebhookSecretRecord]:
    """Return the secrets that are good now, the newest of each source first."""
    asked = (
        select(WebhookSecret)
        .where(_is_good(clock.now()))
        .order_by(WebhookSecret.source, WebhookSecret.added_at.desc(), WebhookSecret.id.desc())
    )
    return [_record(row) for row in session.scalars(asked)]


def webhook_secret(session: Session, secret_id: str) -> WebhookSecretRecord:
    """Return one secret, without what it is; raise `NotFound` for an id of nobody here."""
    asked = select(WebhookSecret).where(WebhookSecret.id == secret_id)
    row = session.scalar(asked) if is_id(secret_id) else None
    if row is None:
        raise NotFound("There is no webhook secret '{secret_id}'.", secret_id=secret_id[:60])
    return _record(row)


def _record(row: WebhookSecret) -> WebhookSecretRecord:
    return WebhookSecretRecord(*(getattr(row, name) for name in WebhookSecretRecord._fields))


def _good(now: datetime, source: WebhookSource, purpose: SecretPurpose) -> Select[str]:
    return (
        select(WebhookSecret.sealed_secret)
        .where(WebhookSecret.source == source, WebhookSecret.purpose == purpose, _is_good(now))
        .order_by(WebhookSecret.id)
    )


def _is_good(now: datetime) -> ColumnElement[bool]:
    return or_(WebhookSecret.retires_at.is_(None), WebhookSecret.retires_at > now)


def _opened(sealer: Sealer, owner: str, sealed: str) -> str | None:
    try:
        return unseal(sealer, owner, sealed)
    except UnreadableSecretError:
        return None
