"""Bank accounts of others: direct debit mandates (口座振替), and accounts that are paid to."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, object_session

from pms.bank.models import Debit, DebitMandate, PayeeAccount, PayoutRow
from pms.catalogue.models import Building, Owner, Unit
from pms.foundation.audit import Subject, note_audit_event, of_reservation, set_columns
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.numbering import take_count
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import opened_text, sealed_text
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked, refuse_other_version
from pms.reservations.models import Reservation
from pms.rules.account_numbers import hide_both
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Lifecycle, MandateState
from pms.rules.invoices import check_digit
from pms.statements.transfer_account import ACCOUNT_KINDS
from pms.workspaces.office_bank import CheckedAccount

ACCOUNT_FIELDS: Final = tuple(field.name for field in fields(CheckedAccount))
_CUSTOMERS: Final = "debit-customer"
_OPEN_STATES: Final = {MandateState.ASKED, MandateState.ACTIVE}


_REFUNDABLE: Final = frozenset(
    {
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
        Lifecycle.SETTLED,
        Lifecycle.CANCELLED,
        Lifecycle.TRANSFERRED,
    }
)
"""States in which a resident may name the account for their refund."""


def awaits_refund_account(lifecycle: Lifecycle) -> bool:
    """Whether a resident in this state may name the account for their refund."""
    return lifecycle in _REFUNDABLE


class Mandate(NamedTuple):
    """A mandate; `customer` is the number that identifies it in the bank's result."""

    id: str
    reservation_id: str
    account: CheckedAccount
    customer: str
    state: MandateState
    from_on: date
    is_first: bool
    written_at: datetime
    version: int


def account_of(row: DebitMandate | PayeeAccount | Debit | PayoutRow) -> CheckedAccount:
    """Return the account in a row of any of these tables, its number opened."""
    session = object_session(row)
    assert session is not None
    columns = {name: getattr(row, name) for name in ACCOUNT_FIELDS}
    return CheckedAccount(**{**columns, "number": opened_text(session, row.number) or ""})


def account_columns(session: Session, account: CheckedAccount) -> dict[str, Any]:
    """Return an account as columns of these tables, its number sealed."""
    return {**asdict(account), "number": sealed_text(session, account.number)}


def _set_account(
    work: Work,
    audit_event: AuditEvent,
    row: DebitMandate | PayeeAccount,
    account: CheckedAccount,
    values: Mapping[str, Any],
    *,
    about: Subject,
) -> None:
    """Set the account and other columns of a row; the audit has the last digits of its number."""
    known = account_of(row) if row.version else None
    if known is None or known.number != account.number:
        row.number = account_columns(work.session, account)["number"]
    tails = hide_both(known.number if known else None, account.number)
    named = {name: getattr(account, name) for name in ACCOUNT_FIELDS if name != "number"}
    set_columns(work, audit_event, row, {**named, **values}, about=about, noted={"number": tails})


def mandate_of(session: Session, reservation_id: str) -> Mandate | None:
    """Return the mandate of a tenancy that has not ended, or None."""
    row = session.scalars(_open_mandate(reservation_id)).one_or_none()
    return None if row is None else _mandate_facts(row)


def _open_mandate(reservation_id: str) -> Select[DebitMandate]:
    return select(DebitMandate).where(
        DebitMandate.reservation_id == reservation_id, DebitMandate.state != MandateState.ENDED
    )


def _mandate_facts(row: DebitMandate) -> Mandate:
    return Mandate(
        row.id,
        row.reservation_id,
        account_of(row),
        row.customer,
        row.state,
        row.from_on,
        row.is_first,
        row.written_at,
        row.version,
    )


def write_mandate(
    work: Work,
    *,
    reservation_id: str,
    account: CheckedAccount,
    state: MandateState,
    from_on: date,
    customer: str | None = None,
    expected_version: int = 0,
) -> str:
    """Create or change the mandate of a tenancy; before the first the version is 0.

    Without a customer number the present or the next free one is used. Another account makes the
    next collection a first one again, which the file reports to the bank.
    """
    if state not in _OPEN_STATES:
        raise Refused("state: use “End direct debit” to end it.")
    locked(work.session, Reservation, reservation_id)
    wanted = _open_mandate(reservation_id).with_for_update()
    row = work.session.scalars(wanted.execution_options(populate_existing=True)).one_or_none()
    refuse_other_version(row, expected_version)
    number = _choose_customer_number(work.session, customer, row)
    values = {"state": state, "from_on": from_on, "customer": number}
    if row is None:
        row = DebitMandate(id=new_id(), reservation_id=reservation_id, version=0, is_first=True)
        work.session.add(row)
    elif account_of(row) != account:
        row.is_first = True
    row.written_at, row.written_by = work.clock.now(), work.actor
    about = of_reservation(reservation_id)
    _set_account(work, AuditEvent.MANDATE_WRITTEN, row, account, values, about=about)
    return row.id


def _choose_customer_number(
    session: Session, customer: str | None, row: DebitMandate | None
) -> str:
    digits = (customer or "").strip()
    if not digits:
        if row is not None:
            return row.customer
        body = f"{take_count(session, _CUSTOMERS) + 100_000}"
        return body + check_digit(body)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
        raise Refused("customer: '{given}' must be up to 20 digits.", given=digits[:30])
    digits = digits.lstrip("0")
    taken = select(DebitMandate.id).where(DebitMandate.customer == digits)
    if not digits or session.scalar(taken) not in {None, row.id if row else None}:
        raise Refused(
            "customer: {given} is already the customer number of another direct debit.",
            given=digits or "0",
        )
    return digits


def end_mandate(work: Work, reservation_id: str) -> None:
    """End the mandate of a tenancy: later files collect nothing from it."""
    locked(work.session, Reservation, reservation_id)
    row = work.session.scalars(_open_mandate(reservation_id).with_for_update()).one_or_none()
    if row is None:
        raise Refused("mandate: this tenancy has no active direct debit.")
    row.state = MandateState.ENDED
    row.version += 1
    about = of_reservation(reservation_id)
    facts = {"customer": row.customer, "holder": row.holder}
    note_audit_event(work, AuditEvent.MANDATE_ENDED, about, before=facts)
    work.session.flush()


class MandateLine(NamedTuple):
    """A mandate in a list, with its resident."""

    mandate: Mandate
    name: str
    building: Bilingual
    unit: str


def list_mandates(session: Session, paging: Paging) -> tuple[Sequence[MandateLine], int]:
    """Return one page of the mandates that have not ended, by name, and the number of all."""
    is_open = DebitMandate.state != MandateState.ENDED
    rows = session.execute(
        _LINES.where(is_open)
        .order_by(Reservation.name, DebitMandate.id)
        .offset(paging.offset)
        .limit(paging.limit)
    )
    total = session.scalar(select(func.count()).select_from(DebitMandate).where(is_open)) or 0
    return [_build_line(row) for row in rows], total


def mandates_in_force(session: Session, on: date) -> Mapping[str, MandateLine]:
    """Return the mandates that collect on a day, by reservation."""
    rows = session.execute(
        _LINES.where(
            DebitMandate.state == MandateState.ACTIVE, DebitMandate.from_on <= on
        ).order_by(Building.name_key, Unit.name, DebitMandate.id)
    )
    return {line.mandate.reservation_id: line for line in map(_build_line, rows)}


def _build_line(row: Any) -> MandateLine:
    mandate, name, unit, building, building_en = row
    return MandateLine(_mandate_facts(mandate), name, Bilingual(building, building_en), unit)


_LINES: Final = (
    select(DebitMandate, Reservation.name, Unit.name, Building.name, Building.name_en)
    .join(Reservation, refers_to(DebitMandate.reservation_id, Reservation))
    .join(Reservation.unit)
    .join(Unit.building)
)


class PayeeRecord(NamedTuple):
    """An account that is paid to, with its version."""

    account: CheckedAccount
    version: int


def account_of_owner(session: Session, owner_id: str) -> PayeeRecord | None:
    """Return the account of an owner, or None."""
    return _find_payee_record(session, PayeeAccount.owner_id == owner_id)


def account_text_of_owner(session: Session, owner_id: str) -> str | None:
    """Return the account of an owner in one line, as papers print it, or None."""
    found = account_of_owner(session, owner_id)
    if found is None:
        return None
    account = found.account
    kind = ACCOUNT_KINDS[account.kind].ja
    return f"{account.bank_name} {account.branch_name} {kind} {account.number} {account.holder}"


def account_of_resident(session: Session, reservation_id: str) -> PayeeRecord | None:
    """Return the account for a tenancy's refund, or None."""
    return _find_payee_record(session, PayeeAccount.reservation_id == reservation_id)


def _find_payee_record(session: Session, which: ColumnElement[bool]) -> PayeeRecord | None:
    row = session.scalars(select(PayeeAccount).where(which)).one_or_none()
    return None if row is None else PayeeRecord(account_of(row), row.version)


def set_owner_account(
    work: Work, *, owner_id: str, account: CheckedAccount, expected_version: int
) -> None:
    """Set the account of an owner; before the first the version is 0."""
    owner = None
    if is_id(owner_id):
        owner = work.session.scalar(select(Owner).where(Owner.id == owner_id).with_for_update())
    if owner is None:
        raise no_such("owner", owner_id)
    _set_payee_account(
        work,
        {"owner_id": owner_id},
        ("owner", owner_id),
        account=account,
        expected_version=expected_version,
    )


def set_resident_account(
    work: Work, *, reservation_id: str, account: CheckedAccount, expected_version: int
) -> None:
    """Set the account for a tenancy's refund; before the first the version is 0."""
    locked(work.session, Reservation, reservation_id)
    _set_payee_account(
        work,
        {"reservation_id": reservation_id},
        of_reservation(reservation_id),
        account=account,
        expected_version=expected_version,
    )


def set_own_refund_account(
    work: Work, *, reservation_id: str, account: CheckedAccount, expected_version: int
) -> None:
    """Set the account that a resident who leaves names for their own refund.

    Raises `Refused` while they live there without a notice, and once nothing is to be refunded.
    """
    row = locked(work.session, Reservation, reservation_id)
    if not awaits_refund_account(Lifecycle(row.lifecycle)):
        raise Refused("account: there is no refund to expect. Please contact the office.")
    set_resident_account(
        work, reservation_id=row.id, account=account, expected_version=expected_version
    )


def _set_payee_account(
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
    refuse_other_version(row, expected_version)
    if row is None:
        row = PayeeAccount(id=new_id(), version=0, **payee)
        work.session.add(row)
    row.written_at, row.written_by = work.clock.now(), work.actor
    _set_account(work, AuditEvent.PAYEE_ACCOUNT_SET, row, account, {}, about=about)
