"""Questions about a workspace's providers; nobody is ever shown a secret again."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

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
