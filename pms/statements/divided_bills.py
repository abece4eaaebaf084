"""Bills of buildings under master lease: which lines are the owner's, and which the operator's own.

A line belongs to whoever the days are that it bills; a line without days belongs to the day of issue.
An arrears charge follows the bill that it collects.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.days import Days
from pms.rules.enumerations import EntryKind
from pms.rules.master_leases import BilledRent, leased_yen

_Opposite = aliased(LedgerEntry)


class BillPlace(NamedTuple):
    """The building of an entry, and the day on which it was issued."""

    building_id: str
    issued_on: date


class DividedBills:
    """Says of each line of some entries how much of it is the operator's own."""

    def __init__(
        self,
        session: Session,
        places: Mapping[str, BillPlace],
        leases: Mapping[str, Sequence[Days]],
    ) -> None:
        self._places = {id_: place for id_, place in places.items() if place.building_id in leases}
        self._leases: Mapping[str, Sequence[Days]] = leases
        self._owners_arrears = (
            _read_owners_arrears(session, self._places, leases) if self._places else {}
        )

    @property
    def is_needed(self) -> bool:
        """Whether any of the entries is of a building with a master lease."""
        return bool(self._places)

    def has(self, entry_id: str) -> bool:
        """Whether an entry is of a building with a master lease."""
        return entry_id in self._places

    def operators_yen(
        self, entry_id: str, first_on: date | None, last_on: date | None, yen: int
    ) -> int:
        """Return the operator's part of a line in whole yen."""
        place = self._places.get(entry_id)
        if place is None:
            return 0
        if entry_id in self._owners_arrears:
            owners_yen = min(self._owners_arrears[entry_id], abs(yen))
            return yen - owners_yen if yen > 0 else yen + owners_yen
        days = (first_on, last_on or first_on) if first_on else (place.issued_on, place.issued_on)
        line = BilledRent(days[0], days[1] or days[0], yen)
        return leased_yen(self._leases[place.building_id], line)


def _read_owners_arrears(
    session: Session, entry_ids: Collection[str], leases: Mapping[str, Sequence[Days]]
) -> Mapping[str, int]:
    """Return what each arrears charge among some entries collects of the owner's, in whole yen.

    It takes over the operator's lines of the bill first, after earlier charges of the same bill.
    """
    asked = select(LedgerEntry.arrears_of_id).where(
        one_of(LedgerEntry.id, entry_ids), LedgerEntry.kind == EntryKind.ARREARS
    )
    collected_ids = {str(id_) for id_ in session.scalars(asked)}
    if not collected_ids:
        return {}
    places = {
        id_: BillPlace(building_id, issued_on)
        for id_, building_id, issued_on in session.execute(
            select(LedgerEntry.id, Unit.building_id, LedgerEntry.issued_on)
            .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
            .join(Unit, refers_to(Reservation.unit_id, Unit))
            .where(one_of(LedgerEntry.id, collected_ids))
        )
    }
    bills = DividedBills(session, places, leases)
    operators: defaultdict[str, int] = defaultdict(int)
    for entry_id, first_on, last_on, yen in session.execute(
        select(
            LedgerLine.entry_id,
            LedgerLine.first_on,
            LedgerLine.last_on,
            func.sum(LedgerLine.amount_yen),
        )
        .where(one_of(LedgerLine.entry_id, places), LedgerLine.is_deposit.is_(False))
        .group_by(LedgerLine.entry_id, LedgerLine.first_on, LedgerLine.last_on)
    ):
        operators[entry_id] += bills.operators_yen(entry_id, first_on, last_on, int(yen))
    found: dict[str, int] = {}
    earlier: defaultdict[str, list[tuple[int, date]]] = defaultdict(list)
    for id_, collected_id, yen, issued_on, voided_on in session.execute(
        select(
            LedgerEntry.id,
            LedgerEntry.arrears_of_id,
            LedgerEntry.cancelled_yen,
            LedgerEntry.issued_on,
            _Opposite.issued_on,
        )
        .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
        .where(one_of(LedgerEntry.arrears_of_id, places), LedgerEntry.kind == EntryKind.ARREARS)
        .order_by(LedgerEntry.issued_on, LedgerEntry.id)
    ):
        of_id = str(collected_id)
        taken = [taken_yen for taken_yen, until in earlier[of_id] if until > issued_on]
        before_yen = sum(taken)
        free_yen = max(operators[of_id], 0)
        found[id_] = max(before_yen + yen - free_yen, 0) - max(before_yen - free_yen, 0)
        earlier[of_id].append((yen, voided_on or date.max))
    return found
