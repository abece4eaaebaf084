"""A receipt says how much money arrived and what it was for."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.ledger.payments import return_payment
from pms.rules.management_forms import ManagementForm
from pms.statements.invoices import issue_invoice
from pms.statements.papers import paid_papers
from pms.statements.queries import billed_entries, corrections_of, receipts_of
from pms.statements.receipt_paper import correction_pdf, receipt_pdf
from pms.statements.receipts import issue_receipt, reverse_payment, send_payment_back
from tests.cast import House
from tests.statements.papers import set_form, text_of
from tests.statements.postings import allocate, pay, post_entry, rent

ON = date(2026, 11, 20)


def test_it_names_the_sum_the_payer_and_the_entries_it_was_for(
    database: Database, clock: FixedClock, house: House
) -> None:
    set_form(database, clock, house, ManagementForm.OWN)
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        charge = post_entry(
            session,
            house.resident_id,
            [rent(5_000)],
            label_ja="鍵の交換",
            label_en="New key",
            due_on=date(2026, 12, 5),
        )
        issue_invoice(Work(session, clock, "office"), december)
        payment = pay(session, house.resident_id, {december: 93_000, charge: 5_000}, ON, 1_000)
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        text = text_of(receipt_pdf(session, receipt.id))
    for said in (
        "領収書",
        "R2026-000001",
        "佐藤 花子 様",
        "¥99,000",
        "但し 2026年12月分 賃料等 他1件として",
        "上記の金額を正に領収いたしました。",
        "2026年12月分 賃料等 2026-000001 ¥93,000",
        "鍵の交換 ¥5,000",
        "お預り金 ¥1,000",
        "〒131-0032",
        "東京都墨田区東向島1-1",
        "登録番号 T1234567890123",
    ):
        assert said in text, said


def test_in_english_it_says_the_same(database: Database, clock: FixedClock, house: House) -> None:
    with database.writing(house.workspace_id) as session:
        payment = pay(session, house.guest_id, {}, ON, 20_000)
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        text = text_of(receipt_pdf(session, receipt.id))
    for said in ("Receipt", "Emma Wilson", "¥20,000", "For An amount held for you"):
        assert said in text, said


def test_moving_the_payment_later_changes_no_receipt(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        first, second = (post_entry(session, house.resident_id, [rent(93_000)]) for _ in range(2))
        payment = pay(session, house.resident_id, {first: 93_000}, ON)
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        before = receipt_pdf(session, receipt.id)
        allocate(session, first, -93_000, ON + timedelta(days=1), payment_id=payment)
        allocate(session, second, 93_000, ON + timedelta(days=1), payment_id=payment)
        assert receipt_pdf(session, receipt.id) == before


def send_back(session: Session, clock: FixedClock, payment_id: str, yen: int) -> None:
    """Send yen back, and date it before every receipt."""
    return_payment(
        Work(session, clock, "office"),
        payment_id=payment_id,
        amount_yen=yen,
        reference=f"{payment_id}/{yen}",
        returned_on=ON,
    )


def test_money_that_goes_back_later_changes_no_receipt(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        payment = pay(session, house.resident_id, {december: 93_000}, ON)
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        before = receipt_pdf(session, receipt.id)
        clock.advance(timedelta(minutes=1))
        send_back(session, clock, payment, 93_000)
        assert receipt_pdf(session, receipt.id) == before
        assert issue_receipt(Work(session, clock, "office"), payment) is receipt


def test_a_receipt_is_of_what_did_not_go_back(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        payment = pay(session, house.resident_id, {december: 93_000}, ON)
        send_back(session, clock, payment, 30_000)
        text = text_of(
            receipt_pdf(session, issue_receipt(Work(session, clock, "office"), payment).id)
        )
    assert "¥63,000" in text
    assert "¥93,000" not in text and "お預り金" not in text


def test_of_money_that_went_back_altogether_there_is_no_receipt(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        payment = pay(session, house.resident_id, {december: 93_000}, ON)
        for yen in (30_000, 63_000):
            send_back(session, clock, payment, yen)
        with pytest.raises(Refused, match="all of it was refunded, so there is"):
            issue_receipt(Work(session, clock, "office"), payment)
        [paper] = paid_papers(session, house.resident_id)
    assert (paper.returned_yen, paper.may_be_issued, paper.number) == (93_000, False, None)


def test_a_payment_has_one_receipt(database: Database, clock: FixedClock, house: House) -> None:
    with database.writing(house.workspace_id) as session:
        payment = pay(session, house.resident_id, {}, ON, 20_000)
        first = issue_receipt(Work(session, clock, "office"), payment)
        assert issue_receipt(Work(session, clock, "office"), payment) is first
        assert [receipt.number for receipt in receipts_of(session, house.resident_id)] == [
            first.number
        ]
        entries = billed_entries(session, house.resident_id).values()
        assert all(entry.invoice is None for entry in entries)


def test_a_reversal_voids_the_receipt_by_a_paper_with_the_next_number(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        payment = pay(session, house.resident_id, {december: 93_000}, ON)
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        asked = {"payment_id": payment, "reason": "別の入居者の振込"}
        done = reverse_payment(Work(session, clock, "office"), **asked)
        (paper,) = corrections_of(session, house.resident_id)
        voided = text_of(receipt_pdf(session, receipt.id))
        text = text_of(correction_pdf(session, paper.id))
    assert (receipt.number, paper.number) == ("R2026-000001", "R2026-000002")
    assert done.correction_number == paper.number
    for said in ("領収書取消通知書", "R2026-000002", "R2026-000001", "¥93,000", "別の入居者の振込"):
        assert said in text, said
    assert "この領収書は無効です。" in voided and "R2026-000002" in voided


def test_money_sent_back_is_told_by_a_paper_and_the_receipt_stays(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        december = post_entry(session, house.resident_id, [rent(93_000)])
        payment = pay(session, house.resident_id, {december: 93_000}, ON)
        asked: dict[str, Any] = {"payment_id": payment, "amount_yen": 1_000, "reason": "重複"}
        assert send_payment_back(Work(session, clock, "office"), **asked).correction_number is None
        receipt = issue_receipt(Work(session, clock, "office"), payment)
        before = receipt_pdf(session, receipt.id)
        clock.advance(timedelta(minutes=1))
        done = send_payment_back(Work(session, clock, "office"), **asked, reference="FB-1")
        with pytest.raises(Collision, match="'FB-1' is already recorded"):
            send_payment_back(Work(session, clock, "office"), **asked, reference="FB-1")
        (paper,) = corrections_of(session, house.resident_id)
        text = text_of(correction_pdf(session, paper.id))
        assert receipt_pdf(session, receipt.id) == before
    assert done.correction_number == paper.number == "R2026-000002"
    for said in ("返金明細書", "¥1,000", "R2026-000001", "重複"):
        assert said in text, said


def test_an_unknown_payment_is_named(database: Database, clock: FixedClock, house: House) -> None:
    with database.writing(house.workspace_id) as session:
        with pytest.raises(NotFound):
            issue_receipt(Work(session, clock, "office"), new_id())
        with pytest.raises(NotFound):
            receipt_pdf(session, new_id())
