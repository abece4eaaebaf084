"""The number under which a business issues qualified invoices: T, a check digit and 12 digits."""

import re

_NUMBER = re.compile(r"T([1-9])([0-9]{12})")


def is_invoice_number(number: str) -> bool:
    """Tell whether a number has its shape and its check digit, worked out as of a corporate number.

    From the right, digits count once and twice in turn; 9 less the rest of their sum by 9 is the
    check digit, which is never 0.
    """
    found = _NUMBER.fullmatch(number)
    if found is None:
        return False
    weighed = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(found[2])))
    return int(found[1]) == 9 - sum(weighed) % 9
