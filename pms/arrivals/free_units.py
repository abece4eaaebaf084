"""Units that can be booked, and the reservations that conflict with a booking."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.sheets.reading import SheetRow
from pms.availability.occupancy import vacancies, vacancy_of
from pms.catalogue.models import Unit
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.ledger.queries import issued_rows
from pms.reservations.changes import conflicts_of, stay_of
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm, refusal_of_term
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import (
    ReservationKind,
)
from pms.rules.notices import window_opens_on
from pms.rules.policy import Policy
from pms.rules.rent_rows import IssuedRow
from pms.rules.unit_stays import Span, Stay, is_unconfirmed, overlaps, span_of
from pms.rules.vacancy import FollowedStay, Vacancy
from pms.workspaces.queries import policy


class ConflictingStay(NamedTuple):
    """A conflicting reservation; `free_from_on` is None while no end is known.

    A resident takes the unit until a notice is filed, whatever the agreed contract end.
    """

    reservation_id: str
    name: str
    first_on: date
    free_from_on: date | None
    lacks_notice: bool


def conflicting_stays(
    session: Session,
    unit_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[ConflictingStay]:
    """Return who takes the unit on some of the nights, earliest first, without `beside`."""
    if not is_id(unit_id) or refusal_of_term(ContractTerm(first_on, last_on)) is not None:
        return ()
    conflicts = conflicts_of(session, Stay("", first_on, last_on), unit_id, today, beside)
    if not conflicts:
        return ()
    ids = [span.id for span in conflicts]
    asked = select(
        Reservation.id,
        Reservation.name,
        Reservation.ends_on,
        Reservation.lifecycle,
        Reservation.kind,
    )
    rows = {row.id: row for row in session.execute(asked.where(Reservation.id.in_(ids)))}
    return [
        ConflictingStay(
            span.id,
            rows[span.id].name,
            span.first_on,
            span.free_from_on,
            span.first_on <= today
            and rows[span.id].ends_on is None
            and not is_unconfirmed(rows[span.id].lifecycle, rows[span.id].kind),
        )
        for span in conflicts
    ]


def next_start(session: Session, unit_id: str, after: date) -> date | None:
    """Return the first day after `after` on which a reservation of the unit starts."""
    return session.scalar(
        select(func.min(Reservation.starts_on)).where(
            Reservation.unit_id == unit_id,
            Reservation.starts_on > after,
            Reservation.cancelled_at.is_(None),
        )
    )


class FollowedResident(NamedTuple):
    """A resident without a notice, or an owner, in the unit before the requested days.

    A tenancy that follows ends the month-to-month period, which began on `since`. Days after
    `billed_until` are then not billed, unless a notice sets the move-out (Month to month).
    """

    reservation_id: str
    name: str
    kind: ReservationKind
    contract_end_on: date | None
    move_out_on: date | None
    lives_there: bool
    is_month_to_month: bool
    since: date | None
    billed_until: date | None


def followed_residents(
    session: Session, found: Mapping[str, Vacancy], first_on: date, today: date
) -> Mapping[str, Sequence[FollowedResident]]:
    """Return, by unit, the residents that a tenancy from a day on would follow; office use only."""
    ids = [resident.stay.id for vacancy in found.values() for resident in vacancy.followed]
    if not ids:
        return dict.fromkeys(found, ())
    asked = select(Reservation.id, Reservation.name).where(one_of(Reservation.id, ids))
    names = {row.id: row.name for row in session.execute(asked)}
    figures, rows = policy(session), issued_rows(session, ids)
    billed = {id_: _last_day(issued) for id_, issued in rows.items()}

    def resident(stay: FollowedStay) -> FollowedResident:
        start_on, end_on = readable(stay.stay.start_on), readable(stay.stay.end_on)
        since = window_opens_on(ContractTerm(start_on, end_on), figures) if start_on else None
        untils = [billed.get(stay.stay.id), end_on and min(end_on, first_on - ONE_DAY)]
        return FollowedResident(
            reservation_id=stay.stay.id,
            name=names[stay.stay.id],
            kind=ReservationKind(stay.stay.kind),
            contract_end_on=end_on,
            move_out_on=readable(stay.stay.move_out_on),
            lives_there=start_on is not None and start_on <= today and not stay.stay.is_unconfirmed,
            is_month_to_month=stay.is_month_to_month,
            since=since if stay.is_month_to_month else None,
            billed_until=max((day for day in untils if day), default=None),
        )

    return {unit_id: list(map(resident, vacancy.followed)) for unit_id, vacancy in found.items()}


def list_followed_residents(
    session: Session,
    unit_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[FollowedResident]:
    """Return whom a tenancy of a unit would follow; nobody while its nights are taken."""
    if not is_id(unit_id) or refusal_of_term(ContractTerm(first_on, last_on)) is not None:
        return ()
    found = vacancy_of(session, unit_id, Stay("", first_on, last_on), today, beside)
    if found.conflicts:
        return ()
    return followed_residents(session, {unit_id: found}, first_on, today)[unit_id]


def _last_day(rows: Iterable[IssuedRow]) -> date | None:
    return max((row.last_on for row in rows if row.last_on), default=None)


class BookableUnit(NamedTuple):
    """A unit whose nights no reservation takes; amounts are whole yen a month.

    It is free only when its state says so. Otherwise residents without a notice (`followed`) come
    before, or a block takes some of the nights outside the service.
    """

    id: str
    name: str
    layout: str | None
    rent_yen: int | None
    is_free: bool = True
    is_blocked: bool = False
    followed: Sequence[FollowedResident] = ()


def bookable_units(
    session: Session,
    building_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[BookableUnit]:
    """Return the units by name, in five queries; the reservations `beside` are taken to end before.

    Only reservations take a unit (specification, Availability, Rules): a blocked unit can be
    booked, but is not free.
    """
    if not is_id(building_id):
        return ()
    rows = session.execute(
        select(Unit.id, Unit.name, Unit.layout, Unit.rent_yen)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name, Unit.id)
    ).all()
    wanted = Stay("", first_on, last_on)
    found = vacancies(session, [row.id for row in rows], wanted, today, beside)
    open_ = {id_: vacancy for id_, vacancy in found.items() if not vacancy.conflicts}
    followed = followed_residents(session, open_, first_on, today)
    return [
        BookableUnit(*row, open_[row.id].is_free, open_[row.id].is_blocked, followed[row.id])
        for row in rows
        if row.id in open_
    ]


def free_units(
    session: Session, building_id: str, first_on: date, last_on: date | None, today: date
) -> Sequence[BookableUnit]:
    """Return the units that a guest's link may book: no resident without a notice comes before.

    A unit blocked by a travel channel stays bookable, because the link is made for its guest.
    """
    found = bookable_units(session, building_id, first_on, last_on, today)
    return [unit for unit in found if not unit.followed]


OPEN_ENDED: Final = "…"
_MOST_ROUNDS: Final = 20


class PlacedRow(NamedTuple):
    """A row of the sheet with its unit, and the stored reservation it restates, if any."""

    row: SheetRow
    stated: ResidentRow
    unit_id: str
    stored: Reservation | None


class _HeldUnits:
    """The nights taken of each unit: by accepted rows of the sheet and by stored reservations."""

    def __init__(
        self, placed: Sequence[PlacedRow], plan: ReservationPlan, today: date, figures: Policy
    ) -> None:
        self._today, self._figures = today, figures
        self._in_sheet: dict[str, list[tuple[Span, int]]] = defaultdict(list)
        restated = {stay.stored.id for stay in placed if stay.stored is not None}
        units = dict.fromkeys(stay.unit_id for stay in placed)
        self._stored = {id_: self._spans_of(plan.by_unit.get(id_, ()), restated) for id_ in units}

    def _spans_of(self, known: Sequence[Reservation], restated: set[str]) -> list[Span]:
        spans = (
            span_of(stay_of(stored), self._today, self._figures)
            for stored in known
            if stored.id not in restated
        )
        return [span for span in spans if span is not None]

    def span(self, placed: PlacedRow) -> Span | None:
        """Return the nights for which a row takes its unit."""
        return span_of(_build_stay(placed), self._today, self._figures)

    def above(self, unit_id: str, span: Span) -> tuple[Span, int] | None:
        """Return an accepted row above that shares a night.

        Accepted rows share no night with each other, so only the neighbours are compared.
        """
        taken = self._in_sheet[unit_id]
        place = bisect_left(taken, span.first_on, key=_by_first_night)
        neighbours = taken[max(0, place - 1) : place + 1]
        return next((pair for pair in neighbours if overlaps(span, pair[0])), None)

    def find_sharing_night(self, unit_id: str, span: Span) -> Span | None:
        """Return the nights of a stored reservation, not in the sheet, that shares a night."""
        return next((other for other in self._stored[unit_id] if overlaps(span, other)), None)

    def take(self, unit_id: str, span: Span, line: int) -> None:
        """Add the nights of an accepted row."""
        if span.first_on != span.free_from_on:
            insort(self._in_sheet[unit_id], (span, line), key=_by_first_night)


def _by_first_night(pair: tuple[Span, int]) -> date:
    return pair[0].first_on


def refuse_overlaps(
    placed: Sequence[PlacedRow], plan: ReservationPlan, today: date, figures: Policy
) -> None:
    """Refuse the rows that would take a unit twice: rows above win, and stored reservations win.

    The stored reservation of a refused row stays as it was and may then conflict with other rows,
    so the comparison is repeated until no such row is refused any more.
    """
    for _ in range(_MOST_ROUNDS):
        standing = [stay for stay in placed if not stay.row.problems]
        held = _HeldUnits(standing, plan, today, figures)
        for stay in standing:
            _refuse_overlap(stay, held)
        if not any(stay.row.problems and stay.stored is not None for stay in standing):
            return


def _refuse_overlap(placed: PlacedRow, held: _HeldUnits) -> None:
    span = held.span(placed)
    if span is None:
        return
    if (above := held.above(placed.unit_id, span)) is not None:
        placed.row.refuse(
            "move_in_date", "overlaps_line", line=above[1], **_format_span_days(above[0])
        )
    elif (stored := held.find_sharing_night(placed.unit_id, span)) is not None:
        placed.row.refuse("move_in_date", "overlaps_reservation", **_format_span_days(stored))
    else:
        held.take(placed.unit_id, span, placed.row.line)


def _build_stay(placed: PlacedRow) -> Stay:
    stated, stored = placed.stated, placed.stored
    return Stay(
        id="" if stored is None else stored.id,
        start_on=stated.start_on,
        end_on=stated.end_on,
        move_out_on=stated.move_out_date,
        is_forced=stored is not None and stored.forced_on is not None,
        kind=stated.kind,
    )


def _format_span_days(span: Span) -> dict[str, Any]:
    last = OPEN_ENDED if span.free_from_on is None else span.free_from_on.isoformat()
    return {"first": span.first_on.isoformat(), "last": last}
