"""A room or occupant change shows what it ends, moves and bills, and then does it."""

from datetime import date, timedelta

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from tests.cast import Cast, external_block
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.conftest import WHO
from tests.surfaces.dashboard.reservations.forms import fields_of

HTMX = {"HX-Request": "true"}


def into(office: Browser, page: str, unit_id: str, from_on: str = "2026-12-16") -> str:
    return office.get(f"{page}/amendment?unitId={unit_id}&fromOn={from_on}").text


def test_only_rooms_nobody_holds_are_offered_to_move_to(office: Browser, cast: Cast) -> None:
    answer = office.get(f"/reservations/{cast.sumida.resident_id}/amendment")
    shown = office.client.get(answer.location).text
    assert f"amendment?unitId={cast.sumida.free_room_id}&amp;fromOn=" in shown
    assert cast.sumida.owners_room_id not in shown
    assert f"amendment?unitId={cast.sumida.residents_room_id}" in shown, "another occupant"


def test_a_move_is_previewed_at_once_and_confirmed(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    shown = into(office, page, cast.sumida.free_room_id)
    assert "No deposit is held, so none is transferred." in shown
    assert "Invoice of the new reservation" in shown
    typed = fields_of(shown, "/amendment")
    assert typed["baseRentYen"] == "93000"
    done = office.post(f"{page}/amendment", typed)
    assert done.status_code == 303
    goes_on = office.client.get(done.location).text
    assert "Kawasemi House 102" in goes_on
    assert f"/reservations/{cast.sumida.resident_id}" in goes_on
    assert "This tenancy has ended" in office.get(page).text


def test_the_same_change_sent_twice_is_made_once(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = fields_of(into(office, page, cast.sumida.free_room_id), "/amendment")
    assert office.post(f"{page}/amendment", typed).status_code == 303
    assert office.post(f"{page}/amendment", typed).status_code == 422


def test_a_unit_that_is_taken_leads_to_who_holds_it(
    office: Browser, cast: Cast, booked_id: str
) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    shown = into(office, page, cast.sumida.free_room_id)
    assert f"/reservations/{booked_id}" in shown
    assert "Confirm change" not in shown


def test_the_same_room_needs_another_name(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = fields_of(into(office, page, cast.sumida.residents_room_id), "/amendment")
    same = office.post(f"{page}/amendment/preview", typed, headers=HTMX)
    assert "neither the room nor the occupant changes" in same.text.lower()
    other = {**typed, "name": "佐藤 次郎", "nameKana": "さとう じろう", "email": ""}
    shown = office.post(f"{page}/amendment/preview", other, headers=HTMX)
    assert "Confirm change" in shown.text
    done = office.post(f"{page}/amendment", other)
    assert done.status_code == 303
    assert "サトウ ジロウ" in office.client.get(done.location).text


def test_a_free_unit_that_somebody_outside_holds_is_marked_in_words(
    office: Browser, cast: Cast, database: Database
) -> None:
    asked = f"/rooms?movingId={cast.sumida.resident_id}&moveInDate=2026-12-16&every=y"
    words = "Blocked on some of these nights"
    with database.writing(cast.sumida.workspace_id) as session:
        days = {"first_on": date(2026, 12, 1), "last_on": date(2026, 12, 15)}
        session.add(external_block(unit_id=cast.sumida.free_room_id, **days))
    before = office.get(asked).text.count(words)
    with database.writing(cast.sumida.workspace_id) as session:
        days = {"first_on": date(2026, 12, 20), "last_on": date(2026, 12, 24)}
        session.add(external_block(unit_id=cast.sumida.free_room_id, **days))
    assert office.get(asked).text.count(words) == before + 1


def test_what_is_overpaid_on_the_old_record_is_told_on_both_and_settled_after_its_last_day(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    page, who = f"/reservations/{cast.sumida.resident_id}", cast.sumida.resident_id
    with database.writing(cast.sumida.workspace_id) as session:
        key = Bilingual("鍵", "Key")
        post_charge(Work(session, clock, WHO), reservation_id=who, amount_yen=5_000, label=key)
        record_payment(Work(session, clock, WHO), reservation_id=who, amount_yen=6_200)
    typed = fields_of(into(office, page, cast.sumida.free_room_id, "2026-11-22"), "/amendment")
    del typed["movesOverpayment"]  # what was overpaid would move along
    goes_on = office.client.get(office.post(f"{page}/amendment", typed).location).text
    assert "¥1,200 is overpaid there" in goes_on
    before = office.get(page).text
    assert "The deposit moves to the next reservation after" in before
    assert "Settle deposit" not in before
    clock.advance(timedelta(days=3))
    assert "Settle deposit" in office.get(page).text


def test_what_is_overpaid_and_the_due_day_are_chosen_and_both_ledgers_show_the_move(
    office: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    resident_id = cast.sumida.resident_id
    with database.writing(cast.sumida.workspace_id) as session:
        post_charge(
            Work(session, clock, WHO),
            reservation_id=resident_id,
            amount_yen=3_000,
            label=Bilingual("鍵", "Key"),
        )
        record_payment(Work(session, clock, WHO), reservation_id=resident_id, amount_yen=13_000)
    page = f"/reservations/{resident_id}"
    shown = into(office, page, cast.sumida.free_room_id)
    assert "Overpayment, transferred in the books" in shown
    typed = {**fields_of(shown, "/amendment"), "movesOverpayment": "y"}
    stays = {name: value for name, value in typed.items() if name != "movesOverpayment"}
    preview = office.post(f"{page}/amendment/preview", stays, headers=HTMX).text
    assert "¥10,000 stays with the old reservation" in preview
    late = office.post(f"{page}/amendment", {**typed, "invoiceDueOn": "2026-11-01"})
    assert late.status_code == 422
    done = office.post(f"{page}/amendment", {**typed, "invoiceDueOn": "2027-01-31"})
    assert done.status_code == 303
    for at in (page, done.location.partition("/sumida")[2]):
        assert "Transferred (no cash)" in office.get(f"{at}/ledger").text
    assert "31 Jan 2027" in office.get(f"{done.location.partition('/sumida')[2]}/ledger").text
