"""The policy of a workspace."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Policy:
    """One workspace's figures (specification, Move-out penalties 10)."""

    short_contract_days: int = 31
    """Contracts of at most this many inclusive days are short (Move-out penalties 4)."""

    short_notice_days: int = 15
    """Days of notice owed on a short contract (Move-out penalties 4)."""

    long_notice_days: int = 30
    """Days of notice owed on a longer contract and month to month (Move-out penalties 4, 5)."""

    full_calendar_month_is_long: bool = True
    """Whether a contract spanning a full calendar month is always long (Move-out penalties 4)."""

    early_exit_cap_months: Decimal | int = 1
    """The most months of base rent, also fractions, that an early exit costs (penalties 7)."""

    billing_day: int = 25
    """Day of the month before on which ordinary rent is issued."""

    turnover_days: int = 0
    """Days a unit stays empty between a departure and the next stay (Availability)."""

    longest_guest_stay: int = 180
    """The most nights of a guest's stay; a longer one needs a resident's contract (Guest)."""

    term_lead_days: int = 240
    """Days before its last day on which the end of a term of a year or longer is reminded of."""

    short_term_lead_days: int = 90
    """The same for a term of less than a year."""

    overpayments_pay_next_bills: bool = False
    """Whether each billing run uses overpayments to pay open bills of the residents it bills."""

    objection_days: int = 14
    """Days in which a resident may object to a settlement paper, from the day after it was sent."""

    expiry_reminder_days: int = 60
    """Days before a card or a guarantee ends on which the office is reminded of it."""

    explanation_by_person: bool = True
    """Whether a member of staff explains a fixed term before it is signed."""

    screening_before_contract: bool = False
    """Whether a contract is sent only to an applicant who was approved."""

    quiet_from_hour: int = 21
    """The hour in Japan from which notices wait, unless they are urgent."""

    quiet_until_hour: int = 8
    """The hour in Japan at which they leave; the same hour twice is no quiet time."""

    declined_rent_stays: bool = True
    """Whether a declined proposal leaves the rent as it is, whatever staff decide afterwards."""


DEFAULT_POLICY = Policy()
