"""Papers leave once: however often they are sent, and however many workers run."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.outbox import send_outbox
from pms.jobs.runs import Tools
from pms.reservations.models import Reservation
from pms.rules.days import CorruptDay, RecordedDay
from pms.rules.enumerations import EntryKind, Lifecycle, ReservationKind
from pms.statements.arrival_reminders import send_arrival_reminders
from pms.statements.due_invoices import send_due_invoices, send_invoice
from pms.statements.invoices import invoice_pdf, issue_invoice
from pms.statements.models import ArrivalReminder, Invoice
from pms.statements.reminders import send_overdue_reminders
from tests.cast import House
from tests.statements.postings import deposit, pay, post_entry, rent, reversal, void

DUE = date(2026, 11, 30)
WORKERS = 8


def mails(database: Database, house: House) -> list[OutboxMail]:
    with database.reading(house.workspace_id) as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def post(database: Database, house: House, reservation_id: str = "") -> str:
    with database.writing(house.workspace_id) as session:
        return post_entry(session, reservation_id or house.resident_id, [rent(93_000)])


def send_all(database: Database, clock: FixedClock, house: House, files: Files) -> int:
    with database.writing(house.workspace_id) as session:
        return send_due_invoices(session, clock, files).sent


def remind(database: Database, clock: FixedClock, house: House) -> int:
    with database.writing(house.workspace_id) as session:
        return send_overdue_reminders(session, clock)


# One invoice


@pytest.mark.differs("outbox and leases")
def test_an_invoice_leaves_with_its_paper_and_the_instant_is_noted(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    entry_id = post(database, house)
    with database.writing(house.workspace_id) as session:
        invoice = issue_invoice(Work(session, clock, "office"), entry_id)
        assert send_invoice(Work(session, clock, "office"), invoice.id, files)
        assert invoice.sent_at == clock.now()
        assert files.get(invoice.sent_file_key or "") == invoice_pdf(session, invoice.id)
    (mail,) = mails(database, house)
    assert mail.recipient == house.resident_email
    assert [attached["name"] for attached in mail.attachments] == ["請求書-2026-000001.pdf"]


def test_the_worker_hands_the_paper_over(
    settings: Settings, database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    post(database, house)
    send_all(database, clock, house, files)
    send_outbox(Tools(settings, database, clock, choose_postbox(settings)))
    (path,) = settings.mail_dir.iterdir()
    assert b"application/pdf" in path.read_bytes()


def test_a_second_sending_sends_nothing(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    entry_id = post(database, house)
    with database.writing(house.workspace_id) as session:
        invoice = issue_invoice(Work(session, clock, "office"), entry_id)
        assert send_invoice(Work(session, clock, "office"), invoice.id, files)
        assert not send_invoice(Work(session, clock, "office"), invoice.id, files)
    assert len(mails(database, house)) == 1


def test_without_an_address_sending_is_refused(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    entry_id = post(database, house, house.guest_id)
    with database.writing(house.workspace_id) as session:
        invoice = issue_invoice(Work(session, clock, "office"), entry_id)
        with pytest.raises(Refused, match="no email address"):
            send_invoice(Work(session, clock, "office"), invoice.id, files)


def test_a_voided_invoice_is_not_sent_any_more(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    entry_id = post(database, house)
    with database.writing(house.workspace_id) as session:
        invoice = issue_invoice(Work(session, clock, "office"), entry_id)
        void(session, entry_id, house.resident_id, clock.today())
        with pytest.raises(Refused, match="voided"):
            send_invoice(Work(session, clock, "office"), invoice.id, files)


# What is due


@pytest.mark.differs("outbox and leases")
def test_due_invoices_leave_once_however_many_workers_run(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    for _ in range(5):
        post(database, house)
    with ThreadPoolExecutor(WORKERS) as workers:
        sent = workers.map(lambda _: send_all(database, clock, house, files), range(WORKERS))
        assert sum(sent) == 5
    assert len(mails(database, house)) == 5
    assert send_all(database, clock, house, files) == 0


def test_what_is_not_to_be_mailed_stays(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    without_address = post(database, house, house.guest_id)
    with database.writing(house.workspace_id) as session:
        voided = post_entry(session, house.resident_id, [rent(93_000)])
        void(session, voided, house.resident_id, clock.today())
        tomorrow = clock.today() + timedelta(days=1)
        post_entry(session, house.resident_id, [rent(1)], issued_on=tomorrow)
        long_ago = date(2026, 9, 1)
        post_entry(session, house.resident_id, [rent(1)], issued_on=long_ago, due_on=long_ago)
        empty = post_entry(session, house.resident_id, [rent(1), reversal(rent(1))])
        found = send_due_invoices(session, clock, files)
        assert found.sent == 0
        assert found.refused_entry_ids == (empty,)
        assert session.scalars(select(Invoice)).all() == []
    assert mails(database, house) == []
    assert without_address


@pytest.mark.differs("outbox and leases")
def test_what_cannot_be_sent_never_keeps_the_rest_from_leaving(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    with database.writing(house.workspace_id) as session:
        for _ in range(3):
            post_entry(session, house.resident_id, [rent(1), reversal(rent(1))])
            post_entry(session, house.resident_id, [rent(93_000)])
    sent, after, rounds = 0, None, 0
    while rounds == 0 or after is not None:
        with database.writing(house.workspace_id) as session:
            found = send_due_invoices(session, clock, files, after=after, most=2)
        sent, after, rounds = sent + found.sent, found.last_entry_id, rounds + 1
    assert (sent, rounds) == (3, 4)


# What is overdue


def overdue_entry(
    database: Database, clock: FixedClock, house: House, files: Files, paid_yen: int = 0
) -> str:
    entry_id = post(database, house)
    send_all(database, clock, house, files)
    if paid_yen:
        with database.writing(house.workspace_id) as session:
            pay(session, house.resident_id, {entry_id: paid_yen}, clock.today())
    return entry_id


def test_an_open_invoice_is_reminded_of_once_three_days_after_its_due_day(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    overdue_entry(database, clock, house, files, paid_yen=50_000)
    facts = {}
    while clock.today() < date(2026, 12, 8):
        facts[clock.today()] = remind(database, clock, house)
        clock.advance(timedelta(days=1))
    assert {day for day, sent in facts.items() if sent} == {date(2026, 12, 3)}
    assert "未払い　　　　 ¥43,000" in mails(database, house)[-1].text


def test_a_bill_due_before_days_without_banks_is_reminded_of_after_them(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    clock.advance(datetime(2026, 12, 21, tzinfo=UTC) - clock.now())
    with database.writing(house.workspace_id) as session:
        post_entry(
            session,
            house.resident_id,
            [rent(93_000)],
            issued_on=clock.today(),
            due_on=date(2026, 12, 31),
        )
    send_all(database, clock, house, files)
    facts = {}
    while clock.today() < date(2027, 1, 8):
        facts[clock.today()] = remind(database, clock, house)
        clock.advance(timedelta(days=1))
    assert {day for day, sent in facts.items() if sent} == {date(2027, 1, 5)}


@pytest.mark.differs("outbox and leases")
def test_workers_at_once_remind_once(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    overdue_entry(database, clock, house, files)
    clock.advance(timedelta(days=14))
    with ThreadPoolExecutor(WORKERS) as workers:
        sent = list(workers.map(lambda _: remind(database, clock, house), range(WORKERS)))
    assert sum(sent) == 1
    assert len(mails(database, house)) == 2


def test_who_paid_or_owes_nothing_is_not_reminded(
    database: Database, clock: FixedClock, house: House, files: Files
) -> None:
    overdue_entry(database, clock, house, files, paid_yen=93_000)
    voided = overdue_entry(database, clock, house, files)
    with database.writing(house.workspace_id) as session:
        void(session, voided, house.resident_id, clock.today())
    clock.advance(timedelta(days=14))
    assert remind(database, clock, house) == 0


def test_what_was_never_sent_is_not_reminded_of(
    database: Database, clock: FixedClock, house: House
) -> None:
    post(database, house)
    clock.advance(timedelta(days=14))
    assert remind(database, clock, house) == 0


@pytest.mark.parametrize(("lifecycle", "asked"), [(Lifecycle.BOOKED, 1), (Lifecycle.CANCELLED, 0)])
def test_a_deposit_is_asked_for_while_the_tenancy_is_open(
    database: Database,
    clock: FixedClock,
    house: House,
    files: Files,
    *,
    lifecycle: Lifecycle,
    asked: int,
) -> None:
    with database.writing(house.workspace_id) as session:
        kind = EntryKind.MOVE_IN
        entry_id = post_entry(session, house.resident_id, [deposit(93_000)], kind=kind)
        assert entry_id
        send_due_invoices(session, clock, files)
        hanako(session, house).lifecycle = lifecycle
    clock.advance(timedelta(days=14))
    assert remind(database, clock, house) == asked


# Arrivals


def hanako(session: Session, house: House) -> Reservation:
    return session.scalars(select(Reservation).where(Reservation.id == house.resident_id)).one()


def arriving(database: Database, house: House, arrival: RecordedDay, **given: object) -> None:
    with database.writing(house.workspace_id) as session:
        row = hanako(session, house)
        row.arrival_date = arrival
        for name, value in given.items():
            setattr(row, name, value)


def welcome(database: Database, clock: FixedClock, house: House) -> int:
    with database.writing(house.workspace_id) as session:
        return send_arrival_reminders(session, clock)


def days_of_mails(database: Database, house: House, until: date) -> list[date]:
    """Have the job run every morning; return the days on which a mail left."""
    clock, days = FixedClock(datetime(2026, 11, 1, 0, 0, tzinfo=UTC)), []
    while clock.today() < until:
        days += [clock.today()] * welcome(database, clock, house)
        clock.advance(timedelta(days=1))
    return days


def test_two_mails_leave_the_day_before_the_arrival_and_three_days_after(
    database: Database, house: House
) -> None:
    arriving(database, house, date(2026, 11, 20))
    days = days_of_mails(database, house, date(2026, 12, 10))
    assert days == [date(2026, 11, 19), date(2026, 11, 23)]


def test_without_an_arrival_date_the_effective_start_counts(
    database: Database, house: House
) -> None:
    arriving(database, house, None, override_move_in_date=date(2026, 11, 12))
    days = days_of_mails(database, house, date(2026, 12, 10))
    assert days == [date(2026, 11, 11), date(2026, 11, 15)]


def test_an_arrival_that_is_moved_brings_no_mail_twice(database: Database, house: House) -> None:
    arriving(database, house, date(2026, 11, 10))
    assert days_of_mails(database, house, date(2026, 11, 20)) == [
        date(2026, 11, 9),
        date(2026, 11, 13),
    ]
    arriving(database, house, date(2026, 11, 25))
    assert days_of_mails(database, house, date(2026, 12, 10)) == []


@pytest.mark.parametrize(
    ("days_late", "number"), [(-2, None), (-1, 1), (0, 1), (2, 1), (3, 2), (7, 2), (8, None)]
)
def test_a_missed_morning_is_caught_up_while_the_window_is_open(
    database: Database, clock: FixedClock, house: House, days_late: int, number: int | None
) -> None:
    arriving(database, house, clock.today() - timedelta(days=days_late))
    assert welcome(database, clock, house) == (number is not None)
    with database.reading(house.workspace_id) as session:
        rows = session.scalars(select(ArrivalReminder.number)).all()
    assert list(rows) == ([number] if number else [])


@pytest.mark.differs("outbox and leases")
def test_workers_at_once_welcome_once(database: Database, clock: FixedClock, house: House) -> None:
    arriving(database, house, clock.today())
    with ThreadPoolExecutor(WORKERS) as workers:
        sent = list(workers.map(lambda _: welcome(database, clock, house), range(WORKERS)))
    assert sum(sent) == 1
    assert len(mails(database, house)) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"lifecycle": Lifecycle.CANCELLED},
        {"lifecycle": Lifecycle.MOVED_OUT},
        {"kind": ReservationKind.OWNER_RESIDENT},
        {"email": None},
        {"arrival_date": CorruptDay("2026-11-2?")},
        {"arrival_date": CorruptDay("soon")},
    ],
    ids=str,
)
def test_nobody_else_is_written_to(
    database: Database, clock: FixedClock, house: House, given: dict[str, object]
) -> None:
    arriving(database, house, clock.today(), **given)
    assert welcome(database, clock, house) == 0
