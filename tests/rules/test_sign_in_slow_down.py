"""Who tries to sign in again and again waits, and which passwords and codes are taken at all."""

from datetime import UTC, datetime, timedelta

import pytest

from pms.rules.addresses import folded_address, is_address
from pms.rules.request_budget import Slowing, Tries, remaining_wait, with_one_more
from pms.rules.sign_in_codes import PasswordProblem, problem_of_password, read_code

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
SLOWING = Slowing(3, 10 * SECOND, 60 * SECOND, timedelta(hours=1))


@pytest.mark.parametrize(
    ("count", "seconds"), [(0, 0), (2, 0), (3, 10), (4, 20), (5, 40), (6, 60), (500, 60)]
)
def test_after_the_free_tries_each_wait_is_twice_as_long_up_to_the_longest(
    count: int, seconds: int
) -> None:
    assert remaining_wait(SLOWING, Tries(count, NOW), NOW) == seconds * SECOND


def test_the_wait_passes_and_nobody_waits_without_a_try() -> None:
    tries = Tries(3, NOW)
    assert remaining_wait(SLOWING, tries, NOW + 4 * SECOND) == 6 * SECOND
    assert remaining_wait(SLOWING, tries, NOW + 10 * SECOND) == timedelta(0)
    assert remaining_wait(SLOWING, tries, NOW + 11 * SECOND) == timedelta(0)
    assert remaining_wait(SLOWING, None, NOW) == timedelta(0)


def test_the_waits_stop_growing_after_twenty_doublings() -> None:
    endless = Slowing(0, SECOND, timedelta(days=1_000), timedelta(hours=1))
    waits = [remaining_wait(endless, Tries(count, NOW), NOW) for count in (19, 20, 21)]
    assert waits == [2**19 * SECOND, 2**20 * SECOND, 2**20 * SECOND]


def test_tries_are_counted_until_all_are_forgotten_together() -> None:
    later = NOW + SLOWING.forgotten_after
    assert with_one_more(SLOWING, None, NOW) == Tries(1, NOW)
    assert with_one_more(SLOWING, Tries(4, NOW), later - SECOND) == Tries(5, later - SECOND)
    assert with_one_more(SLOWING, Tries(4, NOW), later) == Tries(1, later)


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("a1b2c3d4e", PasswordProblem.TOO_SHORT),
        ("a1b2c3d4e5", None),
        ("abcde" * 40, None),
        ("abcde" * 40 + "f", PasswordProblem.TOO_LONG),
        ("abcabcabcabc", PasswordProblem.TOO_PLAIN),
        ("abcdabcdabcd", None),
        ("Password123!", PasswordProblem.TOO_PLAIN),
        ("1234567890", PasswordProblem.TOO_PLAIN),
        ("...sakura...", PasswordProblem.TOO_PLAIN),
        ("sakura in bloom", None),
        ("tess@house.example", PasswordProblem.OWN_ADDRESS),
        ("Tess lives here", PasswordProblem.OWN_ADDRESS),
        ("TESS@elsewhere", PasswordProblem.OWN_ADDRESS),
        ("tessellation", None),
    ],
)
def test_a_password_is_long_not_worn_and_not_ones_own_address(
    password: str, problem: PasswordProblem | None
) -> None:
    assert problem_of_password(password, "tess@house.example") is problem


def test_an_address_without_a_name_before_the_sign_is_compared_whole() -> None:
    assert problem_of_password("house.example", "house.example") is PasswordProblem.OWN_ADDRESS


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("123456", "123456"),
        (" 123 456 ", "123456"),
        ("１２３-４５６", "123456"),
        ("12-34.56", "123456"),
        ("12345", None),
        ("1234567", None),
        ("12345a", None),
    ],
)
def test_a_code_is_read_however_its_six_digits_were_typed(typed: str, code: str | None) -> None:
    assert read_code(typed) == code


def test_an_address_is_compared_in_any_width_and_case() -> None:
    assert folded_address(" Ｔess@House.example ") == "tess@house.example"
    assert is_address("tess@house.example")
    assert is_address("t@" + ("h" * 60 + ".") * 4 + "example")
    assert is_address("t" * 2 + "@" + ("h" * 60 + ".") * 4 + "example")
    assert not is_address("t" * 3 + "@" + ("h" * 60 + ".") * 4 + "example")
    assert not is_address("tess.house.example")
    assert not is_address("tess@house\u200b.example")


def test_a_password_that_holds_the_name_of_an_address_is_refused() -> None:
    for address in ("tess", "tess@house.example", "tess@a@b"):
        for password in ("my name is tess", "Tess@ the house door", "tess tess tess tess"):
            assert problem_of_password(password, address) is PasswordProblem.OWN_ADDRESS
        assert problem_of_password("my name is tessa", address) is None
