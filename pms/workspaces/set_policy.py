"""Sets the figures of the law that a workspace may set for itself."""

from decimal import Decimal
from typing import Any, Final, TypedDict, Unpack

from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.workspaces.models import PolicyRow
from pms.workspaces.settings_to_edit import policy_to_edit

DAYS: Final = {
    "short_contract_days": ("shortContractDays", 1, 366),
    "short_notice_days": ("shortNoticeDays", 0, 366),
    "long_notice_days": ("longNoticeDays", 0, 366),
    "billing_day": ("billingDay", 1, 31),
    "turnover_days": ("turnoverDays", 0, 90),
    "longest_guest_stay": ("longestGuestStay", 1, 366),
}
"""The figure, its field, and the range of whole days or nights that makes sense of it."""
MOST_MONTHS: Final = Decimal(12)


class PolicyFigures(TypedDict, total=False):
    """The figures of `pms.rules.policy.Policy`; what is left out stays as it is."""

    full_calendar_month_is_long: bool
    short_contract_days: int
    short_notice_days: int
    long_notice_days: int
    early_exit_cap_months: Decimal
    billing_day: int
    turnover_days: int
    longest_guest_stay: int


def set_policy(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    expected_version: int | None = None,
    **stated: Unpack[PolicyFigures],
) -> PolicyRow:
    """Write figures that count from now on; what was issued and filed keeps what it was.

    Raises `Refused` for a figure out of its range, and `Collision` when somebody else set one
    since that version was seen.
    """
    row = policy_to_edit(session, expected_version)
    before = {name: getattr(row, name) for name in stated}
    after = {name: _checked(name, value) for name, value in stated.items()}
    if before != after:
        for name, value in after.items():
            setattr(row, name, value)
        row.version += 1
        about = of_workspace(session)
        note_difference(session, clock, actor, Deed.POLICY_SET, about, before=before, after=after)
        session.flush()
    return row


def _checked(name: str, value: Any) -> bool | int | Decimal:
    if name == "full_calendar_month_is_long":
        return bool(value)
    if name == "early_exit_cap_months":
        return _checked_months(value)
    field, least, most = DAYS[name]
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=str(value)[:20],
            least=least,
            most=most,
        )
    return value


def _checked_months(value: Any) -> Decimal:
    months = Decimal(value) if isinstance(value, Decimal | int) else None
    # Parts of a month are agreed in tenths or quarters; more digits are a slip of the finger.
    is_sound = months is not None and months.is_finite() and 0 <= months <= MOST_MONTHS
    if months is None or not is_sound or months != round(months, 2):
        raise Refused(
            "earlyExitCapMonths: '{given}' is not from 0 to {most} with at most two decimals.",
            given=str(value)[:20],
            most=MOST_MONTHS,
        )
    return months
