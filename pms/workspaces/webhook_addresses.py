"""The workspace that a webhook's address names, with its secrets."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, String, and_, bindparam, select

from pms.foundation.clock import Clock
from pms.foundation.ids import is_slug
from pms.foundation.prepared import PreparedStatement
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tokens import Signer, new_token
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.workspaces.models import WebhookSecret, Workspace
from pms.workspaces.slugs import is_of_slug

NOBODY: Final = "0" * 32
"""The workspace's id of an address that names no workspace: it has no secrets."""


class SecretsOf(NamedTuple):
    """Which secrets are wanted: those of a source, for a purpose."""

    source: WebhookSource
    purpose: SecretPurpose = SecretPurpose.SIGNATURE


class Addressed(NamedTuple):
    """The workspace of a webhook's address, and the source's secrets that are valid there now."""

    workspace_id: str
    secrets: Sequence[str]


_FIND: Final = PreparedStatement(
    select(Workspace.id, WebhookSecret.sealed_secret, WebhookSecret.retires_at)
    .outerjoin(
        WebhookSecret,
        and_(
            WebhookSecret.workspace_id == Workspace.id,
            WebhookSecret.source == bindparam("source", type_=String),
            WebhookSecret.purpose == bindparam("purpose", type_=String),
        ),
    )
    .where(is_of_slug(bindparam("slug")))
    .order_by(WebhookSecret.id)
)


def find_address(
    connection: Connection, clock: Clock, signer: Signer, slug: str, wanted: SecretsOf
) -> Addressed:
    """Return the workspace and secrets of an address; the connection is bound to no workspace.

    Without secrets, or a workspace, there is a decoy: as much is opened and compared as for an
    existing one, so that the response time does not reveal which exist.
    """
    # Text that cannot be a slug, such as a NUL, is looked up as an unknown slug: the same work.
    asked = slug if is_slug(slug) else ""
    facts = {"slug": asked, "source": wanted.source.value, "purpose": wanted.purpose.value}
    rows = _FIND.all_on(connection, **facts)
    workspace_id = rows[0][0] if rows else NOBODY
    now = clock.now()
    sealed = [text for _, text, until in rows if text and (until is None or until > now)]
    found = [secret for text in sealed if (secret := _open_secret(signer, workspace_id, text))]
    return Addressed(
        workspace_id,
        found or [unseal(signer, NOBODY, _sealed_decoy(signer.derive_key("decoy").hex(), signer))],
    )


def _open_secret(signer: Signer, owner: str, sealed: str) -> str | None:
    try:
        return unseal(signer, owner, sealed)
    except UnreadableSecretError:
        return None


_DECOYS: Final[dict[str, str]] = {}


def _sealed_decoy(of_key: str, signer: Signer) -> str:
    if of_key not in _DECOYS:
        # Random for this process alone: nobody can sign with it.
        _DECOYS[of_key] = seal(signer, NOBODY, new_token())
    return _DECOYS[of_key]
