"""A payment is taken back after a room change moved what it overpaid, or the deposit it paid."""

from typing import Any

import pytest

from pms.arrivals.amendments import amend, move_deposit_of_new
from pms.arrivals.lifecycles import move_in
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.deposits.settlements import settle
from pms.foundation.errors import Refused
from pms.ledger.billing import bill_month
from pms.ledger.debts import debts
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import return_payment, reverse_payment
from pms.ledger.statement import statement
from pms.pricing.agreed_price import MonthlyAmounts
from tests.arrivals.office import Office, day

DEARER = MonthlyAmounts(base_rent_yen=124_000)
WHY = "Paid by the neighbour"

pytestmark = pytest.mark.differs("sums and dates in SQL")


@pytest.fixture
def living(office: Office, room: str) -> str:
    """Somebody who lives in the room since 1 November and paid everything so far."""
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    office.do(move_in, reservation_id=id_)
    office.pay(id_, 30_000 + 93_000 + 93_000)
    office.go_to("2026-11-25")
    office.do(bill_month)
    return id_


def pay(office: Office, living: str, yen: int, **given: Any) -> str:
    return office.do(record_payment, reservation_id=living, amount_yen=yen, **given)


def change_room(office: Office, living: str, other_room: str, last: str) -> str:
    facts = {"unit_id": other_room, "amounts": DEARER, "moves_overpayment": True}
    done = office.do(amend, reservation_id=living, last_on=day(last), **facts)
    new_id: str = done.booked.reservation_id
    return new_id


def owed(office: Office, *ids: str) -> list[int]:
    """What each owes by its statement, after all that its bills tell apart was compared."""
    found = []
    for id_ in ids:
        shown = office.ask(statement, id_, office.clock.today())
        assert all(one.paid_yen >= 0 for one in shown.standings)
        assert all(not one.open_yen for one in shown.standings if one.is_voided)
        assert shown.deposit.held_yen >= 0
        found.append(shown.owed_yen)
    return found


def test_what_moved_on_comes_back_first_and_is_owed_where_it_went(
    office: Office, living: str, other_room: str
) -> None:
    before = pay(office, living, 93_000)
    new = change_room(office, living, other_room, "2026-12-16")
    owed_then = owed(office, living, new)
    office.do(reverse_payment, payment_id=before, reason=WHY)
    # December came to 48,000; 45,000 had moved on.
    assert owed(office, living, new) == [owed_then[0] + 48_000, owed_then[1] + 45_000]
    unpaid = {one.reservation_id: one.unpaid_yen for one in office.ask(debts, day("2026-12-31"))}
    assert unpaid == {living: 48_000, new: owed_then[1] + 45_000}


def test_money_sent_back_takes_what_lies_on_the_bill_and_then_what_moved_on(
    office: Office, living: str, other_room: str
) -> None:
    paid = pay(office, living, 93_000)
    new = change_room(office, living, other_room, "2026-12-16")
    then = owed(office, living, new)
    office.do(return_payment, payment_id=paid, amount_yen=60_000, reference="ch_1")
    assert owed(office, living, new) == [then[0] + 48_000, then[1] + 12_000]
    office.do(return_payment, payment_id=paid, amount_yen=33_000, reference="ch_2")
    assert owed(office, living, new) == [then[0] + 48_000, then[1] + 45_000]


def test_no_debt_is_left_on_a_bill_that_was_voided(
    office: Office, living: str, other_room: str
) -> None:
    office.do(file_notice, reservation_id=living, move_out_on=day("2026-12-10"))
    paid = [
        pay(office, living, one.open_yen, entry_id=one.id)
        for one in office.standings(living)
        if one.open_yen
    ]
    new = change_room(office, living, other_room, "2026-12-20")
    then = owed(office, living, new)
    for payment_id in paid:
        office.do(reverse_payment, payment_id=payment_id, reason=WHY)
    assert owed(office, living, new) == [then[0] + 30_000, then[1] + 93_000]


def test_a_deposit_that_moved_on_was_paid(office: Office, living: str, other_room: str) -> None:
    new = change_room(office, living, other_room, "2026-11-24")
    (payment,) = office.ask(statement, living, office.clock.today()).payments
    then = owed(office, living, new)
    with pytest.raises(Refused, match="the deposit it paid has moved to another"):
        office.do(reverse_payment, payment_id=payment.id, reason=WHY)
    with pytest.raises(Refused, match="the deposit it paid has moved to another"):
        office.do(
            return_payment, payment_id=payment.id, amount_yen=payment.amount_yen, reference="ch_1"
        )
    assert owed(office, living, new) == then
    assert office.ask(balance_on, new, office.clock.today()).held_yen == 93_000


def test_what_a_settlement_of_the_new_record_counted_stays_there(
    office: Office, living: str, other_room: str
) -> None:
    paid = pay(office, living, 93_000)
    new = change_room(office, living, other_room, "2026-12-16")
    office.go_to("2026-12-18")
    office.do(move_deposit_of_new, new_reservation_id=new)
    office.do(move_in, reservation_id=new)
    office.do(file_notice, reservation_id=new, move_out_on=day("2026-12-20"))
    office.go_to("2026-12-21")
    office.do(settle, reservation_id=new)
    then = owed(office, living, new)
    with pytest.raises(Refused, match="overpayment moved to another reservation, which has since"):
        office.do(reverse_payment, payment_id=paid, reason=WHY)
    assert owed(office, living, new) == then
    office.do(return_payment, payment_id=paid, amount_yen=48_000, reference="ch_1")
