"""How our chapters answer what is asked about tenancies taken over, case by case and in stories."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import Days
from pms.rules.deposit import ReportedReservation, exclusion_of
from pms.rules.ledger_entries import EntryHistory, EntryPayment, EntryPosting, standings_on
from pms.rules.penalties import penalty_of
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.taking_over import (
    OPENING_CREDIT,
    OPENING_DEPOSIT,
    OpeningDebt,
    TakenOver,
    charged_here,
    days_billed_ahead,
    may_end_on,
    may_override_start,
    opening_name,
    paid_by_opening_credit,
    refusal_of_take_over,
)
from tests.rules import story_steps
from tests.rules.story_account import Account
from tests.rules.worked_cases import Answer, Given, certain_day, day, kind, term, written
from tests.rules.worked_money import departure


def taken_over(given: Given) -> TakenOver:
    return TakenOver(
        on=certain_day(given, "on"),
        billed_through_on=certain_day(given, "billedThrough"),
        deposit_held_yen=given.get("depositHeld", 0),
        unpaid=tuple(
            OpeningDebt(one["for"], one["amount"], certain_day(one, "dueOn"))
            for one in given.get("unpaid", ())
        ),
        overpaid_yen=given.get("overpaid", 0),
    )


def opening_entries(taken: TakenOver) -> Iterator[EntryHistory]:
    """Each debt with its due day, the deposit, the overpayment; nothing is netted among them."""
    for number, debt in enumerate(taken.unpaid, start=1):
        yield EntryHistory(opening_name(number), debt.due_on, (EntryPosting(taken.on, debt.yen),))
    if taken.deposit_held_yen:
        held = taken.deposit_held_yen
        posting, payment = EntryPosting(taken.on, 0, held), EntryPayment(taken.on, held)
        yield EntryHistory(OPENING_DEPOSIT, taken.on, (posting,), (payment,))
    if taken.overpaid_yen:
        payment = EntryPayment(taken.on, taken.overpaid_yen)
        yield EntryHistory(OPENING_CREDIT, taken.on, (EntryPosting(taken.on, 0),), (payment,))


def take_over(account: Account, step: Given) -> Answer:
    """Write the opening entries, or say which fact is refused."""
    taken = taken_over(step)
    problem = refusal_of_take_over(taken, kind(account.given), is_begun=bool(account.entries))
    if problem is not None:
        return {"refused": problem.value}
    account.given["takenOver"] = {"on": step["on"], "billedThrough": step["billedThrough"]}
    account.entries.update({entry.id: entry for entry in opening_entries(taken)})
    if account.given.get("moveOut"):
        found = penalty_of(departure(account.given), account.price.periods, DEFAULT_POLICY)
        account.told_elsewhere_yen = found.yen
    account.cash_in_yen += taken.deposit_held_yen + taken.overpaid_yen
    entries = [
        {
            "entry": standing.id,
            "total": standing.payable_yen + standing.deposit_yen,
            "paid": standing.paid_yen,
            "dueOn": written(standing.due_on),
        }
        for standing in standings_on(account.entries.values(), taken.on)
    ]
    return {"entries": entries, **balance(account, step)}


def balance(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    reported = ReportedReservation(
        kind=kind(account.given), has_moved_in=on >= term(account.given).start_on
    )
    return {
        **story_steps.answer_balance_step(account, step),
        "inDepositReport": exclusion_of(reported) is None,
    }


def billed_through(account: Account) -> date | None:
    return day(account.given.get("takenOver", {}), "billedThrough")


def bill(account: Account, step: Given) -> Answer:
    """Bill as ever; an opening overpayment pays what the run issued."""
    known = set(account.entries)
    answer = story_steps.bill(account, step)
    on = certain_day(step, "on")
    found = {one.id: one for one in standings_on(account.entries.values(), on)}
    issued = [one for id_, one in found.items() if id_ not in known]
    for entry, yen in paid_by_opening_credit(found.get(OPENING_CREDIT), issued):
        account.pay(OPENING_CREDIT, on, -yen)
        account.pay(entry, on, yen)
    return answer


def charged(account: Account, answer: Answer, on: date) -> Answer:
    """Take back from the penalty what the notice that came along had cost elsewhere."""
    yen = charged_here(answer["amount"], account.told_elsewhere_yen)
    standing = {one.id: one for one in standings_on(account.entries.values(), on)}.get("penalty")
    billed = standing.payable_yen if standing else 0
    if billed != yen:
        account.post("penalty", EntryPosting(on, yen - billed), on)
    move_out = day(account.given, "moveOut")
    ahead: Days | None = None
    if move_out is not None:
        ahead = days_billed_ahead(move_out, term(account.given), billed_through(account))
    found = (
        None
        if ahead is None
        else {"first": written(ahead.first_on), "last": written(ahead.last_on)}
    )
    return {**answer, "charged": yen, "billedAhead": found}


def file_notice(account: Account, step: Given) -> Answer:
    answer = story_steps.file_notice(account, step)
    return charged(account, answer, date.fromisoformat(answer["filedOn"]))


def edit_notice(account: Account, step: Given) -> Answer:
    return charged(account, story_steps.edit_notice(account, step), certain_day(step, "on"))


def withdraw_notice(account: Account, step: Given) -> Answer:
    on = certain_day(step, "on")
    account.given.update(filedOn=None, moveOut=None)
    account.told_elsewhere_yen = 0
    repriced = story_steps.reprice(account, on)
    state = story_steps.answer_of_state(account, step)
    return {"charged": 0, "repriced": repriced, **state}


def override_move_in(account: Account, step: Given) -> Answer:
    before = term(account.given).start_on
    if not may_override_start(before, certain_day(step, "to"), billed_through(account)):
        return {"refused": "overrideMoveIn"}
    return story_steps.override_move_in(account, step)


def override_contract_end(account: Account, step: Given) -> Answer:
    if not may_end_on(certain_day(step, "to"), billed_through(account)):
        return {"refused": "overrideContractEnd"}
    account.given["overrideContractEnd"] = step["to"]
    return {"repriced": story_steps.reprice(account, certain_day(step, "on"))}


def settle(account: Account, step: Given) -> Answer:
    answer = story_steps.settle_step(account, step)
    on = certain_day(step, "on")
    left = [one for one in standings_on(account.entries.values(), on) if one.unpaid_yen]
    left.sort(key=lambda one: one.due_on)
    return {**answer, "open": [{"entry": one.id, "amount": one.unpaid_yen} for one in left]}


HAPPENINGS: Mapping[str, Callable[[Account, Given], Answer]] = {
    **story_steps.HAPPENINGS,
    "takeOver": take_over,
    "balance": balance,
    "bill": bill,
    "fileNotice": file_notice,
    "editNotice": edit_notice,
    "withdrawNotice": withdraw_notice,
    "overrideMoveIn": override_move_in,
    "overrideContractEnd": override_contract_end,
    "settle": settle,
}


def begun(given: Given) -> Account:
    """The account as it stands after the take-over and all that happened since."""
    account = Account.opened(given)
    answer = take_over(account, given["takenOver"])
    assert "refused" not in answer
    for step in given.get("steps", ()):
        HAPPENINGS[step["do"]](account, step)
    return account


def answer_bill(given: Given) -> Answer:
    return bill(begun(given), given)


def income(account: Account, month: str) -> int:
    """What rows billed of a month that stand on entries of this ledger."""
    return sum(
        line.yen
        for ledger_row in account.rows
        for line in ledger_row.lines
        if line.first_on.isoformat().startswith(month)
    )


def answer_of_balance(given: Given) -> Answer:
    account = begun(given)
    answer = balance(account, given)
    return {**answer, "income": income(account, given["month"])} if "month" in given else answer


def answer_notice(given: Given) -> Answer:
    act = given["act"]
    return HAPPENINGS[act["do"]](begun(given), act)


def answer_settlement(given: Given) -> Answer:
    account = begun(given)
    answer = settle(account, given)
    if "sent" in given:
        answer |= story_steps.send_refund(account, {"amount": given["sent"]})
    return answer


def answer_refused(given: Given) -> Answer:
    if "act" not in given:
        problem = refusal_of_take_over(taken_over(given["takenOver"]), kind(given), is_begun=False)
        field = None if problem is None else problem.value
    else:
        field = HAPPENINGS[given["act"]["do"]](begun(given), given["act"]).get("refused")
    return {"accepted": field is None, "field": field}


ANSWERS: Mapping[str, Callable[[Given], dict[str, Any]]] = {
    "takeover-bill": answer_bill,
    "takeover-balance": answer_of_balance,
    "takeover-notice": answer_notice,
    "takeover-settlement": answer_settlement,
    "takeover-refused": answer_refused,
}

ANY_TERM = ContractTerm(date(2025, 4, 1), date(2027, 3, 31))
