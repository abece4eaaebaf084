"""How the rules of an operator's practice answer its worked cases: a module for each of their nouns."""

from collections.abc import Callable, Mapping

from tests.cases.practice import periods, web_origins
from tests.rules.worked_cases import Answer, Given

ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    **periods.ANSWERS,
    **web_origins.ANSWERS,
}

NOT_YET = frozenset(
    {
        "ending",
        "expiry",
        "explained",
        "form",
        "guarantor",
        "held-for-others",
        "interest",
        "leaving",
        "lodging-report",
        "master",
        "nights",
        "odd",
        "plan",
        "purchase",
        "recurring",
        "refund-ready",
        "registration",
        "screening",
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
