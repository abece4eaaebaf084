"""The worked cases of the law: how they are read, and how our chapters answer them."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pms.availability.labels import label
from pms.rules.availability import (
    UnknownKinds,
    decide,
    is_shown,
    matches_available_now,
    matches_move_in_by,
    read_excluded_kinds,
)
from pms.rules.cancellation import esign_status_after, lifecycle_after, payment_status_after
from pms.rules.contract_dates import ContractTerm, contract_days, effective_day
from pms.rules.days import day_of, read_day
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from pms.rules.notices import (
    ForcedFlag,
    count_notice,
    notice_class_days,
    notice_given_days,
    notice_missing_days,
    notice_owed_days,
    window_opens_on,
)
from pms.rules.policy import Policy
from pms.rules.request_budget import Checks, Spent, passes, status_of
from pms.rules.sign_in_codes import SentCode, refusal_of_code
from pms.rules.unit_stays import (
    Block,
    Stay,
    TenancyFacts,
    billable_span,
    conflicts,
    conflicts_with,
    month_to_month_state,
    read_spans,
)
from pms.rules.yen import (
    Amount,
    percent_charge,
    read_json_amount,
    read_typed_amount,
    round_half_away,
)

Given = Mapping[str, Any]
Answer = dict[str, Any]


def policy_of(given: Given) -> Policy:
    figures = dict(given.get("policy", {}))
    if "early_exit_cap_months" in figures:
        figures["early_exit_cap_months"] = Decimal(figures["early_exit_cap_months"])
    return replace(Policy(), **figures)


def day(given: Given, name: str) -> date | None:
    return date.fromisoformat(given[name]) if given.get(name) else None


def certain_day(given: Given, name: str) -> date:
    return date.fromisoformat(given[name])


def instant(given: Given, name: str) -> datetime:
    return datetime.fromisoformat(given[name])


def written(value: date | None) -> str | None:
    return None if value is None else value.isoformat()


def kind(given: Given) -> ReservationKind:
    return ReservationKind(given.get("record", "resident"))


def term(given: Given) -> ContractTerm:
    return ContractTerm(
        start_on=effective_day(certain_day(given, "moveIn"), day(given, "overrideMoveIn")),
        end_on=effective_day(day(given, "contractEnd"), day(given, "overrideContractEnd")),
    )


def forced_flag(given: Given) -> ForcedFlag | None:
    set_on = day(given, "forcedOn")
    return ForcedFlag(set_on, day(given, "forcedClearedOn")) if set_on else None


def tenancy(given: Given) -> TenancyFacts:
    return TenancyFacts(
        term=term(given),
        kind=kind(given),
        filed_on=day(given, "filedOn"),
        move_out_on=day(given, "moveOut"),
        successor_start_on=day(given, "successorStart"),
        forced=forced_flag(given),
        is_cancelled=given.get("cancelled", False),
        billed_through_on=day(given.get("takenOver", {}), "billedThrough"),
    )


def stay(given: Given) -> Stay:
    return Stay(
        id=given["id"],
        start_on=read_day(given.get("start")),
        end_on=read_day(given.get("contractEnd")),
        move_out_on=read_day(given.get("moveOut")),
        expected_departure_on=read_day(given.get("expectedDeparture")),
        is_forced=given.get("forced", False),
        kind=kind(given),
        is_cancelled=given.get("cancelled", False),
    )


def block(given: Given) -> Block:
    return Block(read_day(given.get("first")), read_day(given.get("last")))


def answer_contract(given: Given) -> Answer:
    found, policy = term(given), policy_of(given)
    return {
        "effectiveStart": written(found.start_on),
        "effectiveEnd": written(found.end_on),
        "contractDays": contract_days(found),
        "noticeClass": notice_class_days(found, policy),
        "windowOpens": written(window_opens_on(found, policy)),
    }


def answer_notice(given: Given) -> Answer:
    filed_on = day_of(instant(given, "filedAt")) if "filedAt" in given else day(given, "filedOn")
    move_out_on = day(given, "moveOut")
    assert filed_on is not None
    if "noticeOwed" in given:
        assert move_out_on is not None
        given_days = notice_given_days(filed_on, move_out_on)
        return {"noticeMissing": notice_missing_days(given["noticeOwed"], given_days)}
    facts = term(given), filed_on
    figures = forced_flag(given), policy_of(given)
    if move_out_on is None:
        return {"filedOn": written(filed_on), "noticeOwed": notice_owed_days(*facts, *figures)}
    count = count_notice(*facts, move_out_on, *figures)
    return {
        "filedOn": written(filed_on),
        "noticeOwed": count.owed_days,
        "noticeGiven": count.given_days,
        "noticeMissing": count.missing_days,
    }


def answer_state(given: Given) -> Answer:
    facts = tenancy(given), certain_day(given, "on"), policy_of(given)
    span = billable_span(*facts)
    return {
        "monthToMonth": month_to_month_state(*facts).value,
        "billableSpan": span and {"first": written(span.first_on), "last": written(span.last_on)},
    }


def answer_availability(given: Given) -> Answer:
    stays = [stay(member) for member in given["stays"]]
    blocks = [block(member) for member in given.get("blocks", ())]
    found = decide(stays, blocks, certain_day(given, "today"), policy_of(given))
    answer = {
        "state": found.state.value,
        "date": written(found.on),
        "label": label(found),
        "offeredMoveIn": written(found.move_in_from),
        "matchesAvailableNow": matches_available_now(found),
    }
    if "moveInBy" in given:
        answer["matchesMoveInBy"] = matches_move_in_by(found, certain_day(given, "moveInBy"))
    return answer


def answer_booking(given: Given) -> Answer:
    stays = [stay(member) for member in given["stays"]]
    reading = read_spans(stays, certain_day(given, "today"), policy_of(given))
    new = [span for span in reading.spans if span.id == given.get("new")]
    return {
        "spans": [
            {"id": span.id, "first": written(span.first_on), "freeFrom": written(span.free_from_on)}
            for span in reading.spans
        ],
        "conflicts": [[one.id, other.id] for one, other in conflicts(reading.spans)],
        "unreadable": list(reading.unreadable),
        "status": 400 if any(conflicts_with(span, reading.spans) for span in new) else 200,
    }


def answer_filter(given: Given) -> Answer | None:
    """Which units are shown; the parameters of a list are read by the API alone."""
    if "list" in given:
        return None
    return {"units": shown_units(given)}


def shown_units(given: Given) -> list[str]:
    excluded = read_excluded_kinds(given["query"].get("excludeRecords"))
    assert not isinstance(excluded, UnknownKinds)
    today = date(2026, 6, 10)
    return [
        unit["unit"]
        for unit in given["units"]
        if is_shown([Stay("A", today, kind=kind(unit))], excluded, today, Policy())
    ]


def answer_sign_in_or_budget(given: Given) -> Answer:
    if "usedAt" in given:
        code = SentCode(
            instant(given, "sentAt"), given.get("newest", True), given.get("wrongTries", 0)
        )
        is_same_screen = given.get("sameScreen", True)
        refusal = refusal_of_code(code, instant(given, "usedAt"), is_same_screen)
        return {"works": refusal is None}
    if "budget" in given:
        earlier = [Spent(instant(spent, "at"), spent["requests"]) for spent in given["earlier"]]
        return {"passes": passes(given["budget"], instant(given, "now"), earlier)}
    names = ("keyValid", "budgetLeft", "scope", "valid", "found", "unique")
    return {"status": status_of(Checks(*(given.get(name, True) for name in names)))}


def answer_day(given: Given) -> Answer:
    return {"day": written(day_of(instant(given, "instant")))}


def answer_amount(given: Given) -> Answer:
    if "json" in given:
        reading = read_json_amount(json.loads(given["json"]))
    else:
        reading = read_typed_amount(given["html"])
    is_accepted = isinstance(reading, Amount)
    return {"accepted": is_accepted, **(asdict(reading) if is_accepted else {})}


def answer_rounding(given: Given) -> Answer:
    return {"yen": round_half_away(Fraction(given["exact"]))}


def answer_percent(given: Given) -> Answer:
    return {"yen": percent_charge(Decimal(given["percent"]), given["of"])}


def answer_status(given: Given) -> Answer:
    state, event = given["state"], given["event"]
    if given["of"] == "paymentStatus":
        return {"state": payment_status_after(PaymentStatus(state), PaymentStatus(event)).value}
    if given["of"] == "esignStatus":
        return {"state": esign_status_after(EsignStatus(state), EsignStatus(event)).value}
    return {"state": lifecycle_after(Lifecycle(state), Lifecycle(event), kind(given)).value}


ANSWERS_BESIDES_MONEY: Mapping[str, Callable[[Given], Answer | None]] = {
    "contract": answer_contract,
    "notice": answer_notice,
    "state": answer_state,
    "availability": answer_availability,
    "booking": answer_booking,
    "filter": answer_filter,
    "door": answer_sign_in_or_budget,
    "day": answer_day,
    "amount": answer_amount,
    "rounding": answer_rounding,
    "percent": answer_percent,
    "status": answer_status,
}


def differences(expected: Any, found: Any, where: str = "expect") -> Iterator[str]:
    """An object is compared on the keys it names, a list member by member, lines in any order."""
    if where.endswith(".lines"):
        expected, found = (sorted(lines, key=_place_of_line) for lines in (expected, found))
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            if name in found:
                yield from differences(value, found[name], f"{where}.{name}")
            else:
                yield f"{where}.{name} is not answered"
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif type(expected) is not type(found) or expected != found:
        yield f"{where}: expected {expected!r}, found {found!r}"


def _place_of_line(line: Answer) -> tuple[str, str]:
    return line.get("item", ""), line.get("first", "")
