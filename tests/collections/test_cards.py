"""A kept card is charged on the due day: once, for what is open, and again only by the terms."""

from datetime import timedelta

import pytest

from pms.channels.models import InboundEvent
from pms.channels.payment_events import take_payment_event
from pms.checkouts.money_back import note_refund_total
from pms.checkouts.payment_pages import open_checkout
from pms.collections import choices, collected_bills, failed_collections
from pms.collections.choices import choice_of, choice_record
from pms.foundation.errors import Refused
from pms.ledger.payment_plan import record_payment
from pms.providers.payment_news import PaymentEvent, PaymentNews
from pms.rules.bill_collection import CollectionTerms
from pms.rules.enumerations import ChoiceState, CollectionState, PaymentWay
from pms.rules.message_words import InboundState
from tests.collections.conftest import Till
from tests.servers.provider import Provider


def states(till: Till) -> list[CollectionState]:
    return [one.state for one in till.collections()]


def charged(provider: Provider) -> list[tuple[str, str]]:
    """Each new charge that was asked for: its card and its yen."""
    return [
        (one.payload["payment_method"], one.payload["amount"])
        for one in provider.asked
        if one.path == "/v1/payment_intents" and one.method == "POST"
    ]


def test_a_card_is_in_force_once_it_was_entered_and_never_touches_us(till: Till) -> None:
    choice_id = till.keeps_a_card()
    choice = till.office.ask(choice_of, till.reservation_id)
    assert choice is not None
    assert (choice.id, choice.state, choice.way) == (choice_id, ChoiceState.ACTIVE, PaymentWay.CARD)
    assert choice.card is not None
    assert choice.card._asdict() == {
        "customer": "cus_1",
        "method": "pm_1",
        "brand": "visa",
        "last_digits": "4242",
        "expires": "08/2030",
    }
    assert till.provider.asked[0].payload["mode"] == "setup"


def test_a_page_that_nobody_used_ends_the_choice(till: Till) -> None:
    choice_id = till.office.do(
        choices.choose_card, reservation_id=till.reservation_id, return_path="/back"
    )
    again = till.office.do(
        choices.choose_card, reservation_id=till.reservation_id, return_path="/back"
    )
    assert again == choice_id, "a second click opens no second page"
    till.worker.works()
    for _ in range(20):
        till.worker.works(timedelta(minutes=10))
    ended = till.office.ask(choice_record, choice_id)
    assert (ended.state, ended.url) == (ChoiceState.ENDED, None)
    assert till.office.ask(choice_of, till.reservation_id) is None


@pytest.mark.differs("outbox and leases")
def test_a_bill_is_announced_and_charged_on_its_due_day(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000)
    till.day_passes(6)
    assert till.collections() == [], "nothing is announced four days before"
    till.day_passes()
    assert states(till) == [CollectionState.PLANNED]
    till.day_passes(2)
    assert charged(till.provider) == [], "nothing is charged before the due day"
    till.day_passes()
    assert charged(till.provider) == [("pm_1", "86000")]
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])
    till.day_passes()
    assert len(charged(till.provider)) == 1, "what is paid is not charged again"
    announced, paid = till.mails()[-2:]
    assert "カード決済のお知らせ" in announced
    assert "お支払いを確認しました" in paid


def test_a_card_is_not_charged_again_by_itself_for_money_that_went_back(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000)
    till.day_passes(7)
    till.day_passes(3)
    assert charged(till.provider) == [("pm_1", "86000")]
    news = PaymentNews(PaymentEvent.REFUNDED, "pi_1", "ch_1", 86_000, "jpy", None, None, None)
    till.office.do(note_refund_total, payment_news=news, occurred_at=till.office.clock.now())
    till.day_passes()
    till.day_passes(5)
    assert charged(till.provider) == [("pm_1", "86000")]


def test_only_what_is_still_open_is_charged(till: Till) -> None:
    till.keeps_a_card()
    entry_id = till.bills(86_000)
    till.day_passes(8)
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=50_000, entry_id=entry_id
    )
    till.day_passes(2)
    assert charged(till.provider) == [("pm_1", "36000")]


def test_a_bill_paid_before_its_day_is_not_charged(till: Till) -> None:
    till.keeps_a_card()
    entry_id = till.bills(86_000)
    till.day_passes(8)
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=86_000, entry_id=entry_id
    )
    till.day_passes(2)
    assert (charged(till.provider), states(till)) == ([], [CollectionState.CANCELLED])


def test_a_bill_paid_between_the_plan_and_the_call_is_not_charged(till: Till) -> None:
    till.keeps_a_card()
    entry_id = till.bills(86_000, due_on=till.office.clock.today())
    till.plans()
    till.office.do(
        record_payment, reservation_id=till.reservation_id, amount_yen=86_000, entry_id=entry_id
    )
    till.worker.works()
    assert (charged(till.provider), states(till)) == ([], [CollectionState.CANCELLED])


def test_a_bill_being_paid_on_the_page_is_left_alone(till: Till) -> None:
    till.keeps_a_card()
    entry_id = till.bills(86_000, due_on=till.office.clock.today())
    till.office.do(
        open_checkout, reservation_id=till.reservation_id, entry_id=entry_id, return_path="/pay"
    )
    till.plans()
    assert till.collections() == []


def test_a_declined_card_is_tried_again_after_its_days_and_then_left(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.declines = "Your card has insufficient funds."
    till.day_passes(0)
    first = till.collections()[0]
    assert (first.state, first.failure) == (
        CollectionState.FAILED,
        "Your card has insufficient funds.",
    )
    till.day_passes(2)
    assert len(charged(till.provider)) == 1, "the terms wait three days"
    till.day_passes()
    till.day_passes(10)
    assert states(till) == [CollectionState.FAILED, CollectionState.FAILED]
    assert len(charged(till.provider)) == 2, "two attempts are the terms"
    assert till.payments() == []
    assert sum("お支払いができませんでした" in subject for subject in till.mails()) == 2


@pytest.mark.differs("outbox and leases")
def test_an_answer_that_is_lost_charges_nobody_twice(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.loses_answers = True
    till.day_passes(0)
    assert states(till) == [CollectionState.ASKED]
    till.provider.loses_answers = False
    till.worker.works(timedelta(minutes=5))
    assert len(charged(till.provider)) == 1, "the second try asks first whether it arrived"
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])


@pytest.mark.differs("outbox and leases")
def test_a_charge_whose_end_nobody_knows_is_never_charged_anew(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.loses_answers = True
    till.plans()
    for _ in range(12):
        till.worker.works(timedelta(hours=2))
    till.provider.loses_answers = False
    till.day_passes(10)
    assert states(till) == [CollectionState.ASKED]
    assert till.collections()[0].failure
    assert len(till.provider.charges) == 1


def to_look_at(till: Till) -> list[CollectionState]:
    with till.office.database.reading(till.office.home.workspace_id) as session:
        found = failed_collections.failed_collections(session, till.office.clock.today(), 9)
    return [line.collection.state for line in found]


def test_a_failed_collection_is_asked_for_again_by_hand_until_its_bill_is_paid(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.declines = "Your card has insufficient funds."
    till.day_passes(0)
    assert to_look_at(till) == [CollectionState.FAILED]
    till.provider.declines = None
    failed = till.collections()[0].id
    till.office.do(failed_collections.collect_again, collection_id=failed)
    with pytest.raises(Refused, match="is being collected"):
        till.office.do(failed_collections.collect_again, collection_id=failed)
    till.worker.works()
    assert states(till) == [CollectionState.FAILED, CollectionState.PAID]
    assert to_look_at(till) == []
    with pytest.raises(Refused, match="nothing left to pay"):
        till.office.do(failed_collections.collect_again, collection_id=failed)


def test_an_end_that_nobody_knows_is_asked_for_or_given_up(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.loses_answers = True
    till.plans()
    unknown = till.collections()[0].id
    with pytest.raises(Refused, match="result is known, or the provider is being"):
        till.office.do(failed_collections.give_up_unknown, collection_id=unknown)
    for _ in range(12):
        till.worker.works(timedelta(hours=2))
    assert to_look_at(till) == [CollectionState.ASKED]
    till.provider.loses_answers = False
    till.office.do(failed_collections.collect_again, collection_id=unknown)
    till.worker.works()
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])
    assert len(till.provider.charges) == 1


def test_an_unknown_end_that_is_given_up_frees_the_bill(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.provider.loses_answers = True
    till.plans()
    for _ in range(12):
        till.worker.works(timedelta(hours=2))
    unknown = till.collections()[0].id
    till.office.do(failed_collections.give_up_unknown, collection_id=unknown)
    assert states(till) == [CollectionState.CANCELLED]
    assert to_look_at(till) == []


@pytest.mark.differs("outbox and leases")
def test_money_is_recorded_once_whichever_comes_first(till: Till) -> None:
    till.keeps_a_card()
    entry_id = till.bills(86_000, due_on=till.office.clock.today())
    till.plans()
    collection = till.collections()[0]
    event = {
        "id": "evt_1",
        "type": "payment_intent.succeeded",
        "data": {
            "object": {
                "id": "pi_1",
                "currency": "jpy",
                "amount_received": 86_000,
                "metadata": {"entryId": entry_id, "collectionId": collection.id},
            }
        },
    }
    with till.office.database.writing(till.office.home.workspace_id) as session:
        row = InboundEvent(body=event, occurred_at=till.office.clock.now())
        outcome = take_payment_event(session, till.office.clock, row)
        assert outcome.state is InboundState.DONE, outcome
    till.worker.works()
    assert (states(till), till.payments()) == ([CollectionState.PAID], [("pi_1", 86_000)])
    assert charged(till.provider) == []


def test_an_ended_choice_charges_nothing_and_forgets_the_card(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000)
    till.day_passes(8)
    till.office.do(choices.end_choice, reservation_id=till.reservation_id)
    till.day_passes(2)
    assert (charged(till.provider), states(till)) == ([], [CollectionState.CANCELLED])
    assert till.provider.asked[-1].path == "/v1/payment_methods/pm_1/detach"
    with pytest.raises(Refused, match="pays by bank transfer"):
        till.office.do(choices.end_choice, reservation_id=till.reservation_id)


def test_another_card_takes_the_place_of_the_first(till: Till) -> None:
    first = till.keeps_a_card()
    till.office.clock.advance(timedelta(hours=1))
    second = till.keeps_a_card()
    assert till.office.ask(choice_record, first).state is ChoiceState.ENDED
    choice = till.office.ask(choice_of, till.reservation_id)
    assert choice is not None
    assert choice.id == second


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (CollectionTerms(attempts=5), "attempts: 5 is not possible. Enter 1 to 4"),
        (CollectionTerms(retry_days=0), "retryDays: 0 is not possible. Enter 1 to 10"),
        (CollectionTerms(notice_days=15), "noticeDays: 15 is not possible. Enter 1 to 14"),
        (CollectionTerms(store_days=2), "storeDays: 2 is not possible. Enter 3 to 30"),
    ],
)
def test_terms_out_of_bounds_are_refused_with_what_is_allowed(
    till: Till, terms: CollectionTerms, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        till.office.do(choices.write_terms, terms=terms, expected_version=1)


def test_a_way_that_is_not_offered_is_refused(till: Till) -> None:
    till.office.do(choices.write_terms, terms=CollectionTerms(), expected_version=1)
    with pytest.raises(Refused, match="payment method is not available"):
        till.office.do(choices.choose_card, reservation_id=till.reservation_id, return_path="/back")
    with pytest.raises(Refused, match="payment method is not available"):
        till.office.do(choices.choose_stores, reservation_id=till.reservation_id)


def test_events_of_another_tenancy_end_no_collection(till: Till) -> None:
    till.keeps_a_card()
    till.bills(86_000, due_on=till.office.clock.today())
    till.plans()
    collection = till.collections()[0]
    found = collected_bills.collection_of_payment
    assert till.office.ask(found, "0" * 32, "pi_1", collection.id) is None
    assert till.office.ask(found, till.reservation_id, "pi_1", "no id") is None
    assert till.office.ask(found, till.reservation_id, "", collection.id) == collection
