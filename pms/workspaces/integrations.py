"""Questions about a workspace's providers; nobody is ever shown a secret again."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.provider_http import ProviderError
from pms.foundation.sealing import UnreadableSecretError, unseal
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Sealer
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.models import Integration


class IntegrationRecord(NamedTuple):
    """A provider as it is set; `hint` is the end of the secret."""

    id: str
    kind: IntegrationKind
    address: str
    account: str | None
    hint: str
    set_at: datetime
    set_by: str
    version: int


def has_integration(session: Session, kind: IntegrationKind) -> bool:
    """Tell whether the session's workspace has a provider of a kind."""
    asked = select(Integration.id).where(Integration.kind == kind)
    return session.scalar(asked) is not None


def integrations(session: Session) -> Mapping[IntegrationKind, IntegrationRecord]:
    """Return the providers that are set, by kind."""
    return {
        row.kind: IntegrationRecord(
            row.id,
            row.kind,
            row.address,
            row.account,
            row.hint,
            row.set_at,
            row.set_by,
            row.version,
        )
        for row in session.scalars(select(Integration).order_by(Integration.kind))
    }


class Access(NamedTuple):
    """What a call to a provider needs; it never leaves the worker."""

    address: str
    account: str | None
    secret: str


def access_to(session: Session, sealer: Sealer, kind: IntegrationKind) -> Access:
    """Return the way to a provider; raise `ProviderError` when there is none that can be used."""
    row = session.scalar(select(Integration).where(Integration.kind == kind))
    if row is None:
        raise ProviderError("no provider is set any more", for_good=True)
    try:
        secret = unseal(sealer, workspace_of(session), row.sealed_secret)
    except UnreadableSecretError as failure:
        raise ProviderError("the secret cannot be read: set it again", for_good=True) from failure
    return Access(row.address, row.account, secret)
