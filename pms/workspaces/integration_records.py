"""Integrations as they are listed and tried."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.outbox import ProviderCall, put_call
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.models import Integration


class IntegrationRecord(NamedTuple):
    """A provider's settings; `hint` is the end of the secret."""

    id: str
    kind: IntegrationKind
    address: str
    account: str | None
    hint: str
    set_at: datetime
    set_by: str
    version: int


def integrations(session: Session) -> Mapping[IntegrationKind, IntegrationRecord]:
    """Return the configured providers, by kind."""
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


TESTING: Final = "provider.test"
"""The kind of call that tests a provider with one harmless request."""


class ProviderTest(NamedTuple):
    """The last test of the provider's present settings; no `done_at` while it is running."""

    asked_at: datetime
    done_at: datetime | None
    failure: str | None


def probe_integration(session: Session, clock: Clock, kind: IntegrationKind) -> None:
    """Have the worker test a provider with a harmless request; raise `NotFound` without one."""
    row = session.scalar(select(Integration).where(Integration.kind == kind))
    if row is None:
        raise NotFound("'{kind}' is not a provider.", kind=kind.value)
    facts = {"kind": kind.value, "version": row.version}
    put_call(session, clock, kind=TESTING, subject_id=row.id, facts=facts)
    session.flush()


def last_test(session: Session, record: IntegrationRecord) -> ProviderTest | None:
    """Return the provider's last test; `None` if it was of an earlier address or secret."""
    call = session.scalar(
        select(ProviderCall)
        .where(ProviderCall.subject_id == record.id, ProviderCall.kind == TESTING)
        .order_by(ProviderCall.written_at.desc(), ProviderCall.id.desc())
        .limit(1)
    )
    if call is None or call.facts.get("version") != record.version:
        return None
    return ProviderTest(call.written_at, call.done_at, call.facts.get("failure"))
