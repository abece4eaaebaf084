"""A booking is signed, paid, confirmed, moved in or cancelled, each by what its state allows."""

import re

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import entries_of
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.conftest import WHO
from tests.surfaces.dashboard.reservations.forms import fields_of


def pay_all(database: Database, cast: Cast, clock: FixedClock, reservation_id: str) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        (invoice,) = entries_of(session, reservation_id)
        record_payment(
            Work(session, clock, WHO), reservation_id=reservation_id, amount_yen=invoice.total_yen
        )


def sign(office: Browser, page: str) -> None:
    for state in ("sent", "signed"):
        answer = office.post(f"{page}/signature", {"esignStatus": state})
        assert answer.status_code == 303


def test_a_signature_goes_only_where_its_state_allows(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    refused = office.post(f"{page}/signature", {"esignStatus": "signed"})
    assert refused.status_code == 422
    assert office.post(f"{page}/signature", {"esignStatus": "sent"}).status_code == 303


def test_a_refund_is_never_stated_by_hand(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    office.post(f"{page}/payment-status", {"paymentStatus": "paid", "reason": "現金で受領"})
    refused = office.post(f"{page}/payment-status", {"paymentStatus": "refunded"})
    assert refused.status_code == 422


def test_the_next_step_follows_the_state(
    office: Browser, database: Database, cast: Cast, clock: FixedClock, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    assert "Send contract and invoice" in office.get(page).text
    sign(office, page)
    assert "Send invoice" in office.get(page).text
    office.post(f"{page}/papers", {})
    assert "Waiting for 高橋 翔 to pay" in office.get(page).text
    pay_all(database, cast, clock, booked_id)
    assert "Moves in on" in office.get(page).text, "signed and paid confirms by itself"


def test_what_cannot_be_done_yet_is_said(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    early = office.post(f"{page}/move-in", {"version": "1"})
    assert early.status_code == 422
    stale = office.post(f"{page}/confirmation", {"version": "99"})
    assert stale.status_code == 422


def test_cancelling_shows_what_is_kept_and_then_does_it(
    office: Browser, database: Database, cast: Cast, clock: FixedClock, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    pay_all(database, cast, clock, booked_id)
    check = office.get(f"{page}/cancellation").text
    assert "¥30,000" in check
    done = office.post(f"{page}/cancellation", fields_of(check, "/cancellation"))
    assert done.status_code == 303
    assert "This tenancy has ended" in office.get(page).text
    again = office.get(f"{page}/cancellation").text
    assert "It cannot be cancelled" in again


def test_papers_are_numbered_where_they_are_listed(
    office: Browser, database: Database, cast: Cast, clock: FixedClock, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}/documents"
    pay_all(database, cast, clock, booked_id)
    wanted = re.findall(r'name="papers" value="([^"]+)"', office.get(page).text)
    assert {one.partition("/")[0] for one in wanted} == {"entry", "payment"}
    assert office.post(page, {"papers": wanted}).status_code == 303
    shown = office.get(page).text
    assert 'name="papers" value=' not in shown
    assert shown.count('/paper"') == len(wanted)
    assert office.post(page, {"papers": "bill/1"}).status_code == 422


def test_the_second_tenancy_of_a_person_is_linked(
    office: Browser, cast: Cast, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    typed = fields_of(office.get(f"{page}/people").text, "/contact")
    office.post(f"{page}/contact", {**typed, "email": cast.sumida.resident_email})
    assert f"/reservations/{cast.sumida.resident_id}" in office.get(page).text
