"""Forgets a person as far as the law lets: what goes, what stays until when, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import and_, delete, func, inspect, or_, select, update
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner
from pms.channels.models import InboundEvent
from pms.contracts.models import Contract, ContractSignature
from pms.deposits.models import Refund, Settlement
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Phrase
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.models import EntryTotal
from pms.notices.models import Notice
from pms.personal_data.fates import DataSubject, fate_of
from pms.personal_data.person_records import KINDS, PersonRecord, known_records
from pms.personal_data.person_rows import find_rows, models, referring
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.retention import (
    KeptBecause,
    RetentionYears,
    kept_through,
    ledger_kept_through,
)
from pms.statements.models import FeeInvoice
from pms.stays.models import CheckInLink, GuestRegistration
from pms.stays.stays import stay_terms
from pms.workspaces.models import ForgottenRecord
from pms.workspaces.personal_data_terms import personal_data_terms

NAMELESS: Final = "—"
"""Written in place of a name that nothing keeps any more."""
ENDED: Final = frozenset(
    {
        Lifecycle.MOVED_OUT,
        Lifecycle.TRANSFERRED,
        Lifecycle.SETTLED,
        Lifecycle.REFUNDED,
        Lifecycle.CANCELLED,
    }
)
# Files of their own that nobody else can have uploaded; others go once no row names them.
_OWN_FILES: Final = (
    ("lead", "resume_key"),
    ("guest_registration", "passport_file_key"),
    ("identity_paper", "file_key"),
)


class KeptData(NamedTuple):
    """What stays, why, and the last day that it does."""

    subject: DataSubject
    because: KeptBecause
    until_on: date


class RecordPlan(NamedTuple):
    """What becomes of one record of a person, with all that hangs on it.

    `obstacle` is why it cannot be forgotten yet; then nothing goes.
    """

    record: PersonRecord
    goes: Mapping[str, frozenset[str]]
    kept: Sequence[KeptData]
    obstacle: Phrase | None = None

    @property
    def counted(self) -> Mapping[DataSubject, int]:
        """How many rows go, by what they are about."""
        found: Counter[DataSubject] = Counter()
        for table, ids in self.goes.items():
            found[fate_of(table).subject] += len(ids)
        return found

    @property
    def next_on(self) -> date | None:
        """The first day on which more can go."""
        days = [kept.until_on for kept in self.kept]
        return min(days) + timedelta(days=1) if days else None


class _Periods(NamedTuple):
    """Until when the law keeps what hangs on a record; None where it keeps nothing."""

    ledger: date | None = None
    contract: date | None = None
    register: date | None = None

    def until(self, because: KeptBecause | None) -> date | None:
        return None if because is None else getattr(self, because.value)


def plan_forgetting(
    session: Session, references: Sequence[str], today: date
) -> Sequence[RecordPlan]:
    """Return what becomes of each record; nothing is changed.

    Raises `NotFound` for a record that is not in this workspace.
    """
    years = personal_data_terms(session).years
    return [
        _plan_record(session, each, today, years) for each in known_records(session, references)
    ]


def forget_person(work: Work, files: Files, references: Sequence[str]) -> Sequence[RecordPlan]:
    """Delete what no law keeps about the person who has these records; return what was done.

    Raises `Refused` if one of the records cannot be forgotten yet, and `NotFound` for an unknown
    one.
    """
    for kind, id_ in sorted(reference.partition("/")[::2] for reference in references):
        if kind in KINDS:
            locked(work.session, KINDS[kind], id_)
    plans = plan_forgetting(work.session, references, work.clock.today())
    for plan in plans:
        if plan.obstacle is not None:
            raise Refused("records: {reason}", reason=plan.obstacle)
    for plan in plans:
        forget_record(work.session, files, plan, by=work.actor, at=work.clock.now())
        facts = {
            "forgotten_rows": sum(plan.counted.values()),
            "kept_because": sorted({kept.because.value for kept in plan.kept}),
        }
        about = (plan.record.kind, plan.record.id)
        note_audit_event(work, AuditEvent.PERSON_FORGOTTEN, about, after=facts)
    work.session.flush()
    return plans


def _plan_record(
    session: Session, record: PersonRecord, today: date, years: RetentionYears
) -> RecordPlan:
    obstacle = _find_obstacle(session, record)
    if obstacle is not None:
        return RecordPlan(record, {}, (), obstacle)
    periods = _find_periods(session, record, years)
    goes: dict[str, frozenset[str]] = {}
    kept: set[KeptData] = set()
    for table, ids in find_rows(session, [record]).items():
        fate = fate_of(table)
        until_on = periods.until(fate.because)
        if until_on is not None and until_on >= today and fate.because is not None:
            kept.add(KeptData(fate.subject, fate.because, until_on))
        elif fate.emptied != ():
            goes[table] = ids
    return RecordPlan(record, goes, sorted(kept), None)


def _find_obstacle(session: Session, record: PersonRecord) -> Phrase | None:
    """Return why a record cannot be forgotten yet, if it cannot."""
    if record.kind == "owner":
        owned = session.scalar(select(func.count()).where(Building.owner_id == record.id))
        owns = Phrase("{name} still owns a building here.", name=record.name)
        return owns if owned else None
    row = _find_tenancy(session, record)
    if row is None:
        return None
    if row.lifecycle not in ENDED:
        return Phrase("The tenancy of {name} has not ended.", name=row.name)
    if record.kind == "co_occupant":
        return None
    if row.lifecycle is Lifecycle.MOVED_OUT and row.kind == ReservationKind.RESIDENT:
        return Phrase("The deposit of {name} is not settled.", name=row.name)
    return _find_open_money(session, row)


def _find_tenancy(session: Session, record: PersonRecord) -> Reservation | None:
    """Return the tenancy that a record is, or in which its person lives beside the resident."""
    of_it = select(Reservation)
    if record.kind == "co_occupant":
        of_it = of_it.join(CoOccupant, refers_to(CoOccupant.reservation_id, Reservation))
        return session.scalars(of_it.where(CoOccupant.id == record.id)).one()
    if record.kind == "reservation":
        return session.scalars(of_it.where(Reservation.id == record.id)).one()
    return None


def _find_open_money(session: Session, row: Reservation) -> Phrase | None:
    """Return what of a tenancy that is over is still to be paid, if anything is."""
    open_yen = session.scalar(
        select(func.sum(EntryTotal.billed_yen - EntryTotal.paid_yen)).where(
            EntryTotal.reservation_id == row.id
        )
    )
    if open_yen:
        return Phrase("Bills of {name} are still open.", name=row.name)
    due_yen = session.scalar(
        select(func.sum(Settlement.remainder_yen)).where(Settlement.reservation_id == row.id)
    )
    sent_yen = session.scalar(
        select(func.sum(Refund.amount_yen))
        .join(Settlement, refers_to(Refund.settlement_id, Settlement))
        .where(Settlement.reservation_id == row.id)
    )
    if (due_yen or 0) > (sent_yen or 0):
        return Phrase("The refund to {name} has not been sent.", name=row.name)
    return None


def _find_periods(session: Session, record: PersonRecord, years: RetentionYears) -> _Periods:
    if record.kind == "owner":
        last_on = session.scalar(
            select(func.max(FeeInvoice.issued_on)).where(FeeInvoice.owner_id == record.id)
        )
        return _Periods(ledger=ledger_kept_through(last_on, years) if last_on else None)
    if record.kind == "guest_registration":
        return _Periods(register=_find_register_end(session, record))
    row = _find_tenancy(session, record)
    if row is None:
        return _Periods()
    ended_on = _find_end(row)
    billed_on = session.scalar(
        select(func.max(EntryTotal.last_on)).where(EntryTotal.reservation_id == row.id)
    )
    moved_on = session.scalar(
        select(func.max(func.coalesce(Refund.sent_on, Settlement.settled_on)))
        .select_from(Settlement)
        .outerjoin(Refund, refers_to(Refund.settlement_id, Settlement))
        .where(Settlement.reservation_id == row.id)
    )
    signed = session.scalar(
        select(func.count())
        .select_from(ContractSignature)
        .join(Contract, refers_to(ContractSignature.contract_id, Contract))
        .where(Contract.reservation_id == row.id)
    )
    days = [day for day in (billed_on, moved_on) if day is not None]
    return _Periods(
        ledger=ledger_kept_through(max(*days, ended_on), years) if days else None,
        contract=kept_through(ended_on, years.contract_years) if signed else None,
    )


def _find_end(row: Reservation) -> date:
    """Return the day a tenancy that is over ended; of a cancelled one the day of that."""
    days = (row.ends_on, row.free_from, row.starts_on)
    known = next((day for day in days if day is not None), day_of(row.updated_at))
    return day_of(row.cancelled_at) if row.cancelled_at is not None else known


def _find_register_end(session: Session, record: PersonRecord) -> date:
    """Return the last day an entry is kept: the years count from the later of entry and check-out."""
    written_at, ends_on = session.execute(
        select(GuestRegistration.written_at, Reservation.ends_on)
        .join(CheckInLink, refers_to(GuestRegistration.link_id, CheckInLink))
        .join(Reservation, refers_to(CheckInLink.reservation_id, Reservation))
        .where(GuestRegistration.id == record.id)
    ).one()
    made_on = day_of(written_at)
    return kept_through(max(made_on, ends_on or made_on), stay_terms(session).register_kept_years)


def forget_record(
    session: Session, files: Files, plan: RecordPlan, *, by: str, at: datetime
) -> None:
    """Delete and empty what goes of one record, and remember when more can go."""
    for table, column in _OWN_FILES:
        if table in plan.goes:
            model = models()[table]
            keys = session.scalars(
                select(getattr(model, column)).where(one_of(model.id, plan.goes[table]))
            )
            for key in filter(None, keys):
                files.delete(key)
    _delete_mails_and_events(session, plan)
    waiting = {table: ids for table, ids in plan.goes.items() if fate_of(table).emptied is None}
    while waiting:
        table = next(each for each in waiting if not _refers_to_waiting(each, waiting))
        _delete_rows(session, table, waiting.pop(table))
    for table, ids in plan.goes.items():
        emptied = fate_of(table).emptied
        if emptied and table not in ("reservation", "owner"):
            _empty_columns(session, table, ids, emptied)
    if plan.record.kind in ("reservation", "owner"):
        _forget_contact(session, plan)
    _remember_record(session, plan, by, at)


def _refers_to_waiting(table: str, waiting: Mapping[str, frozenset[str]]) -> bool:
    """Whether rows of another table that go, too, refer to this one: they go first."""
    return any(
        reference.table in waiting and reference.table != table
        for reference in referring().get(table, ())
    )


def _delete_rows(session: Session, table: str, ids: frozenset[str]) -> None:
    """Delete rows, but not those to which a row refers that stays."""
    model = models()[table]
    free = [
        ~select(column).where(column == model.id).exists()
        for name, column in referring().get(table, ())
        if name != table
    ]
    session.execute(
        delete(model)
        .where(one_of(model.id, ids), *free)
        .execution_options(synchronize_session=False)
    )


def _empty_columns(
    session: Session, table: str, ids: frozenset[str], columns: Sequence[str]
) -> None:
    model = models()[table]
    nullable = {each.key: each.columns[0].nullable for each in inspect(model).column_attrs}
    values = {column: None if nullable[column] else NAMELESS for column in columns}
    session.execute(
        update(model)
        .where(one_of(model.id, ids))
        .values(values)
        .execution_options(synchronize_session=False)
    )


def _forget_contact(session: Session, plan: RecordPlan) -> None:
    """Empty how a person is reached, and the name once neither bills nor a contract are kept."""
    row: Reservation | Owner
    if plan.record.kind == "reservation":
        row = session.scalars(select(Reservation).where(Reservation.id == plan.record.id)).one()
    else:
        row = session.scalars(select(Owner).where(Owner.id == plan.record.id)).one()
    row.email = row.phone = row.note = None
    if not plan.kept:
        row.name, row.name_kana = NAMELESS, None
    row.version += 1
    session.flush()


def _delete_mails_and_events(session: Session, plan: RecordPlan) -> None:
    """Delete sent mails, notices about what goes, and what channels pushed in of messages that go."""
    address = (plan.record.email or "").strip().casefold()
    messages = plan.goes.get("guest_message", frozenset())
    is_over = or_(
        OutboxMail.sent_at.is_not(None),
        OutboxMail.given_up_at.is_not(None),
        OutboxMail.withdrawn_at.is_not(None),
    )
    # The words of a notice may name the person.
    subjects = frozenset().union(*plan.goes.values(), {plan.record.id})
    about_them = or_(one_of(Notice.subject_id, subjects), Notice.reader_id == plan.record.id)
    for model, which in (
        (Notice, about_them),
        # The message of an event has its id.
        (InboundEvent, one_of(InboundEvent.id, messages)),
        (OutboxMail, and_(OutboxMail.recipient == address, is_over)),
    ):
        session.execute(delete(model).where(which).execution_options(synchronize_session=False))


def _remember_record(session: Session, plan: RecordPlan, by: str, at: datetime) -> None:
    """Remember when more of a record can go; of one that is gone nothing is remembered."""
    kind, id_ = plan.record.kind, plan.record.id
    model = models()[kind]
    is_there = session.scalar(select(model.id).where(model.id == id_)) is not None
    row = session.scalars(
        select(ForgottenRecord).where(
            ForgottenRecord.subject_kind == kind, ForgottenRecord.subject_id == id_
        )
    ).one_or_none()
    if row is None and is_there:
        row = ForgottenRecord(subject_kind=kind, subject_id=id_)
        session.add(row)
    if row is not None:
        row.forgotten_at, row.forgotten_by = at, by
        row.next_on = plan.next_on if is_there else None
    session.flush()
