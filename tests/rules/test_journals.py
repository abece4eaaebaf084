"""What happened to money, as debits and credits: own buildings earn, owners are owed."""

from datetime import date

import pytest

from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.journals import (
    EntryEvent,
    EntryMoney,
    EventOrder,
    Journal,
    PostedLines,
    Posting,
    SettledMoney,
    Sums,
    combine_postings,
    corrections,
    cost_postings,
    entry_moves,
    fee_postings,
    income_role,
    money_role,
    payout_postings,
    refund_postings,
    settlement_postings,
    totals,
)

RENT, REPAIR = FeeCategory.RENT, FeeCategory.REPAIR
FIRST, SECOND, THIRD = (date(2026, 11, day) for day in (1, 5, 9))
CASH = "money/cash"


def lines(
    yen: int, *, is_deposit: bool = False, tax: TaxTreatment = TaxTreatment.EXEMPT
) -> PostedLines:
    return PostedLines(RENT, tax, yen, is_deposit)


def billed(*posted: PostedLines, on: date = FIRST, key: str = "bill") -> EntryEvent:
    return EntryEvent(on, EventOrder.POSTED, key, posted)


def paid(yen: int, source: str | None = CASH, *, on: date = SECOND) -> EntryEvent:
    return EntryEvent(on, EventOrder.PAID, "payment", yen=yen, source=source)


def taken_over(yen: int) -> EntryEvent:
    return EntryEvent(SECOND, EventOrder.TAKEN_OVER, "arrears", yen=yen)


def posted(
    *events: EntryEvent, is_owners: bool = False, is_income: bool = True
) -> list[dict[str, int]]:
    """What each event posts to each role; the postings of each come to 0."""
    found = list(entry_moves(EntryMoney("entry", events, is_owners, is_income)))
    for moved in found:
        roles = [posting.role for posting in moved.postings]
        assert len(roles) == len(set(roles))
        assert all(posting.yen for posting in moved.postings)
    return [{one.role: one.yen for one in moved.postings} for moved in found]


def test_roles_are_named_by_category_and_method() -> None:
    assert income_role(REPAIR) == "income/repair"
    assert (money_role("cash"), money_role("opening")) == ("money/cash", "opening")


def test_an_own_building_earns_when_it_bills_and_the_money_settles_what_is_open() -> None:
    assert posted(billed(lines(80_000)), paid(80_000)) == [
        {"income/rent": -80_000, "receivable": 80_000},
        {CASH: 80_000, "receivable": -80_000},
    ]


def test_a_deposit_is_owed_when_it_was_paid_and_more_than_all_is_overpaid() -> None:
    bill = billed(lines(80_000), lines(50_000, is_deposit=True))
    assert posted(bill, paid(100_000)) == [
        {"income/rent": -80_000, "receivable": 80_000},
        {CASH: 100_000, "deposits": -20_000, "receivable": -80_000},
    ]
    assert posted(bill, paid(140_000))[1] == {
        **{CASH: 140_000, "deposits": -50_000},
        **{"overpayments": -10_000, "receivable": -80_000},
    }


def test_two_bills_and_payments_add_up() -> None:
    events = (
        billed(lines(50_000), lines(20_000, is_deposit=True)),
        billed(lines(30_000), lines(10_000, is_deposit=True), on=SECOND, key="more"),
        paid(60_000, on=THIRD),
        paid(60_000, "money/card", on=date(2026, 11, 10)),
    )
    assert posted(*events)[2:] == [
        {CASH: 60_000, "receivable": -60_000},
        {"money/card": 60_000, "deposits": -30_000, "overpayments": -10_000, "receivable": -20_000},
    ]


def test_money_that_only_moved_within_a_reservation_came_from_nowhere() -> None:
    assert posted(billed(lines(80_000)), paid(80_000, None))[1] == {"receivable": -80_000}


def test_what_an_arrears_charge_takes_over_was_earned_already() -> None:
    taken = posted(billed(lines(80_000)), taken_over(30_000), paid(50_000, on=THIRD))
    assert taken[1:] == [
        {"income/other": 30_000, "receivable": -30_000},
        {CASH: 50_000, "receivable": -50_000},
    ]
    twice = [taken_over(10_000), taken_over(20_000)]
    assert posted(billed(lines(80_000)), *twice, paid(60_000, on=THIRD))[3] == {
        **{CASH: 60_000, "overpayments": -10_000, "receivable": -50_000},
    }


def test_an_opening_entry_earns_nothing() -> None:
    assert posted(billed(lines(80_000)), is_income=False) == [
        {"opening": -80_000, "receivable": 80_000}
    ]


def test_bills_are_told_before_the_money_of_their_day() -> None:
    moves = entry_moves(EntryMoney("entry", [paid(1, on=FIRST), billed(lines(1))]))
    assert [(moved.key, moved.on) for moved in moves] == [("bill", FIRST), ("payment", FIRST)]


def test_a_posting_says_how_it_is_taxed() -> None:
    bill = billed(lines(11_000, tax=TaxTreatment.TAXABLE_10))
    (moved,) = entry_moves(EntryMoney("entry", [bill]))
    assert {one.role: one.tax for one in moved.postings} == {
        "income/rent": TaxTreatment.TAXABLE_10,
        "receivable": TaxTreatment.OUT_OF_SCOPE,
    }


@pytest.mark.parametrize(
    ("yen", "after"),
    [
        (60_000, {"owners_money": -60_000}),
        (100_000, {"owners_money": -80_000, "deposits": -20_000}),
        (140_000, {"owners_money": -80_000, "deposits": -50_000, "overpayments": -10_000}),
    ],
)
def test_rent_is_the_owners_money_from_the_day_it_arrives(yen: int, after: dict[str, int]) -> None:
    bill = billed(lines(80_000), lines(50_000, is_deposit=True))
    assert posted(bill, paid(yen), is_owners=True) == [{}, {CASH: yen, **after}]


def test_money_before_its_bill_and_money_taken_back_are_not_the_owners() -> None:
    assert posted(paid(9_000, on=FIRST), billed(lines(8_000), on=SECOND), is_owners=True) == [
        {CASH: 9_000, "overpayments": -9_000},
        {"overpayments": 8_000, "owners_money": -8_000},
    ]
    assert posted(billed(lines(8_000)), paid(-500), is_owners=True)[1] == {
        CASH: -500,
        "overpayments": 500,
    }


@pytest.mark.parametrize(
    ("yen", "source", "after"),
    [
        (-5_000, None, {"owners_money": 5_000}),
        (-9_000, None, {"owners_money": 8_000, "overpayments": 1_000}),
        (1_000, CASH, {CASH: 1_000, "overpayments": -1_000}),
    ],
)
def test_of_a_credit_the_owner_bears_what_was_set_off(
    yen: int, source: str | None, after: dict[str, int]
) -> None:
    assert posted(billed(lines(-8_000)), paid(yen, source), is_owners=True) == [{}, after]


def test_what_an_arrears_charge_collects_is_no_money_of_the_owners_by_its_first_entry() -> None:
    taken = posted(billed(lines(8_000)), taken_over(3_000), paid(6_000, on=THIRD), is_owners=True)
    assert taken[1:] == [{}, {CASH: 6_000, "overpayments": -1_000, "owners_money": -5_000}]
    nothing_left = [taken_over(9_000), paid(2_000, on=THIRD)]
    assert posted(billed(lines(8_000)), *nothing_left, is_owners=True)[2] == {
        **{CASH: 2_000, "overpayments": -2_000}
    }


def test_an_opening_entry_of_an_owners_building_is_no_income_of_theirs() -> None:
    found = posted(billed(lines(8_000)), paid(6_000), is_owners=True, is_income=False)
    assert found[1] == {CASH: 6_000, "opening": -6_000}


@pytest.mark.parametrize(
    ("is_owners", "kept"), [(False, "income/kept_deposit"), (True, "owners_money")]
)
def test_a_settlement_keeps_refunds_and_leaves_the_rest_to_be_set_off(
    is_owners: bool, kept: str
) -> None:
    found = settlement_postings(
        SettledMoney(100_000, {TaxTreatment.TAXABLE_10: 30_000}, 60_000, is_owners)
    )
    assert {one.role: one.yen for one in found} == {
        **{"deposits": 100_000, "settling": -10_000, kept: -30_000, "refunds": -60_000},
    }


def test_what_a_refund_takes_after_the_settlement_is_to_be_sent_back() -> None:
    journal = Journal("settlement/one/2026-11-09", THIRD, "reservation", "house")
    journal.postings += [Posting("overpayments", 9_000), Posting("settling", -9_000)]
    assert journal.combine_postings().postings == [
        Posting("overpayments", 9_000),
        Posting("refunds", -9_000),
    ]


def test_what_goes_between_operator_and_owner_has_two_sides() -> None:
    assert fee_postings(4_400) == (
        Posting("owners_money", 4_400),
        Posting("management_fee", -4_400, TaxTreatment.TAXABLE_10),
    )
    assert cost_postings(9_000) == (Posting("owners_money", 9_000), Posting("owners_costs", -9_000))
    bank = "money/bank_transfer"
    assert payout_postings(9_000) == (Posting("owners_money", 9_000), Posting(bank, -9_000))
    assert refund_postings(9_000) == (Posting("refunds", 9_000), Posting(bank, -9_000))


def journal(key: str, *postings: Posting, booked_on: date | None = None) -> Journal:
    return Journal(key, FIRST, "subject", "building", "memo", list(postings), booked_on)


def test_a_journal_tells_its_day_its_sum_and_what_it_adds_to_the_owner() -> None:
    one = journal("payment/1", Posting(CASH, 1), Posting("owners_money", -1), Posting("x", 9))
    assert (one.entered_on, one.debit_yen, one.owners_yen) == (FIRST, 10, 1)
    assert journal("payment/1", booked_on=SECOND).entered_on == SECOND
    assert [journal(key).is_income_of_owner for key in ("payment/1", "transfer/1", "fee/1")] == [
        True,
        True,
        False,
    ]


def test_postings_of_a_role_and_tax_come_together_debits_first() -> None:
    parts = [Posting("b", -5), Posting("c", 1), Posting("a", 3), Posting("b", -1), Posting("c", -1)]
    taxed = Posting("b", 3, TaxTreatment.EXEMPT)
    assert combine_postings([*parts, taxed]) == [Posting("a", 3), taxed, Posting("b", -6)]
    assert journal("key", *parts).combine_postings().postings == [Posting("a", 3), Posting("b", -6)]


def test_the_open_month_undoes_what_changed_in_closed_ones_and_says_it_anew() -> None:
    here, there = (Posting("a", 5), Posting("b", -5)), (Posting("a", 7), Posting("b", -7))
    was = {"changed": journal("changed", *here), "gone": journal("gone", *here)}
    was |= {"a same": journal("a same", *here), "empty": journal("empty")}
    now = {"changed": journal("changed", *there), "new": journal("new", *there)}
    now |= {"a same": journal("a same", *here[::-1]), "empty": journal("empty", *here)}
    found = list(corrections(was, now, THIRD))
    back = [Posting("b", 5), Posting("a", -5)]
    assert [(one.key, one.postings) for one in found] == [
        *(("changed", back), ("changed", list(there)), ("empty", list(here))),
        *(("gone", back), ("new", list(there))),
    ]
    assert all(one.is_late and one.entered_on == THIRD for one in found)
    assert (found[0].happened_on, found[0].memo) == (FIRST, "memo")
    (emptied,) = corrections({"x": journal("x", *here)}, {"x": journal("x")}, THIRD)
    assert emptied.postings == back


def test_debits_and_credits_of_a_role_are_summed_apart() -> None:
    journals = [journal("1", Posting("b", 5), Posting("a", -5)), journal("2", Posting("b", -2))]
    assert totals(journals) == [Sums("a", 0, 5), Sums("b", 5, 2)]
    assert totals(journals * 2) == [Sums("a", 0, 10), Sums("b", 10, 4)]
