"""A payout file that waits for its second person stands on Today of whoever may be that person."""

import re
from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import unquote

from sqlalchemy import select, update

from pms.access.models import Member, Person
from pms.bank import payouts
from pms.bank.mandates import set_resident_account
from pms.bank.models import PayoutFile, PayoutRow
from pms.deposits.models import Settlement
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, StaffRole
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import controls_of

REFUND = 61_200


def owe_refund(books: Books) -> None:
    """A settled tenancy whose refund was not sent, to a known account, by files of two people."""
    books.do(
        set_office_bank,
        expected_version=0,
        account=account(bank_code="9801", number="21788", holder="カ）ミドリリビング"),
        debit_client=None,
        payout_client="9000012345",
        needs_second_person=True,
        debit_attempts=2,
    )
    books.do(
        set_resident_account,
        reservation_id=books.resident_id,
        account=account(),
        expected_version=0,
    )
    with books.database.writing(books.house.workspace_id) as session:
        session.get_one(
            Reservation, (books.house.workspace_id, books.resident_id)
        ).lifecycle = Lifecycle.SETTLED
        session.add(
            Settlement(
                id=new_id(),
                reservation_id=books.resident_id,
                settled_on=books.clock.today(),
                held_yen=REFUND,
                overpaid_yen=0,
                deducted_yen=0,
                netted_yen=0,
                remainder_yen=REFUND,
                owed_yen=0,
                written_at=books.clock.now(),
                written_by="staff",
            )
        )


def stands_on_today(browser: Browser, address: str) -> bool:
    return address in browser.get("/?lang=en").text


def test_a_file_waits_on_the_second_persons_today_and_not_on_its_makers(
    office: Browser, operator: Browser, housekeeper: Browser, books: Books
) -> None:
    owe_refund(books)
    (mark,) = re.findall(r'name="payouts"\s+value="([^"]+)"', office.get("/bank/payouts").text)
    made = office.post("/bank/payouts", {"payOn": "2026-11-30", "payouts": mark})
    assert made.status_code == 303
    address = made.headers["Location"]
    (mail,) = mails(books)
    assert mail.recipient == "operator@sumida.example"
    assert address in unquote(mail.text)
    on_today = operator.get("/?lang=en").text
    assert "Payouts of" in on_today
    assert "Created by 岡田 誠" in on_today
    assert [stands_on_today(who, address) for who in (operator, office, housekeeper)] == [
        True,
        False,
        False,
    ]
    refused = office.post(address.removeprefix(office.home) + "/confirm")
    assert refused.status_code == 422
    assert operator.post(address.removeprefix(operator.home) + "/confirm").status_code == 303
    assert not stands_on_today(operator, address)
    # A file that was cancelled waits for nobody either.
    assert office.post(address.removeprefix(office.home) + "/drop").status_code == 303
    again = operator.post("/bank/payouts", {"payOn": "2026-11-30", "payouts": mark})
    address = again.headers["Location"]
    assert [stands_on_today(who, address) for who in (operator, office)] == [False, True]
    operator.post(address.removeprefix(operator.home) + "/drop")
    assert not stands_on_today(office, address)


def enter_account(books: Books, person_id: str, number: str, version: int) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        set_resident_account(
            Work(session, books.clock, f"person/{person_id}"),
            reservation_id=books.resident_id,
            account=account(number=number),
            expected_version=version,
        )


def make_file(browser: Browser) -> str:
    """A file of the one waiting payout; its address below the dashboard."""
    (mark,) = re.findall(r'name="payouts"\s+value="([^"]+)"', browser.get("/bank/payouts").text)
    made = browser.post("/bank/payouts", {"payOn": "2026-11-30", "payouts": mark})
    return made.headers["Location"].removeprefix(browser.home)


def test_a_first_payout_is_marked_with_who_entered_its_account(
    office: Browser, operator: Browser, staff: Staff, books: Books
) -> None:
    owe_refund(books)
    enter_account(books, staff.operator_id, "7654321", 1)
    address = make_file(office)
    shown = operator.get(f"{address}?lang=en").text
    assert "1 payout is the first to its account" in shown
    assert "First payout to this account" in shown
    assert re.search(r"Entered on .*20 Nov.* by 小川 智子", shown)
    assert "changed since the last payout" not in shown
    # The office is two people: who entered the account is the only one who can confirm.
    assert f"{address}/confirm" in shown
    assert stands_on_today(operator, address)
    third = employ_another(books)
    shown = operator.get(f"{address}?lang=en").text
    assert f"{address}/confirm" not in shown
    assert "You entered the bank account of" in shown
    assert not stands_on_today(operator, address)
    assert operator.post(f"{address}/confirm").status_code == 422
    with books.database.writing(books.house.workspace_id) as session:
        payouts.confirm_payouts(Work(session, books.clock, third), address.rpartition("/")[2])
    assert "Confirmed" in operator.get(f"{address}?lang=en").text


def employ_another(books: Books) -> str:
    with books.database.across_workspaces_writing() as session:
        person = Person(
            email="third@sumida.example", name="三橋 葵", created_at=books.clock.now(), locale="en"
        )
        session.add(person)
        session.flush()
        person_id = person.id
    with books.database.writing(books.house.workspace_id) as session:
        session.add(
            Member(person_id=person_id, role=StaffRole.OFFICE, accepted_at=books.clock.now())
        )
    return f"person/{person_id}"


def test_a_file_that_no_one_may_confirm_waits_on_the_today_of_both_with_the_way_out(
    office: Browser, operator: Browser, housekeeper: Browser, staff: Staff, books: Books
) -> None:
    owe_refund(books)
    paid = make_file(office).rpartition("/")[2]
    with books.database.writing(books.house.workspace_id) as session:
        # As if the bank had got a first payout to the payee before.
        session.execute(update(PayoutRow).values(is_in_force=False))
        session.get_one(
            PayoutFile, (books.house.workspace_id, paid)
        ).handed_over_at = books.clock.now()
    enter_account(books, staff.operator_id, "7654321", 1)
    address = make_file(office)
    assert [mail.recipient for mail in mails(books) if address in unquote(mail.text)] == [
        "office@sumida.example",
        "operator@sumida.example",
    ]
    for browser in (office, operator):
        today = browser.get("/?lang=en").text
        assert address in today
        assert "No one can confirm" in today
        assert "To be created again by 小川 智子" in today
        assert "Create again" in today
        shown = browser.get(f"{address}?lang=en").text
        assert "No one in the office can confirm this file" in shown
        assert "the person who changed that account (小川 智子)" in shown
        assert "so a colleague must confirm" not in shown
        assert "確認できる人がいません" in browser.get("/?lang=ja").text
    assert not stands_on_today(housekeeper, address)
    # What the line says is what helps.
    assert office.post(f"{address}/drop").status_code == 303
    anew = make_file(operator)
    assert not stands_on_today(operator, anew)
    assert "No one can confirm" not in office.get("/?lang=en").text
    assert office.post(f"{anew}/confirm").status_code == 303


def mails(books: Books) -> Sequence[OutboxMail]:
    with books.database.across_workspaces_reading() as session:
        return session.scalars(select(OutboxMail).order_by(OutboxMail.id)).all()


def test_turning_the_second_person_off_is_told_by_mail_and_holds_a_day_later(
    operator: Browser, books: Books
) -> None:
    owe_refund(books)
    page = operator.get("/settings/bank?lang=en").text
    typed = controls_of(page)
    assert typed.pop("secondPerson") == "y"
    saved = operator.post("/settings/bank?lang=en", typed)
    assert saved.status_code == 303
    assert [mail.recipient for mail in mails(books)] == ["operator@sumida.example"]
    shown = operator.get("/settings/bank?lang=en").text
    assert "applies until Sat 21 Nov 2026" in shown
    assert "secondPerson" not in controls_of(shown)
    typed = controls_of(shown)
    assert operator.post("/settings/bank?lang=en", typed).status_code == 303
    assert len(mails(books)) == 1
    operator.post(
        "/settings/bank", controls_of(operator.get("/settings/bank").text) | {"secondPerson": "y"}
    )
    assert "applies until" not in operator.get("/settings/bank?lang=en").text


def test_a_file_made_while_no_second_person_was_needed_says_so(
    office: Browser, operator: Browser, books: Books
) -> None:
    owe_refund(books)
    typed = controls_of(operator.get("/settings/bank").text)
    typed.pop("secondPerson")
    operator.post("/settings/bank", typed)
    books.clock.advance(timedelta(days=1))
    shown = office.get(f"{make_file(office)}?lang=en").text
    assert "No second person was required when this file was created" in shown
