"""Plans the external blocks of a rent roll and the details of their occupants.

All stored data is loaded once; nothing is written before `write`, so a dry run does the same work.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pms.arrivals.models import RentRollTenancy
from pms.arrivals.sheet_imports import RowOutcome, compare
from pms.arrivals.sheets.reading import SheetRow
from pms.arrivals.sheets.rent_roll_rows import OPEN_ENDED, Held, RentRollRow, RollTenancy
from pms.catalogue.models import ExternalBlock
from pms.foundation.ids import new_id
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import BlockSource

_COLUMNS: Final = {
    "status": "status",
    "name": "name",
    "kana": "name_kana",
    "email": "email",
    "phone": "phone",
    "end": "contract_end_date",
    "rent": "rent_yen",
    "common_fee": "common_fee_yen",
    "utilities": "utilities_yen",
    "deposit": "deposit_yen",
    "payment_method": "payment_method",
    "remark": "remark",
}


class _Stored(NamedTuple):
    """A tenancy of an earlier rent roll and the block that covers its days."""

    tenancy: RentRollTenancy
    block: ExternalBlock


class RentRollPlan:
    """The tenancies of earlier rent rolls, and what this import will write."""

    def __init__(self, session: Session, now: datetime, today: date) -> None:
        self._session, self._now, self._today = session, now, today
        from_rent_rolls = ExternalBlock.source == BlockSource.RENT_ROLL
        blocks = {
            block.id: block
            for block in session.scalars(select(ExternalBlock).where(from_rent_rolls))
        }
        self._stored: dict[str, dict[date | None, _Stored]] = defaultdict(dict)
        for tenancy in session.scalars(select(RentRollTenancy)):
            start_on = readable(tenancy.contract_start_date)
            self._stored[tenancy.unit_id][start_on] = _Stored(tenancy, blocks[tenancy.block_id])
        self._new_blocks: list[dict[str, Any]] = []
        self._new_tenancies: list[dict[str, Any]] = []
        self._changed: list[tuple[Any, dict[str, Any]]] = []
        self._gone: list[str] = []

    def refuse_overlap(
        self, row: SheetRow, tenancy: RollTenancy | None, unit_id: str, named: Iterable[date]
    ) -> None:
        """Refuse a correction that contradicts a stored tenancy that the sheet does not name.

        A vacant row contradicts a tenancy of today.
        """
        first_on, last_on = self._today, self._today
        if tenancy is not None:
            first_on = tenancy.start_on
            last_on = tenancy.end_on or max(first_on, self._today)
        for start_on, stored in self._stored.get(unit_id, {}).items():
            if start_on is None or start_on in named:
                continue
            known_end = readable(stored.block.last_on)
            end_on = known_end or readable(stored.tenancy.contract_end_date)
            until_on = end_on or max(start_on, self._today)
            if start_on <= last_on and first_on <= until_on:
                last = OPEN_ENDED if end_on is None else end_on.isoformat()
                key = "status" if tenancy is None else "start"
                row.refuse(key, "overlaps_stored", first=start_on.isoformat(), last=last)
                return

    def plan(
        self, row: SheetRow, outcome: RowOutcome, found: RentRollRow, unit_id: str, held: Held
    ) -> None:
        """Plan a tenancy of the sheet: new, changed or unchanged."""
        tenancy = found.tenancy
        if tenancy is None:
            return
        stored = self._stored.get(unit_id, {}).get(tenancy.start_on)
        # The days; open-ended ones end before a later tenancy of an earlier roll.
        starts = (
            start_on
            for start_on, stored in self._stored.get(unit_id, {}).items()
            if start_on and start_on > held.first_on and stored.block.id not in self._gone
        )
        next_on = min(starts, default=None)
        if held.last_on is not None or next_on is None:
            until_the_next = held
        else:
            until_the_next = Held(held.first_on, next_on - ONE_DAY)
        details, held = _build_details(found, tenancy), until_the_next
        if stored is None:
            outcome.is_new = True
            block_id = new_id()
            stamps = {"created_at": self._now, "updated_at": self._now}
            days = {"first_on": held.first_on, "last_on": held.last_on}
            source = {"source": BlockSource.RENT_ROLL, "summary": None}
            self._new_blocks.append(
                {"id": block_id, "unit_id": unit_id, **source, **days, **stamps}
            )
            terms = {"contract_start_date": tenancy.start_on, **details}
            self._new_tenancies.append(
                {"block_id": block_id, "unit_id": unit_id, **terms, **stamps}
            )
            return
        changed = {
            column: details[column]
            for key, column in _COLUMNS.items()
            if row.header.tells(key)
            and compare(outcome, row, key, getattr(stored.tenancy, column), details[column])
        }
        self._add_change(stored.tenancy, changed)
        if compare(outcome, row, "held until", stored.block.last_on, held.last_on):
            self._add_change(stored.block, {"last_on": held.last_on})

    def end_unlisted_tenancies(
        self,
        row: SheetRow,
        outcome: RowOutcome,
        unit_id: str,
        starts: Iterable[date],
        *,
        is_vacant: bool,
    ) -> None:
        """End tenancies of earlier rolls that this roll no longer lists.

        The occupant of a room that is now vacant, or let to another, has left.
        """
        named = sorted(starts)
        for start_on, stored in self._stored.get(unit_id, {}).items():
            if start_on is None or start_on in named:
                continue
            next_on = next((day for day in named if day > start_on), None)
            ends = [day - ONE_DAY for day in (next_on, self._today if is_vacant else None) if day]
            if ends:
                last_on = min(ends)
                held_until = readable(stored.block.last_on)
                if held_until is not None and held_until <= last_on:
                    continue
                facts = {"name": stored.tenancy.name, "first": start_on.isoformat()}
                if start_on > last_on:
                    row.note(None, "rent_roll_withdrawn", **facts)
                    compare(outcome, row, "held until", stored.block.last_on, "-")
                    self._gone.append(stored.block.id)
                    continue
                row.note(None, "rent_roll_ended", last=last_on.isoformat(), **facts)
                compare(outcome, row, "held until", stored.block.last_on, last_on)
                self._add_change(stored.block, {"last_on": last_on})

    def _add_change(self, record: RentRollTenancy | ExternalBlock, changed: dict[str, Any]) -> None:
        if changed:
            self._changed.append((record, changed))

    def write(self) -> None:
        """Write everything planned."""
        for record, changed in self._changed:
            for column, value in changed.items():
                setattr(record, column, value)
            record.updated_at = self._now
        self._session.flush()
        if self._gone:
            gone = RentRollTenancy.block_id.in_(self._gone)
            self._session.execute(delete(RentRollTenancy).where(gone))
            self._session.execute(delete(ExternalBlock).where(ExternalBlock.id.in_(self._gone)))
        if self._new_blocks:
            self._session.execute(insert(ExternalBlock), self._new_blocks)
            self._session.execute(insert(RentRollTenancy), self._new_tenancies)


def _build_details(found: RentRollRow, tenancy: RollTenancy) -> dict[str, Any]:
    return {
        "status": found.status,
        "name": tenancy.name,
        "name_kana": tenancy.kana,
        "email": tenancy.email,
        "phone": tenancy.phone,
        "contract_end_date": tenancy.end_on,
        "rent_yen": found.rent_yen,
        "common_fee_yen": found.common_fee_yen,
        "utilities_yen": found.utilities_yen,
        "deposit_yen": tenancy.deposit_yen,
        "payment_method": tenancy.payment_method,
        "remark": found.remark,
    }
