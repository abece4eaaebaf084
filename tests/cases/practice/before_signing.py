"""Before a contract is signed: explained by a person, guaranteed, and the applicant screened."""

from collections.abc import Callable, Mapping
from datetime import datetime

from pms.rules.contract_people import GuarantorKind, expiry_reminder_on, may_guarantee
from pms.rules.enumerations import LeaseKind
from pms.rules.explanations import ExplanationWay, SpokenExplanation, unexplained_because
from pms.rules.screening import ScreeningState, may_change_screening, may_send_contract
from tests.rules.worked_cases import Answer, Given, certain_day, instant


def read_policy(given: Given, name: str, *, default: bool) -> bool:
    """Return what the workspace of a case has chosen, else what a new one begins with."""
    chosen: bool = given.get("policy", {}).get(name, default)
    return chosen


KINDS = {"fixed": LeaseKind.FIXED_TERM, "ordinary": LeaseKind.ORDINARY}


def answer_explained(given: Given) -> Answer:
    because = unexplained_because(
        kind=KINDS[given["kind"]],
        explanations=[read_explanation(written) for written in given.get("explanations", ())],
        version=given.get("version"),
        sign_at=instant(given, "signAt"),
        explanation_by_person=read_policy(given, "explanation_by_person", default=True),
    )
    return {"status": 200 if because is None else 400}


def read_explanation(written: Given) -> SpokenExplanation:
    """Read an explanation; a way that is none of ours is no way."""
    way = written.get("way")
    return SpokenExplanation(
        by=written.get("by"),
        at=datetime.fromisoformat(written["at"]) if written.get("at") else None,
        way=ExplanationWay(way) if way in list(ExplanationWay) else None,
        version=written.get("version"),
    )


def answer_guarantor(given: Given) -> Answer:
    may = may_guarantee(GuarantorKind(given["kind"]), given.get("highestAmount"))
    return {"status": 200 if may else 400}


def answer_expiry(given: Given) -> Answer:
    remind_on = expiry_reminder_on(certain_day(given, "expires"))
    return {"remindOn": remind_on.isoformat()}


def answer_screening(given: Given) -> Answer:
    state = ScreeningState(given["state"]) if given.get("state") else None
    if given["event"] == "sendContract":
        screens_first = read_policy(given, "screening_before_contract", default=False)
        may = may_send_contract(state, screening_before_contract=screens_first)
        return {"state": given.get("state"), "status": 200 if may else 400}
    asked = ScreeningState(given["event"])
    may = state is not None and may_change_screening(state, asked)
    return {"state": given["event"] if may else given.get("state"), "status": 200 if may else 400}


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    "explained": answer_explained,
    "guarantor": answer_guarantor,
    "expiry": answer_expiry,
    "screening": answer_screening,
}
