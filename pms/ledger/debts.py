"""Who owes what and since when, of the whole workspace in a few questions."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.versions import LEDGER
from pms.ledger.statement import unsettled_standings
from pms.reservations.models import Reservation
from pms.rules.ledger_entries import Standing
from pms.workspaces.queries import counters


class DebtAge(StrEnum):
    """How long ago a bill was due, as far as it is unpaid."""

    NOT_DUE = "not_due"
    DAYS_1_30 = "days_1_30"
    DAYS_31_60 = "days_31_60"
    DAYS_61_90 = "days_61_90"
    OVER_90 = "over_90"


_LAST_DAYS = (
    (DebtAge.NOT_DUE, 0),
    (DebtAge.DAYS_1_30, 30),
    (DebtAge.DAYS_31_60, 60),
    (DebtAge.DAYS_61_90, 90),
)


def debt_age(due_on: date, on: date) -> DebtAge:
    """Return the age of a debt on a day; on its due day it is not late yet."""
    days = (on - due_on).days
    return next((age for age, last in _LAST_DAYS if days <= last), DebtAge.OVER_90)


@dataclass(slots=True)
class Debt:
    """What one reservation has not paid on a day, in whole yen by age.

    `overpaid_yen` lies on other entries of the same reservation.
    """

    reservation_id: str
    by_age: dict[DebtAge, int] = field(default_factory=lambda: dict.fromkeys(DebtAge, 0))
    oldest_due_on: date = date.max
    overpaid_yen: int = 0
    entries: int = 0

    @property
    def unpaid_yen(self) -> int:
        """Everything issued and unpaid, due or not."""
        return sum(self.by_age.values())

    @property
    def overdue_yen(self) -> int:
        """What was to be paid before the day."""
        return self.unpaid_yen - self.by_age[DebtAge.NOT_DUE]


class Overdue(NamedTuple):
    """How many reservations have something overdue, and how many yen in all."""

    total: int
    yen: int


class _Debts(NamedTuple):
    all: Sequence[Debt]
    overdue: Overdue


_DEBTS: Final = KeptAnswers(most=4)


def debts(session: Session, on: date, building_id: str | None = None) -> Sequence[Debt]:
    """Return everybody with something unpaid at the end of a day, the longest overdue first.

    Of the whole workspace, or of the units of one building. Only entries that are not paid to the
    yen go through the rules; the others owe nothing.
    """
    found = _all_debts(session, on).all
    if building_id is None:
        return found
    lived_there = _reservations_of(session, building_id)
    return [debt for debt in found if debt.reservation_id in lived_there]


def overdue(session: Session, on: date) -> Overdue:
    """Return what of the debts of a workspace is overdue on a day."""
    return _all_debts(session, on).overdue


def _all_debts(session: Session, on: date) -> _Debts:
    state = counters(session, LEDGER)
    return _DEBTS.answer(session, on, state, lambda: _added_up(_asked(session, on)))


def _added_up(found: Sequence[Debt]) -> _Debts:
    late = [debt.overdue_yen for debt in found if debt.overdue_yen > 0]
    return _Debts(found, Overdue(len(late), sum(late)))


def _asked(session: Session, on: date) -> Sequence[Debt]:
    standings = unsettled_standings(session, on)
    found = (_debt(id_, standings[id_], on) for id_ in standings)
    owing = [debt for debt in found if debt.unpaid_yen]
    return sorted(owing, key=lambda debt: (debt.oldest_due_on, debt.reservation_id))


def debt_totals(found: Iterable[Debt]) -> Mapping[DebtAge, int]:
    """Return the yen of each age, all reservations together."""
    totals: defaultdict[DebtAge, int] = defaultdict(int)
    for debt in found:
        for age, yen in debt.by_age.items():
            totals[age] += yen
    return {age: totals[age] for age in DebtAge}


def _debt(reservation_id: str, standings: Iterable[Standing], on: date) -> Debt:
    debt = Debt(reservation_id)
    for standing in standings:
        debt.overpaid_yen += standing.overpaid_yen
        if standing.unpaid_yen:
            debt.by_age[debt_age(standing.due_on, on)] += standing.unpaid_yen
            debt.oldest_due_on = min(debt.oldest_due_on, standing.due_on)
            debt.entries += 1
    return debt


def _reservations_of(session: Session, building_id: str) -> Container[str]:
    asked = select(Reservation.id).join(Reservation.unit).where(Unit.building_id == building_id)
    return set(session.scalars(asked))
