"""The paper of a settlement: its tax, what was said to it, and when the refund may leave."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import ContainedTax, TaxedAmount, contained_taxes
from pms.rules.policy import Policy


class PaperState(StrEnum):
    """Where a paper is: its refund may leave when it is agreed to, released or unanswered too long."""

    UNSENT = "unsent"
    SENT = "sent"
    OBJECTED = "objected"
    AGREED = "agreed"
    RELEASED = "released"
    UNANSWERED = "unanswered"


class HeldRefund(NamedTuple):
    """A refund that no payout file may take yet, and the day from which one may, if one is known."""

    state: PaperState
    free_on: date | None = None


@dataclass(frozen=True, slots=True)
class PaperAnswers:
    """What happened to a settlement paper: the days it was sent, answered and released on."""

    sent_on: date | None = None
    agreed_on: date | None = None
    objected_on: date | None = None
    released_on: date | None = None


def refund_free_on(sent_on: date, policy: Policy) -> date:
    """The day from which a refund may leave without an answer: the days of objection are over.

    They are counted from the day after sending.
    """
    return sent_on + timedelta(days=policy.objection_days + 1)


def counts_as_objection(answers: PaperAnswers, policy: Policy) -> bool:
    """Whether an objection came in time; a later one is kept and holds nothing."""
    if answers.objected_on is None or answers.sent_on is None:
        return False
    return answers.objected_on < refund_free_on(answers.sent_on, policy)


def is_refund_ready(answers: PaperAnswers, on: date, policy: Policy) -> bool:
    """Whether a refund file may take a settlement on a day.

    It may when an operator released it, when the resident agreed, or when the days of objection
    passed without an objection.
    """
    if any(
        answered_on is not None and answered_on <= on
        for answered_on in (answers.released_on, answers.agreed_on)
    ):
        return True
    if answers.sent_on is None or counts_as_objection(answers, policy):
        return False
    return on >= refund_free_on(answers.sent_on, policy)


def held_refund(answers: PaperAnswers, on: date, policy: Policy) -> HeldRefund | None:
    """What a refund waits for on a day; None when a refund file may take it."""
    if is_refund_ready(answers, on, policy):
        return None
    if answers.sent_on is None:
        return HeldRefund(PaperState.UNSENT)
    if counts_as_objection(answers, policy):
        return HeldRefund(PaperState.OBJECTED)
    return HeldRefund(PaperState.SENT, refund_free_on(answers.sent_on, policy))


def tax_of_deductions(parts: Iterable[TaxedAmount]) -> ContainedTax:
    """The tax inside what a resident bears, by the class of each part, rounded once for the paper."""
    taxes = contained_taxes([TaxedAmount(TaxTreatment.TAXABLE_10, 0), *parts])
    return next(tax for tax in taxes if tax.is_taxed)
