"""Classes, windows and notices depend on days alone, and billing follows the month to month."""

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.contract_dates import (
    ContractTerm,
    contract_days,
    effective_day,
)
from pms.rules.days import ONE_DAY, CorruptDay, has_whole_month
from pms.rules.enumerations import MonthToMonthState, ReservationKind
from pms.rules.notices import (
    ForcedFlag,
    count_notice,
    is_window_open,
    notice_class_days,
    notice_given_days,
    notice_missing_days,
    notice_owed_days,
    window_opens_on,
)
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import TenancyFacts, billable_span, month_to_month_state
from tests.rules.facts import flags, near_days, policies, tenancies, terms_with_an_end

YEARS_OF_400 = 146_097


@given(near_days, st.none() | near_days, st.none() | near_days, st.none() | near_days)
def test_an_override_replaces_its_date_everywhere(
    move_in_on: date, end_on: date | None, other_start: date | None, other_end: date | None
) -> None:
    assert effective_day(move_in_on, other_start) == (other_start or move_in_on)
    assert effective_day(end_on, other_end) == (other_end or end_on)


def test_a_corrupt_override_is_set_and_stays_corrupt() -> None:
    corrupt = CorruptDay("31 June")
    assert effective_day(date(2026, 6, 30), corrupt) == corrupt
    assert effective_day(corrupt, date(2026, 6, 30)) == date(2026, 6, 30)
    assert effective_day(corrupt, None) == corrupt


@given(terms_with_an_end(), policies)
def test_the_class_depends_on_the_count_of_days_unless_a_month_is_whole(
    term: ContractTerm, policy: Policy
) -> None:
    days, end_on = contract_days(term), term.end_on
    assert days is not None
    assert end_on is not None
    is_long = days > policy.short_contract_days or (
        policy.full_calendar_month_is_long and has_whole_month(term.start_on, end_on)
    )
    expected = policy.long_notice_days if is_long else policy.short_notice_days
    assert notice_class_days(term, policy) == expected


@given(terms_with_an_end())
def test_the_class_is_the_same_in_every_turn_of_the_calendar(term: ContractTerm) -> None:
    turn = timedelta(days=YEARS_OF_400)
    assert term.end_on is not None
    later = ContractTerm(term.start_on + turn, term.end_on + turn)
    assert notice_class_days(later, DEFAULT_POLICY) == notice_class_days(term, DEFAULT_POLICY)


@given(terms_with_an_end(), policies)
def test_the_window_opens_inside_the_contract_on_a_day_inside_the_window(
    term: ContractTerm, policy: Policy
) -> None:
    opens_on = window_opens_on(term, policy)
    assert opens_on is not None
    assert term.end_on is not None
    assert term.start_on <= opens_on <= term.end_on
    assert is_window_open(term, opens_on, policy)
    assert not is_window_open(term, opens_on - ONE_DAY, policy)


@given(terms_with_an_end(), st.integers(-40, 900), st.none() | flags, policies)
def test_filing_later_never_owes_less_notice_unless_a_flag_was_cleared(
    term: ContractTerm, offset: int, flag: ForcedFlag | None, policy: Policy
) -> None:
    kept = flag and replace(flag, cleared_on=None)
    filed_on = term.start_on + timedelta(days=offset)
    owed = notice_owed_days(term, filed_on, kept, policy)
    assert owed <= notice_owed_days(term, filed_on + ONE_DAY, kept, policy)
    assert owed in (policy.short_notice_days, policy.long_notice_days)


@given(near_days, near_days, st.integers(0, 60))
def test_missing_notice_lies_between_none_and_all_and_grows_a_day_at_a_time(
    filed_on: date, move_out_on: date, owed: int
) -> None:
    given_days = notice_given_days(filed_on, move_out_on)
    missing = notice_missing_days(owed, given_days)
    assert 0 <= missing <= owed
    assert 0 <= notice_missing_days(owed, given_days - 1) - missing <= 1
    assert (missing == owed) == (filed_on > move_out_on or owed == 0)


@given(terms_with_an_end(), near_days, near_days, st.none() | flags, policies)
def test_a_count_of_notice_agrees_with_its_parts(
    term: ContractTerm, filed_on: date, move_out_on: date, flag: ForcedFlag | None, policy: Policy
) -> None:
    count = count_notice(term, filed_on, move_out_on, flag, policy)
    assert count.missing_days == notice_missing_days(count.owed_days, count.given_days)


def test_a_flag_counts_from_the_day_it_is_set_until_the_day_it_is_cleared() -> None:
    flag = ForcedFlag(date(2026, 2, 10), date(2026, 3, 1))
    assert not flag.is_set_on(date(2026, 2, 9))
    assert flag.is_set_on(date(2026, 2, 10))
    assert flag.is_set_on(date(2026, 2, 28))
    assert not flag.is_set_on(date(2026, 3, 1))


@given(tenancies, near_days, policies)
def test_a_notice_a_short_term_booking_and_a_cancellation_end_month_to_month(
    tenancy: TenancyFacts, on: date, policy: Policy
) -> None:
    for ended in (
        replace(tenancy, is_cancelled=True),
        replace(tenancy, kind=ReservationKind.GUEST),
        replace(tenancy, filed_on=on, move_out_on=on),
    ):
        assert month_to_month_state(ended, on, policy) is MonthToMonthState.NONE


@given(tenancies, near_days, policies)
def test_a_successor_ends_the_derived_state_and_never_the_forced_one(
    tenancy: TenancyFacts, on: date, policy: Policy
) -> None:
    alone = month_to_month_state(replace(tenancy, successor_start_on=None), on, policy)
    followed = month_to_month_state(replace(tenancy, successor_start_on=on), on, policy)
    expected = {MonthToMonthState.DERIVED: MonthToMonthState.NONE}.get(alone, alone)
    assert followed is expected


@given(tenancies, near_days, policies)
def test_the_billable_span_starts_with_the_contract_and_is_open_month_to_month(
    tenancy: TenancyFacts, on: date, policy: Policy
) -> None:
    span = billable_span(tenancy, on, policy)
    state = month_to_month_state(tenancy, on, policy)
    if span is None:
        assert (
            tenancy.is_cancelled
            or tenancy.kind is not ReservationKind.RESIDENT
            or (state is MonthToMonthState.NONE)
        )
        return
    assert span.first_on == tenancy.term.start_on
    assert span.last_on is None or span.first_on <= span.last_on
    if state is not MonthToMonthState.NONE:
        assert span.last_on is None


def test_whoever_has_no_contract_end_is_month_to_month_from_the_first_day_on() -> None:
    start_on = date(2026, 6, 10)
    states = [
        month_to_month_state(
            TenancyFacts(ContractTerm(start_on, None)), start_on + day, DEFAULT_POLICY
        )
        for day in (-ONE_DAY, timedelta(0), ONE_DAY)
    ]
    assert states == [MonthToMonthState.NONE, *[MonthToMonthState.DERIVED] * 2]


def test_a_notice_counts_from_the_day_it_is_filed() -> None:
    tenancy = TenancyFacts(
        ContractTerm(date(2026, 1, 1), date(2026, 6, 10)),
        filed_on=date(2026, 5, 25),
        move_out_on=date(2026, 7, 20),
    )
    before, after = date(2026, 5, 24), date(2026, 5, 25)
    assert month_to_month_state(tenancy, before, DEFAULT_POLICY) is MonthToMonthState.DERIVED
    assert month_to_month_state(tenancy, after, DEFAULT_POLICY) is MonthToMonthState.NONE


def test_nothing_is_billed_for_a_cancelled_booking_or_of_itself_for_an_owner_resident() -> None:
    tenancy = TenancyFacts(ContractTerm(date(2026, 1, 1), None))
    on = date(2026, 2, 1)
    assert billable_span(tenancy, on, DEFAULT_POLICY)
    assert billable_span(replace(tenancy, is_cancelled=True), on, DEFAULT_POLICY) is None
    owner = replace(tenancy, kind=ReservationKind.OWNER_RESIDENT)
    assert billable_span(owner, on, DEFAULT_POLICY) is None
