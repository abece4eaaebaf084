"""Facts of tenancies, and their month-to-month flag: derived, forced and cleared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_change
from pms.foundation.db import Recorded
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual, Phrase
from pms.foundation.prepared import one_of
from pms.foundation.versions import asked_once
from pms.foundation.work import Work
from pms.reservations.changes import (
    lifecycle_as_staff_say,
    mark_changed,
    reservation_to_change,
)
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.reservations.residents import ResidentRecord
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import ContractTerm, effective_day
from pms.rules.days import CorruptDay, RecordedDay
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.notices import ForcedFlag, window_opens_on
from pms.rules.policy import Policy
from pms.rules.tenancy_way import ENDED
from pms.rules.unit_stays import TenancyFacts, is_unconfirmed, month_to_month_state

RESIDENTS: Final = (ReservationKind.RESIDENT, ReservationKind.OWNER_RESIDENT)
"""The kinds of reservations that live here; guests have a link of their own."""


# Recorded days are stored as ISO text, which may be damaged.
STATED_END: Final = func.coalesce(
    Reservation.move_out_date,
    Reservation.override_contract_end_date,
    Reservation.contract_end_date,
    type_=Recorded,
)
"""The move-out day, else the contract's end; the unit may be taken for longer."""


class OwnTenancy(NamedTuple):
    """A reservation as its resident's portal lists it."""

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    name: str
    locale: str
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    starts_on: date | None
    ends_on: date | None

    @property
    def is_ended(self) -> bool:
        """Whether it is over; its documents stay readable."""
        return self.lifecycle in ENDED


def tenancies_of_address(session: Session, address: str) -> Sequence[OwnTenancy]:
    """Return the reservations of a folded address, newest first, ended ones included."""
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.kind,
            Reservation.lifecycle,
            Reservation.name,
            Reservation.locale,
            Unit.id,
            Unit.name,
            Building.id,
            Building.name,
            Building.name_en,
            Reservation.starts_on,
            Reservation.ends_on,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(*_build_address_conditions(address))
        .order_by(Reservation.starts_on.desc(), Reservation.id.desc())
    )
    return [
        OwnTenancy._make((*before, Bilingual(name, name_en), starts_on, ends_on))
        for *before, name, name_en, starts_on, ends_on in rows
    ]


def is_residents_address(session: Session, workspace_id: str, address: str) -> bool:
    """Whether a present or former resident of the workspace has the address."""
    found = select(Reservation.id).where(
        Reservation.workspace_id == workspace_id, *_build_address_conditions(address)
    )
    return session.execute(found.limit(1)).first() is not None


def _build_address_conditions(address: str) -> tuple[ColumnElement[bool], ...]:
    return (Reservation.email_key == address, Reservation.kind.in_(RESIDENTS))


_Successor = aliased(Reservation)
_SUCCESSOR_START = (
    select(func.min(_Successor.starts_on))
    .where(
        _Successor.workspace_id == Reservation.workspace_id,
        _Successor.unit_id == Reservation.unit_id,
        _Successor.id != Reservation.id,
        _Successor.starts_on > Reservation.starts_on,
        _Successor.cancelled_at.is_(None),
    )
    .scalar_subquery()
)
_FACTS = select(
    Reservation.id,
    Reservation.kind,
    Reservation.lifecycle,
    Reservation.move_in_date,
    Reservation.override_move_in_date,
    Reservation.contract_end_date,
    Reservation.override_contract_end_date,
    Reservation.move_out_date,
    Reservation.forced_on,
    Reservation.cancelled_at,
    Reservation.billed_through_on,
    _SUCCESSOR_START.label("successor_start_on"),
)


def tenancies(
    session: Session, reservation_ids: Iterable[str], today: date
) -> Mapping[str, TenancyFacts]:
    """Return the tenancies in their present state, by reservation.

    A filed notice counts as filed by today, whatever its filing day. A damaged day is refused with
    the record's name; an unknown id has no tenancy in the result.
    """
    reading = read_tenancies(session, reservation_ids)
    for refusal in reading.damaged.values():
        raise refusal
    return reading.tenancies


@dataclass(frozen=True, slots=True)
class TenancyReading:
    """The readable tenancies, and the damage of the others, by reservation."""

    tenancies: Mapping[str, TenancyFacts]
    damaged: Mapping[str, Refused]


def read_tenancies(session: Session, reservation_ids: Iterable[str]) -> TenancyReading:
    """Return the facts of reservations, with one query; a damaged day affects only its own."""
    return asked_once(session, _read_tenancies, tuple(reservation_ids))


def _read_tenancies(session: Session, reservation_ids: tuple[str, ...]) -> TenancyReading:
    tenancies: dict[str, TenancyFacts] = {}
    damaged: dict[str, Refused] = {}
    for row in session.execute(_FACTS.where(one_of(Reservation.id, reservation_ids))):
        try:
            tenancies[row.id] = _build_tenancy(row)
        except Refused as refusal:
            damaged[row.id] = refusal
    return TenancyReading(tenancies, damaged)


def tenancy_of(session: Session, reservation_id: str, today: date) -> TenancyFacts:
    """Return the tenancy of one reservation; raise `NotFound` for an unknown id."""
    found = tenancies(session, [reservation_id], today).get(reservation_id)
    if found is None:
        raise no_such("reservation", reservation_id)
    return found


def _build_tenancy(row: Any) -> TenancyFacts:
    start_on = _check_recorded_day(
        row.id, Phrase("start"), effective_day(row.move_in_date, row.override_move_in_date)
    )
    if start_on is None:
        raise Refused("Reservation {reservation_id} has no move-in date.", reservation_id=row.id)
    contract_end = effective_day(row.contract_end_date, row.override_contract_end_date)
    return TenancyFacts(
        term=ContractTerm(
            start_on, _check_recorded_day(row.id, Phrase("contract end"), contract_end)
        ),
        kind=ReservationKind(row.kind),
        move_out_on=_check_recorded_day(row.id, Phrase("move-out date"), row.move_out_date),
        successor_start_on=row.successor_start_on,
        forced=ForcedFlag(row.forced_on) if row.forced_on else None,
        is_cancelled=row.cancelled_at is not None,
        billed_through_on=row.billed_through_on,
        is_unconfirmed=is_unconfirmed(row.lifecycle, row.kind),
    )


def _check_recorded_day(reservation_id: str, name: Phrase, day: RecordedDay) -> date | None:
    if isinstance(day, CorruptDay):
        raise Refused(
            "The {name} of reservation {reservation_id} reads '{text}', which is not a date.",
            name=name,
            reservation_id=reservation_id,
            text=day.text[:40],
        )
    return day


def clear_forced_month_to_month(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> ForcedMonthToMonth:
    """Clear the flag, so that the dates apply again; raise `Refused` when none is set."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    flag = work.session.scalar(
        select(ForcedMonthToMonth).where(
            ForcedMonthToMonth.reservation_id == row.id, ForcedMonthToMonth.cleared_at.is_(None)
        )
    )
    if flag is None:
        raise Refused(
            "monthToMonth: The tenancy was not set to month to month, so there is nothing to undo."
        )
    flag.cleared_at, flag.cleared_by = work.clock.now(), work.actor
    row.forced_on = None
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.MONTH_TO_MONTH_CLEARED, row)
    work.session.flush()
    return flag


def force_month_to_month(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> ForcedMonthToMonth:
    """Set the flag from today on: full open-ended months, the unit blocked, no new successor.

    An existing booking of a successor stays until staff move one of the two. Raises `Refused` for a
    tenancy that is not lived in, one with a filed end, and one that is forced already.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    refuse_forcing(row, work.clock.today())
    row.lifecycle, row.forced_on = Lifecycle.LIVING, work.clock.today()
    flag = ForcedMonthToMonth(
        id=new_id(),
        reservation_id=row.id,
        set_at=work.clock.now(),
        set_by=work.actor,
        cleared_at=None,
    )
    work.session.add(flag)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.MONTH_TO_MONTH_FORCED, row)
    work.session.flush()
    return flag


def refuse_forcing(row: Reservation, today: date) -> None:
    """Raise `Refused` for a tenancy that staff cannot force."""
    if row.forced_on is not None:
        raise Refused(
            "monthToMonth: The tenancy has been month to month since {forced_on}.",
            forced_on=row.forced_on,
        )
    if row.kind == ReservationKind.GUEST:
        raise Refused(
            "monthToMonth: A short stay ends on its check-out day and cannot be set to "
            "month to month."
        )
    state = lifecycle_as_staff_say(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "monthToMonth: Only the tenancy of a current resident can be set to month to "
            "month. This one is {state}.",
            state=state,
        )


class MonthToMonth(NamedTuple):
    """The month-to-month state and its first day."""

    state: MonthToMonthState
    since: date | None


_NONE = MonthToMonth(MonthToMonthState.NONE, None)


def month_to_month_of(record: ResidentRecord, on: date, policy: Policy) -> MonthToMonth:
    """Return the state on a day (specification, Month to month); damaged days are ignored.

    A filed move-out always wins, even one whose day is damaged.
    """
    if record.move_out_date is not None or record.cancelled_at is not None:
        return _NONE
    start = effective_day(record.move_in_date, record.override_move_in_date)
    end = effective_day(record.contract_end_date, record.override_contract_end_date)
    if not isinstance(start, date) or isinstance(end, CorruptDay):
        return _NONE
    term = ContractTerm(start, end)
    state = month_to_month_state(_tenancy_of_record(record, term), on, policy)
    return MonthToMonth(state, _find_month_to_month_start(record, term, state, policy))


def _tenancy_of_record(record: ResidentRecord, term: ContractTerm) -> TenancyFacts:
    return TenancyFacts(
        term,
        kind=ReservationKind(record.kind),
        successor_start_on=record.successor_start_on,
        forced=ForcedFlag(record.forced_on) if record.forced_on else None,
        is_cancelled=record.cancelled_at is not None,
        is_unconfirmed=is_unconfirmed(record.lifecycle, record.kind),
    )


def _find_month_to_month_start(
    record: ResidentRecord, term: ContractTerm, state: MonthToMonthState, policy: Policy
) -> date | None:
    if state == MonthToMonthState.FORCED:
        return record.forced_on
    if state == MonthToMonthState.DERIVED:
        return window_opens_on(term, policy) or term.start_on
    return None
