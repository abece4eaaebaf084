"""One ordinary tenancy, brought as far as a test needs it."""

from datetime import date, timedelta
from typing import Any

from pms.arrivals.bookings import book
from pms.arrivals.lifecycles import advance_lifecycles
from pms.departures.notices import file_notice
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlements import settle
from pms.ledger.billing import bill_month
from pms.ledger.move_in import change_esign_status
from pms.ledger.payment_plan import record_payment
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.enumerations import EsignStatus, ReservationKind
from tests.stories.books import named
from tests.stories.house import House, morning

BOOKED_ON = date(2025, 1, 10)
START, END = date(2025, 2, 1), date(2025, 7, 31)
LEAVES_ON = date(2025, 5, 20)
RENT = MonthlyAmounts(93_000, 12_000)
DEPOSIT_YEN, FEE_YEN = 93_000, 20_000


def booking(house: House, room: str = "101") -> dict[str, Any]:
    """Return the facts of an ordinary booking."""
    return {
        "unit_id": house.room(room),
        "kind": ReservationKind.RESIDENT,
        "name": "佐藤 花子",
        "move_in_date": START,
        "contract_end_date": END,
        "amounts": RENT,
        "deposit_yen": DEPOSIT_YEN,
        "reservation_fee_yen": FEE_YEN,
    }


def booked(house: House, room: str = "101") -> str:
    """Somebody has booked and signed, and not paid."""
    house.go_to(morning(BOOKED_ON))
    id_ = house.do(book, **booking(house, room)).reservation_id
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        house.do(change_esign_status, reservation_id=id_, status=status)
    return id_


def living(house: House, room: str = "101") -> str:
    """They paid the invoice, moved in, and were billed for March."""
    id_ = booked(house, room)
    pay(house, id_, "move-in")
    house.go_to(morning(START + timedelta(days=24)))
    house.do(advance_lifecycles)
    house.do(bill_month)
    return id_


def leaving(house: House, room: str = "101") -> str:
    """They filed a notice in April, in time, and paid all rent until then."""
    id_ = living(house, room)
    pay(house, id_, "rent 2025-03")
    house.go_to(morning(date(2025, 4, 10)))
    house.do(bill_month)
    house.do(file_notice, reservation_id=id_, move_out_on=LEAVES_ON)
    return id_


def gone(house: House, room: str = "101") -> str:
    """They have moved out and owe the penalty and some rent, less than they paid as a deposit."""
    id_ = leaving(house, room)
    pay(house, id_, "rent 2025-04")
    house.go_to(morning(LEAVES_ON + timedelta(days=3)))
    house.do(advance_lifecycles)
    return id_


def settled(house: House, room: str = "101") -> str:
    """What they overpaid and what is held goes back to them."""
    id_ = gone(house, room)
    pay(house, id_, "penalty")
    house.do(settle, reservation_id=id_)
    house.do(release_refund, reservation_id=id_, reason="電話で合意")
    return id_


def entry_id(house: House, reservation_id: str, name: str) -> str:
    return named(house.books.entries(reservation_id), name).id


def pay(house: House, reservation_id: str, name: str) -> None:
    """Pay all that an entry bills."""
    entry = entry_id(house, reservation_id, name)
    house.do(
        record_payment,
        reservation_id=reservation_id,
        entry_id=entry,
        amount_yen=house.books.total_yen(entry),
    )
