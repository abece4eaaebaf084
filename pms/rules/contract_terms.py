"""The signed terms of one tenancy: which is in force on a day, and when the contract ends."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from pms.rules.contract_dates import ContractTerm
from pms.rules.enumerations import LeaseKind


@dataclass(frozen=True, slots=True)
class SignedTerm:
    """A term of a tenancy, both days inside; without a last day it has no end.

    It counts from the day it was signed until the day it was withdrawn. One without a day of
    signing is what was booked, before anything is signed.
    """

    first_on: date
    last_on: date | None
    kind: LeaseKind = LeaseKind.FIXED_TERM
    signed_on: date | None = None
    withdrawn_on: date | None = None

    def counts_on(self, day: date) -> bool:
        """Whether it was signed on or before a day, and not withdrawn by then."""
        is_withdrawn = self.withdrawn_on is not None and self.withdrawn_on <= day
        return (self.signed_on is None or self.signed_on <= day) and not is_withdrawn


def terms_counting_on(terms: Iterable[SignedTerm], day: date) -> tuple[SignedTerm, ...]:
    """The terms that count on a day, in their order; before any is signed the first one."""
    in_order = sorted(terms, key=lambda term: term.first_on)
    return tuple(term for term in in_order if term.counts_on(day)) or tuple(in_order[:1])


def term_in_force(terms: Sequence[SignedTerm], day: date) -> SignedTerm:
    """The term in force on a day: before the first one the first, after the last the last.

    `terms` are those that count, in their order.
    """
    begun = [term for term in terms if term.first_on <= day]
    return begun[-1] if begun else terms[0]


def contract_end_of(terms: Sequence[SignedTerm], override_on: date | None = None) -> date | None:
    """The contract end: the last day of the last term that counts, or the override of it."""
    return terms[-1].last_on if override_on is None else override_on


def term_of_day(
    start_on: date, later_firsts: Iterable[date], end_on: date | None, day: date
) -> ContractTerm:
    """The term by which notice, window and early exit are counted on a day (Move-out penalties).

    It begins with the term in force on the day and runs to the contract end, so that a term that
    is signed already carries the one in force on.
    """
    begun = [first_on for first_on in later_firsts if first_on <= day]
    return ContractTerm(max([start_on, *begun]), end_on)
