"""A resident leaves in three pages: the figures are the staff's, and what is agreed is what is filed."""

import re
from datetime import date

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.arrivals.taking_over import take_over
from pms.bank.mandates import account_of_resident
from pms.departures.departures import notice_in_force
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import shown_figures
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.reservations.models import Reservation
from pms.reservations.month_to_month import force_month_to_month
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notices import FiledNotice
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books, books

__all__ = ["books"]


@pytest.fixture
def home(resident: Browser, books: Books) -> str:
    resident.get("/?lang=en")
    return f"/{books.resident_id}"


def hidden(answer: TestResponse, name: str) -> str:
    found = re.search(rf'name="{name}" type="hidden" value="([^"]*)"', answer.text)
    assert found, name
    return found[1]


def previewed(resident: Browser, home: str, day: str) -> TestResponse:
    return resident.get(f"{home}/move-out/preview?moveOutDate={day}")


def filed(resident: Browser, home: str, day: str) -> TestResponse:
    page = previewed(resident, home, day)
    assert page.status_code == 200, page.text
    fields = {"moveOutDate": day, "figures": hidden(page, "figures"), "once": hidden(page, "once")}
    return resident.post(f"{home}/move-out/preview", fields)


def mails(books: Books) -> list[str]:
    return list(books.ask(lambda session: session.scalars(select(OutboxMail.subject)).all()))


def test_the_first_page_offers_the_day_without_a_penalty(resident: Browser, home: str) -> None:
    page = resident.get(f"{home}/move-out").text
    assert 'value="2027-03-31"' in page and "Earliest day without a penalty" in page
    assert "30 days" in page


def test_the_figures_are_those_of_the_staff(resident: Browser, home: str, books: Books) -> None:
    answer = previewed(resident, home, "2026-12-10")
    ours = books.ask(
        preview_notice,
        books.clock,
        reservation_id=books.resident_id,
        move_out_on=date(2026, 12, 10),
    )
    assert hidden(answer, "figures") == shown_figures(ours)
    assert ours.penalty.yen == 93_000
    for said in (
        "¥93,000",
        "¥30,000",
        "the maximum of one month's rent",
        "the contract runs until",
    ):
        assert said in answer.text
    assert books.ask(notice_in_force, books.resident_id) is None


def test_filing_writes_the_notice_once_and_confirms_it(
    resident: Browser, home: str, books: Books
) -> None:
    page = previewed(resident, home, "2026-12-10")
    fields = {name: hidden(page, name) for name in ("figures", "once")}
    fields["moveOutDate"] = "2026-12-10"
    for _ in range(2):
        answer = resident.post(f"{home}/move-out/preview", fields)
        assert answer.status_code == 303, answer.text
    receipt = resident.client.get(answer.location).text
    assert "We have received your notice." in receipt and "¥93,000" in receipt
    notice = books.ask(notice_in_force, books.resident_id)
    assert notice is not None
    assert (notice.penalty_yen, notice.written_by) == (93_000, f"reservation/{books.resident_id}")
    assert len(mails(books)) == 1


def test_figures_that_changed_are_shown_and_nothing_is_filed(
    resident: Browser, home: str, books: Books
) -> None:
    page = previewed(resident, home, "2027-03-31")
    fields = {name: hidden(page, name) for name in ("figures", "once")}
    fields["moveOutDate"] = "2027-03-31"
    books.do(
        post_charge,
        reservation_id=books.resident_id,
        label=Bilingual("鍵の交換", "Key exchange"),
        amount_yen=12_000,
    )
    answer = resident.post(f"{home}/move-out/preview", fields)
    assert answer.status_code == 422
    assert "The amounts have changed since" in answer.text
    assert books.ask(notice_in_force, books.resident_id) is None
    fields["figures"], fields["once"] = hidden(answer, "figures"), "anew"
    assert resident.post(f"{home}/move-out/preview", fields).status_code == 303


def test_the_day_is_changed_later_and_the_notice_taken_back(
    resident: Browser, home: str, books: Books
) -> None:
    filed(resident, home, "2026-12-10")
    assert filed(resident, home, "2027-01-31").status_code == 303
    notice = books.ask(notice_in_force, books.resident_id)
    assert notice is not None
    assert (notice.filed_on, notice.move_out_on) == (date(2026, 11, 20), date(2027, 1, 31))
    books.on("2026-11-24")
    assert filed(resident, home, "2027-01-15").status_code == 303
    notice = books.ask(notice_in_force, books.resident_id)
    assert notice is not None
    assert notice.filed_on == date(2026, 11, 24)
    asked = resident.get(f"{home}/move-out/withdrawal")
    stale = resident.post(f"{home}/move-out/withdrawal", {"version": "1"})
    assert stale.status_code == 422
    sent = resident.post(f"{home}/move-out/withdrawal", {"version": hidden(asked, "version")})
    assert sent.status_code == 303, sent.text
    assert books.ask(notice_in_force, books.resident_id) is None
    assert len(mails(books)) == 4
    assert "See the cost" in resident.get(f"{home}/move-out").text


@pytest.mark.parametrize("day", ["2026-11-19", "2026-03-31", "", "soon", "99999-01-01"])
def test_a_day_that_cannot_be_is_refused_beside_its_field(
    resident: Browser, home: str, books: Books, day: str
) -> None:
    answer = previewed(resident, home, day)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    posted = resident.post(f"{home}/move-out/preview", {"moveOutDate": day, "figures": "x"})
    assert posted.status_code == 422
    assert books.ask(notice_in_force, books.resident_id) is None


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"lifecycle": Lifecycle.MOVED_OUT}, "This tenancy has ended"),
        ({"lifecycle": Lifecycle.CONFIRMED, "move_in_date": date(2026, 12, 1)}, "not moved in"),
        ({"kind": ReservationKind.OWNER_RESIDENT}, "live in your own unit"),
    ],
)
def test_who_gives_no_notice_here_is_told_so(
    resident: Browser, home: str, books: Books, facts: dict[str, object], said: str
) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        row = session.get_one(Reservation, (books.house.workspace_id, books.resident_id))
        for name, value in facts.items():
            setattr(row, name, value)
    page = resident.get(f"{home}/move-out").text
    assert said in page and "See the cost" not in page
    fields = {"moveOutDate": "2026-12-31", "figures": "x", "once": "y"}
    assert resident.post(f"{home}/move-out/preview", fields).status_code == 422
    assert books.ask(notice_in_force, books.resident_id) is None


def test_month_to_month_is_explained(resident: Browser, home: str, books: Books) -> None:
    books.do(force_month_to_month, reservation_id=books.resident_id)
    shown = resident.get(f"{home}/move-out").text
    assert "You live here month to month: you can leave at any time with 30 days" in shown
    assert "you live here month to month" in previewed(resident, home, "2027-04-10").text


def test_what_was_charged_before_a_take_over_is_named_and_not_charged_again(
    resident: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    """The page shows what is charged here, and the mail says both."""
    id_, workspace_id = cast.sumida.resident_id, cast.sumida.workspace_id
    with database.writing(workspace_id) as session:
        take_over(
            Work(session, clock, "staff"),
            reservation_id=id_,
            billed_through_on=date(2026, 11, 30),
            deposit_held_yen=93_000,
            notice=FiledNotice(date(2026, 11, 10), date(2027, 3, 1)),
        )
    home = f"/{id_}"
    resident.get("/?lang=en")
    assert "90,000" in resident.get(f"{home}/move-out").text
    shown = previewed(resident, home, "2027-02-28").text
    assert 'class="cost-figure">¥3,000<' in shown
    words = "The charge is ¥93,000 in all. ¥90,000 was already charged before; ¥3,000 is charged"
    assert words in " ".join(shown.split())
    assert "<dd>¥90,000</dd>" in shown, "the refund is less by what is charged here alone"
    assert filed(resident, home, "2027-02-28").status_code == 303
    with database.reading(workspace_id) as session:
        (mail,) = session.scalars(select(OutboxMail))
    assert "うち請求済み　　　 ¥90,000" in mail.text
    assert "敷金の返金見込み　 ¥90,000" in mail.text
    asked = resident.get(f"{home}/move-out/withdrawal").text
    assert "charge of ¥3,000 is cancelled" in asked


ACCOUNT = {
    "version": "0",
    "bankCode": "0001",
    "bankName": "スミレ",
    "branchCode": "123",
    "branchName": "スミダ",
    "accountKind": "1",
    "accountNumber": "7654321",
    "accountHolder": "サトウ ハナコ",
}


def test_who_leaves_is_asked_for_the_account_of_the_refund(
    resident: Browser, home: str, books: Books
) -> None:
    assert resident.get(f"{home}/refund-account").status_code == 303
    assert resident.post(f"{home}/refund-account", ACCOUNT).status_code == 422
    filed(resident, home, "2027-03-31")
    page = resident.get(f"{home}/move-out").text
    assert f"{home}/refund-account" in page
    assert "Return all keys" in page
    wrong = resident.post(f"{home}/refund-account", {**ACCOUNT, "bankCode": "12"})
    assert wrong.status_code == 422
    assert resident.post(f"{home}/refund-account", ACCOUNT).status_code == 303
    found = books.ask(account_of_resident, books.resident_id)
    assert found.account.number == "7654321"
    shown = resident.get(f"{home}/refund-account").text
    assert "ending in 321" in shown
    assert "7654321" not in shown
