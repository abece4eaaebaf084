"""A payout file that waits for its second person stands on Today of whoever may be that person."""

import re
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select

from pms.bank.mandates import set_resident_account
from pms.deposits.models import Settlement
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.staff import Browser
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
    (mark,) = re.findall(r'name="payouts" value="([^"]+)"', office.get("/bank/payouts").text)
    made = office.post("/bank/payouts", {"payOn": "2026-11-30", "payouts": mark})
    assert made.status_code == 303
    address = made.headers["Location"]
    (mail,) = mails(books)
    assert mail.recipient == "operator@sumida.example"
    assert address in mail.text
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
    (mark,) = re.findall(r'name="payouts" value="([^"]+)"', office.get("/bank/payouts").text)
    made = office.post("/bank/payouts", {"payOn": "2026-11-30", "payouts": mark})
    shown = office.get(made.headers["Location"].removeprefix(office.home) + "?lang=en").text
    assert "No second person was required when this file was created" in shown
