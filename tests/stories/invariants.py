"""What holds of the money of a workspace after every step, whatever was done before."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from pms.deposits.deposit_report import balances_on
from tests.stories.books import Books
from tests.stories.house import House
from tests.stories.recomputation import balance_on

ONE_DAY = timedelta(days=1)

_VOIDED = """
    SELECT e.id, sum(l.amount_yen) FROM ledger_entry e
    JOIN ledger_entry o ON o.workspace_id = e.workspace_id AND o.opposes_id = e.id
    JOIN ledger_line l ON l.workspace_id = e.workspace_id AND l.entry_id IN (e.id, o.id)
    WHERE e.workspace_id = :workspace GROUP BY e.id HAVING sum(l.amount_yen) <> 0"""

_TRANSFERS = """
    SELECT transfer_id, count(*),
        sum(CASE kind WHEN 'in' THEN amount_yen ELSE -amount_yen END) FROM deposit_move
    WHERE workspace_id = :workspace AND transfer_id IS NOT NULL GROUP BY transfer_id"""

_SETTLEMENTS = """
    SELECT s.id, s.remainder_yen,
        coalesce((SELECT sum(r.amount_yen) FROM refund r
            WHERE r.workspace_id = s.workspace_id AND r.settlement_id = s.id), 0)
        - s.netted_yen + s.overpaid_yen
        + coalesce((SELECT sum(a.amount_yen) FROM allocation a
            WHERE a.workspace_id = s.workspace_id AND a.settlement_id = s.id), 0),
        coalesce((SELECT sum(p.amount_yen) FROM payment p
            WHERE p.workspace_id = s.workspace_id AND p.reservation_id = s.reservation_id), 0)
        - coalesce((SELECT sum(b.amount_yen) FROM payment_return b
            WHERE b.workspace_id = s.workspace_id AND b.reservation_id = s.reservation_id), 0)
        - coalesce((SELECT sum(l.amount_yen) FROM ledger_entry e
            JOIN ledger_line l ON l.workspace_id = e.workspace_id AND l.entry_id = e.id
            WHERE e.workspace_id = s.workspace_id AND e.reservation_id = s.reservation_id
                AND e.kind = 'credit'), 0)
        + coalesce((SELECT sum(m.amount_yen) FROM deposit_move m
            WHERE m.workspace_id = s.workspace_id AND m.reservation_id = s.reservation_id
                AND m.kind = 'in'), 0)
    FROM settlement s WHERE s.workspace_id = :workspace"""

_UNSPREAD_PAYMENTS = """
    SELECT p.id FROM payment p LEFT JOIN allocation a
        ON a.workspace_id = p.workspace_id AND a.payment_id = p.id
    WHERE p.workspace_id = :workspace GROUP BY p.workspace_id, p.id, p.amount_yen
    HAVING coalesce(sum(a.amount_yen), 0) <> p.amount_yen
        - coalesce((SELECT sum(b.amount_yen) FROM payment_return b
            WHERE b.workspace_id = p.workspace_id AND b.payment_id = p.id), 0)"""

_NOT_HELD = """
    SELECT id FROM ledger_line
    WHERE workspace_id = :workspace AND is_deposit <> (category = 'deposit')"""

_SET_OFF = """
    SELECT coalesce(sum(amount_yen), 0) FROM allocation
    WHERE workspace_id = :workspace AND payment_id IS NULL AND settlement_id IS NULL"""

_BELOW_NOTHING = """
    SELECT a.entry_id FROM allocation a
    JOIN ledger_entry e ON e.workspace_id = a.workspace_id AND e.id = a.entry_id
    WHERE a.workspace_id = :workspace GROUP BY a.entry_id
    HAVING sum(a.amount_yen) < coalesce((SELECT sum(l.amount_yen) FROM ledger_line l
        JOIN ledger_entry c ON c.workspace_id = l.workspace_id AND c.id = l.entry_id
        WHERE c.workspace_id = :workspace AND c.id = a.entry_id AND c.kind = 'credit'), 0)"""

_PENALTIES = """
    SELECT n.id, CASE WHEN n.withdrawn_at IS NULL THEN n.penalty_yen ELSE 0 END,
        coalesce((SELECT sum(l.amount_yen) FROM ledger_line l
            JOIN ledger_entry e ON e.workspace_id = l.workspace_id AND e.id = l.entry_id
            WHERE e.workspace_id = n.workspace_id
                AND (e.id = n.penalty_entry_id OR e.opposes_id = n.penalty_entry_id)), 0)
    FROM move_out_notice n WHERE n.workspace_id = :workspace"""

_LINES = """
    SELECT e.reservation_id, l.item, l.first_on, l.last_on, l.amount_yen FROM ledger_line l
    JOIN ledger_entry e ON e.workspace_id = l.workspace_id AND e.id = l.entry_id
    WHERE l.workspace_id = :workspace AND l.first_on IS NOT NULL AND l.amount_yen <> 0"""

_ROWS = """
    SELECT r.reservation_id, r.first_on, x.last_on FROM billed_row r
    JOIN row_extent x ON x.workspace_id = r.workspace_id AND x.row_id = r.id
    WHERE r.workspace_id = :workspace AND x.last_on >= r.first_on
        AND x.number = (SELECT max(y.number) FROM row_extent y
            WHERE y.workspace_id = r.workspace_id AND y.row_id = r.id)
        AND NOT EXISTS (SELECT 1 FROM ledger_entry o
            WHERE o.workspace_id = r.workspace_id AND o.opposes_id = r.entry_id)"""

_LIVE = """
    SELECT unit_id, starts_on, free_from FROM reservation
    WHERE workspace_id = :workspace AND cancelled_at IS NULL AND starts_on IS NOT NULL
        AND (free_from IS NULL OR free_from > starts_on)
    ORDER BY unit_id, starts_on"""


class Days(NamedTuple):
    """A run of days, both inside."""

    first_on: date
    last_on: date


def hold(house: House) -> None:
    """Check all of it on the day it is."""
    books = house.books
    assert not books.ask(_VOIDED), "a voided entry and its opposite sum to 0"
    assert not books.ask(_UNSPREAD_PAYMENTS), "what is left of a payment is spread to the yen"
    assert not books.ask(_NOT_HELD), "a line of category deposit is held, and no other"
    assert books.number(_SET_OFF) == 0, "a credit is set off against bills to the yen"
    assert not books.ask(_BELOW_NOTHING), "nothing is taken off an entry that was not on it"
    for transfer, sides, sum_yen in books.ask(_TRANSFERS):
        assert (sides, sum_yen) == (2, 0), f"transfer {transfer} has two sides that sum to 0"
    for settlement, remainder_yen, sent_yen, came_in_yen in books.ask(_SETTLEMENTS):
        assert sent_yen <= remainder_yen <= came_in_yen, f"settlement {settlement}"
    for notice, told_yen, billed_yen in books.ask(_PENALTIES):
        assert told_yen == billed_yen, f"notice {notice} tells the penalty that is billed"
    _no_day_is_billed_twice(books)
    _tenancies_do_not_overlap(books)
    _balances_agree(house)


def _no_day_is_billed_twice(books: Books) -> None:
    """Neither by the lines of any item, nor by the rows; and rent is billed on the rows' days."""
    billed: defaultdict[tuple[str, str], list[tuple[Days, int]]] = defaultdict(list)
    for reservation_id, item, first_on, last_on, yen in books.ask(_LINES):
        charges = (yen < 0) == (item == "discount")
        billed[reservation_id, item].append((_days(first_on, last_on), 1 if charges else -1))
    covered = {key: merged(_once(lines)) for key, lines in billed.items()}
    rows: defaultdict[str, list[Days]] = defaultdict(list)
    for reservation_id, first_on, last_on in books.ask(_ROWS):
        rows[reservation_id].append(_days(first_on, last_on))
    for reservation_id in rows.keys() | {key[0] for key in covered}:
        billed_days = merged(_once((days, 1) for days in rows[reservation_id]))
        assert covered.get((reservation_id, "base_rent"), []) == billed_days


def _once(runs: Iterable[tuple[Days, int]]) -> Iterator[Days]:
    """The days that are billed once after all; more than once, or less than never, is wrong."""
    changes: defaultdict[date, int] = defaultdict(int)
    for days, times in runs:
        changes[days.first_on] += times
        changes[days.last_on + ONE_DAY] -= times
    times = 0
    for day, following in pairwise(sorted(changes)):
        times += changes[day]
        assert times in {0, 1}, f"{day} is billed {times} times"
        if times:
            yield Days(day, following - ONE_DAY)


def merged(runs: Iterable[Days]) -> list[Days]:
    """Return runs of days in their order, joined where they touch."""
    found: list[Days] = []
    for run in runs:
        if found and found[-1].last_on + ONE_DAY == run.first_on:
            found[-1] = Days(found[-1].first_on, run.last_on)
        else:
            found.append(run)
    return found


def _tenancies_do_not_overlap(books: Books) -> None:
    for one, other in pairwise(books.ask(_LIVE)):
        if one[0] == other[0]:
            assert one[2] is not None, f"unit {one[0]} is held with no end from {one[1]}"
            assert one[2] <= other[1], f"unit {one[0]} is held twice on {other[1]}"


def _balances_agree(house: House) -> None:
    """The program's balances and those worked out from the tables, today and a month ahead."""
    books = house.books
    ids = [
        id_ for (id_,) in books.ask("SELECT id FROM reservation WHERE workspace_id = :workspace")
    ]
    for on in (house.today, house.today + timedelta(days=31)):
        with house.database.reading(house.workspace_id) as session:
            found = balances_on(session, ids, on)
        for id_ in ids:
            result = found[id_]
            figures = result.held_yen, result.unpaid_yen, result.overpaid_yen
            assert tuple(balance_on(books, id_, on)) == figures, f"balance of {id_} on {on}"


def _days(first_on: str, last_on: str) -> Days:
    return Days(date.fromisoformat(first_on), date.fromisoformat(last_on))
