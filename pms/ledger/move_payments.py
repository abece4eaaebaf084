"""Moves what was paid from one entry to others, by allocations of both signs."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import Allocation
from pms.ledger.posting import Row, write_rows
from pms.rules.payments import Allocation as Part


class _Source(NamedTuple):
    """What one payment, settlement or transfer still has on an entry."""

    payment_id: str | None
    settlement_id: str | None
    transfer_id: str | None
    yen: int


def paid_on(session: Session, entry_id: str) -> int:
    """Return what all payments together have on an entry, in whole yen."""
    return sum(source.yen for source in _sources(session, entry_id))


def move_payments(session: Session, clock: Clock, from_id: str, parts: Iterable[Part]) -> None:
    """Write allocations that take the parts off one entry and put them on the others.

    The payment that came last moves first; each keeps its own name on either side.
    """
    sources = _sources(session, from_id)
    rows: list[Row] = []
    for entry_id, wanted_yen in parts:
        left_yen = wanted_yen
        while left_yen and sources:
            source = sources.pop()
            yen = min(source.yen, left_yen)
            left_yen -= yen
            rows.append(_allocation(clock, from_id, source, -yen))
            rows.append(_allocation(clock, entry_id, source, yen))
            if source.yen > yen:
                sources.append(source._replace(yen=source.yen - yen))
    write_rows(session, Allocation, rows)


def _sources(session: Session, entry_id: str) -> list[_Source]:
    names = Allocation.payment_id, Allocation.settlement_id, Allocation.transfer_id
    found = session.execute(
        select(*names, func.sum(Allocation.amount_yen))
        .where(Allocation.entry_id == entry_id)
        .group_by(*names)
        .order_by(func.min(Allocation.allocated_on), Allocation.payment_id)
    )
    every = [_Source(*row[:3], int(row[3])) for row in found]
    return _left(
        [one for one in every if one.yen > 0], -sum(one.yen for one in every if one.yen < 0)
    )


def _left(sources: list[_Source], drawn_yen: int) -> list[_Source]:
    """The sources less what a transfer took off the entry, the last that came first."""
    while drawn_yen and sources:
        last = sources.pop()
        if last.yen > drawn_yen:
            sources.append(last._replace(yen=last.yen - drawn_yen))
        drawn_yen = max(drawn_yen - last.yen, 0)
    return sources


def _allocation(clock: Clock, entry_id: str, source: _Source, yen: int) -> Row:
    return {
        "entry_id": entry_id,
        "payment_id": source.payment_id,
        "settlement_id": source.settlement_id,
        "transfer_id": source.transfer_id,
        "amount_yen": yen,
        "allocated_on": clock.today(),
        "written_at": clock.now(),
    }
