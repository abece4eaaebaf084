"""Whatever is stated wrongly is refused by name, and nothing at all is written."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import cancel_booking
from pms.arrivals.price_changes import change_price
from pms.departures.notices import file_notice, reschedule_move_out, withdraw_notice
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.refunds import send_refund
from pms.deposits.settlements import AskedDeduction, settle
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_arrears_charge, post_charge
from pms.ledger.payment_plan import record_payment
from pms.ledger.posting import void_entry
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.month_to_month import clear_forced_month_to_month, force_month_to_month
from tests.stories.house import ACTOR, House, open_house
from tests.stories.tenancy import (
    END,
    LEAVES_ON,
    RENT,
    START,
    booked,
    booking,
    entry_id,
    gone,
    leaving,
    living,
    settled,
)

NO_AMOUNTS: list[Any] = [1.5, "100", "¥100", "1,000", True, None, -1, 10**15]
Verb = Callable[..., Any]


@pytest.fixture
def house(database: Database) -> House:
    return open_house(database)


def refused(house: House, verb: Verb, **given: Any) -> str:
    """Return the words of a refusal; the session is committed, and every table is as before."""
    before = house.books.imprint()
    writing = house.database.writing(house.workspace_id)
    with writing as session, pytest.raises(Problem) as refusal:
        verb(Work(session, house.clock, ACTOR), **given)
    assert house.books.imprint() == before, f"{verb.__name__} refused, and wrote"
    return refusal.value.message


def amounts_stated(house: House, id_: str) -> Iterator[tuple[Verb, dict[str, Any], str]]:
    """Every place where staff state an amount, by the name it is given there."""
    rent = entry_id(house, id_, "rent 2025-03")
    label = Bilingual("鍵", "Key")
    yield record_payment, {"reservation_id": id_}, "amount_yen"
    yield record_payment, {"reservation_id": id_, "entry_id": rent}, "amount_yen"
    yield post_charge, {"reservation_id": id_, "label": label}, "amount_yen"
    yield post_arrears_charge, {"entry_id": rent}, "amount_yen"
    for name in ("deposit_yen", "reservation_fee_yen"):
        facts = booking(house, "102")
        facts.pop(name)
        yield book, facts, name


@pytest.mark.parametrize("stated", NO_AMOUNTS, ids=repr)
def test_what_is_no_amount_is_refused_wherever_it_is_stated(house: House, stated: Any) -> None:
    id_ = living(house)
    for verb, given, name in list(amounts_stated(house, id_)):
        words = refused(house, verb, **given, **{name: stated})
        assert name.partition("_")[0] in words.lower()
        assert str(stated)[:20] in words


@pytest.mark.parametrize("stated", [*NO_AMOUNTS, 0], ids=repr)
def test_what_is_no_deduction_is_refused(house: House, stated: Any) -> None:
    asked = {"reservation_id": gone(house), "deductions": [AskedDeduction("清掃", stated)]}
    assert "deductions[0].amountYen" in refused(house, settle, **asked)


@pytest.mark.parametrize("stated", [0, *(one for one in NO_AMOUNTS if one is not None)], ids=repr)
def test_what_is_no_refund_is_refused(house: House, stated: Any) -> None:
    asked = {"reservation_id": settled(house), "amount_yen": stated}
    assert f"amountYen: '{stated}'" in refused(house, send_refund, **asked)


@pytest.mark.parametrize("stated", NO_AMOUNTS, ids=repr)
def test_a_price_of_what_is_no_amount_is_refused(house: House, stated: Any) -> None:
    id_ = living(house)
    bad = MonthlyAmounts(base_rent_yen=60_000, utilities_yen=stated)
    words = refused(house, change_price, reservation_id=id_, from_on=END, amounts=bad)
    assert "utilities" in words
    assert "utilities" in refused(house, book, **{**booking(house, "102"), "amounts": bad})


def test_dates_out_of_order_are_refused(house: House) -> None:
    id_ = living(house)
    facts = {**booking(house, "102"), "contract_end_date": START - timedelta(days=1)}
    assert "contractEndDate" in refused(house, book, **facts)
    for given in (
        {"override_move_in_date": END + timedelta(days=1)},
        {"override_contract_end_date": START - timedelta(days=1)},
    ):
        assert "contractEndDate" in refused(house, correct_dates, reservation_id=id_, **given)
    for far in (date(1000, 1, 1), date(9999, 12, 31)):
        assert "moveInDate" in refused(house, book, **{**booking(house), "move_in_date": far})
        assert "moveOutDate" in refused(house, file_notice, reservation_id=id_, move_out_on=far)


@pytest.mark.differs("constraints")
def test_nights_that_another_holds_are_refused_and_nobody_is_named(house: House) -> None:
    living(house)
    words = refused(house, book, **booking(house))
    assert START.isoformat() in words
    assert "佐藤" not in words


def test_price_periods_that_overlap_or_touch_billed_days_are_refused(house: House) -> None:
    id_ = living(house)
    house.do(change_price, reservation_id=id_, from_on=date(2025, 5, 1), amounts=RENT)
    twice = {"reservation_id": id_, "from_on": date(2025, 5, 1), "amounts": RENT}
    assert "2025-05-01" in refused(house, change_price, **twice)
    billed = {**twice, "from_on": date(2025, 3, 31)}
    assert "2025-04-01" in refused(house, change_price, **billed)


def test_a_notice_before_the_move_in_is_refused(house: House) -> None:
    id_, eve = living(house), START - timedelta(days=1)
    assert "before the move-in" in refused(house, file_notice, reservation_id=id_, move_out_on=eve)
    house.do(file_notice, reservation_id=id_, move_out_on=END)
    again = {"reservation_id": id_, "move_out_on": eve}
    assert "before the move-in" in refused(house, reschedule_move_out, **again)
    assert "has already been given. Reschedule or withdraw it" in refused(
        house, file_notice, reservation_id=id_, move_out_on=END
    )


def test_a_notice_that_nobody_can_file_is_refused(house: House) -> None:
    id_ = booked(house)
    assert "the tenancy starts on" in refused(
        house, file_notice, reservation_id=id_, move_out_on=END
    )
    for verb, given in ((withdraw_notice, {}), (reschedule_move_out, {"move_out_on": END})):
        assert "notice" in refused(house, verb, reservation_id=id_, **given)


def test_what_happens_once_is_refused_the_second_time(house: House) -> None:
    id_ = settled(house)
    assert "settled" in refused(house, settle, reservation_id=id_)
    house.do(send_refund, reservation_id=id_)
    assert "Nothing is left" in refused(house, send_refund, reservation_id=id_)
    assert "transfer" in refused(house, transfer_deposit, reservation_id=id_)


def test_a_refund_above_the_remainder_is_refused(house: House) -> None:
    id_ = settled(house)
    remainder_yen = house.books.number(
        "SELECT remainder_yen FROM settlement WHERE workspace_id = :workspace"
    )
    above = {"reservation_id": id_, "amount_yen": remainder_yen + 1}
    assert f"1 to {remainder_yen}" in refused(house, send_refund, **above)
    house.do(send_refund, reservation_id=id_, amount_yen=1)
    again = {"reservation_id": id_, "amount_yen": remainder_yen}
    assert f"1 to {remainder_yen - 1}" in refused(house, send_refund, **again)


def test_a_refund_or_a_settlement_too_early_is_refused(house: House) -> None:
    id_ = leaving(house)
    assert "not settled" in refused(house, send_refund, reservation_id=id_)
    assert LEAVES_ON.isoformat() in refused(house, settle, reservation_id=id_)


def test_a_void_entry_takes_no_payment_and_is_not_voided_again(house: House) -> None:
    id_ = living(house)
    rent = entry_id(house, id_, "rent 2025-03")
    house.do(void_entry, entry_id=rent)
    paid = {"reservation_id": id_, "entry_id": rent, "amount_yen": 1_000}
    assert "voided" in refused(house, record_payment, **paid)
    assert "is already voided" in refused(house, void_entry, entry_id=rent)
    assert "shortfall" in refused(house, post_arrears_charge, entry_id=rent, amount_yen=1)


def test_a_payment_from_the_future_or_recorded_twice_is_refused(house: House) -> None:
    id_ = living(house)
    paid = {"reservation_id": id_, "amount_yen": 1_000}
    tomorrow = house.today + timedelta(days=1)
    assert tomorrow.isoformat() in refused(house, record_payment, **paid, received_on=tomorrow)
    house.do(record_payment, reservation_id=id_, amount_yen=1_000, reference="ZENGIN-1")
    assert "ZENGIN-1" in refused(house, record_payment, **paid, reference="ZENGIN-1")


def test_a_room_change_into_a_room_that_is_held_is_refused(house: House) -> None:
    id_, _ = living(house), living(house, "102")
    moved = {"last_on": house.today, "unit_id": house.room("102"), "amounts": RENT}
    assert "another reservation" in refused(house, amend, reservation_id=id_, **moved)
    here = {**moved, "unit_id": house.room("101")}
    assert "Neither the room" in refused(house, amend, reservation_id=id_, **here)


def test_a_room_change_after_the_next_resident_has_come_is_refused(house: House) -> None:
    id_ = living(house)
    after = {"move_in_date": END + timedelta(days=5), "contract_end_date": None}
    house.do(book, **{**booking(house), **after})
    moved = {"last_on": END + timedelta(days=9), "unit_id": house.room("102"), "amounts": RENT}
    later = {**moved, "contract_end_date": END + timedelta(days=200)}
    assert "another reservation" in refused(house, amend, reservation_id=id_, **later)


def test_what_the_state_does_not_allow_is_refused(house: House) -> None:
    unwanted = booked(house, "102")
    house.do(cancel_booking, reservation_id=unwanted)
    dearer = {"reservation_id": unwanted, "from_on": END, "amounts": RENT}
    assert "can no longer be corrected" in refused(house, change_price, **dearer)
    id_ = living(house)
    assert "cancelled" in refused(house, cancel_booking, reservation_id=id_)
    assert refused(house, clear_forced_month_to_month, reservation_id=id_)
    house.do(force_month_to_month, reservation_id=id_)
    assert "has been month to month" in refused(house, force_month_to_month, reservation_id=id_)


@pytest.mark.differs("types")
@pytest.mark.parametrize("nobody", ["0" * 32, "", "no such id", "' OR 1=1 --"], ids=repr)
def test_a_reservation_of_nobody_is_refused_everywhere(house: House, nobody: str) -> None:
    house.room("101")
    amount, day = {"amount_yen": 1_000}, {"move_out_on": END}
    for verb, given in (
        (record_payment, amount),
        (post_charge, {**amount, "label": Bilingual("鍵", "Key")}),
        (file_notice, day),
        (reschedule_move_out, day),
        (withdraw_notice, {}),
        (cancel_booking, {}),
        (correct_dates, {"override_move_in_date": START}),
        (force_month_to_month, {}),
        (settle, {}),
        (send_refund, {}),
        (transfer_deposit, {}),
        (change_price, {"from_on": START, "amounts": RENT}),
        (amend, {"last_on": START, "unit_id": house.room("101"), "amounts": RENT}),
    ):
        assert refused(house, verb, reservation_id=nobody, **given)
