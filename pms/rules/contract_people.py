"""People and papers of a contract: guarantors, and cards that expire."""

from datetime import date, timedelta
from enum import StrEnum
from typing import Final

REMINDER_DAYS: Final = 60
"""Days before a card or a guarantee ends on which the office is reminded of it."""


class GuarantorKind(StrEnum):
    """Who guarantees: a person, or a guarantee company."""

    PERSON = "person"
    COMPANY = "company"


def may_guarantee(kind: GuarantorKind, highest_yen: int | None) -> bool:
    """Whether the paper of a guarantee may be made.

    A person's guarantee without a highest amount in writing is void (Civil Code 465-2).
    """
    return kind is GuarantorKind.COMPANY or (highest_yen is not None and highest_yen > 0)


def expiry_reminder_on(expires_on: date, days: int = REMINDER_DAYS) -> date:
    """The day on which the office is reminded of a card or a guarantee that ends."""
    return expires_on - timedelta(days=days)
