"""A visit to a payment page, from the click to the money on the ledger, however often it is told."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from pms.checkouts.checkout_records import CheckoutRecord, checkout_record, checkouts_of
from pms.checkouts.lookups import METHOD, note_checkout_event
from pms.checkouts.open_bills import pays_online
from pms.checkouts.payment_pages import OPENING, PAGE_LIVES, open_checkout
from pms.foundation.errors import NotFound, Refused
from pms.foundation.outbox import CALL_LEASE as LEASE
from pms.foundation.outbox import MOST_CALL_ATTEMPTS as MOST_ATTEMPTS
from pms.foundation.outbox import ProviderCall, lease_calls, make_call_again, troubled_calls
from pms.foundation.work import lock_leased
from pms.ledger.models import Payment
from pms.ledger.move_in import change_esign_status
from pms.ledger.payment_plan import record_payment
from pms.ledger.posting import void_entry
from pms.rules.enumerations import (
    CheckoutState,
    EsignStatus,
    IntegrationKind,
    Lifecycle,
    PaymentStatus,
)
from pms.statements.transfer_account import transfer_details
from tests.arrivals.office import Office
from tests.checkouts.conftest import SECRET, Worker
from tests.servers.provider import Provider

PAID, FAILED, EXPIRED = CheckoutState.PAID, CheckoutState.FAILED, CheckoutState.EXPIRED
TOTAL = 216_000


@pytest.fixture
def paying(worker: Worker, provider: Provider) -> Worker:
    """A workspace that takes payments online."""
    worker.set_up(IntegrationKind.PAYMENTS, provider.address)
    return worker


def set_out(office: Office, booking: str, path: str = "/resident/ours/pay") -> str:
    """Set out to pay the move-in invoice."""
    entry_id = office.standings(booking)[0].id
    return office.do(open_checkout, reservation_id=booking, entry_id=entry_id, return_path=path)


def visit(office: Office, checkout_id: str) -> CheckoutRecord:
    return office.ask(checkout_record, checkout_id)


def notify(
    office: Office, checkout_id: str, outcome: CheckoutState, yen: int | None = TOTAL
) -> bool:
    """The provider tells how a visit went."""
    return office.do(
        note_checkout_event,
        checkout_id=checkout_id,
        outcome=outcome,
        payment_reference=f"pi_{checkout_id}" if outcome is PAID else None,
        amount_yen=yen if outcome is PAID else None,
        failure="card_declined" if outcome is FAILED else None,
    )


def payments(office: Office) -> list[tuple[str, int]]:
    with office.database.reading(office.home.workspace_id) as session:
        return [(one.method, one.amount_yen) for one in session.scalars(select(Payment))]


def test_from_the_click_to_a_confirmed_booking(
    office: Office, booking: str, paying: Worker, provider: Provider
) -> None:
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        office.do(change_esign_status, reservation_id=booking, status=status)
    checkout_id = set_out(office, booking, "/resident/ours/pay?from=home")
    asked = visit(office, checkout_id)
    assert (asked.state, asked.url, asked.amount_yen) == (CheckoutState.ASKED, None, TOTAL)
    paying.works()
    opened = visit(office, checkout_id)
    assert (opened.state, opened.url) == (CheckoutState.OPEN, f"{provider.address}/pay/cs_1")
    request = provider.asked[0]
    assert request.headers["Authorization"] == f"Bearer {SECRET}"
    assert request.payload["line_items[0][price_data][unit_amount]"] == str(TOTAL)
    assert request.payload["metadata[entryId]"] == asked.entry_id
    assert request.payload["success_url"].endswith(
        f"/resident/ours/pay?from=home&checkout={checkout_id}"
    )
    assert notify(office, checkout_id, PAID)
    row = office.row(booking)
    assert (row.payment_status, row.lifecycle) == (PaymentStatus.PAID, Lifecycle.CONFIRMED)
    assert payments(office) == [(METHOD, TOTAL)]
    assert visit(office, checkout_id).state is PAID


def test_a_second_click_finds_the_visit_of_the_first(
    office: Office, booking: str, paying: Worker, provider: Provider
) -> None:
    with ThreadPoolExecutor(6) as threads:
        ids = set(threads.map(lambda _: set_out(office, booking), range(6)))
    [first] = ids
    paying.works()
    assert len(provider.asked) == 1
    # A page that may still be paid on is the only one, though a card was refused there.
    office.clock.advance(timedelta(minutes=31))
    notify(office, first, FAILED)
    assert set_out(office, booking) in ids
    closes_at = datetime.fromtimestamp(int(provider.asked[0].payload["expires_at"]), UTC)
    assert timedelta(minutes=30) < closes_at - visit(office, first).asked_at <= PAGE_LIVES
    office.clock.advance(PAGE_LIVES - timedelta(minutes=31))
    assert set_out(office, booking) not in ids


def test_without_a_provider_or_anything_open_nobody_sets_out(
    office: Office, booking: str, worker: Worker, provider: Provider
) -> None:
    assert not office.ask(pays_online)
    with pytest.raises(Refused, match="bank transfer"):
        set_out(office, booking)
    worker.set_up(IntegrationKind.PAYMENTS, provider.address)
    assert office.ask(pays_online)
    with pytest.raises(NotFound):
        office.do(open_checkout, reservation_id=booking, entry_id="0" * 32, return_path="/resident")
    office.pay_all(booking)
    with pytest.raises(Refused, match="there is nothing left to pay"):
        set_out(office, booking)
    assert office.ask(checkouts_of, booking) == []


@pytest.mark.parametrize(
    "story",
    [
        ([PAID, PAID, FAILED, EXPIRED], PAID, PaymentStatus.PAID),
        ([FAILED, FAILED], FAILED, PaymentStatus.FAILED),
        ([FAILED, PAID], PAID, PaymentStatus.PAID),
        ([FAILED, EXPIRED, FAILED], EXPIRED, PaymentStatus.FAILED),
        ([EXPIRED, FAILED], EXPIRED, PaymentStatus.PENDING),
        ([EXPIRED, PAID], PAID, PaymentStatus.PAID),
    ],
)
def test_late_and_repeated_events_change_nothing(
    office: Office,
    booking: str,
    paying: Worker,
    story: tuple[list[CheckoutState], CheckoutState, PaymentStatus],
) -> None:
    events, state, status = story
    checkout_id = set_out(office, booking)
    paying.works()
    for event in events:
        notify(office, checkout_id, event)
    assert (visit(office, checkout_id).state, office.row(booking).payment_status) == (state, status)
    assert len(payments(office)) == (state is PAID)


def test_a_payment_told_many_times_at_once_is_recorded_once(
    office: Office, booking: str, paying: Worker
) -> None:
    checkout_id = set_out(office, booking)
    paying.works()
    with ThreadPoolExecutor(8) as threads:
        changed = list(threads.map(lambda _: notify(office, checkout_id, PAID), range(8)))
    assert sum(changed) == 1
    assert payments(office) == [(METHOD, TOTAL)]


def test_amounts_match_and_what_was_paid_meanwhile_is_an_overpayment(
    office: Office, booking: str, paying: Worker
) -> None:
    checkout_id = set_out(office, booking)
    paying.works()
    with pytest.raises(Refused, match="1000 were paid instead of the 216000 requested"):
        notify(office, checkout_id, PAID, yen=1_000)
    assert visit(office, checkout_id).state is CheckoutState.OPEN
    office.do(record_payment, reservation_id=booking, amount_yen=TOTAL)
    assert notify(office, checkout_id, PAID)
    assert [one.overpaid_yen for one in office.standings(booking)] == [TOTAL]
    assert not notify(office, "0" * 32, PAID)


def test_money_for_a_bill_that_was_voided_is_told_and_not_lost(
    office: Office, booking: str, paying: Worker
) -> None:

    checkout_id = set_out(office, booking)
    paying.works()
    office.do(void_entry, entry_id=office.standings(booking)[0].id)
    with pytest.raises(Refused, match="has no bill to pay"):
        notify(office, checkout_id, PAID)


def test_a_provider_that_is_down_is_asked_again_later(
    office: Office, booking: str, paying: Worker, provider: Provider
) -> None:
    provider.status = 503
    checkout_id = set_out(office, booking)
    paying.works()
    paying.works()
    assert len(provider.asked) == 1
    assert visit(office, checkout_id).state is CheckoutState.ASKED
    provider.status = 200
    paying.works(timedelta(minutes=1))
    assert visit(office, checkout_id).state is CheckoutState.OPEN
    assert office.ask(troubled_calls) == []


@pytest.mark.parametrize(
    "trouble",
    [(401, None, 1), (302, None, 1), (500, None, MOST_ATTEMPTS), (200, b"<html>", MOST_ATTEMPTS)],
)
def test_what_is_given_up_is_told_and_can_be_tried_again(
    office: Office,
    booking: str,
    paying: Worker,
    provider: Provider,
    trouble: tuple[int, bytes | None, int],
) -> None:
    provider.status, provider.raw, tries = trouble
    checkout_id = set_out(office, booking)
    for _ in range(MOST_ATTEMPTS + 1):
        paying.works(timedelta(hours=3))
    assert len(provider.asked) == tries
    ended = visit(office, checkout_id)
    assert ended.state is FAILED
    assert ended.failure
    [call] = office.ask(troubled_calls)
    assert (call.is_given_up, call.due_at) == (True, None)
    provider.status, provider.raw = 200, None
    with office.database.writing(office.home.workspace_id) as session:
        make_call_again(session, office.clock, call.id)
    paying.works()
    opened = visit(office, checkout_id)
    assert (opened.state, opened.failure) == (CheckoutState.OPEN, None)
    assert office.row(booking).payment_status is PaymentStatus.PENDING


def test_a_worker_killed_between_the_call_and_the_mark_counts_once(
    office: Office, booking: str, paying: Worker, provider: Provider
) -> None:
    checkout_id = set_out(office, booking)
    provider.loses_answers = True
    paying.works()
    provider.loses_answers = False
    # A worker that leased it and died: nobody else makes it before the lease is over.
    office.clock.advance(timedelta(minutes=1))
    with office.database.across_workspaces_writing() as session:
        assert lease_calls(session, office.clock)
    paying.works(timedelta(seconds=30))
    assert len(provider.asked) == 1
    paying.works(LEASE)
    assert len(provider.asked) == 2
    assert len(provider.sessions) == 1
    assert visit(office, checkout_id).url == f"{provider.address}/pay/cs_1"
    with office.database.reading(office.home.workspace_id) as session:
        opening = select(ProviderCall).where(ProviderCall.kind == OPENING)
        assert all(call.done_at for call in session.scalars(opening))


def test_a_worker_that_comes_late_undoes_nothing(
    office: Office, booking: str, paying: Worker
) -> None:
    checkout_id = set_out(office, booking)
    with office.database.across_workspaces_writing() as session:
        [late] = lease_calls(session, office.clock)
    paying.works(LEASE)
    assert visit(office, checkout_id).state is CheckoutState.OPEN
    with office.database.writing(late.workspace_id) as session:
        assert lock_leased(session, late) is None


def test_a_bill_that_changed_meanwhile_has_no_page(
    office: Office, booking: str, paying: Worker, provider: Provider
) -> None:
    checkout_id = set_out(office, booking)
    office.do(record_payment, reservation_id=booking, amount_yen=1_000)
    later = set_out(office, booking)
    paying.works()
    assert visit(office, checkout_id).state is EXPIRED
    assert visit(office, later).url == f"{provider.address}/pay/cs_1"
    assert len(provider.asked) == 1


def test_a_transfer_names_the_account_and_a_reference_of_its_own(
    office: Office, booking: str
) -> None:
    details = office.ask(transfer_details, booking, None)
    assert details.bank_details is None
    assert details.reference == office.ask(transfer_details, booking, None).reference
