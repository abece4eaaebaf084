"""Where money is sent to: the account of an owner, or of a resident who gets a deposit back."""

from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.bank.mandates import account_of
from pms.bank.models import PayeeAccount
from pms.catalogue.models import Owner
from pms.foundation.audit import note_difference, of_reservation
from pms.foundation.errors import Collision, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.reservations.changes import locked_reservation
from pms.rules.audit_events import AuditEvent
from pms.workspaces.office_bank import CheckedAccount


class PayeeRecord(NamedTuple):
    """An account that money is sent to, with its version."""

    account: CheckedAccount
    version: int


def account_of_owner(session: Session, owner_id: str) -> PayeeRecord | None:
    """Return the account of an owner, if one is set."""
    return _record(session, PayeeAccount.owner_id == owner_id)


def account_of_resident(session: Session, reservation_id: str) -> PayeeRecord | None:
    """Return the account that a tenancy's refund is sent to, if one is set."""
    return _record(session, PayeeAccount.reservation_id == reservation_id)


def _record(session: Session, which: ColumnElement[bool]) -> PayeeRecord | None:
    row = session.scalars(select(PayeeAccount).where(which)).one_or_none()
    return None if row is None else PayeeRecord(account_of(row), row.version)


def set_owner_account(
    work: Work, *, owner_id: str, account: CheckedAccount, expected_version: int
) -> None:
    """Write the account of an owner; 0 is the version before the first."""
    owner = None
    if is_id(owner_id):
        owner = work.session.scalar(select(Owner).where(Owner.id == owner_id).with_for_update())
    if owner is None:
        raise no_such("owner", owner_id)
    _set(
        work,
        {"owner_id": owner_id},
        ("owner", owner_id),
        account=account,
        expected_version=expected_version,
    )


def set_resident_account(
    work: Work, *, reservation_id: str, account: CheckedAccount, expected_version: int
) -> None:
    """Write the account that a tenancy's refund is sent to; 0 is the version before the first."""
    locked_reservation(work.session, reservation_id)
    _set(
        work,
        {"reservation_id": reservation_id},
        of_reservation(reservation_id),
        account=account,
        expected_version=expected_version,
    )


def _set(
    work: Work,
    payee: dict[str, str],
    about: tuple[str, str],
    *,
    account: CheckedAccount,
    expected_version: int,
) -> None:
    ((column, id_),) = payee.items()
    row = work.session.scalars(
        select(PayeeAccount).where(getattr(PayeeAccount, column) == id_).with_for_update()
    ).one_or_none()
    if (row.version if row else 0) != expected_version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=expected_version,
            now=row.version if row else 0,
        )
    values: dict[str, Any] = asdict(account)
    before = {name: getattr(row, name) if row else None for name in values}
    if row is None:
        row = PayeeAccount(id=new_id(), version=0, **payee)
        work.session.add(row)
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    row.written_at, row.written_by = work.clock.now(), work.actor
    note_difference(work, AuditEvent.PAYEE_ACCOUNT_SET, about, before=before, after=values)
    work.session.flush()
