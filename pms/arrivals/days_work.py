"""Today's work of the office: arrivals, departures and waiting tasks."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import Session

from pms.arrivals.tenancy_ways import WayRecord
from pms.catalogue.models import Building, Unit
from pms.departures.models import MoveOutNotice
from pms.deposits.models import Refund, Settlement
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.ledger.models import EntryTotal
from pms.reservations.later_terms import read_first_days
from pms.reservations.models import Reservation
from pms.rules.contract_terms import term_of_day
from pms.rules.days import RecordedDay, readable
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)
from pms.rules.notices import window_opens_on
from pms.rules.policy import Policy
from pms.workspaces.queries import counters

COMING_DAYS: Final = 7
LEAVING_DAYS: Final = 14
FILED_DAYS: Final = 7
WINDOW_DAYS: Final = 14
_COMING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
_HERE: Final = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
_HANDED_ON: Final = (Lifecycle.CANCELLED, Lifecycle.TRANSFERRED)


class DueStay(NamedTuple):
    """A reservation with its due day, and the columns that decide its way.

    An arrival is due on the day that somebody arrives, which may differ from the start.
    """

    reservation_id: str
    version: int
    name: str
    unit: str
    building: Bilingual
    kind: ReservationKind
    lifecycle: Lifecycle
    on: date
    record: WayRecord
    arrival_on: RecordedDay = None

    @property
    def is_coming(self) -> bool:
        """Whether nobody moved in yet."""
        return self.lifecycle in _COMING


class DueKind(StrEnum):
    """What a reservation is due for."""

    ARRIVAL = "arrival"
    NO_SHOW = "no_show"
    MOVED_IN = "moved_in"
    KEYS = "keys"
    DEPARTURE = "departure"
    SETTLEMENT = "settlement"
    REFUND = "refund"
    NOTICE = "notice"


def due_stays(
    session: Session, kinds: Sequence[DueKind], today: date, few: int
) -> Mapping[DueKind, Sequence[DueStay]]:
    """Return the first few reservations of each kind in one query, the earliest first.

    Arrivals: within a week, or overdue, also of who lives here on paper and arrives later or today. No-shows:
    residents whose contract has started and whom nobody confirmed or moved in. Moved in: who lives
    there although contract or move-in payment are open. Keys: who lives here without a record of keys. Departures: within two weeks or overdue,
    guests too. Settlements: of who left, not of guests, who pay no deposit; of cancelled and
    continued bookings those with money. Refunds: settled, and not sent. Notices: those of the past
    week, the newest first. The result is kept until one of them, or their money, changes.
    """
    question = (tuple(kinds), today, few)
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    return _DUE.answer(session, question, state, lambda: _ask_due_stays(session, *question))


_DUE: Final = KeptAnswers()


def _ask_due_stays(
    session: Session, kinds: tuple[DueKind, ...], today: date, few: int
) -> Mapping[DueKind, Sequence[DueStay]]:
    found: dict[DueKind, list[DueStay]] = {kind: [] for kind in kinds}
    for kind, _place, *facts in session.execute(_select_due_stays(kinds, today, few)):
        stay = _build_due_stay(facts)
        if kind == DueKind.ARRIVAL:
            stay = stay._replace(on=readable(stay.arrival_on) or stay.on)
        found[DueKind(kind)].append(stay)
    return found


@lru_cache(maxsize=16)
def _select_due_stays(kinds: tuple[DueKind, ...], today: date, few: int) -> Select[Any]:
    coming, going = timedelta(days=COMING_DAYS), timedelta(days=LEAVING_DAYS)
    starts, ends, filed = Reservation.starts_on, Reservation.ends_on, MoveOutNotice.filed_on
    settled_on, ended = Settlement.settled_on, func.coalesce(ends, starts)
    arrives = type_coerce(Reservation.arrival_date, String)
    sent = select(func.sum(Refund.amount_yen)).where(refers_to(Refund.settlement_id, Settlement))
    questions = {
        DueKind.ARRIVAL: (
            _select_stays(starts).where(_is_arriving(today, today + coming), ~_is_no_show(today)),
            func.coalesce(arrives, cast(starts, String)).asc(),
        ),
        DueKind.MOVED_IN: (_select_stays(starts).where(_is_moved_in_early()), starts.asc()),
        DueKind.KEYS: (_select_stays(starts).where(_is_without_keys(today)), starts.asc()),
        DueKind.NO_SHOW: (_select_stays(starts).where(_is_no_show(today)), starts.asc()),
        DueKind.DEPARTURE: (
            _select_stays(ends).where(Reservation.lifecycle.in_(_HERE), ends <= today + going),
            ends.asc(),
        ),
        DueKind.SETTLEMENT: (
            # A cancelled booking has no end; the day on which it would have begun is told.
            _select_stays(ended, is_open=False).where(
                Reservation.kind != ReservationKind.GUEST,
                or_(Reservation.lifecycle == Lifecycle.MOVED_OUT, _holds_money()),
                ended.is_not(None),
            ),
            ended.asc(),
        ),
        DueKind.REFUND: (
            _select_stays(settled_on, is_open=False)
            .join(Settlement, refers_to(Settlement.reservation_id, Reservation))
            .where(Settlement.remainder_yen > func.coalesce(sent.scalar_subquery(), 0)),
            settled_on.asc(),
        ),
        DueKind.NOTICE: (
            _select_stays(filed)
            .join(MoveOutNotice, refers_to(MoveOutNotice.reservation_id, Reservation))
            .where(
                MoveOutNotice.withdrawn_at.is_(None),
                filed > today - timedelta(days=FILED_DAYS),
            ),
            filed.desc(),
        ),
    }
    parts = [_select_first_rows(kind, *questions[kind], few) for kind in kinds]
    found = union_all(*parts).subquery()
    return select(found).order_by(found.c.kind, found.c.place)


def _holds_money() -> ColumnElement[bool]:
    """Whether a cancelled or continued booking, not settled yet, may hold or owe money."""
    is_uneven = select(EntryTotal.reservation_id).where(
        EntryTotal.billed_yen != EntryTotal.paid_yen
    )
    has_deposit = exists().where(
        EntryTotal.workspace_id == Reservation.workspace_id,
        EntryTotal.reservation_id == Reservation.id,
        EntryTotal.deposit_yen != 0,
    )
    is_settled = exists().where(refers_to(Settlement.reservation_id, Reservation))
    return and_(
        or_(
            and_(Reservation.lifecycle == Lifecycle.CANCELLED, has_deposit),
            and_(Reservation.lifecycle.in_(_HANDED_ON), Reservation.id.in_(is_uneven)),
        ),
        ~is_settled,
    )


def _is_arriving(today: date, last_on: date) -> ColumnElement[bool]:
    """Whether the start or the arrival is near; of who lives here only an arrival to come.

    Who is signed and paid lives here from the first minute of the start, and arrives later that day.
    """
    arrives_soon = Reservation.arrival_date.between(today, last_on)
    starts_today = and_(
        Reservation.starts_on == today,
        Reservation.arrival_date.is_(None),
        Reservation.taken_over_on.is_(None),
        ~_is_moved_in_early(),
    )
    return or_(
        and_(
            Reservation.lifecycle.in_(_COMING), or_(Reservation.starts_on <= last_on, arrives_soon)
        ),
        and_(Reservation.lifecycle.in_(_HERE), or_(arrives_soon, starts_today)),
    )


def _is_moved_in_early() -> ColumnElement[bool]:
    """Whether staff moved somebody in whose contract or move-in payment is open."""
    return and_(
        Reservation.lifecycle.in_(_HERE),
        Reservation.kind == ReservationKind.RESIDENT,
        Reservation.taken_over_on.is_(None),
        or_(
            Reservation.esign_status != EsignStatus.SIGNED,
            Reservation.payment_status != PaymentStatus.PAID,
        ),
    )


def _is_without_keys(today: date) -> ColumnElement[bool]:
    """Whether a resident lives here of whom no keys are recorded; the way says if they are due."""
    return and_(
        Reservation.lifecycle.in_(_HERE),
        Reservation.kind == ReservationKind.RESIDENT,
        Reservation.has_earlier_keys.is_(False),
        Reservation.starts_on <= today,
        Reservation.keys_on.is_(None),
    )


def _is_no_show(today: date) -> ColumnElement[bool]:
    return and_(
        Reservation.lifecycle == Lifecycle.BOOKED,
        Reservation.kind == ReservationKind.RESIDENT,
        Reservation.starts_on <= today,
    )


def _select_first_rows(kind: DueKind, question: Select[Any], order: Any, few: int) -> Select[Any]:
    place = func.row_number().over(order_by=(order, Reservation.id)).label("place")
    rows = question.add_columns(place).order_by(order, Reservation.id).limit(few).subquery()
    facts = [column for column in rows.c if column.name != "place"]
    return select(literal(kind.value, String).label("kind"), rows.c.place, *facts)


def entering_month_to_month(session: Session, today: date, policy: Policy) -> Sequence[DueStay]:
    """Return who enters the month-to-month window within two weeks (Move-out penalties 5)."""
    farthest = today + timedelta(days=WINDOW_DAYS + policy.long_notice_days)
    end = func.coalesce(
        func.nullif(type_coerce(Reservation.override_contract_end_date, String), ""),
        func.nullif(type_coerce(Reservation.contract_end_date, String), ""),
    )
    found = session.execute(
        _select_stays(Reservation.starts_on)
        .add_columns(
            Reservation.override_contract_end_date,
            Reservation.contract_end_date,
            Reservation.later_terms_from,
        )
        .where(
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.forced_on.is_(None),
            Reservation.starts_on.is_not(None),
            end.between(today.isoformat(), farthest.isoformat()),
        )
    )
    stays = [stay for row in found if (stay := _find_opening_stay(row, today, policy))]
    return sorted(stays, key=lambda stay: stay.on)


def _find_opening_stay(row: Sequence[Any], today: date, policy: Policy) -> DueStay | None:
    *facts, override, end, later_terms_from = row
    stay, firsts = _build_due_stay(facts), read_first_days(later_terms_from)
    term = term_of_day(stay.on, firsts, readable(override or end), today)
    opens_on = window_opens_on(term, policy)
    if opens_on is None or not today <= opens_on <= today + timedelta(days=WINDOW_DAYS):
        return None
    return stay._replace(on=opens_on)


def _select_stays(day: Any, *, is_open: bool = True) -> Select[Any]:
    asked: Select[Any] = (
        select(
            Reservation.id.label("id"),
            Reservation.version,
            Reservation.name,
            Unit.name.label("unit"),
            Building.name.label("building"),
            Building.name_en,
            day.label("due_on"),
            Reservation.arrival_date,
            Reservation.kind.label("stay_kind"),
            Reservation.lifecycle,
            Reservation.payment_status,
            Reservation.esign_status,
            Reservation.email.is_not(None).label("has_address"),
            Reservation.taken_over_on.is_not(None).label("is_taken_over"),
            Reservation.has_earlier_keys,
            Reservation.keys_on,
            Reservation.starts_on,
            Reservation.ends_on,
        )
        .join(Reservation.unit)
        .join(Unit.building)
    )
    return asked.where(Reservation.cancelled_at.is_(None)) if is_open else asked


def _build_due_stay(row: Iterable[Any]) -> DueStay:
    id_, version, name, unit, building, english, due_on, arrival_on, *columns = row
    record = WayRecord._make((id_, *columns, readable(arrival_on)))
    named = name, unit, Bilingual(building, english)
    return DueStay(id_, version, *named, record.kind, record.lifecycle, due_on, record, arrival_on)


def has_rent_to_bill(session: Session) -> bool:
    """Whether anybody lives here, or comes, whose rent a billing run could bill."""
    found = select(Reservation.id).where(
        Reservation.lifecycle.in_((Lifecycle.CONFIRMED, *_HERE)),
        Reservation.kind == ReservationKind.RESIDENT,
    )
    return session.scalar(found.limit(1)) is not None
