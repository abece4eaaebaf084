"""Lists of a large house come a page at a time, and what is sent is what the page shows."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from sqlalchemy import func, select

from pms.bank import mandates, payouts
from pms.bank.mandates import set_resident_account
from pms.deposits.models import Settlement
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.ledger.debts import debts
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, MandateState
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.cast import LONG_AGO, reservation, unit, viewing
from tests.staff import Browser
from tests.statements.postings import post_entry, rent
from tests.surfaces.dashboard.money.conftest import Books

MANY = 230
LARGEST_PAGE = 150_000


@pytest.fixture
def residents(books: Books) -> Sequence[str]:
    """Many people who owe since the 10th, each in a room of their own."""
    ids = []
    with books.database.writing(books.house.workspace_id) as session:
        for number in range(MANY):
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
            ids.append(person.id)
    return ids


@pytest.fixture
def office_bank(books: Books) -> None:
    books.do(
        set_office_bank,
        expected_version=0,
        account=account(bank_code="9801", number="21788", holder="カ）ミドリリビング"),
        debit_client="9000012345",
        payout_client="9000012345",
        needs_second_person=False,
        debit_attempts=2,
    )


def pages_of(browser: Browser, path: str, parameter: str = "page") -> list[str]:
    """Return every page of a list, from the first by the links to the next."""
    found = [browser.get(path).text]
    while True:
        following = re.search(rf'href="[^"]*[?&;]{parameter}=(\d+)[^"]*" rel="next"', found[-1])
        if following is None:
            return found
        sign = "&" if "?" in path else "?"
        found.append(browser.get(f"{path}{sign}{parameter}={following[1]}").text)


def test_reminders_are_sent_a_page_at_a_time_until_the_last(
    office: Browser, books: Books, residents: Sequence[str]
) -> None:
    path = "/arrears/reminders?all=1&lang=en"
    pages = pages_of(office, path)
    assert len(pages) == 3
    assert max(len(each.encode()) for each in pages) < LARGEST_PAGE
    shown = [re.findall(r'name="reservation"\s+value="([0-9a-f]+)"', each) for each in pages]
    everybody = {debt.reservation_id for debt in books.ask(debts, books.clock.today())}
    assert {*residents} < everybody
    assert sorted(id_ for of_page in shown for id_ in of_page) == sorted(everybody)
    assert all("Only the reminders on this page are sent" in each for each in pages)

    sent, at = 0, path.partition("&lang")[0]
    for of_page in shown:
        answer = office.post(at, {"reservation": of_page})
        assert answer.status_code == 303
        sent += len(of_page)
        assert books.ask(lambda session: session.scalar(select(func.count(OutboxMail.id)))) == sent
        at = answer.location.partition(office.home)[2]
    assert at == "/arrears"


def test_payouts_of_a_page_make_a_file_and_the_others_wait(
    office: Browser, books: Books, residents: Sequence[str], office_bank: None
) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        for id_ in residents:
            row = session.get_one(Reservation, (books.house.workspace_id, id_))
            row.lifecycle = Lifecycle.SETTLED
            session.add(
                Settlement(
                    id=new_id(),
                    reservation_id=id_,
                    settled_on=books.clock.today(),
                    held_yen=61_200,
                    overpaid_yen=0,
                    deducted_yen=0,
                    netted_yen=0,
                    remainder_yen=61_200,
                    owed_yen=0,
                    written_at=books.clock.now(),
                    written_by="staff",
                )
            )
    for id_ in residents:
        books.do(set_resident_account, reservation_id=id_, account=account(), expected_version=0)
    pages = pages_of(office, "/bank/payouts?lang=en", "waiting")
    assert len(pages) == 3
    assert max(len(each.encode()) for each in pages) < LARGEST_PAGE
    shown = [re.findall(r'name="payouts"\s+value="([^"]+)"', each) for each in pages]
    assert len({mark for of_page in shown for mark in of_page}) == MANY
    assert all(f"{MANY} payouts are waiting, ¥{MANY * 61_200:,} in all" in each for each in pages)
    assert all("only those selected on this page" in each for each in pages)

    second = shown[1]
    wrong = office.post("/bank/payouts?waiting=2&lang=en", {"payouts": second, "payOn": ""})
    assert wrong.status_code == 422
    assert re.findall(r'name="payouts"\s+value="([^"]+)"', wrong.text) == second
    answer = office.post("/bank/payouts?waiting=2", {"payouts": second, "payOn": "2026-11-30"})
    assert answer.status_code == 303
    left = books.ask(payouts.waiting_payouts, books.clock.today())
    assert {payout.mark for payout in left} == {*shown[0], *shown[2]}


def test_a_file_of_debits_is_previewed_a_page_at_a_time_and_made_whole(
    office: Browser, books: Books, residents: Sequence[str], office_bank: None
) -> None:
    for number, id_ in enumerate(residents):
        books.do(
            mandates.write_mandate,
            reservation_id=id_,
            account=account(number=f"{number + 1:07}"),
            state=MandateState.ACTIVE,
            from_on=date(2026, 11, 1),
        )
    path = "/bank/debits/new?collectOn=2026-11-27&lang=en"
    pages = pages_of(office, path)
    assert len(pages) == 3
    assert max(len(each.encode()) for each in pages) < LARGEST_PAGE
    assert all(f"¥{MANY * 50_000:,}" in each for each in pages)
    for page in pages:
        assert 0 < page.count("田中 ") <= 100
    changed = office.post(
        "/bank/debits/new?collectOn=2026-11-27", {"collectOn": "2026-11-27", "total": "1"}
    )
    assert changed.status_code == 422
    assert 'collectOn=2026-11-27&amp;page=2"' in changed.text
    answer = office.post(
        "/bank/debits/new", {"collectOn": "2026-11-27", "total": str(MANY * 50_000)}
    )
    made = pages_of(office, answer.location.partition(office.home)[2])
    assert len({name for page in made for name in re.findall(r"田中 \d+", page)}) == MANY
    assert max(len(each.encode()) for each in made) < LARGEST_PAGE


def test_the_viewings_of_a_week_come_a_page_at_a_time_under_the_counts_of_their_days(
    office: Browser, books: Books
) -> None:
    starts_at = books.clock.now() + timedelta(days=5)  # a Wednesday
    with books.database.writing(books.house.workspace_id) as session:
        session.add_all(
            viewing(
                id=new_id(),
                unit_id=books.house.free_room_id,
                starts_at=starts_at + timedelta(days=number % 2, seconds=number),
                visitor_name=f"来客 {number}",
            )
            for number in range(MANY)
        )
    path = f"/viewings?fromOn={starts_at:%Y-%m-%d}&lang=en"
    pages = pages_of(office, path)
    assert len(pages) == 5
    assert max(len(each.encode()) for each in pages) < LARGEST_PAGE
    assert len({name for page in pages for name in re.findall(r"来客 \d+", page)}) == MANY
    assert all(f'<p class="due-count">{MANY // 2}</p>' in each for each in pages)
