"""Random ledgers: credits, deposits, part payments, takings back, voids and arrears charges."""

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


def write_random_ledger(session: Session, reservation_ids: list[str], seed: int) -> None:
    """Post a few entries to each reservation; the same seed gives the same ledger."""
    rng = Random(seed)  # repeatable, not secret
    for reservation_id in reservation_ids:
        earlier: list[str] = []
        for number in range(rng.randint(0, 6)):
            earlier.append(_entry(session, reservation_id, rng, earlier, number))


def _entry(
    session: Session, reservation_id: str, rng: Random, earlier: list[str], number: int
) -> str:
    issued_on = FIRST_ON + timedelta(days=rng.randrange(DAYS))
    lines = _lines(rng)
    kind = EntryKind.MOVE_IN if number == 0 else EntryKind.RENT
    given: dict[str, Any] = {"kind": kind, "due_on": issued_on + timedelta(days=5)}
    if earlier and rng.random() < 0.15:
        taken = rng.choice((1_000, 40_000, 93_000))
        arrears = {"arrears_of_id": rng.choice(earlier), "cancelled_yen": taken}
        given |= {"kind": EntryKind.ARREARS, **arrears}
    entry_id = post_entry(session, reservation_id, lines, issued_on=issued_on, **given)
    later = issued_on + timedelta(days=rng.randrange(60))
    if rng.random() < 0.2:
        post_lines(session, entry_id, [reversal(rng.choice(lines)), rent(50_000)], later)
    _pay(session, reservation_id, entry_id, rng, sum(line["amount_yen"] for line in lines))
    if rng.random() < 0.15:
        void(session, entry_id, reservation_id, later)
    return entry_id


def _lines(rng: Random) -> list[dict[str, Any]]:
    if rng.random() < 0.08:
        return [discount(rng.choice((5_000, 30_000)))]  # a credit
    kinds = (rent(93_000), utilities(8_000), discount(10_000), service(5_000), deposit(93_000))
    lines = [line for line in kinds if rng.random() < 0.6] or [reservation_fee(33_000)]
    return [*lines, deposit(-20_000)] if rng.random() < 0.05 else lines


def _pay(session: Session, reservation_id: str, entry_id: str, rng: Random, total_yen: int) -> None:
    if total_yen < 0:
        # So much of a credit was set off.
        allocate(session, entry_id, -rng.randint(1, -total_yen), _day(rng))
        return
    if rng.random() < 0.15:
        return
    yen = max(total_yen, 1) if rng.random() < 0.6 else rng.randint(1, 250_000)
    parts = rng.choice((1, 1, 1, 2, 3))
    for part in range(parts):
        share = yen // parts if part else yen - yen // parts * (parts - 1)
        if share:
            pay(session, reservation_id, {entry_id: share}, _day(rng))
    if rng.random() < 0.1:
        yen = -rng.randint(1, yen)
        allocate(session, entry_id, yen, _day(rng), settlement_id=new_id())


def _day(rng: Random) -> date:
    return FIRST_ON + timedelta(days=rng.randrange(DAYS + 60))
