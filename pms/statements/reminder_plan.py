"""Works out who would be reminded of what: the check page and the deed share it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Result, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.ledger_entries import Standing
from pms.statements.models import Invoice
from pms.statements.send_overdue_reminders import asked_yen


class ReminderBar(StrEnum):
    """Why somebody is not reminded."""

    NO_ADDRESS = "no_address"
    NOTHING_OVERDUE = "nothing_overdue"
    REMINDED_TODAY = "reminded_today"


class OverdueBill(NamedTuple):
    """One bill whose due day is past, and what of it is asked for, in whole yen."""

    entry_id: str
    label: Bilingual
    due_on: date
    open_yen: int
    reminded_at: datetime | None


@dataclass(frozen=True, slots=True)
class PlannedReminder:
    """The mail to one resident, or why there is none."""

    reservation_id: str
    name: str
    email: str | None
    locale: str
    building: Bilingual
    unit: str
    bills: tuple[OverdueBill, ...]
    bar: ReminderBar | None

    @property
    def open_yen(self) -> int:
        """Everything the mail asks for."""
        return sum(bill.open_yen for bill in self.bills)


def plan_reminders(
    session: Session, reservation_ids: Sequence[str], today: date
) -> tuple[PlannedReminder, ...]:
    """Return the reminders of reservations, the oldest debt first; unknown ids are left out."""
    ids = [id_ for id_ in reservation_ids if is_id(id_)]
    bills = _bills(session, ids, today)
    planned = [
        PlannedReminder(
            reservation_id=id_,
            name=name,
            email=email,
            locale=locale,
            building=Bilingual(building, building_en),
            unit=unit,
            bills=tuple(bills.get(id_, ())),
            bar=_bar(email, bills.get(id_, ()), today),
        )
        for id_, name, email, locale, unit, building, building_en in _people(session, ids)
    ]
    return tuple(sorted(planned, key=_oldest_first))


def _oldest_first(planned: PlannedReminder) -> tuple[bool, date, str]:
    first_due_on = min((bill.due_on for bill in planned.bills), default=date.max)
    return planned.bar is not None, first_due_on, planned.reservation_id


def _bar(email: str | None, bills: Sequence[OverdueBill], today: date) -> ReminderBar | None:
    if not bills:
        return ReminderBar.NOTHING_OVERDUE
    if not email:
        return ReminderBar.NO_ADDRESS
    reminded = [bill.reminded_at for bill in bills if bill.reminded_at is not None]
    is_told = any(day_of(at) == today for at in reminded)
    return ReminderBar.REMINDED_TODAY if is_told else None


def _people(session: Session, ids: Sequence[str]) -> Result[*tuple[Any, ...]]:
    return session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.email,
            Reservation.locale,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(Reservation.id, ids))
    )


def _bills(session: Session, ids: Sequence[str], today: date) -> Mapping[str, list[OverdueBill]]:
    """The overdue bills of each reservation, the oldest first."""
    found: dict[str, Standing] = {
        standing.id: standing
        for of_one in standings(session, ids, today).values()
        for standing in of_one
        if standing.due_on < today
    }
    bills: defaultdict[str, list[OverdueBill]] = defaultdict(list)
    for reservation_id, lifecycle, entry_id, ja, en, reminded_at in session.execute(
        _ENTRIES.where(one_of(LedgerEntry.reservation_id, ids))
    ):
        standing = found.get(entry_id)
        open_yen = asked_yen(standing, lifecycle) if standing is not None else 0
        if standing is not None and open_yen > 0:
            bill = OverdueBill(entry_id, Bilingual(ja, en), standing.due_on, open_yen, reminded_at)
            bills[reservation_id].append(bill)
    return bills


_ENTRIES: Final = (
    select(
        LedgerEntry.reservation_id,
        Reservation.lifecycle,
        LedgerEntry.id,
        LedgerEntry.label_ja,
        LedgerEntry.label_en,
        Invoice.reminded_at,
    )
    .join(
        Reservation,
        (Reservation.workspace_id == LedgerEntry.workspace_id)
        & (Reservation.id == LedgerEntry.reservation_id),
    )
    .outerjoin(
        Invoice,
        (Invoice.workspace_id == LedgerEntry.workspace_id) & (Invoice.entry_id == LedgerEntry.id),
    )
    .order_by(LedgerEntry.due_on, LedgerEntry.id)
)
