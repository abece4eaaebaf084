"""Arrears show who owes what since when, and reminders leave after a page that lists them."""

import re
from datetime import date

from sqlalchemy import select

from pms.foundation.outbox import OutboxMail
from pms.ledger.debts import DebtAge, debt_totals, debts
from pms.reservations.models import Reservation
from tests.cast import LONG_AGO, reservation, unit
from tests.staff import Browser
from tests.statements.postings import post_entry, rent
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of


def _mails(books: Books) -> list[OutboxMail]:
    with books.database.reading(books.house.workspace_id) as session:
        return list(session.scalars(select(OutboxMail)))


def _owing(books: Books, many: int) -> None:
    """More people who owe, each in a room of their own."""
    with books.database.writing(books.house.workspace_id) as session:
        for number in range(many):
            room = unit(
                building_id=books.house.building_id,
                name=f"A{number}",
                slug=f"a-{number}",
                created_at=LONG_AGO,
            )
            session.add(room)
            session.flush()
            person = reservation(unit_id=room.id, name=f"田中 {number}", email="t@example.jp")
            session.add(person)
            session.flush()
            post_entry(
                session,
                person.id,
                [rent(50_000)],
                issued_on=date(2026, 11, 1),
                due_on=date(2026, 11, 10),
            )


def test_the_sums_by_age_are_those_of_the_ledger(office: Browser, books: Books) -> None:
    found = books.ask(debts, books.clock.today())
    totals = debt_totals(found)
    assert totals[DebtAge.DAYS_1_30] == totals[DebtAge.DAYS_31_60] == 93_000
    shown = office.get("/arrears").text
    assert "¥186,000" in shown
    assert shown.count("¥93,000") >= 2
    assert "佐藤 花子" in shown


def test_the_list_can_be_narrowed_to_an_age_and_a_building(office: Browser, books: Books) -> None:
    assert "佐藤 花子" in office.get("/arrears?age=days_31_60").text
    assert "佐藤 花子" not in office.get("/arrears?age=over_90").text
    here = office.get(f"/arrears?building={books.house.building_id}")
    assert "佐藤 花子" in here.text
    assert office.get("/arrears?building=nonsense").status_code == 422
    assert office.get("/arrears?age=old").status_code == 422


def test_without_arrears_the_page_says_when_it_looked(office: Browser, books: Books) -> None:
    books.do_pay(186_000)
    shown = office.get("/arrears?lang=en").text
    assert "empty-block" in shown
    assert "2026" in shown.partition("empty-block")[2]


def test_the_check_page_lists_the_mail_and_sends_nothing(office: Browser, books: Books) -> None:
    check = office.get(f"/arrears/reminders?reservation={books.resident_id}").text
    assert books.house.resident_email in check
    assert "¥186,000" in check
    assert _mails(books) == []


def test_one_mail_leaves_for_all_bills_and_once_a_day(office: Browser, books: Books) -> None:
    check = office.get(f"/arrears/reminders?reservation={books.resident_id}").text
    fields = fields_of(check, "/arrears/reminders")
    answers = [office.post("/arrears/reminders", fields).status_code for _ in range(3)]
    assert answers == [303, 422, 422]
    (mail,) = _mails(books)
    assert mail.recipient == books.house.resident_email
    assert "¥186,000" in mail.subject
    assert mail.text.count("¥93,000") == 2
    assert len(re.findall(r"2026-\d{6}", mail.text)) == 2
    shown = office.get("/arrears?lang=en").text
    assert "2026-11-20" in shown  # the day of the last mail, as a <time>


def test_many_are_reminded_at_once_and_those_without_an_address_are_told(
    office: Browser, books: Books
) -> None:
    _owing(books, 2)
    with books.database.writing(books.house.workspace_id) as session:
        row = session.scalars(select(Reservation).where(Reservation.name == "田中 1")).one()
        row.email = None
    check = office.get("/arrears/reminders?all=1").text
    assert check.count('name="reservation"') == 2
    assert "田中 1" in check
    recipients = re.findall(r'name="reservation" value="([0-9a-f]+)"', check)
    answer = office.client.post(
        f"{office.home}/arrears/reminders",
        data={"csrf_token": office.form_token, "reservation": recipients},
    )
    assert answer.status_code == 303
    assert len(_mails(books)) == 2


def test_the_list_asks_as_much_of_sixty_people_as_of_one(office: Browser, books: Books) -> None:
    with books.counted() as few:
        office.get("/arrears")
    _owing(books, 60)
    with books.counted() as many:
        page = office.get("/arrears").text
    assert page.count('name="reservation"') == 50
    assert len(many) == len(few)


def test_nothing_of_a_stranger_is_owed_here(stranger: Browser, books: Books) -> None:
    shown = stranger.get("/arrears").text
    assert "佐藤 花子" not in shown
    assert "empty-block" in shown
