"""Ledgers by chance: credits, deposits, part payments, takings back, voids and arrears charges."""

from datetime import date, timedelta
from random import Random
from typing import Any

from sqlalchemy.orm import Session

from pms.foundation.ids import new_id
from pms.rules.enumerations import EntryKind
from tests.statements.postings import (
    allocate,
    deposit,
    discount,
    pay,
    post_entry,
    post_lines,
    rent,
    reservation_fee,
    reversal,
    service,
    utilities,
    void,
)

FIRST_ON = date(2026, 1, 1)
DAYS = 200


def write_by_chance(session: Session, reservation_ids: list[str], seed: int) -> None:
    """Post a few entries to each reservation; the same seed gives the same ledger."""
    chance = Random(seed)  # repeatable, not secret
    for reservation_id in reservation_ids:
        earlier: list[str] = []
        for number in range(chance.randint(0, 6)):
            earlier.append(_entry(session, reservation_id, chance, earlier, number))


def _entry(
    session: Session, reservation_id: str, chance: Random, earlier: list[str], number: int
) -> str:
    issued_on = FIRST_ON + timedelta(days=chance.randrange(DAYS))
    lines = _lines(chance)
    kind = EntryKind.MOVE_IN if number == 0 else EntryKind.RENT
    given: dict[str, Any] = {"kind": kind, "due_on": issued_on + timedelta(days=5)}
    if earlier and chance.random() < 0.15:
        taken = chance.choice((1_000, 40_000, 93_000))
        arrears = {"arrears_of_id": chance.choice(earlier), "cancelled_yen": taken}
        given |= {"kind": EntryKind.ARREARS, **arrears}
    entry_id = post_entry(session, reservation_id, lines, issued_on=issued_on, **given)
    later = issued_on + timedelta(days=chance.randrange(60))
    if chance.random() < 0.2:
        post_lines(session, entry_id, [reversal(chance.choice(lines)), rent(50_000)], later)
    _pay(session, reservation_id, entry_id, chance, sum(line["amount_yen"] for line in lines))
    if chance.random() < 0.15:
        void(session, entry_id, reservation_id, later)
    return entry_id


def _lines(chance: Random) -> list[dict[str, Any]]:
    if chance.random() < 0.08:
        return [discount(chance.choice((5_000, 30_000)))]  # a credit
    kinds = (rent(93_000), utilities(8_000), discount(10_000), service(5_000), deposit(93_000))
    lines = [line for line in kinds if chance.random() < 0.6] or [reservation_fee(33_000)]
    return [*lines, deposit(-20_000)] if chance.random() < 0.05 else lines


def _pay(
    session: Session, reservation_id: str, entry_id: str, chance: Random, total_yen: int
) -> None:
    if total_yen < 0:
        # So much of a credit was set off.
        allocate(session, entry_id, -chance.randint(1, -total_yen), _day(chance))
        return
    if chance.random() < 0.15:
        return
    yen = max(total_yen, 1) if chance.random() < 0.6 else chance.randint(1, 250_000)
    parts = chance.choice((1, 1, 1, 2, 3))
    for part in range(parts):
        share = yen // parts if part else yen - yen // parts * (parts - 1)
        if share:
            pay(session, reservation_id, {entry_id: share}, _day(chance))
    if chance.random() < 0.1:
        yen = -chance.randint(1, yen)
        allocate(session, entry_id, yen, _day(chance), settlement_id=new_id())


def _day(chance: Random) -> date:
    return FIRST_ON + timedelta(days=chance.randrange(DAYS + 60))
