"""Questions about the secrets that deliveries are checked with; nobody is shown one again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, and_, bindparam, or_, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id, is_slug
from pms.foundation.prepared import Prepared
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tokens import Sealer, new_token
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.workspaces.models import WebhookSecret, Workspace

NOBODY: Final = "0" * 32
"""Stands for the workspace of an address that names none: it has no secrets."""


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


class SecretsOf(NamedTuple):
    """Which secrets are asked for: a source's, and what they are for."""

    source: WebhookSource
    purpose: SecretPurpose = SecretPurpose.SIGNATURE


class Addressed(NamedTuple):
    """The workspace that an address names, and the secrets of a source that are good there now."""

    workspace_id: str
    secrets: Sequence[str]


_FIND: Final = Prepared(
    select(Workspace.id, WebhookSecret.sealed_secret, WebhookSecret.retires_at)
    .outerjoin(
        WebhookSecret,
        and_(
            WebhookSecret.workspace_id == Workspace.id,
            WebhookSecret.source == bindparam("source", type_=String),
            WebhookSecret.purpose == bindparam("purpose", type_=String),
        ),
    )
    .where(Workspace.slug == bindparam("slug"))
    .order_by(WebhookSecret.id)
)


def addressed(
    connection: Connection, clock: Clock, sealer: Sealer, slug: str, wanted: SecretsOf
) -> Addressed:
    """Return whose address it is; the connection is bound to no workspace yet.

    Where there are no secrets, or no workspace, there is a decoy: as much is opened and compared
    as for one that exists, so that the time an answer takes tells nobody which are there.
    """
    # What no slug could be, such as a NUL, is asked for as one that nobody has: the same work.
    asked = slug if is_slug(slug) else ""
    told = {"slug": asked, "source": wanted.source.value, "purpose": wanted.purpose.value}
    rows = _FIND.all_on(connection, **told)
    workspace_id = rows[0][0] if rows else NOBODY
    now = clock.now()
    sealed = [one for _, one, until in rows if one and (until is None or until > now)]
    found = [secret for one in sealed if (secret := _opened(sealer, workspace_id, one))]
    return Addressed(workspace_id, found or [_opened_decoy(sealer)])


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


def _is_good(now: datetime) -> ColumnElement[bool]:
    return or_(WebhookSecret.retires_at.is_(None), WebhookSecret.retires_at > now)


def _opened(sealer: Sealer, owner: str, sealed: str) -> str | None:
    try:
        return unseal(sealer, owner, sealed)
    except UnreadableSecretError:
        return None


def _opened_decoy(sealer: Sealer) -> str:
    return unseal(sealer, NOBODY, _sealed_decoy(sealer.derived("decoy").hex(), sealer))


_DECOYS: Final[dict[str, str]] = {}


def _sealed_decoy(of_key: str, sealer: Sealer) -> str:
    if of_key not in _DECOYS:
        # Chance of this process alone: nobody can sign with it.
        _DECOYS[of_key] = seal(sealer, NOBODY, new_token())
    return _DECOYS[of_key]
