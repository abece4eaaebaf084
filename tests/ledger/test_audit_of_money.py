"""Each audit event of money is kept with who did it and what it wrote, and moves no yen of its own."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.price_changes import change_price
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge
from pms.ledger.kept_fees import keep_paid_fee
from pms.ledger.models import Allocation, LedgerEntry, Payment
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment
from pms.ledger.planned_entries import hold_ledger, ledger_mark
from pms.ledger.posting import move_payments, paid_on, void_entry
from pms.ledger.queries import standings
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from pms.rules.payments import AllocatedPart
from tests.ledger.conftest import ACTOR, Books

BOOKED, START, END = date(2026, 5, 20), date(2026, 6, 1), date(2027, 5, 31)
TODAY = date(2026, 6, 25)


def noted(books: Books, audit_event: AuditEvent) -> AuditRecord:
    with books.reading() as session:
        asked = select(AuditRecord).where(AuditRecord.audit_event == audit_event)
        found: AuditRecord = session.scalars(asked).one()
    return found


def test_a_billing_run_is_noted_with_its_figures_and_a_vain_one_is_not(books: Books) -> None:
    ids = [books.booked(BOOKED, START, END) for _ in range(2)]
    books.bill(date(2026, 7, 25))
    books.bill(date(2026, 7, 25))
    found = noted(books, AuditEvent.RENT_BILLED)
    assert (found.actor, found.subject_kind, found.subject_id) == (
        ACTOR,
        "workspace",
        books.workspace_id,
    )
    assert found.after == {
        "through_on": "2026-08-31",
        "reservations": 2,
        "entries": 4,
        "total_yen": 332_000,
    }
    with books.reading() as session:
        rent = select(LedgerEntry).where(LedgerEntry.kind == EntryKind.RENT)
        written = session.scalars(rent).all()
    assert {one.reservation_id for one in written} == set(ids)
    assert {(one.written_by, one.written_at) for one in written} == {(ACTOR, books.clock.now())}


def test_a_payment_is_kept_and_noted_with_all_that_was_told(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    books.at(TODAY)
    facts: dict[str, Any] = {"amount_yen": 700, "method": "card", "reference": "ch_1"}
    named = {"reservation_id": id_, "received_on": date(2026, 6, 24), "note": "at the desk"}
    payment_id = books.do(record_payment, **facts, **named)
    with books.reading() as session:
        payment = session.scalars(select(Payment)).one()
        part = session.scalars(select(Allocation)).one()
    assert (payment.id, payment.reservation_id, payment.note) == (payment_id, id_, "at the desk")
    assert (payment.method, payment.reference, payment.amount_yen) == ("card", "ch_1", 700)
    assert (part.payment_id, part.settlement_id, part.amount_yen) == (payment_id, None, 700)
    assert part.written_at == books.clock.now()
    found = noted(books, AuditEvent.PAYMENT_RECORDED)
    assert (found.actor, found.subject_id) == (ACTOR, id_)
    assert found.after == {**facts, "payment_id": payment_id, "received_on": "2026-06-24"}


def test_a_charge_is_noted_and_said_in_both_languages_though_one_was_given(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    books.at(TODAY)
    for label in (Bilingual("鍵", None), Bilingual(None, "Key")):
        books.do(post_charge, reservation_id=id_, amount_yen=1, label=label)
    charges = [entry for entry in books.entries(id_) if entry.kind == EntryKind.CHARGE]
    assert {entry.label for entry in charges} == {Bilingual("鍵", "鍵"), Bilingual("Key", "Key")}
    line = charges[0].lines[0]
    assert (line.item, line.is_deposit, line.posted_on) == ("charge", False, TODAY)
    assert (line.category, line.tax_treatment) == (FeeCategory.OTHER, TaxTreatment.TAXABLE_10)
    with books.reading() as session:
        asked = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.CHARGE_POSTED)
        events = [one.after or {} for one in session.scalars(asked)]
    assert {one["entry_id"] for one in events} == {entry.id for entry in charges}
    assert {(one["amount_yen"], one["due_on"]) for one in events} == {(1, "2026-06-25")}


def test_a_new_price_is_noted_with_what_each_item_was_and_became(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    from_on = date(2026, 9, 1)
    dearer = MonthlyAmounts(base_rent_yen=70_000, utilities_yen=12_000)
    books.do(change_price, reservation_id=id_, from_on=from_on, amounts=dearer)
    found = noted(books, AuditEvent.PRICE_CHANGED)
    assert (found.actor, found.subject_id) == (ACTOR, id_)
    assert found.before == {"base_rent_yen": 68_000, "building_maintenance_yen": 3_000}
    assert found.after == {
        "base_rent_yen": 70_000,
        "building_maintenance_yen": 0,
        "price_from_on": "2026-09-01",
    }


def test_what_moves_between_entries_keeps_its_payment_the_last_one_first(books: Books) -> None:
    id_ = books.booked(BOOKED, START, END)
    books.bill(date(2026, 7, 25))
    invoice, july, august = books.entries(id_)
    # The day tells, not the order of writing.
    late = books.pay(date(2026, 7, 25), id_, 500, invoice)
    books.at(date(2026, 7, 26))
    early = books.do(
        record_payment,
        reservation_id=id_,
        amount_yen=300,
        entry_id=invoice.id,
        received_on=date(2026, 7, 24),
    )
    with books.writing() as session:
        move_payments(
            session,
            books.clock,
            invoice.id,
            [AllocatedPart(july.id, 600), AllocatedPart(august.id, 900)],
        )
    with books.reading() as session:
        asked = select(Allocation).where(Allocation.allocated_on == date(2026, 7, 26))
        moved = session.scalars(asked.order_by(Allocation.id)).all()
        left = [paid_on(session, entry.id) for entry in (invoice, july, august)]
    assert [(one.entry_id, one.payment_id, one.amount_yen) for one in moved] == [
        (invoice.id, late, -500),
        (july.id, late, 500),
        (invoice.id, early, -100),
        (july.id, early, 100),
        (invoice.id, early, -200),
        (august.id, early, 200),
    ]
    assert {(one.settlement_id, one.written_at) for one in moved} == {(None, books.clock.now())}
    assert left == [0, 600, 200]


def test_of_a_fee_that_was_paid_in_full_all_is_kept_and_without_an_invoice_nothing(
    books: Books,
) -> None:
    amounts: dict[str, Any] = {"reservation_fee_yen": 30_000, "deposit_yen": 68_000}
    books.at(BOOKED)
    uninvoiced = books.resident(START, END, **amounts)
    assert books.do(keep_paid_fee, uninvoiced) == 0
    id_ = books.booked(BOOKED, START, END, **amounts)
    books.pay(BOOKED, id_, 83_000 + 30_000 + 67_999, books.entry(id_, "move_in"))
    lines = len(books.entry(id_, "move_in").lines)
    assert books.do(keep_paid_fee, id_) == 30_000
    appended = books.entry(id_, "move_in").lines[lines:]
    assert [(line.item, line.amount_yen, line.is_deposit) for line in appended] == [
        ("deposit", -1, True)
    ]
    assert (appended[0].row_id, appended[0].label.ja, appended[0].posted_on) == (
        None,
        "敷金",
        BOOKED,
    )
    with books.reading() as session:
        (standing,) = standings(session, [id_], BOOKED)[id_]
    assert (standing.deposit_yen, standing.collected_yen, standing.open_yen) == (67_999, 67_999, 0)
    assert books.do(keep_paid_fee, id_) == 30_000
    assert len(books.entry(id_, "move_in").lines) == lines + 1
    books.do(void_entry, books.entry(id_, "move_in").id)
    assert books.do(keep_paid_fee, id_) == 0


def test_a_form_is_out_of_date_after_each_writing_to_its_own_ledger_alone(books: Books) -> None:
    id_, other = (books.booked(BOOKED, START, END) for _ in range(2))

    def mark(of: str = id_) -> int:
        with books.reading() as session:
            return ledger_mark(session, of)

    books.pay(BOOKED, other, 100)
    assert (mark(), mark(other), mark(new_id())) == (1, 2, 0)
    payment_id = books.pay(BOOKED, id_, 100)
    assert mark() == 2
    books.do(return_payment, payment_id=payment_id, amount_yen=1, reference="ch_1")
    assert mark() == 3
    with books.writing() as session:
        hold_ledger(session, id_, 3)
    for seen in (2, 4):
        with pytest.raises(Collision), books.writing() as session:
            hold_ledger(session, id_, seen)
    with pytest.raises(NotFound), books.writing() as session:
        hold_ledger(session, new_id(), 0)
