"""Adds up what the books hold, and what the ledger says, by ways of their own."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import msgspec
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.accounting.months import (
    JOURNALS_A_PAGE,
    SUMMARIES,
    AskedMonth,
    MonthBooks,
    closing_of,
    first_month,
    latest_closing,
    month_books,
    shown_month,
    summarise,
)
from pms.availability.occupancy import OCCUPIED_MONTHS, AskedOccupancy
from pms.deposits.deposit_report import balances_on
from pms.foundation.kept_figures import keep_figures
from pms.foundation.versions import KeptAnswers
from pms.jobs.billing_run import PREVIEWS
from pms.ledger.queries import standings
from pms.rules.days import add_months, month_first, month_last
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_months import FIGURES_OF_ALL
from pms.statements.reports import EARNED_MONTHS, AskedMonths, profit_and_loss
from tests.stories.house import House


def all_months(session: Session, today: date) -> Sequence[MonthBooks]:
    """Every month from the first with any money to that of today."""
    each, found = first_month(session), []
    while each is not None and each <= today:
        found.append(month_books(session, each))
        each = add_months(each, 1)
    return found


def same_as_kept(house: House) -> None:
    """What pages keep of each month, and were asked for before, is what the ledger says now."""
    with house.database.reading(house.workspace_id) as session:
        for books in all_months(session, house.today):
            shown = shown_month(session, books.month_on)
            assert shown.summary == summarise(books.journals), books.month_on
            assert shown.closing is books.closing
            assert shown.latest is latest_closing(session)
            pages = range(0, len(books.journals) or 1, JOURNALS_A_PAGE)
            rows = [row for start in pages for row in shown.summary.rows_from(start)]
            assert rows == list(books.journals)


def same_as_shared(house: House) -> None:
    """What another process reads of figures made earlier is what it would make itself."""
    this_month_on = month_first(house.today)
    last_month_on = add_months(this_month_on, -1)
    with house.database.reading(house.workspace_id) as session:
        last = closing_of(session, last_month_on)
    for figure, question in (
        (SUMMARIES, AskedMonth(this_month_on, None)),
        (SUMMARIES, AskedMonth(last_month_on, last.id if last is not None else None)),
        (OCCUPIED_MONTHS, AskedOccupancy(3, None)),
        (EARNED_MONTHS, AskedMonths(this_month_on, 3, house.building_id)),
        (FIGURES_OF_ALL, last_month_on),
        (PREVIEWS, month_last(add_months(this_month_on, 1))),
    ):
        asked = msgspec.json.encode(question).decode()
        with pytest.MonkeyPatch.context() as another_process:
            another_process.setattr(figure, "_kept", KeptAnswers())
            with house.database.reading(house.workspace_id) as session:
                shared = figure.ask_again(session, house.clock, asked)
            keep_figures(house.database, house.clock, session)
        # A session that writes keeps nothing, and reads nothing that was kept.
        with house.database.writing(house.workspace_id) as session:
            assert shared == figure.ask_again(session, house.clock, asked), figure.name


def balances(months: Sequence[MonthBooks]) -> Mapping[str, int]:
    """The balance of each role: debits less credits."""
    sums: defaultdict[str, int] = defaultdict(int)
    for books in months:
        for journal in books.journals:
            for posting in journal.postings:
                sums[posting.role] += posting.yen
    return sums


_MONEY = """
    SELECT coalesce((SELECT sum(amount_yen) FROM payment
            WHERE workspace_id = :workspace AND method <> 'opening'), 0)
        - coalesce((SELECT sum(b.amount_yen) FROM payment_return b
            JOIN payment p ON p.workspace_id = b.workspace_id AND p.id = b.payment_id
            WHERE b.workspace_id = :workspace AND p.method <> 'opening'), 0)
        - coalesce((SELECT sum(amount_yen) FROM refund WHERE workspace_id = :workspace), 0)"""
_UNSENT = """
    SELECT coalesce((SELECT sum(remainder_yen + netted_yen - overpaid_yen)
            FROM settlement WHERE workspace_id = :workspace), 0)
        - coalesce((SELECT sum(amount_yen) FROM allocation
            WHERE workspace_id = :workspace AND settlement_id IS NOT NULL), 0)
        - coalesce((SELECT sum(amount_yen) FROM refund WHERE workspace_id = :workspace), 0)"""
_RESERVATIONS = "SELECT id FROM reservation WHERE workspace_id = :workspace"


def agree(house: House, *, is_owners: bool, is_leased: bool = False) -> None:
    """Every journal balances, and the sums of all are what the ledger says.

    Where the building has several owners, what concerns owners is entered for each. Once the house
    was leased from its owner, some of the rents are the office's own.
    """
    books = house.books
    ids = [id_ for (id_,) in books.ask(_RESERVATIONS)]
    far = house.today + timedelta(days=4000)
    with house.database.reading(house.workspace_id) as session:
        months = all_months(session, house.today)
        for month in months:
            _balance(month)
        found = balances(months)
        every = [one for of in standings(session, ids, far).values() for one in of]
        held = balances_on(session, ids, far)
        # Bills of a day that lies back are in the report under the days they are for.
        earned = profit_and_loss(session, add_months(month_first(house.today), 60), 200).total_yen
        paid_out = _paid_out_yen(session, house)
        owner = owner_figures(session, house.building_id, month_first(house.today), house.today)
    money = sum(yen for role, yen in found.items() if role.startswith("money/"))
    income = -sum(yen for role, yen in found.items() if role.startswith("income/"))
    assert money == books.number(_MONEY) - paid_out, "money that came and went"
    assert -found["refunds"] == books.number(_UNSENT), "refunds not sent yet"
    assert -found["deposits"] == sum(one.held_yen for one in held.values()), "deposits held"
    assert found["settling"] == 0
    if is_leased:
        assert -found["owners_money"] == owner.closing_yen, "what the owner's statement closes with"
        return
    if is_owners:
        assert income == found["receivable"] == 0, "rent of an owner's building is no own income"
        assert -found["owners_money"] == owner.closing_yen, "what the owner's statement closes with"
        return
    assert -found["overpayments"] == sum(one.overpaid_yen for one in every), "overpayments"
    assert found["receivable"] == sum(one.unpaid_yen for one in every), "what is unpaid"
    assert income == earned, "what the profit and loss report says"
    assert found["owners_money"] == found["management_fee"] == 0


def _paid_out_yen(session: Session, house: House) -> int:
    """What owners were paid by the end of this month, as it was published last."""
    newest = {}
    for row in session.scalars(select(OwnerStatement).order_by(OwnerStatement.version)):
        newest[row.building_id, row.month_on] = row.figures
    last_on = month_last(house.today).isoformat()
    return sum(one["payout_yen"] for one in newest.values() if one["payout_on"] <= last_on)


def _balance(month: MonthBooks) -> None:
    for journal in month.journals:
        assert sum(posting.yen for posting in journal.postings) == 0, journal
        assert month.month_on <= journal.entered_on <= month_last(month.month_on), journal


_CLOSED = """
    SELECT closing_id, number, postings, memo, entered_on FROM closed_journal
    WHERE workspace_id = :workspace ORDER BY closing_id, number"""


def closed_rows(house: House) -> list[tuple[str, ...]]:
    """Every row of closed months, to see that none changes."""
    return [tuple(map(str, row)) for row in house.books.ask(_CLOSED)]
