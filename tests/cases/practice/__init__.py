"""How the rules of an operator's practice answer its worked cases: a module for each of their nouns."""

from collections.abc import Callable, Mapping

from tests.cases.practice import (
    before_signing,
    contract_sides,
    contract_terms,
    leaving,
    periods,
    taxes,
    term_endings,
    wear,
    web_origins,
)
from tests.rules.story_account import Account
from tests.rules.worked_cases import Answer, Given

ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    **before_signing.ANSWERS,
    **contract_sides.ANSWERS,
    **contract_terms.ANSWERS,
    **leaving.ANSWERS,
    **periods.ANSWERS,
    **taxes.ANSWERS,
    **term_endings.ANSWERS,
    **wear.ANSWERS,
    **web_origins.ANSWERS,
}

HAPPENINGS: Mapping[str, Callable[[Account, Given], Answer]] = {**wear.HAPPENINGS}
"""What happens to a reservation in a story of the practice, beside what happens in any story."""

NOT_YET = frozenset(
    {
        "held-for-others",
        "interest",
        "lodging-report",
        "nights",
        "odd",
        "plan",
        "purchase",
        "recurring",
        "registration",
        "split",
        "usage",
    }
)
"""Groups of cases that the program has no rule for."""

NOT_YET_STEPS = frozenset({"agreePlan", "interestRun", "recontract", "withdrawRecontract"})
"""Steps of stories that it has no rule for."""
