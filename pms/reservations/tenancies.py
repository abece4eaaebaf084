"""Facts of tenancies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.db import Recorded
from pms.foundation.errors import Refused, no_such
from pms.foundation.phrases import Phrase
from pms.foundation.prepared import one_of
from pms.foundation.versions import asked_once
from pms.reservations.later_terms import read_first_days
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm, effective_day
from pms.rules.days import CorruptDay, RecordedDay
from pms.rules.enumerations import ReservationKind
from pms.rules.notices import ForcedFlag
from pms.rules.unit_stays import TenancyFacts, is_unconfirmed

# Recorded days are stored as ISO text, which may be damaged.
STATED_END: Final = func.coalesce(
    Reservation.move_out_date,
    Reservation.override_contract_end_date,
    Reservation.contract_end_date,
    type_=Recorded,
)
"""The move-out day, else the contract's end; the unit may be taken for longer."""


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
    Reservation.later_terms_from,
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
        later_firsts=read_first_days(row.later_terms_from),
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
