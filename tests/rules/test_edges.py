"""The very figure at which a rule changes its answer, of rules that are tried elsewhere."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from pms.rules.addresses import telephone_key
from pms.rules.chat_cost import Tokens, used_tokens
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import Days, share_a_day
from pms.rules.deposit import deposit_transfer
from pms.rules.invoices import transfer_reference
from pms.rules.ledger_entries import EntryBalance, EntryHistory, EntryPosting, standings_on
from pms.rules.open_bills import OpenBill, PaymentPart, deduct_parts, in_order
from pms.rules.payments import (
    AllocatedPart,
    PaymentProblem,
    ReturnProblem,
    UsedOverpayment,
    overpayments_used,
    refusal_of_payment,
    refusal_of_return,
)
from pms.rules.policy import Policy
from pms.rules.price_changes import PricedDays, PriceSpan, priced_days
from pms.rules.provider_json import LEAST_WHOLE, MOST_WHOLE, BadJson, describe_value, read_json
from pms.rules.rent_lines import Discount, Price, earns_discount, rent_lines, total_yen
from pms.rules.request_budget import Checks, status_of
from pms.rules.room_names import RoomNames, RoomsNamed, is_named
from pms.rules.sign_in_codes import CodeAnswer, SentCode, refusal_of_code
from pms.rules.unit_stays import BillableSpan, Span, TenancyFacts, billable_span, overlaps

TODAY = date(2026, 11, 20)
ONE = timedelta(days=1)


def test_runs_that_end_and_begin_on_one_day_share_it() -> None:
    one, other = Days(TODAY, TODAY + ONE), Days(TODAY + ONE, TODAY + 2 * ONE)
    assert share_a_day(one, other) and share_a_day(other, one)
    after = Days(TODAY + 2 * ONE, TODAY + 2 * ONE)
    assert not share_a_day(one, after) and not share_a_day(after, one)


def test_a_price_that_changes_on_the_last_day_is_told_of_that_day() -> None:
    before = PriceSpan(date(2026, 1, 1), TODAY, {"rent": 70_000})
    after = PriceSpan(TODAY + ONE, None, {"rent": 80_000})
    assert priced_days((before, after), "rent", Days(TODAY, TODAY + ONE)) == [
        PricedDays(Days(TODAY, TODAY), 70_000),
        PricedDays(Days(TODAY + ONE, TODAY + ONE), 80_000),
    ]


@pytest.mark.parametrize(
    ("yen", "returned_on", "problem"),
    [
        (1, TODAY, None),
        (100, TODAY, None),
        (100, TODAY - 9 * ONE, None),
        (0, TODAY, ReturnProblem.NOT_POSITIVE),
        (101, TODAY, ReturnProblem.ABOVE_LEFT),
        (1, TODAY + ONE, ReturnProblem.AFTER_TODAY),
        (1, TODAY - 10 * ONE, ReturnProblem.BEFORE_PAYMENT),
    ],
)
def test_money_goes_back_from_the_day_it_came_until_today(
    yen: int, returned_on: date, problem: ReturnProblem | None
) -> None:
    assert refusal_of_return(yen, 100, returned_on, TODAY - 9 * ONE, TODAY) is problem


def test_a_credit_and_a_voided_entry_take_no_payment() -> None:
    entry = EntryBalance("one", TODAY, 100)
    assert refusal_of_payment(entry, 1) is None
    assert refusal_of_payment(entry, 0) is PaymentProblem.NOT_POSITIVE
    assert refusal_of_payment(replace(entry, is_voided=True), 1) is PaymentProblem.ENTRY_VOIDED
    assert refusal_of_payment(replace(entry, payable_yen=-1), 1) is PaymentProblem.ENTRY_IS_CREDIT


def test_overpayments_pay_the_oldest_open_bills_and_a_credit_pays_none() -> None:
    over = EntryBalance("over", TODAY, 50, paid_yen=150)
    more = EntryBalance("more", TODAY, 0, paid_yen=30)
    later, sooner = EntryBalance("a", TODAY, 80), EntryBalance("b", TODAY - ONE, 40, deposit_yen=30)
    credit = EntryBalance("credit", TODAY, -500)
    used = overpayments_used([credit, over, later, sooner, more])
    assert used == (
        UsedOverpayment("over", (AllocatedPart("b", 70), AllocatedPart("a", 30))),
        UsedOverpayment("more", (AllocatedPart("a", 30),)),
    )
    assert overpayments_used([over, replace(later, paid_yen=80)]) == ()


def test_what_is_left_of_a_bill_is_less_each_part_and_never_negative() -> None:
    bills = {"a": OpenBill("a", "A", TODAY, TODAY, 10), "b": OpenBill("b", "A", TODAY, TODAY, 1)}
    parts = [PaymentPart("a", "A", 4), PaymentPart("a", "A", 5), PaymentPart("b", "A", 2)]
    left = deduct_parts(bills, parts)
    assert {id_: bill.open_yen for id_, bill in left.items()} == {"a": 1, "b": 0}
    assert in_order(list(left.values())) == [left["a"]]


def test_one_yen_held_is_transferred_and_none_is_not() -> None:
    moved = deposit_transfer(1, TODAY)
    assert moved is not None and moved.out.line_yen + moved.into.line_yen == 0
    assert deposit_transfer(0, TODAY) is None


def test_an_open_term_earns_no_discount_that_asks_for_a_day() -> None:
    assert not earns_discount(Discount(minimum_stay_days=1), ContractTerm(TODAY, None))
    assert earns_discount(Discount(minimum_stay_days=0), ContractTerm(TODAY, None))


def test_a_stay_that_ends_before_it_begins_meets_no_other() -> None:
    empty, around = Span("a", TODAY, TODAY), Span("b", TODAY - ONE, TODAY + ONE)
    assert not overlaps(empty, around) and not overlaps(around, empty)


@pytest.mark.parametrize(
    ("failed", "status"),
    [
        ("is_key_valid", 401),
        ("is_budget_left", 429),
        ("has_scope", 403),
        ("is_valid", 400),
        ("is_found", 404),
        ("is_unique", 409),
    ],
)
def test_each_check_has_its_status(failed: str, status: int) -> None:
    assert status_of(Checks(**{failed: False})) == status


def test_no_code_opens_nothing_also_on_the_screen_that_asked() -> None:
    now = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
    assert refusal_of_code(None, now, is_same_screen=True) is CodeAnswer.OTHER_SCREEN
    sent = SentCode(now, is_newest=True, wrong_tries=0)
    assert refusal_of_code(sent, now, is_same_screen=False) is CodeAnswer.OTHER_SCREEN


def test_sixty_characters_are_shown_whole() -> None:
    assert describe_value("x" * 60) == "x" * 60
    assert describe_value("x" * 61) == "x" * 60 + "…"
    found: tuple[object, ...] = (None, True, [], {}, 7)
    assert [describe_value(value) for value in found] == [
        "null",
        "true",
        "a list",
        "an object",
        "7",
    ]


def test_a_number_of_six_digits_is_told_from_others() -> None:
    assert telephone_key("12-34 56") == "123456"
    assert telephone_key("12345") is None
    assert (
        telephone_key("+81 (0)90-1234-5678") == telephone_key("０９０ 1234 5678") == "09012345678"
    )
    assert telephone_key("8190123456") == "8190123456"
    assert telephone_key("X12345x6") == "123456"
    assert telephone_key("+49123456") == "49123456"
    assert telephone_key(None) is None


def test_a_reference_is_always_the_same() -> None:
    assert transfer_reference("r", "e") == "2BX6-5QKV"
    assert transfer_reference("0193e0c0", "0193e0c1") == "WFAT-HPVV"


def test_the_most_tokens_a_provider_may_tell_of_are_counted() -> None:
    most = Tokens(1, 2)
    for text in (0, 10_000_000):
        usage: dict[str, object] = {"prompt_tokens": text, "completion_tokens": text}
        assert used_tokens(usage, most) == Tokens(text, text)
    for part in ("prompt_tokens", "completion_tokens"):
        for wrong in (-1, 10_000_001, True, "7", None):
            usage = {"prompt_tokens": 7, "completion_tokens": 7, part: wrong}
            assert used_tokens(usage, most) == most
    assert used_tokens("7", most) == most


def test_a_code_is_spent_with_the_fifth_wrong_try() -> None:
    now = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
    answers = [
        refusal_of_code(SentCode(now, is_newest=True, wrong_tries=tries), now, is_same_screen=True)
        for tries in (4, 5)
    ]
    assert answers == [None, CodeAnswer.SPENT]


def test_whole_numbers_of_64_bits_are_read() -> None:
    assert read_json(b"[-9223372036854775808, 9223372036854775807]") == [LEAST_WHOLE, MOST_WHOLE]
    for wrong in (b"-9223372036854775809", b"9223372036854775808", b"1" * 21):
        with pytest.raises(BadJson):
            read_json(wrong)


def test_a_part_of_a_name_is_its_own_when_it_is_long_enough_and_no_number() -> None:
    assert is_named("Hoshimi House 12", "the Hoshimi please")
    assert not is_named("Hoshimi House 123", "123 nights")
    assert not is_named("Hoshimi AB", "ab nights")
    assert not is_named("Hoshimi", "hoshimizu")
    assert not is_named("", "anything")
    assert is_named("星見荘", "星見荘は?")


def test_a_room_is_named_in_any_way_it_is_written() -> None:
    names = RoomNames(("102", "A-05", "7"))
    for text, found, has_unknown in (
        ("room 102 and A05", {"102", "A-05"}, False),
        ("room 102 and room 7", {"102", "7"}, False),
        ("room 999 and room 102", {"102"}, True),
        ("102 minutes", set[str](), False),
    ):
        assert names.named_in(text) == RoomsNamed(frozenset(found), has_unknown)


def test_an_entry_counts_from_its_first_posting_on() -> None:
    postings = (EntryPosting(TODAY + ONE, 100), EntryPosting(TODAY, 1_000))
    entry = EntryHistory("one", TODAY, postings)
    assert [one.payable_yen for one in standings_on([entry], TODAY)] == [1_000]
    assert standings_on([entry], TODAY - ONE) == ()


def test_a_single_day_is_billed() -> None:
    tenancy = TenancyFacts(ContractTerm(TODAY, TODAY + 99 * ONE), move_out_on=TODAY)
    assert billable_span(tenancy, TODAY, Policy()) == BillableSpan(TODAY, TODAY)
    gone = TenancyFacts(ContractTerm(TODAY, TODAY + 99 * ONE), move_out_on=TODAY - ONE)
    assert billable_span(gone, TODAY, Policy()) is None


def test_a_discount_for_once_is_of_the_first_period_alone() -> None:
    price = Price(
        (PriceSpan(TODAY, None, {"base_rent": 300}),), Discount(yen=100, is_recurring=False)
    )
    november = Days(date(2026, 11, 1), date(2026, 11, 30))
    assert total_yen(rent_lines(price, november)) == 300
    assert total_yen(rent_lines(price, november, is_first_period=True)) == 200


@pytest.mark.parametrize(
    ("name", "question", "is_meant"),
    [
        ("Hoshimi House", "hoshimi?", True),
        ("The Sky House", "sky", True),
        ("The So House", "so?", False),
        ("The So House", "the so house?", True),
        ("シェアハウス星見", "星見は?", True),
        ("シェアハウス星", "星は?", False),
        ("星見・カワセミ荘", "カワセミ荘", True),
        ("星見(カワセミ)", "かわせみ", True),
        ("Sky 2nd", "the 2nd", True),
        ("星見 123", "123", False),
        ("Sky", "skyline", False),
        ("Sky", "bluesky", False),
        ("Sky", "2sky", False),
        ("Sky", "空skyへ", True),
        ("A.B", "axb", False),
        ("House", "a house", True),
        ("Share House", "a house", False),
    ],
)
def test_a_place_is_meant_by_its_name_or_by_what_is_its_own_in_it(
    name: str, question: str, is_meant: bool
) -> None:
    assert is_named(name, question) is is_meant


@pytest.mark.parametrize(
    ("text", "found", "has_unknown"),
    [
        ("A-05-1 is nice", {"A-05-1"}, False),
        ("a05 is nice", {"A-05"}, False),
        ("a 05 is nice", {"A-05"}, False),
        ("ａ‐０５", {"A-05"}, False),
        ("A-05 minutes", {"A-05"}, False),
        ("B2", {"B2"}, False),
        ("102", {"102"}, False),
        ("102 minutes", set[str](), False),
        ("1020 or 102.5 or ¥102", set[str](), False),
        ("7 is nice", set[str](), False),
        ("no. 7, 8号", set[str](), True),
        ("7号室", {"7"}, False),
        ("#7", {"7"}, False),
        ("room 7- ", {"7"}, False),
        ("rooms 999, 102", {"102"}, True),
        ("room seven", set[str](), True),
        ("", set[str](), False),
    ],
)
def test_a_room_is_found_by_the_longest_name_that_stands_alone(
    text: str, found: set[str], has_unknown: bool
) -> None:
    names = RoomNames(("102", "A-05", "A-05-1", "B2", "7"))
    assert names.named_in(text) == RoomsNamed(frozenset(found), has_unknown)


def test_two_rooms_of_one_name_are_both_meant_and_no_rooms_are_none() -> None:
    assert RoomNames(("A-05", "A-05-1")).named_in("A-05-1 is free").names == {"A-05-1"}
    assert RoomNames(("A-1", "A1")).named_in("a1").names == {"A-1", "A1"}
    assert RoomNames(("", "7")).named_in("7 and 8").names == frozenset()
    assert RoomNames(()).named_in("room 102") == RoomsNamed(frozenset(), True)
