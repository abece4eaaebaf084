"""A cancelled booking frees its nights, nets its rows to 0 and keeps what was paid of its fee."""

import pytest

from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, move_in
from pms.deposits.deposit_report import balance_on
from pms.foundation.errors import Refused
from pms.ledger.billing import bill_month
from pms.ledger.move_in import change_payment_status
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import Lifecycle, PaymentStatus
from tests.arrivals.office import Office, day, refused
from tests.arrivals.test_lifecycle import WHOLE_INVOICE


def balance(office: Office, reservation_id: str) -> DepositBalance:
    return office.ask(balance_on, reservation_id, office.clock.today())


def test_a_booking_never_paid_owes_nothing_once_it_is_cancelled(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-20", "2027-06-19")
    office.go_to("2026-11-29")
    assert balance(office, id_).unpaid_yen == 30_000 + 36_000 + 93_000
    cancelled = office.do(cancel_booking, reservation_id=id_)
    assert [
        (row.before.first_on, row.after.last_on, row.change_yen) for row in cancelled.repriced
    ] == [
        (day("2026-12-20"), None, -36_000),
        (day("2027-01-01"), None, -93_000),
    ]
    assert cancelled.kept_fee_yen == 0
    found = balance(office, id_)
    assert (found.held_yen, found.unpaid_yen, found.overpaid_yen) == (0, 0, 0)
    row = office.row(id_)
    assert (row.lifecycle, row.payment_status) == (Lifecycle.CANCELLED, PaymentStatus.CANCELLED)


@pytest.mark.parametrize(
    ("paid_yen", "left"),
    [(20_000, (20_000, 0, 0)), (30_000, (30_000, 0, 0)), (252_000, (30_000, 93_000, 129_000))],
)
def test_the_fee_is_kept_as_far_as_it_was_paid_and_the_rest_waits_for_settlement(
    office: Office, room: str, paid_yen: int, left: tuple[int, int, int]
) -> None:
    id_ = office.book(room, "2026-12-20", "2027-06-19")
    office.pay(id_, paid_yen)
    cancelled = office.do(cancel_booking, reservation_id=id_)
    found = balance(office, id_)
    assert (cancelled.kept_fee_yen, found.held_yen, found.overpaid_yen) == left
    assert found.unpaid_yen == 0


def test_a_payment_that_was_made_stays_paid(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-20", "2027-06-19")
    office.do(change_payment_status, reservation_id=id_, status=PaymentStatus.PAID)
    office.do(cancel_booking, reservation_id=id_)
    assert office.row(id_).payment_status == PaymentStatus.PAID


def test_the_nights_of_a_cancelled_booking_are_free_again(office: Office, room: str) -> None:
    office.do(cancel_booking, reservation_id=office.book(room, "2026-12-20", "2027-06-19"))
    office.book(room, "2026-12-20", "2027-06-19")


def test_a_cancelled_booking_is_neither_billed_nor_moved_in(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-20", "2027-06-19")
    office.do(cancel_booking, reservation_id=id_)
    before = office.lines(id_)
    office.go_to("2027-01-25")
    office.do(bill_month)
    office.do(advance_lifecycles)
    assert office.lines(id_) == before
    assert office.lifecycle(id_) == Lifecycle.CANCELLED


def test_nobody_is_cancelled_who_lives_there_or_was_cancelled(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    office.do(move_in, reservation_id=id_)
    with refused(office, "living cannot become cancelled", Refused):
        office.do(cancel_booking, reservation_id=id_)
    other = office.book(room, "2027-05-01", "2027-10-31")
    office.do(cancel_booking, reservation_id=other)
    with refused(office, "cancelled cannot become cancelled", Refused):
        office.do(cancel_booking, reservation_id=other)


def test_the_deposit_nobody_paid_is_not_asked_for_any_more(office: Office, room: str) -> None:
    unpaid = office.book(room, "2026-12-01", "2027-05-31")
    office.do(cancel_booking, reservation_id=unpaid)
    assert [one.open_yen for one in office.standings(unpaid)] == [0]
    partly = office.book(room, "2026-12-01", "2027-05-31")
    office.pay(partly, WHOLE_INVOICE - 20_000)
    office.do(cancel_booking, reservation_id=partly)
    (invoice,) = office.standings(partly)
    # What was paid beside the fee is held, or overpaid, for the settlement to send back.
    assert (invoice.open_yen, invoice.paid_yen) == (0, WHOLE_INVOICE - 20_000)
    assert invoice.collected_yen + invoice.overpaid_yen == invoice.paid_yen - invoice.payable_yen
