"""The money of a reservation that was brought in without it is taken over on its own page."""

from datetime import date

from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.queries import standings
from tests.cast import Cast
from tests.staff import Browser


def address(cast: Cast, page: str = "opening") -> str:
    return f"/reservations/{cast.sumida.resident_id}/{page}"


TAKEN = {
    "version": "1",
    "billedThrough": "2026-11-30",
    "depositHeld": "80,000",
    "unpaid-2026-10": "12,000",
    "what1": "鍵交換費",
    "yen1": "16500",
    "dueOn1": "2026-09-10",
    "overpaid": "",
}


def test_billing_says_first_who_cannot_be_billed_and_leads_to_what_mends_it(
    office: Browser, cast: Cast
) -> None:
    shown = office.get("/billing?lang=en").text
    assert "1 reservation cannot be billed" in shown
    assert "Not yet taken over" in shown
    assert address(cast) in shown
    assert shown.index("1 reservation cannot be billed") < shown.index("Ready to bill")
    assert "All rent through" not in shown


def test_the_reservation_says_that_it_is_not_taken_over(office: Browser, cast: Cast) -> None:
    shown = office.get(f"/reservations/{cast.sumida.resident_id}?lang=en").text
    assert "It was imported without opening balances, so it" in shown
    assert address(cast) in shown


def test_what_is_typed_stands_in_the_ledger_and_the_next_month_is_billed(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    answer = office.post(address(cast), TAKEN)
    assert answer.status_code == 303, answer.text
    id_ = cast.sumida.resident_id
    with database.reading(cast.sumida.workspace_id) as session:
        found = standings(session, [id_], clock.today())[id_]
        assert sorted((one.due_on, one.unpaid_yen) for one in found if one.unpaid_yen) == [
            (date(2026, 9, 10), 16_500),
            (date(2026, 9, 30), 12_000),
        ]
        assert deposit_report(session, clock.today()).total.held_yen == 80_000
    with database.writing(cast.sumida.workspace_id) as session:
        billed = bill_month(Work(session, clock, "staff"), through_on=date(2026, 12, 31))
    assert not billed.problems
    assert billed.reservations == 1
    assert (
        "It was imported without opening balances, so it"
        not in office.get(f"/reservations/{id_}?lang=en").text
    )


def test_a_debt_without_a_day_is_refused_beside_its_field_and_nothing_is_written(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    answer = office.post(address(cast), TAKEN | {"dueOn1": ""})
    assert answer.status_code == 422
    assert "鍵交換費" in answer.text
    with database.reading(cast.sumida.workspace_id) as session:
        assert not standings(session, [cast.sumida.resident_id], clock.today())


def test_a_second_take_over_is_refused(office: Browser, cast: Cast) -> None:
    assert office.post(address(cast), TAKEN).status_code == 303
    again = office.post(address(cast), TAKEN | {"version": "2", "lang": "en"})
    assert again.status_code == 422
    assert "already" in again.text


def test_rent_of_a_month_that_was_not_billed_is_refused(office: Browser, cast: Cast) -> None:
    answer = office.post(address(cast), TAKEN | {"unpaid-2026-12": "93000"})
    assert answer.status_code == 422
    assert "2026-11-30" in answer.text


def test_who_begins_here_gets_the_move_in_invoice_once(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    invoice = address(cast, "move-in-invoice")
    assert office.post(invoice, {"version": "1"}).status_code == 303
    assert office.post(invoice, {"version": "2"}).status_code == 422
    id_ = cast.sumida.resident_id
    with database.reading(cast.sumida.workspace_id) as session:
        assert len(standings(session, [id_], clock.today())[id_]) == 1
    assert "cannot be billed" not in office.get("/billing?lang=en").text
