"""The terms of a tenancy: which is in force, when the contract ends, and what leaving costs then."""

from collections.abc import Callable, Mapping

from pms.rules.contract_terms import (
    SignedTerm,
    contract_end_of,
    term_in_force,
    term_of_day,
    terms_counting_on,
)
from pms.rules.enumerations import LeaseKind
from pms.rules.notices import notice_class_days, window_opens_on
from pms.rules.penalties import Departure, penalty_of
from pms.rules.unit_stays import TenancyFacts, month_to_month_state
from tests.cases.practice.leaving import answer_of_penalty, rent_of
from tests.rules.worked_cases import Answer, Given, certain_day, day, policy_of, written

KINDS: Mapping[str, LeaseKind] = {"fixed": LeaseKind.FIXED_TERM, "ordinary": LeaseKind.ORDINARY}


def signed_term(given: Given) -> SignedTerm:
    return SignedTerm(
        first_on=certain_day(given, "first"),
        last_on=day(given, "last"),
        kind=KINDS[given.get("kind", "fixed")],
        signed_on=day(given, "signedOn"),
        withdrawn_on=day(given, "withdrawnOn"),
    )


def answer_term(given: Given) -> Answer:
    on = certain_day(given, "filedOn" if "filedOn" in given else "on")
    terms, policy = terms_counting_on(map(signed_term, given["terms"]), on), policy_of(given)
    in_force = term_in_force(terms, on)
    end_on = contract_end_of(terms, day(given, "overrideContractEnd"))
    later = [term.first_on for term in terms[1:]]
    counted = term_of_day(terms[0].first_on, later, end_on, on)
    facts = TenancyFacts(
        term=counted, filed_on=day(given, "filedOn"), move_out_on=day(given, "moveOut")
    )
    answer: Answer = {
        "contractEnd": written(end_on),
        "inForce": {
            "first": written(in_force.first_on),
            "last": written(in_force.last_on),
            "kind": next(word for word, kind in KINDS.items() if kind is in_force.kind),
        },
        "noticeClass": notice_class_days(counted, policy),
        "windowOpens": written(window_opens_on(counted, policy)),
        "monthToMonth": month_to_month_state(facts, on, policy).value,
    }
    if "filedOn" not in given:
        return answer
    departure = Departure(counted, on, certain_day(given, "moveOut"))
    return answer | answer_of_penalty(penalty_of(departure, rent_of(given), policy))


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {"term": answer_term}
