"""Availability of units: queries, search and explanations."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, String, and_, bindparam, func, or_, select, type_coerce
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import ExternalBlock
from pms.catalogue.units import UnitFacts, find_units
from pms.foundation.db import Unindexed
from pms.foundation.prepared import PreparedInWorkspace, Row, among
from pms.reservations.later_terms import read_first_days
from pms.reservations.models import Reservation
from pms.rules.availability import (
    Availability,
    StayReason,
    decide,
    explain,
    is_shown,
    matches_available_now,
    matches_move_in_by,
)
from pms.rules.days import FIRST_DAY, CorruptDay, RecordedDay, read_day
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Stay, is_unconfirmed
from pms.rules.vacancy import without_echoes
from pms.workspaces.queries import policy as policy_of

_read = lru_cache(maxsize=8192)(read_day)
_NO_START = CorruptDay("")


def _coerce_to_text(column: InstrumentedAttribute[RecordedDay]) -> ColumnElement[str]:
    # Read as text: the same few days occur thousands of times and are parsed once (`_read`).
    return func.nullif(type_coerce(column, String), "")


_of_stays = select(
    Reservation.unit_id,
    Reservation.id,
    func.coalesce(
        _coerce_to_text(Reservation.override_move_in_date),
        _coerce_to_text(Reservation.move_in_date),
    ),
    func.coalesce(
        _coerce_to_text(Reservation.override_contract_end_date),
        _coerce_to_text(Reservation.contract_end_date),
    ),
    _coerce_to_text(Reservation.move_out_date),
    _coerce_to_text(Reservation.expected_departure_date),
    Reservation.forced_on.is_not(None),
    type_coerce(Reservation.kind, String),
    type_coerce(Reservation.lifecycle, String),
    Reservation.later_terms_from,
).where(Reservation.cancelled_at.is_(None))

_of_blocks = select(
    ExternalBlock.unit_id,
    type_coerce(ExternalBlock.first_on, String),
    type_coerce(ExternalBlock.last_on, String),
    ExternalBlock.feed_id.is_not(None),
)
_last_text: ColumnElement[str] = type_coerce(ExternalBlock.last_on, String)


def _without_digits(text: ColumnElement[str]) -> ColumnElement[str]:
    for digit in "0123456789":
        text = func.replace(text, digit, "")
    return text


# A day that cannot be read does not count as past. Days 29 to 31 may not exist in their month, so
# Python decides about them.
_is_surely_a_day = and_(
    func.length(_last_text) == len("YYYY-MM-DD"),
    func.substr(_last_text, 6, 2).between("01", "12"),
    func.substr(_last_text, 9, 2).between("01", "28"),
    func.substr(_last_text, 5, 1) == "-",
    func.substr(_last_text, 8, 1) == "-",
    _last_text >= FIRST_DAY.isoformat(),
    _without_digits(_last_text) == "--",
)
_matters = or_(
    ExternalBlock.last_on.is_(None),
    ExternalBlock.last_on >= bindparam("today"),
    ~_is_surely_a_day,
)
_STAYS = PreparedInWorkspace(
    _of_stays.where(
        or_(Reservation.ends_on.is_(None), Reservation.ends_on >= bindparam("gone_before"))
    )
)
_BLOCKS = PreparedInWorkspace(_of_blocks.where(_matters))
_ends_on = Unindexed(Reservation.ends_on)
_STAYS_OF_UNITS = PreparedInWorkspace(
    _of_stays.where(
        among(Reservation.unit_id, "unit_ids"),
        or_(_ends_on.is_(None), _ends_on >= bindparam("gone_before")),
    )
)
_BLOCKS_OF_UNITS = PreparedInWorkspace(
    _of_blocks.where(_matters, among(ExternalBlock.unit_id, "unit_ids"))
)


class Taken(NamedTuple):
    """The stays and external blocks of units, by unit id; a free unit has none."""

    stays: Mapping[str, Sequence[Stay]]
    blocks: Mapping[str, Sequence[Block]]


def taken_units(
    session: Session, today: date, policy: Policy, unit_ids: Sequence[str] | None = None
) -> Taken:
    """Return what takes these units, or all without `unit_ids`, today or later.

    Stays that ended before today, including turnover, past blocks, and a channel's blocks that
    only repeat the nights of these stays are left out.
    """
    gone_before = today - timedelta(days=policy.turnover_days)
    if unit_ids is None:
        stays = _STAYS.all(session, gone_before=gone_before)
        blocks = _BLOCKS.all(session, today=today)
    else:
        ids = list(unit_ids)
        stays = _STAYS_OF_UNITS.all(session, gone_before=gone_before, unit_ids=ids)
        blocks = _BLOCKS_OF_UNITS.all(session, today=today, unit_ids=ids)
    found: defaultdict[str, list[Block]] = defaultdict(list)
    for block_unit_id, first, last, is_of_channel in blocks:
        found[block_unit_id].append(Block(_read(first), _read(last), bool(is_of_channel)))
    stays_of, blocks_of = _group_stays(stays), found
    for unit_id, own in stays_of.items():
        if unit_id in blocks_of:
            blocks_of[unit_id] = without_echoes(blocks_of[unit_id], own, today, policy)
    return Taken(stays_of, blocks_of)


def _group_stays(rows: Iterable[Row]) -> Mapping[str, Sequence[Stay]]:
    found: defaultdict[str, list[Stay]] = defaultdict(list)
    for unit_id, id_, start, end, move_out, departure, is_forced, kind, lifecycle, later in rows:
        found[unit_id].append(
            Stay(
                id_,
                _read(start) or _NO_START,
                _read(end),
                _read(move_out),
                _read(departure),
                is_forced,
                kind,
                False,
                is_unconfirmed(lifecycle, kind),
                read_first_days(later) if later else (),
            )
        )
    return found


class ExplainedUnit(NamedTuple):
    """The availability of one unit and the fact that decided it."""

    availability: Availability
    reason: StayReason


def explain_unit(session: Session, unit_id: str, today: date) -> ExplainedUnit:
    """Return the availability of one unit today, and the reason."""
    policy = policy_of(session)
    what_takes = taken_units(session, today, policy, [unit_id])
    facts = what_takes.stays.get(unit_id, ()), what_takes.blocks.get(unit_id, ())
    return ExplainedUnit(decide(*facts, today, policy), explain(*facts, today, policy))


FEW = 50
"""With more units than this, the stays of all units are loaded."""
_FREE: tuple[()] = ()


class UnitSearch(NamedTuple):
    """The filters of a list of units (specification, List units; Availability)."""

    facts: UnitFacts = UnitFacts()
    available_now: bool = False
    move_in_by: date | None = None
    excluded: tuple[ReservationKind, ...] = (ReservationKind.OWNER_RESIDENT,)


class FoundUnit(NamedTuple):
    """A unit that matches, with its availability."""

    id: str
    availability: Availability


class FoundUnits(NamedTuple):
    """All matches in order, with the numbers of confirmed free and of possibly free units."""

    units: Sequence[FoundUnit]
    confirmed: int
    possible: int


def search_units(session: Session, search: UnitSearch, today: date) -> FoundUnits:
    """Return every unit that matches, in three or four queries for any number of units."""
    ids = find_units(session, search.facts, today)
    policy = policy_of(session)
    what_takes = taken_units(session, today, policy, ids if len(ids) <= FEW else None)
    units = [
        found
        for found in _decide_units(ids, what_takes, search.excluded, today, policy)
        if _matches_search(found.availability, search)
    ]
    return FoundUnits(
        units,
        confirmed=sum(unit.availability.move_in_from is not None for unit in units),
        possible=sum(
            unit.availability.state == AvailabilityState.POSSIBLY_AVAILABLE for unit in units
        ),
    )


def availability_of(session: Session, unit_id: str, today: date) -> Availability:
    """Return the availability of one unit."""
    policy = policy_of(session)
    what_takes = taken_units(session, today, policy, [unit_id])
    stays, blocks = what_takes.stays.get(unit_id, _FREE), what_takes.blocks.get(unit_id, _FREE)
    return decide(stays, blocks, today, policy)


def _decide_units(
    ids: Sequence[str],
    what_takes: Taken,
    excluded: Container[ReservationKind],
    today: date,
    policy: Policy,
) -> Iterator[FoundUnit]:
    stays_of, blocks_of = what_takes
    for unit_id in ids:
        stays = stays_of.get(unit_id, _FREE)
        if stays and not is_shown(stays, excluded, today, policy):
            continue
        yield FoundUnit(unit_id, decide(stays, blocks_of.get(unit_id, _FREE), today, policy))


def _matches_search(availability: Availability, search: UnitSearch) -> bool:
    if search.available_now and not matches_available_now(availability):
        return False
    return search.move_in_by is None or matches_move_in_by(availability, search.move_in_by)


def unit_labels(
    session: Session, unit_ids: Sequence[str], today: date
) -> Mapping[str, Availability]:
    """Return the state and day of each unit, including owner residents' (Availability)."""
    policy = policy_of(session)
    stays, blocks = taken_units(session, today, policy, unit_ids)
    return {
        unit_id: decide(stays.get(unit_id, ()), blocks.get(unit_id, ()), today, policy)
        for unit_id in unit_ids
    }


def units_left_out(
    session: Session, excluded: Collection[ReservationKind], today: date
) -> Sequence[str]:
    """Return the units in which a resident of these kinds lives today (Availability, Rules)."""
    if not excluded:
        return ()
    policy = policy_of(session)
    asked = select(Reservation.unit_id).where(
        Reservation.kind.in_(excluded),
        Reservation.cancelled_at.is_(None),
        # A stay that has ended excludes no unit.
        or_(
            Reservation.ends_on.is_(None),
            Reservation.ends_on >= today - timedelta(days=policy.turnover_days),
        ),
    )
    # Made distinct here: with DISTINCT, SQLite would read every stay in the order of units.
    unit_ids = list(dict.fromkeys(session.scalars(asked)))
    stays = taken_units(session, today, policy, unit_ids).stays
    return [id_ for id_ in unit_ids if not is_shown(stays.get(id_, ()), excluded, today, policy)]
