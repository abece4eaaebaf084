"""A bill gets a number that convenience stores take, until it is paid, cancelled or expires."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select, update

from pms.collections import choices
from pms.collections.collections_read import numbers_for_stores, store_number
from pms.contracts.issuing import send_move_in_papers
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.ledger.payment_plan import record_payment
from pms.reservations.models import Reservation
from pms.rules.enumerations import CollectionState
from pms.statements.due_invoices import send_invoice
from pms.statements.invoices import invoice_pdf, issue_invoice
from pms.statements.reminders import remind_of_arrears
from tests.collections.conftest import Till
from tests.statements.papers import text_of

pytestmark = pytest.mark.differs("outbox and leases")


@pytest.fixture
def entry_id(till: Till) -> str:
    """A bill whose number was asked for."""
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    entry_id = till.bills(86_000)
    till.day_passes(0)
    return entry_id


def newest_mail(till: Till) -> OutboxMail:
    with till.office.database.reading(till.office.home.workspace_id) as session:
        return session.scalars(select(OutboxMail).order_by(OutboxMail.id.desc()).limit(1)).one()


def states(till: Till) -> list[CollectionState]:
    return [one.state for one in till.collections()]


def test_a_bill_gets_its_numbers_by_mail_before_it_is_due(till: Till, entry_id: str) -> None:
    number = till.office.ask(numbers_for_stores, till.reservation_id)[entry_id]
    assert number.stores == {"lawson": {"payment": "123456", "confirmation": "0312345678"}}
    assert number.expires_at is not None
    assert number.expires_at.isoformat() == "2026-11-30T14:59:00+00:00"
    assert "コンビニでのお支払い番号" in till.mails()[-1]
    till.day_passes()
    assert len(till.provider.charges) == 1, "one bill has one number"


def test_what_a_store_took_is_recorded_though_no_event_came(till: Till, entry_id: str) -> None:
    charge = next(iter(till.provider.charges.values()))
    charge.update(status="succeeded", amount_received=86_000, latest_charge="ch_1")
    till.worker.works(timedelta(hours=6))
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])


def test_a_number_is_cancelled_once_its_bill_was_paid_otherwise(till: Till, entry_id: str) -> None:
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=86_000, entry_id=entry_id
    )
    till.day_passes()
    assert states(till) == [CollectionState.CANCELLED]
    assert next(iter(till.provider.charges.values()))["status"] == "canceled"


def test_a_number_that_expired_is_given_out_anew(till: Till, entry_id: str) -> None:
    charge = next(iter(till.provider.charges.values()))
    charge.update(status="requires_payment_method")
    till.worker.works(timedelta(days=11))
    assert states(till) == [CollectionState.FAILED]
    till.day_passes()
    assert states(till) == [CollectionState.FAILED, CollectionState.WAITING]


def test_a_reminder_names_the_number_that_can_be_paid_now(till: Till, entry_id: str) -> None:
    number_of = partial(store_number, till.office.clock)
    expired = next(iter(till.provider.charges.values()))
    expired.update(status="requires_payment_method")
    till.worker.works(timedelta(days=11))
    assert till.office.ask(number_of, entry_id) is None
    till.day_passes()
    till.office.do(remind_of_arrears, reservation_ids=[till.reservation_id], number_of=number_of)
    assert "お支払いのご確認" in till.mails()[-1]
    assert "ローソン：123456（確認番号 0312345678）" in newest_mail(till).text


def test_an_ended_choice_cancels_its_numbers(till: Till, entry_id: str) -> None:
    till.office.do(choices.end_choice, reservation_id=till.reservation_id)
    till.worker.works()
    assert states(till) == [CollectionState.CANCELLED]


@pytest.mark.parametrize(
    ("locale", "name", "until"),
    [("ja", "ローソン", "2026年11月30日"), ("en", "Lawson", "30 November 2026")],
)
def test_the_number_is_on_the_invoice_and_in_its_mail_while_it_can_be_paid(
    till: Till, entry_id: str, locale: str, name: str, until: str
) -> None:
    office, files = till.office, Files(till.office.database.settings)
    with office.database.writing(office.home.workspace_id) as session:
        session.execute(update(Reservation).values(locale=locale))
    invoice = office.do(issue_invoice, entry_id=entry_id)
    number_of = partial(store_number, office.clock)
    paper = text_of(office.ask(invoice_pdf, invoice.id, number_of=number_of))
    office.do(send_invoice, invoice_id=invoice.id, files=files, number_of=number_of)
    mail = newest_mail(till)
    for shown in (paper, mail.text, mail.html or ""):
        assert all(one in shown for one in (name, "123456", "0312345678", until, "¥86,000"))
    till.day_passes(12)
    assert office.ask(number_of, entry_id) is None
    assert name not in text_of(office.ask(invoice_pdf, invoice.id, number_of=number_of))


def test_the_number_is_in_the_mail_of_the_invoice_sent_with_the_contract(unpaid_till: Till) -> None:
    till = unpaid_till
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    till.day_passes(0)
    sent = till.office.do(
        send_move_in_papers,
        files=Files(till.office.database.settings),
        reservation_id=till.reservation_id,
        link="https://pms.example.jp/sign",
        number_of=partial(store_number, till.office.clock),
    )
    mail = newest_mail(till)
    assert sent.invoice is not None
    assert sent.invoice in mail.subject
    for shown in (mail.text, mail.html or ""):
        assert all(one in shown for one in ("ローソン", "123456", "0312345678", "¥216,000"))
