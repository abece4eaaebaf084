"""The terms that a document states, and those that changed since."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pms.contracts.contract_facts import NOTHING, ContractFacts, MonthlyLine, place_text
from pms.foundation.phrases import Bilingual
from pms.foundation.stored_forms import readable_stored
from pms.foundation.translations import translate_both


class StatedTerm(StrEnum):
    """A term that must be the same in a document and its stay."""

    DATES = "dates"
    ROOM = "room"
    PEOPLE = "people"
    MONTHLY = "monthly"
    DISCOUNT = "discount"
    RESERVATION_FEE = "reservation_fee"
    DEPOSIT = "deposit"
    GUARANTOR = "guarantor"


TERM_WORDS: Final = MappingProxyType(
    {
        StatedTerm.DATES: translate_both("Term", "contract"),
        StatedTerm.ROOM: translate_both("Room", "contract"),
        StatedTerm.PEOPLE: translate_both("Resident and occupants", "contract"),
        StatedTerm.MONTHLY: translate_both("Monthly amounts", "contract"),
        StatedTerm.DISCOUNT: translate_both("Discount", "contract"),
        StatedTerm.RESERVATION_FEE: translate_both("Reservation fee", "contract"),
        StatedTerm.DEPOSIT: translate_both("Deposit", "contract"),
        StatedTerm.GUARANTOR: translate_both("Guarantor"),
    }
)


class ChangedTerm(NamedTuple):
    """A term with two different values; `before` is empty where it is unknown."""

    term: StatedTerm
    before: Bilingual
    after: Bilingual

    @property
    def label(self) -> Bilingual:
        """The name of the term."""
        return TERM_WORDS[self.term]


KEPT_TERMS: Final = dict[str, tuple[str, str, str]]
"""The form in which terms are stored: key, Japanese, English."""


def stated_terms(facts: ContractFacts) -> dict[str, list[str]]:
    """Return the terms of a tenancy as stored with a document: key, Japanese, English."""
    return {
        term.value: [
            _KEYS[term](facts),
            *(_term_text(term, facts, locale) for locale in ("ja", "en")),
        ]
        for term in StatedTerm
    }


def changed_terms(
    before: Mapping[str, Any] | None, after: Mapping[str, Any]
) -> tuple[ChangedTerm, ...]:
    """Return the terms that differ; without `before`, or where it cannot be read, every term."""
    known = (before and readable_stored(KEPT_TERMS, before)) or {}
    terms: list[ChangedTerm] = []
    for term in StatedTerm:
        key, *texts = after[term]
        old_key, *old = known.get(term, _UNSTATED.get(term, (None, None, None)))
        if old_key != key:
            terms.append(ChangedTerm(term, Bilingual(*old), Bilingual(*texts)))
    return tuple(terms)


# Documents of earlier releases have no guarantor.
_UNSTATED: Final = MappingProxyType({StatedTerm.GUARANTOR: ("", NOTHING, NOTHING)})


def _term_text(term: StatedTerm, facts: ContractFacts, locale: str) -> str:
    texts = [place_text(place, facts, locale) for place in _PLACES[term]]
    filled = [words for words in texts if words != NOTHING] or [NOTHING]
    if term is not StatedTerm.PEOPLE:
        return " ".join(filled)
    return ("、" if locale == "ja" else ", ").join(filled)


def _monthly_key(facts: ContractFacts) -> str:
    later = (f"{price.from_on}:{_lines_key(price.monthly)}" for price in facts.later)
    return "/".join((_lines_key(facts.monthly), *later))


def _lines_key(monthly: tuple[MonthlyLine, ...]) -> str:
    return ",".join(sorted(f"{line.code}={line.yen}" for line in monthly))


def _discount_key(facts: ContractFacts) -> str:
    if facts.reduction is None:
        return ""
    off = facts.reduction.discount
    percent = "" if off.percent is None else f"{off.percent.normalize():f}"
    return f"{percent}/{off.yen or ''}/{off.is_recurring}/{off.minimum_stay_days}"


def _guarantor_key(facts: ContractFacts) -> str:
    guarantor = facts.guarantors.guarantor
    if guarantor is None:
        return ""
    return f"{guarantor.name}\n{guarantor.address or ''}\n{guarantor.highest_yen or ''}"


_KEYS: Final[Mapping[StatedTerm, Callable[[ContractFacts], str]]] = MappingProxyType(
    {
        StatedTerm.DATES: lambda facts: f"{facts.start_on}/{facts.end_on or ''}",
        StatedTerm.ROOM: lambda facts: facts.unit_id,
        StatedTerm.PEOPLE: lambda facts: "\n".join((facts.resident, *facts.co_occupants)),
        StatedTerm.MONTHLY: _monthly_key,
        StatedTerm.DISCOUNT: _discount_key,
        StatedTerm.RESERVATION_FEE: lambda facts: str(facts.reservation_fee_yen),
        StatedTerm.DEPOSIT: lambda facts: str(facts.deposit_yen),
        StatedTerm.GUARANTOR: _guarantor_key,
    }
)
_PLACES: Final[Mapping[StatedTerm, tuple[str, ...]]] = MappingProxyType(
    {
        StatedTerm.DATES: ("term",),
        StatedTerm.ROOM: ("building.name", "unit.name"),
        StatedTerm.PEOPLE: ("resident.name", "resident.others"),
        StatedTerm.MONTHLY: ("rent.lines",),
        StatedTerm.DISCOUNT: ("rent.discount",),
        StatedTerm.RESERVATION_FEE: ("fee.reservation",),
        StatedTerm.DEPOSIT: ("deposit",),
        StatedTerm.GUARANTOR: ("guarantor",),
    }
)
