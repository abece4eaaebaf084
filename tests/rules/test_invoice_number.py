"""A qualified invoice number is T, a check digit and twelve digits."""

import pytest

from pms.rules.invoices import is_invoice_number


# The first two are published numbers: of the National Tax Agency, and of Tokyo.
@pytest.mark.parametrize("number", ["T7000012050002", "T8000020130001", "T9109002101001"])
def test_a_number_with_its_check_digit_is_one(number: str) -> None:
    assert is_invoice_number(number)


@pytest.mark.parametrize(
    "number",
    ["T1000012050002", "T0109002101001", "7000012050002", "T700001205000", "T70000120500021", ""],
)
def test_another_digit_or_shape_is_none(number: str) -> None:
    assert not is_invoice_number(number)


def test_every_digit_counts() -> None:
    sound = "T7000012050002"
    for place in range(2, len(sound)):
        other = str((int(sound[place]) + 1) % 10)
        assert not is_invoice_number(sound[:place] + other + sound[place + 1 :])
