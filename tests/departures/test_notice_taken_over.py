"""The notice of a tenancy taken over costs here what exceeds the penalty charged before, and shows it."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.arrivals.dates import preview_dates
from pms.arrivals.taking_over import take_over
from pms.departures.departures import departure_facts
from pms.departures.notice_plans import NoticePreview, preview_notice
from pms.departures.notices import reschedule_move_out, withdraw_notice
from pms.deposits.deposit_report import balance_on
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import EntryKind, FeeCategory, Lifecycle
from pms.rules.notices import FiledNotice
from pms.rules.taking_over import OpeningDebt
from tests.ledger.conftest import Books, books

__all__ = ["books"]
TODAY, THROUGH = date(2026, 11, 20), date(2026, 11, 30)
GIVEN = FiledNotice(date(2026, 11, 10), date(2026, 12, 1))
ELSEWHERE = 17_548
"""Eight days short, at 68,000 of 31 days."""


@pytest.fixture
def leaving(books: Books) -> str:
    """A resident whose notice of 22 days was charged before the take-over, with 80,000 held."""
    books.at(TODAY)
    id_ = books.resident(date(2026, 4, 1), None)
    taken = {"billed_through_on": THROUGH, "deposit_held_yen": 80_000, "notice": GIVEN}
    books.do(take_over, reservation_id=id_, **taken)
    return id_


def previewed(books: Books, id_: str, move_out_on: date) -> NoticePreview:
    with books.reading() as session:
        return preview_notice(session, books.clock, reservation_id=id_, move_out_on=move_out_on)


@pytest.mark.parametrize(
    ("move_out_on", "charged_yen"),
    [(date(2026, 11, 27), 48_477 - ELSEWHERE), (date(2026, 12, 3), 0)],
)
def test_the_preview_of_an_edit_shows_what_is_charged_here_and_the_refund_that_follows(
    books: Books, leaving: str, move_out_on: date, charged_yen: int
) -> None:
    shown = previewed(books, leaving, move_out_on)
    assert shown.charged_yen == charged_yen
    assert shown.deposit.netted_yen == charged_yen
    assert shown.deposit.remainder_yen == 80_000 - charged_yen
    written = books.do(reschedule_move_out, reservation_id=leaving, move_out_on=move_out_on)
    assert written.charged_yen == charged_yen
    billed = [one.total_yen for one in books.entries(leaving) if one.kind == EntryKind.PENALTY]
    assert sum(billed) == charged_yen
    with books.reading() as session:
        balance = balance_on(session, leaving, TODAY)
        facts = departure_facts(session, leaving, TODAY)
    assert balance.balance_yen == shown.deposit.remainder_yen
    assert facts.charged_yen == charged_yen
    again = previewed(books, leaving, date(2026, 11, 26))
    assert again.deposit.netted_yen == again.charged_yen > charged_yen


@pytest.mark.parametrize(
    ("move_out_on", "lifecycle"),
    [
        (TODAY - ONE_DAY, Lifecycle.MOVED_OUT),
        (TODAY, Lifecycle.NOTICE_FILED),
        (TODAY + ONE_DAY, Lifecycle.NOTICE_FILED),
    ],
)
def test_who_leaves_today_lives_there_through_the_last_day(
    books: Books, move_out_on: date, lifecycle: Lifecycle
) -> None:
    books.at(TODAY)
    id_ = books.resident(date(2026, 4, 1), None)
    notice = FiledNotice(date(2026, 10, 1), move_out_on)
    books.do(take_over, reservation_id=id_, billed_through_on=THROUGH, notice=notice)
    with books.reading() as session:
        row = session.scalars(select(Reservation).where(Reservation.id == id_)).one()
        assert row.lifecycle == lifecycle


def test_rent_that_was_unpaid_elsewhere_is_rent_here_and_anything_else_is_not(
    books: Books,
) -> None:
    books.at(TODAY)
    id_ = books.resident(date(2026, 4, 1), None)
    debts = [
        OpeningDebt("rent 2026-10", 12_000, date(2026, 9, 30)),
        OpeningDebt("key exchange", 16_500, date(2026, 9, 10)),
    ]
    books.do(take_over, reservation_id=id_, billed_through_on=THROUGH, unpaid=debts)
    with books.reading() as session:
        lines = session.execute(
            select(LedgerLine.amount_yen, LedgerLine.item, LedgerLine.category)
            .join(LedgerEntry, LedgerEntry.id == LedgerLine.entry_id)
            .where(LedgerEntry.reservation_id == id_)
            .order_by(LedgerLine.amount_yen)
        )
        assert [tuple(line) for line in lines] == [
            (12_000, "base_rent", FeeCategory.RENT),
            (16_500, "opening", FeeCategory.OTHER),
        ]


def test_corrected_dates_show_the_part_charged_here(books: Books, leaving: str) -> None:
    with books.reading() as session:
        shown = preview_dates(
            session,
            books.clock,
            reservation_id=leaving,
            override_contract_end_date=date(2026, 12, 31),
        )
    assert shown.penalty is not None
    assert shown.charged_yen == shown.penalty.yen - ELSEWHERE > 0


def test_a_withdrawal_reverses_what_was_charged_here_and_the_next_notice_is_charged_whole(
    books: Books, leaving: str
) -> None:
    books.do(reschedule_move_out, reservation_id=leaving, move_out_on=date(2026, 11, 27))
    books.do(withdraw_notice, reservation_id=leaving)
    with books.reading() as session:
        assert balance_on(session, leaving, TODAY).balance_yen == 80_000
    shown = previewed(books, leaving, date(2026, 11, 27))
    assert shown.charged_yen == shown.penalty.yen == 48_477
