"""Leaving for reasons that cannot be helped, and what a notice costs by itself."""

from collections.abc import Callable, Mapping
from datetime import date

from pms.rules.contract_dates import ContractTerm
from pms.rules.enumerations import RecurringItem
from pms.rules.penalties import Departure, Penalty, penalty_of
from pms.rules.price_changes import PriceSpan, Timeline
from tests.rules.worked_cases import Answer, Given, certain_day, day, policy_of


def rent_of(given: Given) -> Timeline:
    return (PriceSpan(date.min, None, {RecurringItem.BASE_RENT: given["baseRent"]}),)


def answer_of_penalty(penalty: Penalty) -> Answer:
    return {
        "noticeOwed": penalty.notice.owed_days,
        "noticeMissing": penalty.notice.missing_days,
        "earlyExit": penalty.early_exit.yen,
        "shortNotice": penalty.short_notice.yen,
        "amount": penalty.yen,
        "days": penalty.days,
        "kind": penalty.kind.value,
    }


def answer_leaving(given: Given) -> Answer:
    departure = Departure(
        ContractTerm(certain_day(given, "first"), day(given, "last")),
        filed_on=certain_day(given, "filedOn"),
        move_out_on=certain_day(given, "moveOut"),
        is_excused=given["accepted"],
    )
    return answer_of_penalty(penalty_of(departure, rent_of(given), policy_of(given)))


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {"leaving": answer_leaving}
