"""The refusal of an address that cannot be mailed to, with the reason."""

from collections.abc import Mapping
from typing import Final

from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.rules.addresses import AddressProblem, address_problem, plain_address

_MOST_SHOWN: Final = 100
WANTED: Final[Mapping[AddressProblem, Phrase]] = {
    AddressProblem.SHAPE: Phrase("an email address such as name@example.jp"),
    AddressProblem.LETTERS: Phrase(
        "an email address that can be mailed: use letters without accents, digits and marks"
    ),
    AddressProblem.LENGTH: Phrase(
        "an email address that can be mailed: at most 64 characters before the @ and 254 in all"
    ),
    AddressProblem.DOMAIN: Phrase(
        "an email address that can be mailed: write a domain such as example.jp after the @"
    ),
}


def check_address(field: str, text: str) -> str:
    """Return an address as it is stored; raise `Refused` with the reason for one nobody can mail."""
    address = plain_address(text)
    problem = address_problem(address)
    if problem is None:
        return address
    value = address if len(address) <= _MOST_SHOWN else f"{address[:_MOST_SHOWN]}…"
    raise Refused(
        "{field}: '{value}' is not {allowed}.", field=field, value=value, allowed=WANTED[problem]
    )
