"""Charges, arrears, penalties, and entries that are voided by opposite ones."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_arrears_charge, post_charge, post_penalty
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.posting import void_entry, void_unpaid_entry
from pms.ledger.queries import standing_of
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem, TaxTreatment
from pms.rules.ledger_entries import EntryBalance
from pms.rules.rent_lines import RentLine
from pms.rules.tax_classes import TaxedItem
from tests.ledger.conftest import Books

TODAY = date(2026, 7, 25)
CLEANING = Bilingual("清掃費", "Cleaning")
NOTICE = "0" * 31 + "1"


@pytest.fixture
def owing(books: Books) -> str:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), date(2027, 5, 31))
    books.bill(TODAY)
    return id_


def standing(books: Books, id_: str, entry_id: str) -> EntryBalance:
    with books.reading() as session:
        return standing_of(session, id_, entry_id, books.clock.today())


def test_a_charge_is_due_on_the_day_it_names_and_never_before_today(
    books: Books, owing: str
) -> None:
    named = {"reservation_id": owing, "amount_yen": 12_000, "label": CLEANING}
    days = (None, TODAY + timedelta(days=9), TODAY - timedelta(days=9))
    for due_on in days:
        books.do(
            post_charge,
            **named,
            due_on=due_on,
            category=FeeCategory.CLEANING,
            tax_treatment=TaxTreatment.TAXABLE_10,
        )
    charges = [entry for entry in books.entries(owing) if entry.kind is EntryKind.CHARGE]
    assert [charge.due_on for charge in charges] == [TODAY, TODAY, days[1]]
    line = charges[0].lines[0]
    assert (line.label, line.category, line.tax_treatment) == (
        CLEANING,
        FeeCategory.CLEANING,
        TaxTreatment.TAXABLE_10,
    )


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "100"])
def test_a_charge_of_no_whole_yen_is_refused(books: Books, owing: str, amount: Any) -> None:
    with pytest.raises(Refused, match="amount"):
        books.do(post_charge, reservation_id=owing, amount_yen=amount, label=CLEANING)
    assert len(books.entries(owing)) == 3


def test_an_arrears_charge_takes_the_shortfall_over_and_voiding_it_gives_it_back(
    books: Books, owing: str
) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.pay(TODAY, owing, 50_000, july)
    arrears_id = books.do(post_arrears_charge, entry_id=july.id, amount_yen=35_000)
    assert standing(books, owing, july.id).unpaid_yen == 0
    assert standing(books, owing, july.id).cancelled_yen == 33_000
    assert standing(books, owing, arrears_id).unpaid_yen == 35_000
    books.pay(TODAY, owing, 33_000, july)
    assert standing(books, owing, july.id).overpaid_yen == 33_000
    books.do(void_entry, arrears_id)
    assert standing(books, owing, july.id).overpaid_yen == 0


def test_voiding_an_entry_voids_the_arrears_charge_that_collects_it(
    books: Books, owing: str
) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.pay(TODAY, owing, 50_000, july)
    arrears_id = books.do(post_arrears_charge, entry_id=july.id, amount_yen=33_000)
    books.do(void_entry, july.id)
    assert books.entry(owing, "arrears").voided_on == TODAY
    assert standing(books, owing, arrears_id).unpaid_yen == 0
    assert standing(books, owing, july.id).overpaid_yen == 50_000
    books.bill(TODAY)
    again = [entry for entry in books.entries(owing) if entry.period == july.period]
    assert [entry.total_yen for entry in again if entry.voided_on is None] == [july.total_yen]


def test_an_arrears_charge_of_one_yen_takes_one_yen_over(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    for yen in (0, -1):
        with pytest.raises(Refused, match="amount"):
            books.do(post_arrears_charge, entry_id=july.id, amount_yen=yen)
    due_on = TODAY + timedelta(days=3)
    arrears_id = books.do(post_arrears_charge, entry_id=july.id, amount_yen=1, due_on=due_on)
    charge = books.entry(owing, "arrears")
    assert (charge.id, charge.arrears_of_id, charge.cancelled_yen) == (arrears_id, july.id, 1)
    assert (charge.due_on, charge.total_yen) == (due_on, 1)
    assert charge.label == Bilingual(f"未収金：{july.label.ja}", f"Arrears: {july.label.en}")
    (line,) = charge.lines
    assert (line.item, line.label, line.first_on, line.last_on) == (
        "arrears",
        charge.label,
        None,
        None,
    )
    assert (line.category, line.tax_treatment) == (FeeCategory.OTHER, TaxTreatment.OUT_OF_SCOPE)
    assert standing(books, owing, july.id).unpaid_yen == 82_999
    assert noted(books, AuditEvent.ARREARS_CHARGED) == [
        {
            "entry_id": arrears_id,
            "label_ja": charge.label.ja,
            "label_en": charge.label.en,
            "amount_yen": 1,
            "due_on": due_on.isoformat(),
        }
    ]


def test_an_entry_is_voided_by_hand_only_while_nothing_was_paid_on_it(
    books: Books, owing: str
) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    august = books.entry(owing, "rent", "2026-08-01")
    books.pay(TODAY, owing, 1, july)
    with pytest.raises(Refused, match="entry: 1 yen have been paid on it"):
        books.do(void_unpaid_entry, july.id)
    opposite_id = books.do(void_unpaid_entry, august.id)
    assert books.entry(owing, "opposite").id == opposite_id
    assert standing(books, owing, august.id).is_voided
    with pytest.raises(NotFound):
        books.do(void_unpaid_entry, "august")
    (events,) = noted(books, AuditEvent.ENTRY_VOIDED)
    assert (events["entry_id"], events["amount_yen"]) == (august.id, -83_000)


def noted(books: Books, audit_event: AuditEvent) -> list[dict[str, Any]]:
    asked = select(AuditRecord).where(AuditRecord.audit_event == audit_event)
    with books.reading() as session:
        return [one.after or {} for one in session.scalars(asked)]


def test_nothing_is_collected_of_a_paid_entry(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.pay(TODAY, owing, 83_000, july)
    with pytest.raises(Refused, match="no shortfall"):
        books.do(post_arrears_charge, entry_id=july.id, amount_yen=1_000)
    with pytest.raises(NotFound):
        books.do(post_arrears_charge, entry_id="july", amount_yen=1_000)


def test_an_opposite_entry_mirrors_every_line_and_leaves_the_payment_overpaid(
    books: Books, owing: str
) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.pay(TODAY, owing, 80_000, july)
    opposite_id = books.do(void_entry, july.id)
    opposite = next(entry for entry in books.entries(owing) if entry.id == opposite_id)
    assert (opposite.opposes_id, opposite.label.ja) == (july.id, f"取消：{july.label.ja}")
    assert sorted(-line.amount_yen for line in opposite.lines) == sorted(
        line.amount_yen for line in july.lines
    )
    after = standing(books, owing, july.id)
    assert (after.is_voided, after.payable_yen, after.overpaid_yen) == (True, 0, 80_000)


def test_an_entry_is_voided_once_and_an_opposite_entry_never(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    opposite_id = books.do(void_entry, july.id)
    entries = books.entries(owing)
    with pytest.raises(Refused, match="already"):
        books.do(void_entry, july.id)
    with pytest.raises(Refused, match="cannot be voided"):
        books.do(void_entry, opposite_id)
    for unknown in ("", "july", "f" * 32):
        with pytest.raises(NotFound):
            books.do(void_entry, unknown)
    assert books.entries(owing) == entries


def test_a_voided_invoice_can_be_issued_again_when_no_rent_stands(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), date(2027, 5, 31))
    with pytest.raises(Refused, match="billed already"):
        books.do(issue_move_in_invoice, reservation_id=id_)
    books.do(void_entry, books.entry(id_, "move_in").id)
    books.do(issue_move_in_invoice, reservation_id=id_)
    rounds = [entry.round for entry in books.entries(id_) if entry.kind is EntryKind.MOVE_IN]
    assert rounds == [1, 2]


def penalty(first_on: date, yen: int) -> RentLine:
    return RentLine(LineItem.PENALTY, first_on, first_on + timedelta(days=9), yen)


def test_a_penalty_is_one_entry_whose_lines_follow_the_notice(books: Books, owing: str) -> None:
    first, later = penalty(date(2026, 8, 1), 30_000), penalty(date(2026, 8, 11), 20_000)

    def post(*lines: RentLine) -> Any:
        given = {"reservation_id": owing, "notice_id": NOTICE, "item": TaxedItem.EARLY_EXIT}
        return books.do(post_penalty, **given, lines=lines)

    assert post() is None
    entry_id = post(first)
    assert post(first) == post(later) == entry_id
    assert [line.amount_yen for line in books.entry(owing, "penalty").lines] == [
        *(30_000, -30_000),
        20_000,
    ]
    books.pay(TODAY, owing, 20_000, books.entry(owing, "penalty"))
    post()
    after = standing(books, owing, entry_id)
    assert (after.payable_yen, after.overpaid_yen) == (0, 20_000)
