"""How the rules of an operator's practice answer its worked cases: a module for each of their nouns."""

from collections.abc import Callable, Mapping

from tests.cases.practice import before_signing, periods
from tests.rules.worked_cases import Answer, Given

ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    **before_signing.ANSWERS,
    **periods.ANSWERS,
}

NOT_YET = frozenset(
    {
        "ending",
        "form",
        "held-for-others",
        "interest",
        "leaving",
        "lodging-report",
        "master",
        "nights",
        "odd",
        "origin",
        "plan",
        "purchase",
        "recurring",
        "refund-ready",
        "registration",
        "settlement-paper",
        "split",
        "tax-class",
        "tax-invoice",
        "term",
        "usage",
        "wear",
    }
)
"""Groups of cases that the program has no rule for."""
