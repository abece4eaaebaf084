"""Another amount than the one requested is not recorded by itself, whoever tells of it."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.channels.models import InboundEvent
from pms.channels.outgoing import EventOutcome
from pms.channels.payment_events import place_payment_event, take_payment_event
from pms.checkouts.models import ProviderPayment
from pms.checkouts.payment_pages import open_checkout
from pms.collections import choices, failed_collections
from pms.collections.collections_read import CollectionRecord, numbers_for_stores
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.ledger.payment_plan import record_payment
from pms.rules.enumerations import CollectionState
from pms.rules.message_words import InboundState, WebhookSource
from tests.collections.conftest import Till

pytestmark = pytest.mark.differs("outbox and leases")

RENT = 86_000
OTHER = "amount: 1000 were paid instead of the 86000 requested."
ARRIVED = ["payment_intent.succeeded", "charge.succeeded", "charge.captured"]


def told(
    till: Till, kind: str, yen: int, *, intent: str = "pi_1", **metadata: str
) -> tuple[str, EventOutcome]:
    """Take an event of the provider; return its id and what came of it."""
    about: dict[str, Any] = {"currency": "jpy", "metadata": metadata}
    if kind.startswith("charge."):
        about |= {"id": "ch_1", "payment_intent": intent, "amount_captured": yen}
    else:
        about |= {"id": intent, "latest_charge": "ch_1", "amount_received": yen}
    with till.office.database.writing(till.office.home.workspace_id) as session:
        row = InboundEvent(
            id=new_id(),
            source=WebhookSource.PAYMENTS,
            event_key=new_id(),
            kind=kind,
            body={"type": kind, "data": {"object": about}},
            occurred_at=till.office.clock.now(),
            received_at=till.office.clock.now(),
            state=InboundState.WAITING,
        )
        session.add(row)
        session.flush()
        outcome = take_payment_event(session, till.office.clock, row)
        row.state, row.failure = outcome.state, outcome.reason
        return row.id, outcome


def open_yen(till: Till) -> list[int]:
    return [one.open_yen for one in till.office.standings(till.reservation_id) if one.open_yen]


def thanks(till: Till) -> int:
    return sum("お支払いを確認しました" in subject for subject in till.mails())


def to_look_at(till: Till) -> list[CollectionRecord]:
    with till.office.database.reading(till.office.home.workspace_id) as session:
        found = failed_collections.failed_collections(session, till.office.clock.today(), 9)
    return [line.collection for line in found]


def card_that_pays(till: Till, yen: int) -> str:
    """Let a card be charged for the rent and pay another amount; return the bill."""
    till.keeps_a_card()
    entry_id = till.bills(RENT, due_on=till.office.clock.today())
    till.provider.takes = yen
    till.day_passes(0)
    return entry_id


def test_a_card_that_paid_another_amount_waits_for_a_person(till: Till) -> None:
    card_that_pays(till, 1_000)
    (waiting,) = till.collections()
    assert (waiting.state, waiting.failure) == (CollectionState.ASKED, OTHER)
    assert (till.payments(), open_yen(till), thanks(till)) == ([], [RENT], 0)
    assert to_look_at(till) == [waiting]
    for _ in range(6):
        till.day_passes()
    assert len(till.provider.charges) == 1, "nobody is charged again for it by itself"
    till.office.do(failed_collections.collect_again, collection_id=waiting.id)
    with pytest.raises(Refused, match="is being collected"):
        till.office.do(failed_collections.collect_again, collection_id=waiting.id)
    with pytest.raises(Refused, match="the provider is being asked"):
        till.office.do(failed_collections.give_up_unknown, collection_id=waiting.id)
    till.worker.works()
    assert to_look_at(till) == [waiting]
    charge = next(iter(till.provider.charges.values()))
    charge["amount_received"] = RENT
    till.office.do(failed_collections.collect_again, collection_id=waiting.id)
    till.worker.works()
    assert (till.payments(), open_yen(till), thanks(till)) == ([("pi_1", RENT)], [], 1)
    assert till.collections()[0].failure is None


def test_what_a_card_paid_is_recorded_by_hand_and_the_rest_collected(till: Till) -> None:
    entry_id = card_that_pays(till, 1_000)
    (waiting,) = till.collections()
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=1_000, entry_id=entry_id
    )
    till.office.do(failed_collections.give_up_unknown, collection_id=waiting.id)
    till.provider.takes = None
    till.day_passes()
    assert [(one.state, one.amount_yen) for one in till.collections()] == [
        (CollectionState.CANCELLED, RENT),
        (CollectionState.PAID, RENT - 1_000),
    ]
    assert (open_yen(till), thanks(till)) == ([], 1)


def test_an_answer_that_was_lost_is_no_reason_to_record_another_amount(till: Till) -> None:
    till.keeps_a_card()
    till.bills(RENT, due_on=till.office.clock.today())
    till.provider.takes, till.provider.loses_answers = 1_000, True
    till.day_passes(0)
    till.provider.loses_answers = False
    till.worker.works(timedelta(minutes=5))
    assert [one.failure for one in till.collections()] == [OTHER]
    assert (till.payments(), open_yen(till), thanks(till)) == ([], [RENT], 0)


@pytest.mark.parametrize("is_paid_otherwise", [False, True])
def test_a_store_that_took_another_amount_waits_for_a_person(
    till: Till, is_paid_otherwise: bool
) -> None:
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    entry_id = till.bills(RENT)
    till.day_passes(0)
    charge = next(iter(till.provider.charges.values()))
    charge.update(status="succeeded", amount_received=1_000, latest_charge="ch_1")
    if is_paid_otherwise:
        # The number is about to be cancelled: that asks first whether money came.
        till.office.do(
            record_payment, reservation_id=till.reservation_id, amount_yen=80_000, entry_id=entry_id
        )
        till.day_passes()
    else:
        till.worker.works(timedelta(hours=6))
    (waiting,) = till.collections()
    assert (waiting.state, waiting.failure) == (CollectionState.ASKED, OTHER)
    assert (till.payments(), thanks(till)) == ([], 0)
    assert till.office.ask(numbers_for_stores, till.reservation_id) == {}


@pytest.mark.parametrize("kind", ARRIVED)
@pytest.mark.parametrize("is_named", [True, False])
def test_an_event_of_another_amount_is_unmatched_and_placed_by_hand(
    till: Till, kind: str, is_named: bool
) -> None:
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    entry_id = till.bills(RENT)
    till.day_passes(0)
    (number,) = till.collections()
    names = {"entryId": entry_id, **({"collectionId": number.id} if is_named else {})}
    event_id, outcome = told(till, kind, 1_000, **names)
    assert (outcome.state, outcome.reason) == (InboundState.UNMATCHED, OTHER)
    assert till.collections() == [number]
    assert (till.payments(), open_yen(till), thanks(till)) == ([], [RENT], 0)
    till.office.do(place_payment_event, event_id=event_id, entry_id=entry_id)
    assert (till.payments(), open_yen(till), thanks(till)) == ([("pi_1", 1_000)], [85_000], 0)
    assert till.collections()[0].state is CollectionState.CANCELLED
    # What repeats it changes nothing, and another amount of it is unmatched again.
    for repeated in ARRIVED:
        assert told(till, repeated, 1_000, **names)[1].state is InboundState.DONE
        _, again = told(till, repeated, 900, **names)
        assert again.state is InboundState.UNMATCHED
    assert (till.payments(), thanks(till)) == ([("pi_1", 1_000)], 0)
    till.day_passes()
    assert till.collections()[1].amount_yen == 85_000


def test_events_that_waited_for_a_person_follow_the_one_that_was_placed(till: Till) -> None:
    till.office.do(choices.choose_stores, reservation_id=till.reservation_id)
    entry_id = till.bills(RENT)
    till.day_passes(0)
    names = {"entryId": entry_id, "collectionId": till.collections()[0].id}
    repeated, _ = told(till, "payment_intent.succeeded", 1_000, **names)
    placed, _ = told(till, "charge.succeeded", 1_000, **names)
    till.office.do(place_payment_event, event_id=placed, entry_id=entry_id)
    with till.office.database.writing(till.office.home.workspace_id) as session:
        row = session.scalars(select(InboundEvent).where(InboundEvent.id == repeated)).one()
        assert row.state is InboundState.WAITING
        assert take_payment_event(session, till.office.clock, row).state is InboundState.DONE
    assert till.payments() == [("pi_1", 1_000)]


@pytest.mark.parametrize("kind", ARRIVED)
def test_a_later_event_of_a_payment_page_cannot_change_what_came(till: Till, kind: str) -> None:
    entry_id = till.bills(RENT)
    checkout_id = till.office.do(
        open_checkout, reservation_id=till.reservation_id, entry_id=entry_id, return_path="/pay"
    )
    till.worker.works()
    names = {"entryId": entry_id, "checkoutId": checkout_id}
    _, early = told(till, kind, 1_000, **names)
    assert (early.state, early.reason) == (InboundState.UNMATCHED, OTHER)
    assert told(till, kind, RENT, **names)[1].state is InboundState.DONE
    for named in (names, {"entryId": entry_id}):
        _, later = told(till, kind, 1_000, **named)
        assert (later.state, later.reason) == (InboundState.UNMATCHED, OTHER)
    with till.office.database.reading(till.office.home.workspace_id) as session:
        kept = session.scalars(select(ProviderPayment)).one()
        assert (kept.intent, kept.amount_yen) == ("pi_1", RENT)
    assert (till.payments(), open_yen(till)) == ([("pi_1", RENT)], [])
