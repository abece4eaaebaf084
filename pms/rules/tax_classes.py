"""The class of consumption tax of what is billed, decided when a line is issued.

Rent of a home is exempt when it is let for a month or longer (Consumption Tax Act, Annex 2 no. 13;
Order for Enforcement, Article 16-2); services under a name of their own are taxable; what answers no
supply is out of scope. A workspace may decide otherwise for an item, from a day on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY, Days
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.periods import period_end
from pms.rules.yen import round_half_away


class TaxedItem(StrEnum):
    """What has a class of its own."""

    BASE_RENT = "base_rent"
    BUILDING_MAINTENANCE = "building_maintenance"
    SHORT_TERM_SURCHARGE = "short_term_surcharge"
    GUEST_SURCHARGE = "guest_surcharge"
    DISCOUNT = "discount"
    KEY_MONEY = "key_money"
    RENEWAL_FEE = "renewal_fee"
    RESERVATION_FEE = "reservation_fee"
    NIGHTS = "nights"
    UTILITIES = "utilities"
    METER = "meter"
    PARKING = "parking"
    KEY_EXCHANGE = "key_exchange"
    OFFICE_FEE = "office_fee"
    RENEWAL_HANDLING = "renewal_handling"
    CLEANING = "cleaning"
    REPAIR = "repair"
    DEDUCTION = "deduction"
    GUARANTEE_FEE = "guarantee_fee"
    GUARANTEE_COMPANY_FEE = "guarantee_company_fee"
    DEPOSIT = "deposit"
    EARLY_EXIT = "early_exit"
    SHORT_NOTICE = "short_notice"
    LATE_INTEREST = "late_interest"
    ARREARS = "arrears"
    OPENING = "opening"


BY_TERM: Final = frozenset(
    {
        TaxedItem.BASE_RENT,
        TaxedItem.BUILDING_MAINTENANCE,
        TaxedItem.SHORT_TERM_SURCHARGE,
        TaxedItem.GUEST_SURCHARGE,
        TaxedItem.DISCOUNT,
        TaxedItem.KEY_MONEY,
        TaxedItem.RENEWAL_FEE,
        TaxedItem.RESERVATION_FEE,
    }
)
"""Items that follow the term: exempt when it is a month or longer, or has no end."""

TAXABLE: Final = frozenset(
    {
        TaxedItem.NIGHTS,
        TaxedItem.UTILITIES,
        TaxedItem.METER,
        TaxedItem.PARKING,
        TaxedItem.KEY_EXCHANGE,
        TaxedItem.OFFICE_FEE,
        TaxedItem.RENEWAL_HANDLING,
        TaxedItem.CLEANING,
        TaxedItem.REPAIR,
        TaxedItem.DEDUCTION,
    }
)

OF_CATEGORY: Final[Mapping[FeeCategory, TaxedItem]] = {
    FeeCategory.RENT: TaxedItem.BASE_RENT,
    FeeCategory.UTILITIES: TaxedItem.UTILITIES,
    FeeCategory.BUILDING_MAINTENANCE: TaxedItem.BUILDING_MAINTENANCE,
    FeeCategory.SURCHARGE: TaxedItem.SHORT_TERM_SURCHARGE,
    FeeCategory.RESERVATION_FEE: TaxedItem.RESERVATION_FEE,
    FeeCategory.DEPOSIT: TaxedItem.DEPOSIT,
    FeeCategory.PENALTY: TaxedItem.EARLY_EXIT,
    FeeCategory.CLEANING: TaxedItem.CLEANING,
    FeeCategory.REPAIR: TaxedItem.REPAIR,
    FeeCategory.SERVICE: TaxedItem.OFFICE_FEE,
    FeeCategory.OTHER: TaxedItem.OFFICE_FEE,
}
"""The item of a single charge, by its category."""

UNALTERABLE: Final = frozenset({TaxedItem.DEPOSIT, TaxedItem.ARREARS, TaxedItem.OPENING})
"""Items whose class a workspace does not decide: money held, and what was classed when first issued."""


class ItemClass(NamedTuple):
    """A workspace's own class of an item from a day on; None is the default again."""

    item: TaxedItem
    from_on: date
    treatment: TaxTreatment | None


@dataclass(frozen=True, slots=True)
class TaxBasis:
    """What decides the classes of lines issued on a day.

    `terms` are those of the tenancy, `fees` the classes of the workspace's own fees by code; a guest's
    stay is lodging, whatever its length.
    """

    terms: tuple[ContractTerm, ...] = ()
    policy: tuple[ItemClass, ...] = ()
    issued_on: date | None = None
    is_lodging: bool = False
    fees: Mapping[str, TaxTreatment] = field(default_factory=dict)


class ClassedDays(NamedTuple):
    """A run of days of one class."""

    days: Days
    treatment: TaxTreatment


def is_a_month(term: ContractTerm) -> bool:
    """Whether a term is one month or longer, or has no end."""
    return term.end_on is None or term.end_on >= period_end(term.start_on, 1)


def own_class(basis: TaxBasis, item: TaxedItem) -> TaxTreatment | None:
    """The class that the workspace decided for an item as of the day of issue, if any."""
    if basis.issued_on is None or item in UNALTERABLE:
        return None
    begun = [rule for rule in basis.policy if rule.item is item and rule.from_on <= basis.issued_on]
    return max(begun, key=lambda rule: rule.from_on).treatment if begun else None


def class_on(basis: TaxBasis, item: TaxedItem, on: date | None = None) -> TaxTreatment:
    """The class of an item for a billed day; for an item that bills no days, as of its issue.

    A discount has the class of the rent it reduces, unless it has its own. A renewal fee belongs to
    the last term.
    """
    if basis.is_lodging and item in BY_TERM:
        item = TaxedItem.NIGHTS
    decided = own_class(basis, item)
    if decided is not None:
        return decided
    if item is TaxedItem.DISCOUNT:
        return class_on(basis, TaxedItem.BASE_RENT, on)
    if item in BY_TERM:
        is_long = is_a_month_on(basis, item, on)
        return TaxTreatment.EXEMPT if is_long else TaxTreatment.TAXABLE_10
    if item in TAXABLE:
        return TaxTreatment.TAXABLE_10
    return TaxTreatment.EXEMPT if item is TaxedItem.GUARANTEE_FEE else TaxTreatment.OUT_OF_SCOPE


def class_of_category(basis: TaxBasis, category: FeeCategory) -> TaxTreatment:
    """The class of a single charge or credit of a category, where nobody chose another."""
    return class_on(basis, OF_CATEGORY[category])


def class_of_deduction(basis: TaxBasis, category: FeeCategory) -> TaxTreatment:
    """The class of what is kept of a deposit; what is neither cleaning nor repair is a deduction."""
    is_named = category in (FeeCategory.CLEANING, FeeCategory.REPAIR, FeeCategory.PENALTY)
    return class_on(basis, OF_CATEGORY[category] if is_named else TaxedItem.DEDUCTION)


def is_a_month_on(basis: TaxBasis, item: TaxedItem, on: date | None) -> bool:
    """Whether the term in force on a day is one month or longer, or has no end.

    Before the first term the first one counts. Days after a term that no other one covers are billed
    month to month, a term without end.
    """
    terms = sorted(basis.terms, key=lambda term: term.start_on)
    if not terms:
        return True
    if on is None and item is TaxedItem.RENEWAL_FEE:
        return is_a_month(terms[-1])
    day = on or basis.issued_on or terms[0].start_on
    begun = [term for term in terms if term.start_on <= day]
    term = begun[-1] if begun else terms[0]
    return is_a_month(term) or (term.end_on is not None and day > term.end_on)


def classed_days(basis: TaxBasis, item: TaxedItem, days: Days) -> tuple[ClassedDays, ...]:
    """The days of a line as runs of one class, cut where the class changes."""
    starts = {days.first_on}
    for term in basis.terms:
        starts.add(term.start_on)
        if term.end_on is not None:
            starts.add(term.end_on + ONE_DAY)
    firsts = sorted(on for on in starts if days.first_on <= on <= days.last_on)
    lasts = [*(on - ONE_DAY for on in firsts[1:]), days.last_on]
    runs = zip(firsts, lasts, strict=True)
    classed = [ClassedDays(Days(*run), class_on(basis, item, run[0])) for run in runs]
    return tuple(_join_runs(classed))


def _join_runs(classed: Iterable[ClassedDays]) -> Iterator[ClassedDays]:
    for treatment, together in groupby(classed, key=lambda run: run.treatment):
        runs = list(together)
        yield ClassedDays(Days(runs[0].days.first_on, runs[-1].days.last_on), treatment)


def divide_yen(whole_yen: int, parts: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Whole yen cut at days of change: every exact part but the last is rounded, the last is the rest."""
    rounded = [round_half_away(part) for part in parts[:-1]]
    return (*rounded, whole_yen - sum(rounded))
