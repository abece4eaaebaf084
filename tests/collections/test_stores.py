"""A bill gets a number that convenience stores take, until it is paid, cancelled or expires."""

from datetime import timedelta

import pytest

from pms.collections import choices
from pms.collections.collected_bills import numbers_for_stores
from pms.ledger.payment_plan import record_payment
from pms.rules.enumerations import CollectionState
from tests.collections.conftest import Till

pytestmark = pytest.mark.differs("outbox and leases")


@pytest.fixture
def entry_id(till: Till) -> str:
    """A bill whose number was asked for."""
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    entry_id = till.bills(86_000)
    till.day_passes(0)
    return entry_id


def states(till: Till) -> list[CollectionState]:
    return [one.state for one in till.collections()]


def test_a_bill_gets_its_numbers_by_mail_before_it_is_due(till: Till, entry_id: str) -> None:
    number = till.office.ask(numbers_for_stores, till.reservation_id)[entry_id]
    assert number.stores == {"lawson": {"payment": "123456", "confirmation": "0312345678"}}
    assert number.expires_at is not None
    assert number.expires_at.isoformat() == "2026-11-30T14:59:00+00:00"
    assert "コンビニでのお支払い番号" in till.mails()[-1]
    till.day_passes()
    assert len(till.provider.charges) == 1, "one bill has one number"


def test_what_a_store_took_is_recorded_though_no_event_came(till: Till, entry_id: str) -> None:
    charge = next(iter(till.provider.charges.values()))
    charge.update(status="succeeded", amount_received=86_000, latest_charge="ch_1")
    till.worker.works(timedelta(hours=6))
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])


def test_a_number_is_cancelled_once_its_bill_was_paid_otherwise(till: Till, entry_id: str) -> None:
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=86_000, entry_id=entry_id
    )
    till.day_passes()
    assert states(till) == [CollectionState.CANCELLED]
    assert next(iter(till.provider.charges.values()))["status"] == "canceled"


def test_a_number_that_expired_is_given_out_anew(till: Till, entry_id: str) -> None:
    charge = next(iter(till.provider.charges.values()))
    charge.update(status="requires_payment_method")
    till.worker.works(timedelta(days=11))
    assert states(till) == [CollectionState.FAILED]
    till.day_passes()
    assert states(till) == [CollectionState.FAILED, CollectionState.WAITING]


def test_an_ended_choice_cancels_its_numbers(till: Till, entry_id: str) -> None:
    till.office.do(choices.end_choice, reservation_id=till.reservation_id)
    till.worker.works()
    assert states(till) == [CollectionState.CANCELLED]
