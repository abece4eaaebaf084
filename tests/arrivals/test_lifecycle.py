"""A reservation moves on by signature, payment, days and staff; other moves are named errors."""

from collections.abc import Callable

import pytest

from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, confirm_booking, move_in
from pms.departures.notices import file_notice
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.move_in import change_esign_status, change_payment_status
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus
from tests.arrivals.office import GUEST, OWNER, RENT, Office, day, refused

WHOLE_INVOICE = 30_000 + 93_000 + 93_000


def sign(office: Office, reservation_id: str) -> None:
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        office.do(change_esign_status, reservation_id=reservation_id, status=status)


def test_a_booking_is_confirmed_once_it_is_signed_and_its_invoice_paid(
    office: Office, room: str, other_room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    with refused(office, "not signed (esignStatus pending) and the move-in invoice", Refused):
        office.do(confirm_booking, reservation_id=id_)
    office.pay(id_, WHOLE_INVOICE - 1)
    sign(office, id_)
    with refused(office, "the move-in invoice is not paid (paymentStatus pending)", Refused):
        office.do(confirm_booking, reservation_id=id_)
    office.pay(id_, 1)
    unsigned = office.book(other_room, "2026-12-01", "2027-05-31")
    office.pay(unsigned, WHOLE_INVOICE)
    with refused(office, "cannot be confirmed: the contract is not signed", Refused):
        office.do(confirm_booking, reservation_id=unsigned)
    row = office.row(id_)
    assert (row.lifecycle, row.payment_status) == (Lifecycle.CONFIRMED, PaymentStatus.PAID)
    with refused(office, "confirmed cannot become confirmed", Refused):
        office.do(confirm_booking, reservation_id=id_)


def test_the_event_that_was_waited_for_confirms_the_booking(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    paid = office.do(change_payment_status, reservation_id=id_, status=PaymentStatus.PAID)
    assert (paid.is_changed, paid.is_confirmed) == (True, False)
    office.do(change_esign_status, reservation_id=id_, status=EsignStatus.SENT)
    signed = office.do(change_esign_status, reservation_id=id_, status=EsignStatus.SIGNED)
    assert (signed.is_changed, signed.is_confirmed) == (True, True)
    assert office.lifecycle(id_) == Lifecycle.CONFIRMED


def test_a_signature_confirms_what_the_ledger_holds_as_paid(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    office.pay(id_, WHOLE_INVOICE)
    sign(office, id_)
    assert office.lifecycle(id_) == Lifecycle.CONFIRMED
    assert office.row(id_).payment_status == PaymentStatus.PAID


def test_a_late_or_repeated_event_changes_nothing_and_says_so(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    sign(office, id_)
    version = office.row(id_).version
    for late in (EsignStatus.SIGNED, EsignStatus.SENT, EsignStatus.EXPIRED):
        change = office.do(change_esign_status, reservation_id=id_, status=late)
        assert (change.is_changed, change.after) == (False, EsignStatus.SIGNED)
    early = office.do(change_payment_status, reservation_id=id_, status=PaymentStatus.REFUNDED)
    assert (early.is_changed, early.after) == (False, PaymentStatus.PENDING)
    assert office.row(id_).version == version


def test_an_event_for_nobody_is_not_found(office: Office, room: str) -> None:
    for id_ in (new_id(), "nobody"):
        with refused(office, "There is no reservation", NotFound):
            office.do(change_payment_status, reservation_id=id_, status=PaymentStatus.PAID)


def test_a_confirmed_booking_lives_from_its_start_and_an_unpaid_one_waits_for_staff(
    office: Office, room: str, other_room: str
) -> None:
    paid = office.book(room, "2026-12-01", "2027-05-31")
    unpaid = office.book(other_room, "2026-12-01", "2027-05-31")
    sign(office, paid)
    office.pay(paid, WHOLE_INVOICE)
    assert office.lifecycle(paid) == Lifecycle.CONFIRMED
    office.go_to("2026-11-30")
    advanced = office.do(advance_lifecycles)
    assert (advanced.confirmed, advanced.living) == ([], [])
    with refused(office, "the contract starts on 2026-12-01", Refused):
        office.do(move_in, reservation_id=unpaid)
    office.go_to("2026-12-01")
    assert office.do(advance_lifecycles).living == [paid]
    again = office.do(advance_lifecycles)
    assert not again.confirmed + again.living + again.moved_out
    assert office.lifecycle(unpaid) == Lifecycle.BOOKED
    office.do(move_in, reservation_id=unpaid)
    assert office.lifecycle(unpaid) == Lifecycle.LIVING
    with refused(office, "living cannot become living", Refused):
        office.do(move_in, reservation_id=unpaid)


def test_an_override_of_the_start_moves_the_day_somebody_lives_there(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    office.do(correct_dates, reservation_id=id_, override_move_in_date=day("2026-11-25"))
    office.go_to("2026-11-25")
    office.do(move_in, reservation_id=id_)
    assert office.lifecycle(id_) == Lifecycle.LIVING


def test_a_guest_comes_and_goes_by_the_days_alone(office: Office, room: str) -> None:
    facts = {"kind": GUEST, "name": "Emma Wilson", "amounts": None}
    days = {"move_in_date": day("2026-11-21"), "contract_end_date": day("2026-11-24")}
    id_ = office.do(book, unit_id=room, **facts, **days).reservation_id
    office.go_to("2026-11-21")
    assert office.do(advance_lifecycles).living == [id_]
    office.go_to("2026-11-24")
    assert not office.do(advance_lifecycles).moved_out
    office.go_to("2026-11-25")
    assert office.do(advance_lifecycles).moved_out == [id_]


def test_a_stay_nobody_looked_at_comes_and_goes_in_one_run(office: Office, room: str) -> None:
    facts = {"kind": GUEST, "name": "Emma Wilson", "amounts": None}
    days = {"move_in_date": day("2026-11-21"), "contract_end_date": day("2026-11-24")}
    id_ = office.do(book, unit_id=room, **facts, **days).reservation_id
    office.go_to("2026-12-10")
    advanced = office.do(advance_lifecycles)
    assert (advanced.living, advanced.moved_out) == ([id_], [id_])
    assert office.lifecycle(id_) == Lifecycle.MOVED_OUT


def test_an_owner_resident_moves_in_without_paper_or_payment(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-21", None, kind=OWNER, deposit_yen=0, amounts=None)
    office.go_to("2026-11-21")
    assert office.do(advance_lifecycles).living == [id_]
    office.go_to("2030-01-01")
    assert not office.do(advance_lifecycles).moved_out


def test_who_filed_a_notice_moves_out_on_the_day_after(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-01", "2027-04-30", amounts=RENT)
    office.do(move_in, reservation_id=id_)
    office.do(file_notice, reservation_id=id_, move_out_on=day("2026-12-31"))
    office.go_to("2026-12-31")
    assert not office.do(advance_lifecycles).moved_out
    office.go_to("2027-01-01")
    assert office.do(advance_lifecycles).moved_out == [id_]
    with refused(office, "moved_out cannot become living", Refused):
        office.do(move_in, reservation_id=id_)


def test_a_resident_past_the_contract_end_stays_living(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-01", "2026-12-31")
    office.do(move_in, reservation_id=id_)
    office.go_to("2027-02-01")
    assert not office.do(advance_lifecycles).moved_out
    assert office.lifecycle(id_) == Lifecycle.LIVING


@pytest.mark.parametrize("verb", [confirm_booking, move_in, cancel_booking])
def test_a_verb_on_an_old_version_is_refused_as_a_collision(
    office: Office, room: str, verb: Callable[..., object]
) -> None:
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    sign(office, id_)
    with refused(office, "opened it (version 1, now 3)", Collision):
        office.do(verb, reservation_id=id_, expected_version=1)
