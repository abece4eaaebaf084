"""The notice that a fixed term ends: when it has to arrive, and what a late one does."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pms.rules.policy import Policy
from pms.rules.term_endings import ending_of
from tests.rules.worked_cases import Answer, Given, certain_day, day, policy_of, written


def answer_ending(given: Given) -> Answer:
    first_on, last_on = certain_day(given, "first"), certain_day(given, "last")
    ending = ending_of(first_on, last_on, day(given, "reachedOn"), lead_policy_of(given))
    window = ending.window
    return {
        "noticeNeeded": window is not None,
        "windowFirst": written(window and window.first_on),
        "windowLast": written(window and window.last_on),
        "remindOn": written(ending.remind_on),
        "state": ending.state.value,
        "endHoldsOn": written(ending.holds_on),
    }


def lead_policy_of(given: Given) -> Policy:
    """The policy; one figure of lead days speaks of the term that the case asks about."""
    policy = policy_of(given)
    stated = given.get("policy", {})
    if "term_lead_days" in stated and "short_term_lead_days" not in stated:
        return replace(policy, short_term_lead_days=stated["term_lead_days"])
    return policy


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {"ending": answer_ending}
