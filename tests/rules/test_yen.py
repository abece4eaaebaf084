"""Yen are whole, halves go away from zero, and an amount is typed plainly or refused."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.yen import (
    LARGEST_YEN,
    Amount,
    AmountProblem,
    RefusedAmount,
    percent_charge,
    percent_of,
    read_json_amount,
    read_typed_amount,
    round_half_away,
)

FULL_WIDTH = str.maketrans("0123456789,", "０１２３４５６７８９，")
any_yen = st.integers(0, LARGEST_YEN)
percentages = st.decimals(0, 100, places=3)


def problem_of(reading: object) -> AmountProblem:
    assert isinstance(reading, RefusedAmount)
    return reading.problem


@given(st.fractions())
def test_a_credit_mirrors_the_charge_it_reverses(exact: Fraction) -> None:
    assert round_half_away(-exact) == -round_half_away(exact)


@given(st.fractions())
def test_rounding_moves_by_half_a_yen_at_most(exact: Fraction) -> None:
    assert abs(round_half_away(exact) - exact) <= Fraction(1, 2)


@given(st.integers())
def test_whole_yen_stay_and_halves_go_away_from_zero(yen: int) -> None:
    assert round_half_away(yen) == yen
    away = yen + 1 if yen >= 0 else yen
    assert round_half_away(Fraction(2 * yen + 1, 2)) == away


@given(st.fractions(), st.fractions())
def test_rounding_never_changes_an_order(one: Fraction, other: Fraction) -> None:
    lower, higher = sorted((one, other))
    assert round_half_away(lower) <= round_half_away(higher)


@given(percentages, any_yen)
def test_a_percentage_is_exact_until_it_becomes_a_charge(percent: Decimal, yen: int) -> None:
    assert percent_of(percent, yen) * 100 == Fraction(percent) * yen
    assert percent_charge(percent, yen) == round_half_away(percent_of(percent, yen))


@given(any_yen)
def test_an_amount_is_read_however_its_digits_are_written(yen: int) -> None:
    for typed in (str(yen), f"{yen:,}", f" {yen:,}\u3000", f"00{yen}"):
        assert read_typed_amount(typed) == Amount(yen)
        assert read_typed_amount(typed.translate(FULL_WIDTH)) == Amount(yen)
    assert read_json_amount(yen) == Amount(yen)


@given(st.text(alphabet="0123456789０９,，.+-¥円 e_x\u0661²", max_size=12))
def test_what_is_accepted_is_exactly_the_digits_that_were_typed(typed: str) -> None:
    reading = read_typed_amount(typed)
    if isinstance(reading, Amount):
        assert reading.yen == int("".join(sign for sign in typed if sign not in ",， "))
    else:
        assert reading.entered == typed


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", AmountProblem.MISSING),
        ("\u3000", AmountProblem.MISSING),
        ("1.0", AmountProblem.HAS_DECIMALS),
        ("１．５", AmountProblem.HAS_DECIMALS),
        ("+5", AmountProblem.HAS_SIGN),
        ("－5", AmountProblem.HAS_SIGN),
        ("−5", AmountProblem.HAS_SIGN),
        ("￥5", AmountProblem.HAS_CURRENCY_SIGN),
        ("5円", AmountProblem.HAS_CURRENCY_SIGN),
        ("$5", AmountProblem.HAS_CURRENCY_SIGN),
        ("1,00", AmountProblem.MISPLACED_COMMA),
        ("1,0000", AmountProblem.MISPLACED_COMMA),
        (",100", AmountProblem.MISPLACED_COMMA),
        ("0,100", AmountProblem.MISPLACED_COMMA),
        ("1_000", AmountProblem.NOT_AN_INTEGER),
        ("1e3", AmountProblem.NOT_AN_INTEGER),
        ("1 000", AmountProblem.NOT_AN_INTEGER),
        ("\u0661", AmountProblem.NOT_AN_INTEGER),
        ("²", AmountProblem.NOT_AN_INTEGER),
        ("9" * 13, AmountProblem.TOO_LARGE),
        ("9" * 5000, AmountProblem.TOO_LARGE),
    ],
)
def test_a_refused_amount_says_why_and_keeps_what_was_typed(
    typed: str, problem: AmountProblem
) -> None:
    assert read_typed_amount(typed) == RefusedAmount(problem, typed)


@given(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text()
    | st.lists(st.integers())
    | st.dictionaries(st.text(), st.integers())
)
def test_json_knows_no_amount_but_an_integer(value: object) -> None:
    assert isinstance(read_json_amount(value), RefusedAmount)


def test_each_amount_has_its_own_minimum_and_all_have_one_maximum() -> None:
    assert problem_of(read_json_amount(0, minimum_yen=1)) is AmountProblem.TOO_SMALL
    assert problem_of(read_json_amount(-1)) is AmountProblem.TOO_SMALL
    assert read_json_amount(-1, minimum_yen=-5) == Amount(-1)
    assert problem_of(read_json_amount(LARGEST_YEN + 1)) is AmountProblem.TOO_LARGE
    assert problem_of(read_json_amount(10**6000)) is AmountProblem.TOO_LARGE
    assert problem_of(read_typed_amount("99", minimum_yen=100)) is AmountProblem.TOO_SMALL


def test_the_largest_amount_is_told_back_and_a_larger_one_is_not() -> None:
    assert read_json_amount(LARGEST_YEN, LARGEST_YEN + 1) == RefusedAmount(
        AmountProblem.TOO_SMALL, str(LARGEST_YEN)
    )
    assert read_json_amount(LARGEST_YEN + 1) == RefusedAmount(AmountProblem.TOO_LARGE, "")
    assert read_json_amount(None) == RefusedAmount(AmountProblem.MISSING, "None")
    assert read_json_amount("1") == RefusedAmount(AmountProblem.NOT_AN_INTEGER, "1")


def test_zeros_in_front_make_no_amount_too_large() -> None:
    assert read_typed_amount("0" * 20 + str(LARGEST_YEN)) == Amount(LARGEST_YEN)
    assert read_typed_amount("000") == Amount(0)


def test_figures_with_commas_in_wrong_places_are_told_whichever_figures_they_are() -> None:
    for typed in ("01,2345678,9", "0123456789,", ",", "1,2,3"):
        assert read_typed_amount(typed) == RefusedAmount(AmountProblem.MISPLACED_COMMA, typed)
