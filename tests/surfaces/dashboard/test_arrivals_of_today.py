"""Today tells who arrives on which day, and asks about a booking that nobody moved into."""

import re
from datetime import date

import pytest

from pms.arrivals.lifecycles import cancel_booking
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from tests.cast import Cast, reservation
from tests.staff import Browser

TODAY = date(2026, 11, 20)


def line_of(browser: Browser, name: str, path: str = "/?all=1&lang=en") -> str:
    """Return the text of the line about a person, or nothing."""
    lines = re.findall(r'<li class="due-line.*?</li>', browser.get(path).text, re.DOTALL)
    found = [line for line in lines if name in line]
    dated = re.sub(r'<time datetime="([^"]+)"[^>]*>[^<]*</time>', r"\1", "".join(found))
    return " ".join(re.sub(r"<[^>]+>", " ", dated).split())


def add(database: Database, cast: Cast, **facts: object) -> str:
    usual = {
        "unit_id": cast.sumida.free_room_id,
        "name": "高橋 翔",
        "lifecycle": Lifecycle.BOOKED,
        "move_in_date": TODAY,
        "contract_end_date": date(2027, 11, 19),
        "payment_status": PaymentStatus.PENDING,
        "esign_status": EsignStatus.PENDING,
    }
    row = reservation(**usual | facts)
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(row)
        session.flush()
        return row.id


def lifecycle(database: Database, cast: Cast, id_: str) -> Lifecycle:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.get_one(Reservation, (cast.sumida.workspace_id, id_)).lifecycle


def test_from_its_start_day_on_staff_are_asked_whether_somebody_moved_in(
    database: Database, cast: Cast, office: Browser
) -> None:
    waiting = add(database, cast, move_in_date=date(2026, 9, 1))
    shown = line_of(office, "高橋 翔")
    assert shown.startswith("Moved in? 高橋 翔")
    assert "contract from 2026-09-01" in shown
    assert "Contract not sent No opening balances" in shown
    asked = office.get(f"/reservations/{waiting}/no-show?lang=en").text
    assert "Yes, moved in" in asked
    assert f"/reservations/{waiting}/dates" in asked
    assert f"/reservations/{waiting}/cancellation" in asked
    version = re.search(r'name="version" value="(\d+)"', asked)
    assert version is not None
    unnamed = office.post(f"/reservations/{waiting}/move-in", {"version": version[1]})
    assert unnamed.status_code == 422, "what is open is named first"
    opens = re.findall(r'name="opens" value="(\w+)"', asked)
    assert "Prior explanation" not in asked
    assert "Signature" in asked
    named = {"version": version[1], "opens": opens}
    office.post(f"/reservations/{waiting}/move-in?back=today", named)
    assert lifecycle(database, cast, waiting) == Lifecycle.LIVING
    again = office.get(f"/reservations/{waiting}/no-show?lang=en").text
    assert "There is nothing to answer" in again


def test_an_arrival_is_told_on_its_own_day_beside_the_start_of_the_contract(
    database: Database, cast: Cast, office: Browser
) -> None:
    add(
        database, cast, move_in_date=date(2026, 11, 22), arrival_date=date(2026, 11, 25),
        lifecycle=Lifecycle.CONFIRMED,
    )  # fmt: skip
    assert "arrives 2026-11-25 (contract from 2026-11-22)" in line_of(office, "高橋 翔")


def test_who_lives_here_by_contract_and_arrives_later_is_still_an_arrival(
    database: Database, cast: Cast, office: Browser, housekeeper: Browser
) -> None:
    add(
        database, cast, move_in_date=date(2026, 11, 16), arrival_date=TODAY,
        lifecycle=Lifecycle.LIVING,
    )  # fmt: skip
    assert "arrives Today (contract from 2026-11-16)" in line_of(office, "高橋 翔")
    assert "arrives Today (contract from 2026-11-16)" in line_of(housekeeper, "Arrival")


@pytest.mark.parametrize("kind", list(ReservationKind))
def test_who_lives_here_since_the_night_arrives_today(
    database: Database,
    cast: Cast,
    office: Browser,
    housekeeper: Browser,
    kind: ReservationKind,
) -> None:
    """Who is signed and paid lives here from midnight; somebody hands over the keys by day."""
    is_resident = kind is ReservationKind.RESIDENT
    add(
        database, cast, kind=kind, lifecycle=Lifecycle.LIVING,
        esign_status=EsignStatus.SIGNED if is_resident else EsignStatus.PENDING,
        payment_status=PaymentStatus.PAID if is_resident else PaymentStatus.PENDING,
    )  # fmt: skip
    subject = "Check-in" if kind is ReservationKind.GUEST else "Arrival"
    assert line_of(office, "高橋 翔").startswith(f"{subject} 高橋 翔")
    assert "Today" in line_of(housekeeper, "Arrival")


def test_whom_staff_moved_in_today_with_open_papers_has_one_line(
    database: Database, cast: Cast, office: Browser
) -> None:
    add(database, cast, lifecycle=Lifecycle.LIVING)
    shown = line_of(office, "高橋 翔")
    assert shown.startswith("Moved in 高橋 翔")
    assert "Arrival" not in shown


@pytest.mark.parametrize("kind", [ReservationKind.GUEST, ReservationKind.OWNER_RESIDENT])
def test_nobody_asks_a_guest_or_an_owner_for_a_contract_or_money(
    database: Database, cast: Cast, office: Browser, kind: ReservationKind
) -> None:
    add(database, cast, kind=kind)
    shown = line_of(office, "高橋 翔")
    arrives = "Check-in" if kind is ReservationKind.GUEST else "Arrival"
    assert shown.startswith(f"{arrives} 高橋 翔")
    assert "Not signed" not in shown
    assert "Not paid" not in shown
    assert "Send contract" not in shown


def test_a_cancelled_booking_that_holds_money_waits_to_be_settled(
    database: Database, cast: Cast, clock: FixedClock, office: Browser
) -> None:
    id_ = add(database, cast, move_in_date=date(2026, 12, 16))
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "person/test")
        label = Bilingual("敷金", "Deposit")
        entry_id = post_charge(work, reservation_id=id_, amount_yen=50_000, label=label)
        record_payment(work, reservation_id=id_, entry_id=entry_id, amount_yen=80_000)
        cancel_booking(work, reservation_id=id_)
    shown = line_of(office, "高橋 翔")
    assert shown.startswith("Deposit 高橋 翔")
    assert "cancelled, was to start 2026-12-16" in shown
    assert "Settle deposit" in shown
