"""Master leases: what the operator pays an owner for a month of a building."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from pms.rules.days import ONE_DAY, Days, inclusive_days, month_of
from pms.rules.management_forms import FormFrom, ManagementForm, form_in_force
from pms.rules.periods import period_end
from pms.rules.rent_lines import prorated_yen
from pms.rules.tax_classes import divide_yen
from pms.rules.yen import percent_charge, round_half_away


class LeaseRentKind(StrEnum):
    """How the rent of a master lease is worked out."""

    FIXED = "fixed"
    DUE = "due"
    RECEIVED = "received"


class LeaseStep(NamedTuple):
    """The rent from a day on: whole yen a month, or a percentage of rents due or received."""

    from_on: date
    kind: LeaseRentKind
    rent_yen: int = 0
    percent: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """A master lease: its days, the free months at its start, and its steps."""

    first_on: date
    last_on: date | None
    steps: Sequence[LeaseStep]
    free_months: int = 0

    @property
    def free_through_on(self) -> date | None:
        """The last day without rent; None without free months."""
        return period_end(self.first_on, self.free_months) if self.free_months else None

    def next_revision_on(self, today: date) -> date | None:
        """The first day after today on which another step begins, within the lease."""
        coming = (step.from_on for step in self.steps if step.from_on > today)
        first = min(coming, default=None)
        is_over = first is not None and self.last_on is not None and first > self.last_on
        return None if is_over else first


def lease_in_force(
    terms: LeaseTerms, later: Iterable[LeaseTerms], forms: Sequence[FormFrom]
) -> LeaseTerms | None:
    """The lease with the last day on which it counts; None where it never does.

    It ends with its own last day, with the day before the next lease of the building, or with the
    last one before the building has another management form.
    """
    if form_in_force(forms, terms.first_on, has_owner=True).form is not ManagementForm.MASTER_LEASE:
        return None
    ends = [terms.last_on] if terms.last_on is not None else []
    ends += [following.first_on - ONE_DAY for following in later]
    ends += [
        form.from_on - ONE_DAY
        for form in forms
        if form.from_on > terms.first_on
        and form_in_force(forms, form.from_on, has_owner=True).form
        is not ManagementForm.MASTER_LEASE
    ]
    return replace(terms, last_on=min(ends, default=None))


def lacks_lease(forms: Sequence[FormFrom], leases: Sequence[Days], days: Days) -> bool:
    """Whether a building is under master lease on one of the days while no lease has terms for it."""
    count = inclusive_days(*days)
    return any(
        form_in_force(forms, on, has_owner=True).form is ManagementForm.MASTER_LEASE
        and not is_leased(leases, on)
        for on in (days.first_on + ONE_DAY * later for later in range(count))
    )


class BilledRent(NamedTuple):
    """A billed line of rent with its days, in whole yen."""

    first_on: date
    last_on: date
    yen: int


def leased_yen(leases: Sequence[Days], line: BilledRent) -> int:
    """The whole yen of a line that its days under a master lease make up.

    A line is cut where a lease begins or ends; every part but the last is rounded, the last is the
    rest (R59a).
    """
    starts = {lease.first_on for lease in leases} | {
        lease.last_on + ONE_DAY for lease in leases if lease.last_on < line.last_on
    }
    firsts = sorted({line.first_on, *(on for on in starts if line.first_on < on <= line.last_on)})
    lasts = [*(on - ONE_DAY for on in firsts[1:]), line.last_on]
    whole = inclusive_days(line.first_on, line.last_on)
    runs = [inclusive_days(*run) for run in zip(firsts, lasts, strict=True)]
    parts = divide_yen(line.yen, [Fraction(line.yen * run, whole) for run in runs])
    return sum(part for on, part in zip(firsts, parts, strict=True) if is_leased(leases, on))


def is_leased(leases: Iterable[Days], on: date) -> bool:
    """Whether a master lease is in force on a day."""
    return any(lease.first_on <= on <= lease.last_on for lease in leases)


class ReceivedRent(NamedTuple):
    """Rent received on a day, in whole yen."""

    on: date
    yen: int


class LeaseLine(NamedTuple):
    """The rent of one step for days of a month, in whole yen."""

    kind: LeaseRentKind
    first_on: date
    last_on: date
    yen: int
    percent: Decimal = Decimal(0)


def lease_lines(
    terms: LeaseTerms,
    month_on: date,
    *,
    due: Sequence[BilledRent] = (),
    received: Sequence[ReceivedRent] = (),
) -> tuple[LeaseLine, ...]:
    """The rent to the owner for the month of a day: a line for each step in force, rounded once.

    Free days and days outside the lease bear none. A fixed rent is prorated by the days of the month;
    a percentage is of the exact part of the rents due of these days, or of what came in on them.
    """
    return tuple(
        LeaseLine(step.kind, *days, _rent_of_days(step, days, due, received), step.percent)
        for step, days in _steps_of_month(terms, month_of(month_on))
    )


def _steps_of_month(terms: LeaseTerms, month: Days) -> Iterator[tuple[LeaseStep, Days]]:
    """The steps with the days of the month on which they bear rent, in order."""
    free_on = terms.free_through_on
    rent_on = terms.first_on if free_on is None else free_on + ONE_DAY
    steps = sorted(terms.steps, key=lambda step: step.from_on)
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        first_on = max(step.from_on, rent_on, month.first_on)
        ends = [month.last_on]
        if terms.last_on is not None:
            ends.append(terms.last_on)
        if following is not None:
            ends.append(following.from_on - ONE_DAY)
        if first_on <= min(ends):
            yield step, Days(first_on, min(ends))


def _rent_of_days(
    step: LeaseStep, days: Days, due: Iterable[BilledRent], received: Iterable[ReceivedRent]
) -> int:
    if step.kind is LeaseRentKind.FIXED:
        return round_half_away(prorated_yen(step.rent_yen, days))
    if step.kind is LeaseRentKind.DUE:
        return percent_charge(step.percent, sum((_due_on(line, days) for line in due), Fraction()))
    came_yen = sum(part.yen for part in received if days.first_on <= part.on <= days.last_on)
    return percent_charge(step.percent, came_yen)


def _due_on(line: BilledRent, days: Days) -> Fraction:
    """The exact part of a billed line that its days among others make up, in yen."""
    shared = inclusive_days(max(line.first_on, days.first_on), min(line.last_on, days.last_on))
    return Fraction(line.yen * max(shared, 0), inclusive_days(line.first_on, line.last_on))
