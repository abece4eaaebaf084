"""How the rules of an operator's practice answer its worked cases: a module for each of their nouns."""

from collections.abc import Callable, Mapping

from tests.cases.practice import before_signing, contract_sides, periods, taxes, wear
from tests.rules.worked_cases import Answer, Given

ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    **before_signing.ANSWERS,
    **contract_sides.ANSWERS,
    **periods.ANSWERS,
    **taxes.ANSWERS,
    **wear.ANSWERS,
}

NOT_YET = frozenset(
    {
        "ending",
        "held-for-others",
        "interest",
        "leaving",
        "lodging-report",
        "nights",
        "odd",
        "origin",
        "plan",
        "purchase",
        "recurring",
        "registration",
        "split",
        "term",
        "usage",
    }
)
"""Groups of cases that the program has no rule for."""
