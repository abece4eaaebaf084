"""How the rules of an operator's practice answer its worked cases: a module for each of their nouns."""

from collections.abc import Callable, Mapping

from tests.cases.practice import contract_terms, leaving, periods, term_endings
from tests.rules.worked_cases import Answer, Given

ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    **contract_terms.ANSWERS,
    **leaving.ANSWERS,
    **periods.ANSWERS,
    **term_endings.ANSWERS,
}

NOT_YET = frozenset(
    {
        "expiry",
        "explained",
        "form",
        "guarantor",
        "held-for-others",
        "interest",
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
        "screening",
        "settlement-paper",
        "split",
        "tax-class",
        "tax-invoice",
        "usage",
        "wear",
    }
)
"""Groups of cases that the program has no rule for."""
