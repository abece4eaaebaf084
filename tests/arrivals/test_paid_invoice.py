"""A move-in invoice paid in full makes the payment status paid in the same transaction."""

from pms.ledger.move_in import change_payment_status
from pms.rules.enumerations import Lifecycle, PaymentStatus
from tests.arrivals.office import Office
from tests.arrivals.test_lifecycle import WHOLE_INVOICE


def test_the_last_yen_of_the_invoice_makes_it_paid_and_leaves_the_booking_to_the_office(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    version = office.row(id_).version
    office.pay(id_, WHOLE_INVOICE - 1)
    assert office.row(id_).payment_status is PaymentStatus.PENDING
    assert office.row(id_).version == version
    office.pay(id_, 1)
    row = office.row(id_)
    assert (row.payment_status, row.lifecycle) == (PaymentStatus.PAID, Lifecycle.BOOKED)
    assert row.version == version


def test_a_failed_payment_is_made_good_and_what_is_too_much_changes_nothing(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    office.do(change_payment_status, reservation_id=id_, status=PaymentStatus.FAILED)
    office.pay(id_, WHOLE_INVOICE + 500)
    assert office.row(id_).payment_status is PaymentStatus.PAID
    version = office.row(id_).version
    office.pay(id_, 500)
    assert office.row(id_).version == version
