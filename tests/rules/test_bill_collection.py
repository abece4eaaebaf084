"""Which bills are collected on a day, by card or at a store, and when a failed one is tried again."""

from datetime import date, timedelta

import pytest

from pms.rules.bill_collection import BillToCollect, CollectionTerms, Tried, bills_to_collect
from pms.rules.enumerations import CollectionState, PaymentWay
from pms.rules.ledger_entries import EntryBalance

DUE = date(2026, 12, 1)
TERMS = CollectionTerms(True, True, attempts=2, retry_days=3, notice_days=3, store_days=10)
BILL = EntryBalance("a bill", DUE, 86_000)
CARD, STORE = PaymentWay.CARD, PaymentWay.STORE


def wanted_on(
    day: int, way: PaymentWay, *tried: Tried, bill: EntryBalance = BILL
) -> list[BillToCollect]:
    """What is wanted so many days after the due day."""
    return bills_to_collect([bill], {bill.id: tried}, way, TERMS, DUE + timedelta(days=day))


def failed(attempt: int, day: int) -> Tried:
    return Tried(attempt, CollectionState.FAILED, DUE + timedelta(days=day))


@pytest.mark.parametrize(
    ("way", "day", "is_planned"),
    [
        *(
            (CARD, -4, None),
            (CARD, -3, True),
            (CARD, -1, True),
            (CARD, 0, False),
            (CARD, 40, False),
        ),
        *((STORE, -11, None), (STORE, -10, False), (STORE, 5, False)),
    ],
)
def test_a_card_is_announced_before_its_day_and_a_number_given_early(
    way: PaymentWay, day: int, is_planned: bool | None
) -> None:
    expected = [] if is_planned is None else [BillToCollect("a bill", DUE, 86_000, 1, is_planned)]
    assert wanted_on(day, way) == expected


@pytest.mark.parametrize(("way", "days"), [(CARD, 3), (STORE, 1)])
def test_a_failed_one_waits_and_is_tried_as_often_as_the_terms_say(
    way: PaymentWay, days: int
) -> None:
    assert wanted_on(days - 1, way, failed(1, 0)) == []
    assert wanted_on(days, way, failed(1, 0)) == [BillToCollect("a bill", DUE, 86_000, 2, False)]
    assert wanted_on(30, way, failed(1, 0), failed(2, 3)) == []


@pytest.mark.parametrize(
    "state", [CollectionState.PLANNED, CollectionState.ASKED, CollectionState.WAITING]
)
def test_one_under_way_is_not_asked_again(state: CollectionState) -> None:
    assert wanted_on(0, CARD, Tried(1, state, None)) == []


def test_a_cancelled_one_counts_as_no_attempt_but_keeps_its_number() -> None:
    cancelled = Tried(1, CollectionState.CANCELLED, DUE)
    assert wanted_on(0, CARD, cancelled) == [BillToCollect("a bill", DUE, 86_000, 2, False)]


def test_a_bill_that_failed_twice_waits_from_the_later_day_and_counts_on() -> None:
    terms = CollectionTerms(True, True, attempts=3, retry_days=3)
    tried = {BILL.id: [failed(1, 0), failed(2, 5)]}
    assert bills_to_collect([BILL], tried, CARD, terms, DUE + timedelta(days=7)) == []
    found = bills_to_collect([BILL], tried, CARD, terms, DUE + timedelta(days=8))
    assert [one.attempt for one in found] == [3]


def test_only_what_is_open_is_asked_for() -> None:
    part = EntryBalance("a bill", DUE, 86_000, paid_yen=50_000)
    assert wanted_on(0, CARD, bill=part)[0].yen == 36_000
    assert wanted_on(0, CARD, bill=EntryBalance("a bill", DUE, 86_000, paid_yen=86_000)) == []
    assert wanted_on(0, CARD, bill=EntryBalance("a bill", DUE, 86_000, is_voided=True)) == []
    assert (
        wanted_on(0, CARD, bill=EntryBalance("a bill", DUE, 0, deposit_yen=70_000))[0].yen == 70_000
    )


def test_the_oldest_bill_comes_first() -> None:
    later = EntryBalance("a later bill", DUE + timedelta(days=2), 1)
    same = EntryBalance("a bill too", DUE, 1)
    found = bills_to_collect([later, same, BILL], {}, STORE, TERMS, DUE)
    assert [one.entry_id for one in found] == ["a bill", "a bill too", "a later bill"]


def test_terms_offer_each_way_by_itself() -> None:
    cards, stores = CollectionTerms(offers_cards=True), CollectionTerms(offers_stores=True)
    assert (cards.offers(CARD), cards.offers(STORE)) == (True, False)
    assert (stores.offers(CARD), stores.offers(STORE)) == (False, True)
