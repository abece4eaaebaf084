"""Deductions by wear, the settlement paper and its refund."""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from pms.rules.contract_dates import effective_day
from pms.rules.deposit import Deduction, settle, settlement_state
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import TaxedAmount
from pms.rules.ledger_entries import EntryBalance
from pms.rules.settlement_papers import (
    PaperAnswers,
    is_refund_ready,
    refund_free_on,
    tax_of_deductions,
)
from pms.rules.wear import (
    USEFUL_LIFE_MONTHS,
    DeductionBearer,
    WornDeduction,
    WornItem,
    WornShare,
    worn_share,
)
from tests.rules.story_account import Account
from tests.rules.story_steps import settle_step
from tests.rules.worked_cases import Answer, Given, certain_day, day, policy_of, written
from tests.rules.worked_money import BEGINNING_OF_TIME, item_of


def share_of(given: Given, move_out_on: date) -> WornShare:
    life = (
        given["life"] if "life" in given else USEFUL_LIFE_MONTHS[WornItem(item_of(given["what"]))]
    )
    return worn_share(
        WornDeduction(
            Decimal(given.get("quantity", "1")),
            given["unitPrice"],
            DeductionBearer(given.get("bearer", "resident")),
            life,
            date.fromisoformat(given.get("fitted") or given["moveIn"]),
        ),
        move_out_on,
    )


def written_share(given: Given, share: WornShare) -> Answer:
    return {
        "what": given.get("what"),
        "cost": share.cost_yen,
        "months": share.used_months,
        "resident": share.resident_yen,
        "lessor": share.lessor_yen,
    }


def answer_wear(given: Given) -> Answer:
    return written_share(given, share_of(given, certain_day(given, "moveOut")))


def answer_paper(given: Given) -> Answer:
    move_out_on = certain_day(given, "moveOut")
    lines = [{"moveIn": given.get("moveIn"), **line} for line in given.get("deductions", ())]
    shares = [share_of(line, move_out_on) for line in lines]
    deductions = [
        Deduction(str(place), share.resident_yen)
        for place, share in enumerate(shares)
        if share.resident_yen
    ]
    unpaid = [
        EntryBalance(entry["entry"], certain_day(entry, "dueOn"), payable_yen=entry["amount"])
        for entry in given.get("unpaid", ())
    ]
    overpaid = EntryBalance(
        "overpaid", BEGINNING_OF_TIME, payable_yen=0, paid_yen=given.get("overpaid", 0)
    )
    settled = settle(given["held"], [overpaid, *unpaid], deductions)
    netted = dict(settled.nettings)
    left = settled.remainder_yen, settled.owed_yen
    return {
        "parts": [written_share(line, share) for line, share in zip(lines, shares, strict=True)],
        "deductions": sum(deduction.yen for deduction in deductions),
        "deducted": settled.deducted_yen,
        "charge": sum(part.yen for part in settled.charges),
        "netted": settled.netted_yen,
        "entries": [
            {
                "entry": entry.id,
                "netted": netted.get(entry.id, 0),
                "open": entry.payable_yen - netted.get(entry.id, 0),
            }
            for entry in sorted(unpaid, key=lambda entry: entry.due_on)
        ],
        "remainder": settled.remainder_yen,
        "owed": settled.owed_yen,
        "state": settlement_state(*left, given.get("sent", 0)).value,
        "contained": written_tax(shares),
    }


def written_tax(shares: list[WornShare]) -> Answer:
    tax = tax_of_deductions(
        TaxedAmount(TaxTreatment.TAXABLE_10, share.resident_yen) for share in shares
    )
    return {tax.treatment.value: tax.tax_yen}


def answer_refund(given: Given) -> Answer:
    policy, sent_on = policy_of(given), day(given, "sentOn")
    answers = PaperAnswers(
        sent_on, day(given, "agreedOn"), day(given, "objectedOn"), day(given, "releasedOn")
    )
    return {
        "ready": is_refund_ready(answers, certain_day(given, "on"), policy),
        "without": written(refund_free_on(sent_on, policy) if sent_on else None),
    }


def settle_with_paper(account: Account, step: Given) -> Answer:
    """Settle what the resident bears of each line; a line of 0 is on the paper alone."""
    start_on = effective_day(
        certain_day(account.given, "moveIn"), day(account.given, "overrideMoveIn")
    )
    move_out_on = certain_day(account.given, "moveOut")
    lines = [{"moveIn": written(start_on), **line} for line in step.get("deductions", ())]
    shares = [share_of(line, move_out_on) for line in lines]
    deductions = [
        {"for": line["what"], "amount": share.resident_yen}
        for line, share in zip(lines, shares, strict=True)
        if share.resident_yen
    ]
    parts = [written_share(line, share) for line, share in zip(lines, shares, strict=True)]
    settled = settle_step(account, {**step, "deductions": deductions})
    return {**settled, "parts": parts, "contained": written_tax(shares)}


ANSWERS: Mapping[str, Callable[[Given], Answer]] = {
    "wear": answer_wear,
    "settlement-paper": answer_paper,
    "refund-ready": answer_refund,
}

HAPPENINGS: Mapping[str, Callable[[Account, Given], Answer]] = {"settlePaper": settle_with_paper}
