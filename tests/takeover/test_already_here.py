"""A take-over knows its workspace: what was taken over before, who holds a room, what a file was."""

from datetime import date

import pytest
from sqlalchemy import event, select

from pms.arrivals.bookings import book
from pms.arrivals.takeover import guides
from pms.arrivals.takeover.already_here import earlier_take_overs
from pms.arrivals.takeover.answered import RowRelation
from pms.catalogue.models import Unit
from pms.foundation.errors import Refused
from pms.ledger.models import LedgerEntry
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.enumerations import ReservationKind
from tests.takeover.test_guide import Office, office, row_of

__all__ = ["office"]

_HEAD = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,契約開始,賃料,敷金,滞納額\n"
_TWO = "101,山田 一,2025/4/1,50000,50000,0\n102,佐藤 二,2025/5/1,51000,51000,0\n"
_THIRD = "103,鈴木 三,2025/6/1,52000,52000,0\n"
_TOTALS = {"depositHeld": 101_000, "unpaid": 0, "overpaid": 0}


def sent(office: Office, rows: str, name: str = "a.csv") -> str:
    return office.send([(name, (_HEAD + rows).encode())])


def live(office: Office, rows: str = _TWO) -> str:
    id_ = sent(office, rows)
    office.do(guides.keep_totals, id_, _TOTALS)
    office.live(id_)
    return id_


def test_a_file_taken_over_twice_is_told_before_and_writes_nothing(office: Office) -> None:
    first = live(office)
    entries = office.count(LedgerEntry)
    id_ = sent(office, _TWO)
    guide = office.guide(id_)
    assert [row.standing for row in guide.prepared.rows] == [RowRelation.TAKEN_OVER] * 2
    assert guide.prepared.waiting == []
    earlier = office.ask(lambda session: earlier_take_overs(session, guide.row))
    assert {name: other.id for name, other in earlier.items()} == {"a.csv": first}
    check = office.check(id_)
    assert (check.bills, [one.here_yen for one in check.sums]) == ([], [101_000, 0, 0])
    with pytest.raises(Refused, match="is here already"):
        office.live(id_)
    assert office.count(LedgerEntry) == entries


def test_a_longer_list_adds_only_what_is_new(office: Office) -> None:
    live(office)
    id_ = sent(office, _TWO + _THIRD, "b.csv")
    check = office.check(id_)
    assert [bill.row.values["name"] for bill in check.bills] == ["鈴木 三"]
    office.do(guides.keep_totals, id_, {"depositHeld": 153_000, "unpaid": 0, "overpaid": 0})
    held = office.check(id_).sums[0]
    assert (held.rows_yen, held.here_yen, held.difference_yen) == (52_000, 101_000, 0)
    run = office.live(id_)
    assert (run.tenancies, run.unchanged, run.units) == (1, 2, 1)
    assert office.count(Reservation) == 3


def test_a_room_that_somebody_else_holds_is_asked_about_before(office: Office) -> None:
    live(office)
    id_ = sent(office, "101,高橋 四,2026/6/1,50000,50000,0\n", "c.csv")
    (row,) = office.guide(id_).prepared.rows
    assert [question.code for question in row.waiting] == ["room_taken"]
    office.types(id_, row.at, state="out")
    assert office.guide(id_).prepared.waiting == []


def test_only_the_rooms_of_the_file_are_read(office: Office) -> None:
    live(office)
    id_ = sent(office, "102,佐藤 二,2025/5/1,51000,51000,0\n", "b.csv")
    read: list[str] = []

    def note(row: Reservation, _: object) -> None:
        read.append(row.name)

    event.listen(Reservation, "load", note)
    try:
        (row,) = office.guide(id_).prepared.rows
    finally:
        event.remove(Reservation, "load", note)
    assert row.standing is RowRelation.TAKEN_OVER
    assert read == ["佐藤 二"]


def test_a_row_without_a_start_is_known_by_its_room_and_person(office: Office) -> None:
    live(office)
    roll = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,賃料,敷金\n101,山田 一,50000,50000\n"
    guide = office.guide(office.send([("d.csv", roll.encode())]))
    assert [row.is_here for row in guide.prepared.rows] == [True]


def test_a_booking_of_here_is_joined_unless_it_was_billed_here(office: Office) -> None:
    roll = sent(office, "101,,,50000,,\n" + _THIRD)
    office.types(roll, "line 3", state="vacant")
    office.do(guides.keep_totals, roll, {"depositHeld": 52_000, "unpaid": 0, "overpaid": 0})
    office.live(roll)
    free = select(Unit.id).where(Unit.name == "101")
    office.act(
        book,
        unit_id=office.ask(lambda session: session.scalar(free)),
        kind=ReservationKind.RESIDENT,
        name="山田 一",
        move_in_date=date(2025, 4, 1),
        contract_end_date=date(2027, 3, 31),
        amounts=MonthlyAmounts(base_rent_yen=50_000),
    )
    id_ = sent(office, "101,山田 一,2025/4/1,50000,50000,0\n", "e.csv")
    row = row_of(office.guide(id_), "line 3")
    assert row.standing is RowRelation.JOINED
    # Booking issued its move-in invoice here, so nothing can be taken over on top of it.
    assert [question.code for question in row.waiting] == ["not_joined"]
