"""The rents that the operator pays owners under master leases, by month."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.ledger.opening import is_income
from pms.reservations.models import Reservation
from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from pms.rules.master_leases import (
    BilledRent,
    LeaseRentKind,
    ReceivedRent,
    is_leased,
    lease_lines,
)
from pms.rules.owner_income import operators_receipts
from pms.statements.building_income import read_bills
from pms.statements.master_leases import LeaseInForce, days_of_leases
from pms.statements.monthly_receipts import is_in_buildings

LEASE_RENT: Final = "lease_rent"
"""The category of the rents in reports."""


class RentPaid(NamedTuple):
    """The rent of one step of a master lease for days of a month, in whole yen."""

    kind: LeaseRentKind
    first_on: date
    last_on: date
    yen: int
    percent: Decimal
    tax: TaxTreatment


class _Base(NamedTuple):
    """What percentages are taken of: the yen of each category by the month of their days."""

    due: Mapping[date, Sequence[tuple[FeeCategory, BilledRent]]]
    received: Mapping[date, Sequence[tuple[FeeCategory, ReceivedRent]]]


RentsOfBuilding = Mapping[date, Sequence[RentPaid]]


def lease_rents(
    session: Session, leases: Mapping[str, Sequence[LeaseInForce]], through_on: date
) -> Mapping[str, RentsOfBuilding]:
    """Return the rents of every month through that of a day by building, without empty months."""
    kinds = {
        kind: [id_ for id_, of_building in leases.items() if _have_kind(of_building, kind)]
        for kind in LeaseRentKind
    }
    due = _read_due(session, kinds[LeaseRentKind.DUE])
    received = _read_received(session, kinds[LeaseRentKind.RECEIVED], leases)
    return {
        id_: dict(_list_months(found, _Base(due.get(id_, {}), received.get(id_, {})), through_on))
        for id_, found in leases.items()
    }


def _have_kind(leases: Sequence[LeaseInForce], kind: LeaseRentKind) -> bool:
    return any(step.kind is kind for lease in leases for step in lease.terms.steps)


def _list_months(
    leases: Sequence[LeaseInForce], base: _Base, through_on: date
) -> Iterator[tuple[date, Sequence[RentPaid]]]:
    month_on = month_first(min(lease.terms.first_on for lease in leases))
    while month_on <= through_on:
        rents = [
            RentPaid(*line, lease.row.tax_treatment)
            for lease in leases
            if lease.terms.first_on <= month_last(month_on)
            for line in lease_lines(
                lease.terms,
                month_on,
                due=[
                    line
                    for category, line in base.due.get(month_on, ())
                    if category in lease.row.categories
                ],
                received=[
                    part
                    for category, part in base.received.get(month_on, ())
                    if category in lease.row.categories
                ],
            )
        ]
        if rents:
            yield month_on, rents
        month_on = add_months(month_on, 1)


def _read_due(
    session: Session, building_ids: Sequence[str]
) -> Mapping[str, Mapping[date, Sequence[tuple[FeeCategory, BilledRent]]]]:
    """Return what was billed by the days it is for; what an arrears charge collects was billed before."""
    found: defaultdict[str, defaultdict[date, list[tuple[FeeCategory, BilledRent]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    if not building_ids:
        return found
    first_on = func.coalesce(LedgerLine.first_on, LedgerLine.posted_on)
    last_on = func.coalesce(LedgerLine.last_on, LedgerLine.first_on, LedgerLine.posted_on)
    place = (Unit.building_id, LedgerLine.category, first_on, last_on)
    asked = (
        select(*place, func.sum(LedgerLine.amount_yen))
        .join(LedgerEntry, refers_to(LedgerLine.entry_id, LedgerEntry))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(
            is_income(),
            LedgerEntry.kind != EntryKind.ARREARS,
            LedgerLine.is_deposit.is_(False),
            one_of(Unit.building_id, building_ids),
        )
        .group_by(*place)
        .order_by(*place)
    )
    for building_id, category, first, last, yen in session.execute(asked):
        line = BilledRent(first, last, int(yen))
        # A line never extends beyond the end of its month.
        found[building_id][month_first(first)].append((FeeCategory(category), line))
    return found


def _read_received(
    session: Session, building_ids: Sequence[str], leases: Mapping[str, Sequence[LeaseInForce]]
) -> Mapping[str, Mapping[date, Sequence[tuple[FeeCategory, ReceivedRent]]]]:
    """Return what the operator's lines received by day.

    What came before a lease began, for days of it, counts on its first day.
    """
    found: defaultdict[str, defaultdict[date, list[tuple[FeeCategory, ReceivedRent]]]] = (
        defaultdict(lambda: defaultdict(list))
    )
    if not building_ids:
        return found
    paid = (
        select(Allocation.entry_id)
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(is_income(), is_in_buildings(LedgerEntry.reservation_id, building_ids))
        .distinct()
    )
    days = days_of_leases(leases)
    for bill in read_bills(session, session.scalars(paid).all(), days):
        in_force = days[bill.building_id]
        for came_on, by_category in operators_receipts(bill.money).items():
            on = came_on
            if not is_leased(in_force, came_on):
                coming = (lease.first_on for lease in in_force)
                on = min((first_on for first_on in coming if first_on > came_on), default=came_on)
            for category, yen in by_category.items():
                part = ReceivedRent(on, yen)
                found[bill.building_id][month_first(on)].append((category, part))
    return found
