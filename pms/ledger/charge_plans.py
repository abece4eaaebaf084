"""Plans one charge for many reservations: who is charged how much, and who is left out and why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple, Self

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.pricing.prices import agreed_prices
from pms.reservations.models import Reservation
from pms.rules.days import strict_day
from pms.rules.enumerations import (
    EntryKind,
    FeeCategory,
    Lifecycle,
    RecurringItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.ledger_entries import ArrearsOf, EntryHistory, EntryPayment, EntryPosting
from pms.rules.price_changes import monthly_yen
from pms.rules.yen import percent_charge

_Opposite = aliased(LedgerEntry)
_ENTRIES = (
    select(
        LedgerEntry.reservation_id,
        LedgerEntry.id,
        LedgerEntry.issued_on,
        LedgerEntry.due_on,
        LedgerEntry.arrears_of_id,
        LedgerEntry.cancelled_yen,
        _Opposite.issued_on.label("voided_on"),
    )
    .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
    .where(LedgerEntry.kind != EntryKind.OPPOSITE)
)
_POSTINGS = (
    select(
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        func.sum(case((LedgerLine.is_deposit, 0), else_=LedgerLine.amount_yen)),
        func.sum(case((LedgerLine.is_deposit, LedgerLine.amount_yen), else_=0)),
    )
    .group_by(LedgerLine.entry_id, LedgerLine.posted_on)
    .order_by(LedgerLine.posted_on)
)
_PAYMENTS = (
    select(Allocation.entry_id, Allocation.allocated_on, func.sum(Allocation.amount_yen))
    .group_by(Allocation.entry_id, Allocation.allocated_on)
    .order_by(Allocation.allocated_on)
)


def entry_histories(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    """Return the entries of reservations, with three queries; opposite entries become voidings."""
    return asked_once(session, _histories_of, tuple(reservation_ids))


def _histories_of(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    return _read_histories(session, one_of(LedgerEntry.reservation_id, reservation_ids))


def histories_of_entries(
    session: Session, entry_ids: Iterable[str]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    """Return only the named entries, by reservation, with three queries."""
    return _read_histories(session, one_of(LedgerEntry.id, entry_ids))


def _read_histories(
    session: Session, which: ColumnElement[bool]
) -> Mapping[str, tuple[EntryHistory, ...]]:
    # Sorted here: with ORDER BY, SQLite would read every entry by its day.
    entries = sorted(session.execute(_ENTRIES.where(which)), key=_by_issue)
    ids = [entry.id for entry in entries]
    postings, payments = _read_postings(session, ids), _read_payments(session, ids)
    found: defaultdict[str, list[EntryHistory]] = defaultdict(list)
    for reservation_id, *entry in entries:
        found[reservation_id].append(_build_history(entry, postings, payments))
    return {id_: tuple(histories) for id_, histories in found.items()}


def _by_issue(entry: Any) -> tuple[date, str]:
    return entry.issued_on, entry.id


def _build_history(
    entry: list[Any],
    postings: Mapping[str, list[EntryPosting]],
    payments: Mapping[str, list[EntryPayment]],
) -> EntryHistory:
    id_, issued_on, due_on, arrears_of_id, cancelled_yen, voided_on = entry
    return EntryHistory(
        id=id_,
        due_on=due_on,
        # An entry is issued by its first posting, even when that bills nothing.
        postings=(EntryPosting(issued_on, 0), *postings.get(id_, ())),
        payments=tuple(payments.get(id_, ())),
        arrears_of=ArrearsOf(arrears_of_id, cancelled_yen) if arrears_of_id else None,
        voided_on=voided_on,
    )


def _read_postings(session: Session, entry_ids: Iterable[str]) -> Mapping[str, list[EntryPosting]]:
    postings: defaultdict[str, list[EntryPosting]] = defaultdict(list)
    for entry_id, posted_on, payable_yen, deposit_yen in session.execute(
        _POSTINGS.where(one_of(LedgerLine.entry_id, entry_ids))
    ):
        postings[entry_id].append(EntryPosting(posted_on, int(payable_yen), int(deposit_yen)))
    return postings


def _read_payments(session: Session, entry_ids: Iterable[str]) -> Mapping[str, list[EntryPayment]]:
    payments: defaultdict[str, list[EntryPayment]] = defaultdict(list)
    for entry_id, allocated_on, yen in session.execute(
        _PAYMENTS.where(one_of(Allocation.entry_id, entry_ids))
    ):
        payments[entry_id].append(EntryPayment(allocated_on, int(yen)))
    return payments


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyCharge:
    """The charge: whole yen, or a percentage of each rent in force; no building means all."""

    item: str
    label: Bilingual
    amount_yen: int | None
    percent: str | None
    category: FeeCategory
    tax_treatment: TaxTreatment
    due_on: date
    building_ids: tuple[str, ...] = ()

    @property
    def to_json(self) -> dict[str, Any]:
        """The charge in the form a run stores it."""
        return {**asdict(self), "label": list(self.label), "due_on": self.due_on.isoformat()}

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Self:
        """Return the charge from the stored form of a run."""
        return cls(
            item=asked["item"],
            label=Bilingual(*asked["label"]),
            amount_yen=asked["amount_yen"],
            percent=asked["percent"],
            category=FeeCategory(asked["category"]),
            tax_treatment=TaxTreatment(asked["tax_treatment"]),
            due_on=strict_day(asked["due_on"]) or date.min,
            building_ids=tuple(asked["building_ids"]),
        )


CHARGED_STAGES = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
_COMING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class ChargeBar(StrEnum):
    """Why a stay in the buildings is not charged."""

    OWNER_RESIDENT = "owner_resident"
    GUEST = "guest"
    NOT_MOVED_IN = "not_moved_in"
    NO_RENT = "no_rent"


class ChargedTenancy(NamedTuple):
    """A charged reservation and its amount."""

    reservation_id: str
    name: str
    unit_name: str
    building: Bilingual
    yen: int


class ChargePlan(NamedTuple):
    """The charged reservations, by building and unit, and the number of others by reason."""

    charged: Sequence[ChargedTenancy]
    barred: Mapping[ChargeBar, int]

    @property
    def total_yen(self) -> int:
        return sum(charge.yen for charge in self.charged)

    @property
    def buildings(self) -> int:
        """The number of buildings they live in."""
        return len({charge.building for charge in self.charged})


def plan_charges(
    session: Session,
    on: date,
    charge: ManyCharge,
    reservation_ids: Iterable[str] | None = None,
) -> ChargePlan:
    """Return whom a charge of today covers: residents who live there; nothing is posted."""
    rows = _read_tenancies(session, charge, reservation_ids)
    rents = _read_rents(session, on, charge, [row[0] for row in rows])
    charged, barred = [], Counter[ChargeBar]()
    for id_, kind, lifecycle, name, unit_name, ja, en in rows:
        yen = _compute_charge_yen(charge, rents.get(id_))
        bar = _find_bar(kind, lifecycle, yen)
        if bar is None and yen is not None:
            charged.append(ChargedTenancy(id_, name, unit_name, Bilingual(ja, en), yen))
        elif bar is not None:
            barred[bar] += 1
    return ChargePlan(charged, barred)


def _read_tenancies(
    session: Session, charge: ManyCharge, reservation_ids: Iterable[str] | None
) -> Sequence[Any]:
    question = (
        select(
            Reservation.id,
            Reservation.kind,
            Reservation.lifecycle,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            Reservation.lifecycle.in_((*CHARGED_STAGES, *_COMING)),
            Reservation.cancelled_at.is_(None),
        )
        .order_by(Building.name, Building.id, Unit.name_key, Reservation.id)
    )
    if charge.building_ids:
        question = question.where(one_of(Unit.building_id, charge.building_ids))
    if reservation_ids is not None:
        question = question.where(one_of(Reservation.id, reservation_ids))
    return session.execute(question).all()


def _read_rents(
    session: Session, on: date, charge: ManyCharge, ids: Sequence[str]
) -> Mapping[str, int | None]:
    if charge.percent is None:
        return {}
    return {
        id_: monthly_yen(agreed.price.periods, RecurringItem.BASE_RENT, on)
        for id_, agreed in agreed_prices(session, ids).items()
        if agreed.price.periods
    }


def _compute_charge_yen(charge: ManyCharge, rent_yen: int | None) -> int | None:
    if charge.percent is None:
        return charge.amount_yen
    return percent_charge(Decimal(charge.percent), rent_yen) if rent_yen else None


def _find_bar(kind: str, lifecycle: str, yen: int | None) -> ChargeBar | None:
    if kind == ReservationKind.OWNER_RESIDENT:
        return ChargeBar.OWNER_RESIDENT
    if kind == ReservationKind.GUEST:
        return ChargeBar.GUEST
    if lifecycle in _COMING:
        return ChargeBar.NOT_MOVED_IN
    return None if yen else ChargeBar.NO_RENT
