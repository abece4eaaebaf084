"""The papers of a whole tenancy, written by the use cases that also serve the office."""

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book
from pms.departures.notices import file_notice
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.payment_plan import record_payment
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.enumerations import ReservationKind
from pms.statements.due_invoices import send_due_invoices
from pms.statements.invoices import invoice_pdf
from pms.statements.models import Invoice
from pms.statements.owner_figures import IncomeRow, owner_figures
from pms.statements.owner_months import StatementState, owner_month
from pms.statements.owner_publishing import publish_statement
from pms.statements.queries import billed_entries
from pms.statements.receipt_paper import receipt_pdf
from pms.statements.receipts import issue_receipt
from tests.cast import House
from tests.statements.papers import text_of


def at(year: int, month: int, day: int) -> FixedClock:
    return FixedClock(datetime(year, month, day, 3, 0, tzinfo=UTC))


def invoices_of(session: Session, reservation_id: str) -> list[Invoice]:
    entries = billed_entries(session, reservation_id).values()
    invoices = [entry.invoice for entry in entries if entry.invoice is not None]
    return sorted(invoices, key=lambda invoice: invoice.number)


@pytest.fixture
def resident_id(database: Database, house: House) -> str:
    with database.writing(house.workspace_id) as session:
        return book(
            Work(session, at(2026, 11, 20), "office"),
            unit_id=house.free_room_id,
            kind=ReservationKind.RESIDENT,
            name="田中 実",
            email="minoru@example.jp",
            move_in_date=date(2026, 12, 1),
            contract_end_date=date(2027, 3, 31),
            amounts=MonthlyAmounts(base_rent_yen=93_000, utilities_yen=8_000),
            reservation_fee_yen=33_000,
            deposit_yen=93_000,
        ).reservation_id


def test_the_papers_follow_a_tenancy(
    database: Database, house: House, files: Files, resident_id: str
) -> None:
    with database.writing(house.workspace_id) as session:
        assert send_due_invoices(session, at(2026, 11, 20), files).sent == 1
        payment = record_payment(
            Work(session, at(2026, 11, 25), "office"),
            reservation_id=resident_id,
            amount_yen=227_000,
        )
        receipt = issue_receipt(Work(session, at(2026, 11, 25), "office"), payment)
        assert "初期費用 2026-000001 ¥227,000" in text_of(receipt_pdf(session, receipt.id))
        bill_month(Work(session, at(2026, 12, 25), "office"), reservation_ids=[resident_id])
        assert send_due_invoices(session, at(2026, 12, 25), files).sent == 1
        move_in, january = invoices_of(session, resident_id)
        assert "合計 ¥227,000" in text_of(invoice_pdf(session, move_in.id))
        assert "合計 ¥101,000" in text_of(invoice_pdf(session, january.id))


def test_a_notice_corrects_the_invoice_and_its_penalty_is_invoiced(
    database: Database, house: House, files: Files, resident_id: str
) -> None:
    with database.writing(house.workspace_id) as session:
        bill_month(Work(session, at(2026, 12, 25), "office"), reservation_ids=[resident_id])
        send_due_invoices(session, at(2026, 12, 25), files)
        file_notice(
            Work(session, at(2026, 12, 28), "office"),
            reservation_id=resident_id,
            move_out_on=date(2027, 1, 27),
        )
        assert send_due_invoices(session, at(2026, 12, 28), files).sent == 1
        january = next(
            text
            for invoice in invoices_of(session, resident_id)
            if "2027年1月" in (text := text_of(invoice_pdf(session, invoice.id)))
            and "水道光熱費" in text
        )
        mails = session.scalars(select(OutboxMail.subject).order_by(OutboxMail.id)).all()
    assert "賃料 2027年1月1日〜27日 ¥81,000" in january
    assert "水道光熱費 2027年1月1日〜27日 10% ¥6,968" in january
    assert "合計 ¥87,968" in january
    assert "¥93,000" not in january
    assert "2026年12月28日" in january
    assert any("違約金" in subject for subject in mails)


def test_the_owner_is_paid_what_the_resident_paid_less_the_deposit(
    database: Database, house: House, resident_id: str
) -> None:
    with database.writing(house.workspace_id) as session:
        record_payment(
            Work(session, at(2026, 11, 25), "office"),
            reservation_id=resident_id,
            amount_yen=227_000,
        )
    with database.writing(house.workspace_id) as session:
        december = at(2026, 12, 5)
        figures = owner_figures(session, house.building_id, date(2026, 11, 1), december.today())
        assert figures.income == (
            IncomeRow("102", "rent", 93_000),
            IncomeRow("102", "utilities", 8_000),
            IncomeRow("102", "reservation_fee", 33_000),
        )
        publish_statement(
            Work(session, december, "office"),
            building_id=house.building_id,
            month_on=date(2026, 11, 1),
        )
        state = owner_month(session, house.building_id, date(2026, 11, 1), december.today()).state
        assert state is StatementState.PUBLISHED
