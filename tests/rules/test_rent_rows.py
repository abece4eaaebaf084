"""Every billable day is billed exactly once in the end, whatever was edited on the way."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.contract_dates import (
    ContractTerm,
    TermProblem,
    billed_through_on,
    charge_due_on,
    move_in_invoice_due_on,
    refusal_of_term,
    rent_issued_on,
    row_due_on,
)
from pms.rules.days import ONE_DAY, Days, add_months, month_first, month_last
from pms.rules.enumerations import LineItem, ReservationKind, RowKind
from pms.rules.invoices import (
    OneTimeAmounts,
    OneTimeLine,
    invoice_months,
    invoice_periods,
    is_bundled,
    one_time_lines,
)
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Price, total_yen
from pms.rules.rent_rows import (
    BillableRow,
    IssuedRow,
    first_unbilled_on,
    move_in_rows,
    overridden_rows,
    repriced_rows,
    row_lines,
    rows_to_issue,
    standing_lines,
    uncovered_rows,
)
from pms.rules.unit_stays import BillableSpan, TenancyFacts, billable_span
from tests.rules.facts import TODAY, days_of_a_month, every_day, near_days, prices, tenancies

HORIZON = TODAY + timedelta(days=200)
AnyRow = BillableRow | IssuedRow


@st.composite
def spans(draw: st.DrawFn) -> BillableSpan:
    first_on = draw(near_days)
    last_on = draw(st.none() | st.dates(first_on, first_on + timedelta(days=150)))
    return BillableSpan(first_on, last_on)


edits = st.lists(st.none() | st.dates(TODAY - timedelta(days=90), HORIZON), max_size=4)


def billed_days(rows: Iterable[AnyRow]) -> list[date]:
    return [
        day
        for row in rows
        if row.last_on is not None
        for day in every_day(Days(row.first_on, row.last_on))
    ]


def billable_days(span: BillableSpan, through_on: date) -> list[date]:
    return every_day(Days(span.first_on, min(span.last_on or through_on, through_on)))


def as_issued(rows: Iterable[BillableRow]) -> list[IssuedRow]:
    return [IssuedRow(*row) for row in rows]


def billed(span: BillableSpan, issued: Sequence[IssuedRow], through_on: date) -> list[IssuedRow]:
    first_rows = [] if issued else as_issued(move_in_rows(span))
    rows = [*issued, *first_rows]
    return [*rows, *as_issued(uncovered_rows(span, rows, through_on))]


def live(rows: Iterable[AnyRow]) -> set[tuple[RowKind, date, date | None]]:
    return {(row.kind, row.first_on, row.last_on) for row in rows if row.last_on is not None}


@given(spans(), edits)
def test_after_any_edits_every_billable_day_is_billed_exactly_once(
    span: BillableSpan, ends: list[date | None]
) -> None:
    rows = billed(span, (), add_months(span.first_on, 2))
    for end_on in ends:
        last_on = end_on and max(end_on, span.first_on)
        span = replace(span, last_on=last_on)
        rows = list(repriced_rows(rows, span))
        assert max(Counter(billed_days(rows)).values(), default=1) == 1
        rows = billed(span, rows, TODAY)
    rows = billed(span, rows, month_last(HORIZON))
    assert sorted(billed_days(rows)) == billable_days(span, month_last(HORIZON))


@given(spans(), st.lists(near_days, max_size=5))
def test_billing_in_any_number_of_runs_bills_the_same_days(
    span: BillableSpan, runs: list[date]
) -> None:
    rows = billed(span, (), span.first_on)
    for through_on in [*runs, HORIZON]:
        rows = billed(span, rows, month_last(through_on))
    assert live(rows) == live(billed(span, (), month_last(HORIZON)))


@given(tenancies, near_days, near_days)
def test_a_billing_run_asked_again_has_nothing_to_issue(
    tenancy: TenancyFacts, on: date, through_on: date
) -> None:
    rows = as_issued(rows_to_issue(tenancy, (), on, through_on, DEFAULT_POLICY))
    if rows:
        assert rows_to_issue(tenancy, rows, on, through_on, DEFAULT_POLICY) == ()


@given(tenancies, near_days)
def test_nothing_is_issued_for_a_cancelled_booking_or_an_owner_resident(
    tenancy: TenancyFacts, on: date
) -> None:
    owner = replace(tenancy, kind=ReservationKind.OWNER_RESIDENT)
    for nobody in (owner, replace(tenancy, is_cancelled=True)):
        assert rows_to_issue(nobody, (), on, HORIZON, DEFAULT_POLICY) == ()


@given(spans())
def test_the_invoice_bundles_the_second_month_after_the_fifteenth_only(span: BillableSpan) -> None:
    periods = invoice_periods(span)
    assert periods[0].first_on == span.first_on
    assert len(periods) == 1 or is_bundled(span.first_on)
    ordinary = [row for row in billed(span, (), HORIZON) if row.kind is RowKind.RENT]
    assert not ordinary or ordinary[0].first_on == first_ordinary_on(span)
    assert all(row.first_on.day == 1 for row in ordinary)


@given(spans())
def test_rows_never_leave_their_month_and_a_stub_shares_its_month(span: BillableSpan) -> None:
    half = replace(span, last_on=span.first_on + timedelta(days=40))
    rows = billed(span, billed(half, (), HORIZON), HORIZON)
    months = Counter(month_first(row.first_on) for row in rows)
    for row in rows:
        assert row.last_on is not None
        assert month_first(row.first_on) == month_first(row.last_on)
        if row.kind is RowKind.STUB:
            assert months[month_first(row.first_on)] > 1


@given(spans(), spans(), near_days)
def test_repricing_is_idempotent_and_repricing_back_restores(
    span: BillableSpan, other: BillableSpan, through_on: date
) -> None:
    rows = tuple(billed(span, (), through_on))
    edited = repriced_rows(rows, replace(span, last_on=other.last_on))
    assert repriced_rows(edited, replace(span, last_on=other.last_on)) == edited
    assert repriced_rows(edited, span) == rows
    assert [row.first_on for row in edited] == [row.first_on for row in rows]


def first_ordinary_on(span: BillableSpan) -> date:
    return add_months(month_first(span.first_on), invoice_months(span.first_on))


@given(spans(), st.data())
def test_a_stub_never_becomes_a_whole_month(span: BillableSpan, data: st.DataObject) -> None:
    month_on = first_ordinary_on(span)
    cut_on = data.draw(st.dates(month_on, month_last(month_on) - ONE_DAY))
    rows = billed(replace(span, last_on=cut_on), (), HORIZON)
    rows = billed(replace(span, last_on=None), rows, month_last(month_on))
    assert rows[-1].kind is RowKind.STUB
    for end_on in (cut_on + ONE_DAY, None, HORIZON):
        rows = list(repriced_rows(rows, replace(span, last_on=end_on)))
        assert rows[-1].first_on == cut_on + ONE_DAY


def test_a_row_issued_anew_where_one_had_netted_has_the_days() -> None:
    netted = IssuedRow(RowKind.RENT, date(2026, 7, 1), None)
    anew = IssuedRow(RowKind.RENT, date(2026, 7, 1), date(2026, 7, 31))
    span = BillableSpan(date(2026, 1, 1), date(2026, 7, 20))
    assert repriced_rows((netted, anew), span) == (
        netted,
        anew._replace(last_on=date(2026, 7, 20)),
    )


@given(spans(), prices, near_days)
def test_a_row_without_days_has_no_lines(span: BillableSpan, price: Price, end_on: date) -> None:
    rows = billed(span, (), TODAY)
    for row in repriced_rows(rows, replace(span, last_on=max(end_on, span.first_on))):
        assert not standing_lines(price, row, span.first_on) or row.last_on is not None


def test_without_a_span_every_row_nets_to_nothing() -> None:
    rows = billed(BillableSpan(date(2026, 3, 20), None), (), HORIZON)
    assert not live(repriced_rows(rows, None))
    nothing = overridden_rows(rows, None)
    assert not nothing.invoice
    assert not live(nothing.kept)


@given(near_days, near_days, st.none() | near_days, near_days)
def test_an_override_leaves_the_rows_an_original_with_that_date_would_have(
    start_on: date, other_start_on: date, move_out_on: date | None, through_on: date
) -> None:
    end_on = max(start_on, other_start_on) + timedelta(days=300)
    original = TenancyFacts(ContractTerm(start_on, end_on), move_out_on=move_out_on)
    issued = as_issued(rows_to_issue(original, (), TODAY, through_on, DEFAULT_POLICY))
    moved = replace(original, term=ContractTerm(other_start_on, end_on))
    span = billable_span(moved, TODAY, DEFAULT_POLICY)
    if not issued or span is None:
        return
    rows = overridden_rows(issued, span)
    standing = [*as_issued(rows.invoice), *rows.kept, *as_issued(rows.created)]
    assert max(Counter(billed_days(standing)).values()) == 1
    later = rows_to_issue(moved, standing, TODAY, HORIZON, DEFAULT_POLICY)
    wanted = rows_to_issue(moved, (), TODAY, HORIZON, DEFAULT_POLICY)
    assert live([*standing, *later]) == live(wanted)
    assert {*rows.voided} <= {*issued}


def test_an_override_keeps_a_stub_beside_the_invoice() -> None:
    start_on, end_on = date(2026, 6, 16), date(2026, 7, 10)
    span = BillableSpan(start_on, end_on)
    issued = billed(replace(span, last_on=None), billed(span, (), HORIZON), date(2026, 7, 31))
    rows = overridden_rows(issued, BillableSpan(date(2026, 6, 20), None))
    assert [row.last_on for row in rows.invoice] == [date(2026, 6, 30), end_on]
    assert [row.kind for row in rows.kept] == [RowKind.STUB]
    assert rows.voided == ()


@given(near_days, near_days, st.integers(20, 80), near_days)
def test_a_part_billed_after_an_override_has_the_kind_of_an_original_with_that_date(
    start_on: date, other_start_on: date, days: int, through_on: date
) -> None:
    """Where the contract ended in a month, its parts are rows of their own, whenever billed."""
    end_on = max(start_on, other_start_on) + timedelta(days=days)
    ended, goes_on = BillableSpan(start_on, end_on), BillableSpan(start_on, None)
    issued = billed(goes_on, billed(ended, (), end_on), max(through_on, month_last(end_on)))
    moved = BillableSpan(other_start_on, None)
    rows = overridden_rows(issued, moved)
    standing = [*as_issued(rows.invoice), *rows.kept, *as_issued(rows.created)]
    after = live(billed(moved, standing, HORIZON + timedelta(days=365)))
    wanted = live(
        billed(
            moved,
            billed(replace(moved, last_on=end_on), (), end_on),
            HORIZON + timedelta(days=365),
        )
    )
    parts = {(first_on, last_on): kind for kind, first_on, last_on in wanted}
    for kind, first_on, last_on in after:
        assert parts.get((first_on, last_on), kind) is kind


def test_the_beginning_of_a_month_that_leaves_the_invoice_is_rent_beside_its_stub() -> None:
    end_on = date(2026, 7, 10)
    ended, goes_on = (BillableSpan(date(2026, 6, 16), last_on) for last_on in (end_on, None))
    issued = billed(goes_on, billed(ended, (), HORIZON), date(2026, 7, 31))
    rows = overridden_rows(issued, BillableSpan(date(2026, 6, 10), None))
    assert rows.created == (BillableRow(RowKind.RENT, date(2026, 7, 1), end_on),)
    assert [row.kind for row in rows.kept] == [RowKind.STUB]


def test_a_start_moved_onto_the_first_day_of_a_row_swallows_it() -> None:
    issued = billed(BillableSpan(date(2026, 6, 1), None), (), date(2026, 8, 31))
    rows = overridden_rows(issued, BillableSpan(date(2026, 7, 1), None))
    assert [row.first_on for row in rows.voided] == [date(2026, 7, 1)]
    assert [row.first_on for row in rows.kept] == [date(2026, 8, 1)]


def test_only_months_that_were_on_the_invoice_become_entries_at_once() -> None:
    """The others, which an earlier start uncovers, wait for the next billing run."""
    issued = billed(BillableSpan(date(2026, 6, 10), None), (), date(2026, 6, 30))
    assert [row.kind for row in issued] == [RowKind.MOVE_IN]
    rows = overridden_rows(issued, BillableSpan(date(2026, 3, 10), None))
    assert [row[1:] for row in rows.invoice] == [(date(2026, 3, 10), date(2026, 3, 31))]
    assert [row[1:] for row in rows.created] == [(date(2026, 6, 1), date(2026, 6, 30))]
    standing = as_issued([*rows.invoice, *rows.created])
    tenancy = TenancyFacts(ContractTerm(date(2026, 3, 10), None))
    later = rows_to_issue(tenancy, standing, TODAY, date(2026, 6, 30), DEFAULT_POLICY)
    assert [month_first(row.first_on) for row in later] == [date(2026, 4, 1), date(2026, 5, 1)]


def test_rows_without_an_invoice_are_repriced_alone() -> None:
    issued = [IssuedRow(RowKind.RENT, date(2026, 7, 1), date(2026, 7, 31))]
    rows = overridden_rows(issued, BillableSpan(date(2026, 1, 1), date(2026, 7, 15)))
    assert rows.kept == (issued[0]._replace(last_on=date(2026, 7, 15)),)
    assert not rows.invoice + rows.created


@given(days_of_a_month(), prices, st.integers(0, 3))
def test_a_free_row_bills_its_days_all_the_same(days: Days, price: Price, more: int) -> None:
    free = Price((PriceSpan(days.first_on, None, {}),))
    row = BillableRow(RowKind.RENT, *days)
    assert row_lines(free, row, days.first_on) == ()
    assert total_yen(row_lines(price, row, days.first_on - timedelta(days=more))) >= 0


@given(spans())
def test_a_new_price_can_touch_the_days_after_the_last_billed_one(span: BillableSpan) -> None:
    rows = billed(span, (), HORIZON)
    assert first_unbilled_on(rows) == max(billed_days(rows)) + ONE_DAY
    assert first_unbilled_on(()) is None


@given(near_days, st.integers(1, 31))
def test_rent_is_issued_in_the_month_before_and_due_on_the_eve(month_on: date, day: int) -> None:
    policy = Policy(billing_day=day)
    first_on = month_first(month_on)
    issued_on = rent_issued_on(month_on, policy)
    assert month_first(issued_on) == add_months(first_on, -1)
    assert issued_on.day == min(day, month_last(issued_on).day)
    assert row_due_on(first_on, issued_on) == first_on - ONE_DAY
    assert billed_through_on(issued_on, policy) == month_last(month_on)
    assert billed_through_on(issued_on - ONE_DAY, policy) < first_on


@given(near_days, near_days, st.none() | near_days)
def test_nothing_is_due_before_it_is_issued(
    issued_on: date, first_on: date, named_on: date | None
) -> None:
    invoice_on = move_in_invoice_due_on(first_on, issued_on)
    assert row_due_on(first_on, issued_on) >= issued_on
    assert charge_due_on(issued_on, named_on) == max(issued_on, named_on or issued_on)
    assert issued_on <= invoice_on <= issued_on + timedelta(days=7)
    assert invoice_on < first_on or invoice_on == issued_on


def test_the_deposit_is_the_last_line_of_the_invoice_and_nothing_has_no_line() -> None:
    assert one_time_lines(OneTimeAmounts()) == ()
    assert one_time_lines(OneTimeAmounts(20_000, 93_000)) == (
        OneTimeLine(LineItem.RESERVATION_FEE, 20_000),
        OneTimeLine(LineItem.DEPOSIT, 93_000),
    )


@pytest.mark.parametrize("days", [0, 1, 40])
def test_a_contract_ends_on_its_start_or_later(days: int) -> None:
    assert refusal_of_term(ContractTerm(TODAY, TODAY + timedelta(days=days))) is None
    assert refusal_of_term(ContractTerm(TODAY, None)) is None
    reversed_term = ContractTerm(TODAY, TODAY - timedelta(days=days + 1))
    assert refusal_of_term(reversed_term) is TermProblem.ENDS_BEFORE_START


def test_the_last_days_of_months_follow_each_other() -> None:
    rows = billed(BillableSpan(date(2024, 1, 1), None), (), date(2024, 12, 31))
    for one, other in pairwise(rows):
        assert one.last_on is not None
        assert one.last_on + ONE_DAY == other.first_on


@pytest.mark.parametrize(
    ("first_on", "last_on", "periods"),
    [
        (date(2026, 6, 15), None, [(date(2026, 6, 15), date(2026, 6, 30))]),
        (
            date(2026, 6, 16),
            None,
            [(date(2026, 6, 16), date(2026, 6, 30)), (date(2026, 7, 1), date(2026, 7, 31))],
        ),
        (date(2026, 6, 16), date(2026, 6, 16), [(date(2026, 6, 16), date(2026, 6, 16))]),
        (
            date(2026, 6, 30),
            date(2026, 7, 1),
            [(date(2026, 6, 30), date(2026, 6, 30)), (date(2026, 7, 1), date(2026, 7, 1))],
        ),
        (date(2026, 6, 1), date(2026, 6, 1), [(date(2026, 6, 1), date(2026, 6, 1))]),
    ],
)
def test_the_periods_of_a_move_in_invoice_are_cut_at_the_last_billable_day(
    first_on: date, last_on: date | None, periods: list[tuple[date, date]]
) -> None:
    assert list(invoice_periods(BillableSpan(first_on, last_on))) == periods


def test_an_invoice_whose_rows_all_netted_to_nothing_leaves_no_row_behind() -> None:
    issued = (
        IssuedRow(RowKind.MOVE_IN, date(2026, 6, 20), None),
        IssuedRow(RowKind.MOVE_IN, date(2026, 7, 1), None),
    )
    rows = overridden_rows(issued, BillableSpan(date(2026, 8, 3), None))
    assert rows.invoice == (BillableRow(RowKind.MOVE_IN, date(2026, 8, 3), date(2026, 8, 31)),)
    assert (rows.kept, rows.voided, rows.created) == ((), (), ())
