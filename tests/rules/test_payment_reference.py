"""The payment reference: digits that no two tenancies share, with a digit that shows mistakes."""

from itertools import pairwise

from pms.rules.invoices import check_digit, payment_reference, sender_words


def is_payment_reference(digits: str) -> bool:
    return check_digit(digits[:-1]) == digits[-1]


def test_no_two_tenancies_of_a_workspace_share_a_reference() -> None:
    six = {payment_reference(place) for place in range(1, 90_001)}
    assert len(six) == 90_000
    assert all(len(one) == 6 and one[0] != "0" and is_payment_reference(one) for one in six)


def test_after_ninety_thousand_tenancies_a_reference_has_eight_digits() -> None:
    eight = {payment_reference(place) for place in range(90_001, 92_001)}
    assert len(eight) == 2_000
    assert all(len(one) == 8 and is_payment_reference(one) for one in eight)


def test_a_wrong_digit_and_two_that_changed_places_are_seen() -> None:
    for reference in map(payment_reference, range(1, 300)):
        for place, digit in enumerate(reference):
            for other in set("0123456789") - {digit}:
                assert not is_payment_reference(reference[:place] + other + reference[place + 1 :])
        for place, (one, other) in enumerate(pairwise(reference)):
            turned = reference[:place] + other + one + reference[place + 2 :]
            assert one == other or not is_payment_reference(turned)


def test_the_reference_is_written_before_the_name() -> None:
    assert sender_words("123450", "タナカ アオイ") == "123450 タナカ アオイ"
    assert sender_words(None, "タナカ アオイ") == "タナカ アオイ"
