"""How a visit ended is asked for, so that nothing is lost when nobody comes back and tells."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.checkouts.checkout_records import checkout_record
from pms.checkouts.lookups import METHOD, look_up_soon, note_checkout_event
from pms.checkouts.open_bills import LOOKING
from pms.checkouts.payment_pages import open_checkout
from pms.foundation.outbox import ProviderCall, troubled_calls
from pms.ledger.models import Payment
from pms.rules.enumerations import CheckoutState, IntegrationKind, PaymentStatus
from tests.arrivals.office import Office
from tests.checkouts.conftest import Worker
from tests.servers.provider import Provider

pytestmark = pytest.mark.differs("outbox and leases")

MINUTE = timedelta(minutes=1)
TOTAL = 216_000
PAID = {
    "status": "complete",
    "payment_status": "paid",
    "amount_total": TOTAL,
    "payment_intent": "pi_1",
}


@pytest.fixture
def checkout_id(office: Office, booking: str, worker: Worker, provider: Provider) -> str:
    """A visit whose page is open."""
    worker.set_up(IntegrationKind.PAYMENTS, provider.address)
    entry_id = office.standings(booking)[0].id
    id_ = office.do(open_checkout, reservation_id=booking, entry_id=entry_id, return_path="/pay")
    worker.works()
    provider.asked.clear()
    return id_


@pytest.fixture
def state(office: Office, checkout_id: str) -> Callable[[], CheckoutState]:
    """Tells how the visit stands."""
    return lambda: office.ask(checkout_record, checkout_id).state


def payments(office: Office) -> list[tuple[str, str | None, int]]:
    with office.database.reading(office.home.workspace_id) as session:
        found = session.scalars(select(Payment))
        return [(one.method, one.reference, one.amount_yen) for one in found]


def looks(office: Office) -> list[ProviderCall]:
    with office.database.reading(office.home.workspace_id) as session:
        asked = select(ProviderCall).where(ProviderCall.kind == LOOKING)
        return list(session.scalars(asked.order_by(ProviderCall.id)))


def test_what_was_paid_is_recorded_though_nobody_comes_back(
    office: Office,
    booking: str,
    worker: Worker,
    provider: Provider,
    state: Callable[[], CheckoutState],
) -> None:
    waits = []
    for _ in range(4):
        [look] = looks(office)
        assert look.due_at is not None
        waits.append(look.due_at - office.clock.now())
        worker.works(waits[-1])
    assert waits == [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE]
    assert [one.path for one in provider.asked] == ["/v1/checkout/sessions/cs_1"] * 4
    provider.stands["cs_1"] = PAID
    worker.works(timedelta(hours=1))
    assert state() is CheckoutState.PAID
    assert payments(office) == [(METHOD, "pi_1", TOTAL)]
    assert office.row(booking).payment_status is PaymentStatus.PAID
    worker.works(timedelta(days=1))
    assert len(provider.asked) == 5, "what is over is asked for no more"
    assert office.ask(troubled_calls) == []


def test_who_is_back_is_looked_up_at_once_and_recorded_once(
    office: Office, worker: Worker, provider: Provider, checkout_id: str
) -> None:
    def comes_back() -> None:
        with office.database.writing(office.home.workspace_id) as session:
            look_up_soon(session, office.clock, checkout_id)

    comes_back()
    worker.works()
    for _ in range(5):
        comes_back()
        worker.works()
    assert len(provider.asked) == 1, "reloading asks nobody again"
    provider.stands["cs_1"] = PAID
    office.do(
        note_checkout_event,
        checkout_id=checkout_id,
        outcome=CheckoutState.PAID,
        payment_reference="pi_1",
        amount_yen=TOTAL,
    )
    worker.works(MINUTE)
    assert payments(office) == [(METHOD, "pi_1", TOTAL)]
    assert [one.done_at is None for one in looks(office)] == [False]


def test_a_page_that_ran_out_ends_the_visit(
    office: Office, worker: Worker, provider: Provider, state: Callable[[], CheckoutState]
) -> None:
    provider.stands["cs_1"] = {"status": "expired"}
    worker.works(MINUTE)
    assert state() is CheckoutState.EXPIRED
    assert payments(office) == []


@pytest.mark.parametrize(
    "story",
    [
        ({**PAID, "amount_total": 1_000}, "1000 were paid instead of the 216000 requested"),
        ({**PAID, "amount_total": None}, "no amount in yen"),
        ({**PAID, "currency": "usd"}, "no amount in yen"),
        ({**PAID, "id": "cs_2"}, "another payment"),
    ],
)
def test_an_answer_that_does_not_fit_records_nothing_and_is_told(
    office: Office,
    worker: Worker,
    provider: Provider,
    state: Callable[[], CheckoutState],
    story: tuple[dict[str, object], str],
) -> None:
    provider.stands["cs_1"], found = story
    worker.works(MINUTE)
    assert state() is CheckoutState.OPEN
    assert payments(office) == []
    [call] = office.ask(troubled_calls)
    assert found in call.failure
