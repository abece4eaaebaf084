"""What is asked back about a rent roll: each question with its place, its proposal and its words."""

from dataclasses import dataclass, field
from typing import Any, Final

WORDS: Final = {
    "as_of_and_billed": "as of which day, and billed through which day? The file says neither",
    "as_of": "the file names no day: payments as of which day?",
    "billed_through": "through which month was rent billed? The file says {as_of} and nothing more",
    "house_without_name": "the house has no name in the file",
    "new_fee": "{title} has no fee here yet: a new recurring fee?",
    "unknown_column": "what does the column {title} mean? Its amounts are not read",
    "no_deposits": "the file tells no deposits: is any held?",
    "total_differs": "the file's own total of {title} is {shown:,}, its rows come to {read:,}: is a row missing?",
    "counted_amount": "{yen:,}?",
    "not_an_amount": "this is no amount",
    "not_an_email": "this is no e-mail address",
    "not_a_day": "this is no day",
    "too_wide": "more cells than the head has: did a comma in an amount move the row?",
    "room_missing": "which room is it? The row has none",
    "rent_missing": "how much is the rent? The row has none",
    "start_missing": "when did it begin? The row does not say",
    "renewal_is_end": "does the term end on the day of the next renewal?",
    "rent_small": "a rent of {yen:,} yen: is it counted in thousands, or was the row moved?",
    "end_before_start": "the end {end} lies before the start {start}",
    "room_twice": "the room stands in the file twice, here and at {other}: which one holds?",
    "two_rooms": "are these {count} rooms of one contract: {room}?",
    "parking": "a parking space: a fee of {name}, or a unit of its own?",
    "deposit_unknown": "a deposit is held, but how much?",
    "deposit_of_which_rent": "months of today's rent of {rent:,} or of the rent of {year} ({old:,} in {title})?",
    "rent_includes_fee": "the common fee is inside the rent: no fee of its own?",
    "sum_differs": "rent and fees come to {read:,}, the row's own sum is {shown:,}",
    "owner_use": "the owner uses the room: an owner resident (who?) or a block?",
    "company": "a company holds the contract: who lives in the room?",
    "two_people": "{count} people: the first holds the contract?",
    "two_people_surcharge": "{count} people: the first holds the contract? Is {extra:,} a surcharge for the second?",
    "lost_zero": "the leading zero is missing: {phone}?",
    "one_month": "one month's total: {months}?",
    "so_many_months": "{count} months: {months}?",
    "months_of_the_remark": "the sum is in the column, the months only in the remark: {months}?",
    "months_without_amount": "months without an amount: {months}?",
    "one_sum_of_some_months": "one sum of several months: how much is of which month ({months})?",
    "not_rent": "the debt is no rent ({what}); due when?",
    "months_not_told": "which months or what else is unpaid, and due when?",
    "not_yet_due": "due on {due}, after the day of the file: unpaid, or not yet due?",
    "oldest_first": "filling the oldest month first, these are open: {months}: so?",
    "remark_alone": "only the remark says that something is unpaid: {months}?",
    "mark_unclear": "what does the mark mean: how much of {months} is unpaid?",
    "month_unmarked": "no mark for {months}: paid?",
    "paid_ahead": "paid ahead: an overpayment of {yen:,} that the next bill uses, or billed a month further?",
    "starts_later": "starts after the day of the file: was the move-in invoice issued elsewhere, and through which day?",
    "starts_later_paid": "starts after the day of the file; the move-in money is paid: through which day does it pay?",
    "made_again": "a new contract was made: its start and end are not in the file",
    "automatic_renewal": "ended on {end}, renewed by itself: renewed for another term, or month to month since?",
    "term_over": "the term ended on {end}: month to month, or renewed until when?",
    "term_ends_soon": "ends on {end}, and days after it are billed: month to month, or renewed until when?",
    "renewed_on": "renewed on {renewed}; {start} stays the contract start?",
    "not_made_again": "not made again: does the resident leave on {end}? No notice is made of it",
    "notice_in_remark": "a remark is no notice: file one?",
    "free_rent": "no rent for some time: enter as a discount of the whole rent to that day?",
    "free_rent_over": "the free months are over on {until}: nothing to carry on?",
    "paid_late": "something was paid late: nothing is unpaid?",
    "guarantor_pays": "the guarantor was asked to pay: does the resident still owe it?",
    "left_already": "has left already: nothing to take over?",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question: about a row and a column of it, or about the whole file."""

    code: str
    at: str | None = None
    column: str | None = None
    value: str = ""
    proposal: Any = None
    blocks: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def why(self) -> str:
        """The question in English."""
        return WORDS[self.code].format(**self.facts)

    def shape(self) -> dict[str, Any]:
        """The question as a program reads it."""
        told: dict[str, Any] = {}
        if self.at is not None:
            told = {"at": self.at, "column": self.column, "value": self.value}
        told["why"] = self.why
        if self.proposal is not None:
            told["proposal"] = self.proposal
        if self.at is not None:
            told["blocks"] = self.blocks
        return told
