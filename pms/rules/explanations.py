"""Whether a fixed term was explained by a person before it is signed (Leases Act, Article 38)."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.days import JAPAN, BankClosure, day_of
from pms.rules.enumerations import LeaseKind


class ExplanationWay(StrEnum):
    """How a member of staff explained the paper."""

    MET = "met"
    VIDEO = "video"
    PHONE = "phone"


class SpokenExplanation(NamedTuple):
    """One explanation: the member of staff, when, how, and the version of the paper."""

    by: str | None
    at: datetime | None
    way: ExplanationWay | None
    version: str | None


class UnexplainedBecause(StrEnum):
    """Why a contract may not be signed yet: nobody explained it, or not in time or not this paper."""

    NOBODY = "nobody"
    OLDER_VERSION = "older_version"
    NOT_BEFORE = "not_before"


def unexplained_because(
    *,
    kind: LeaseKind,
    explanations: Iterable[SpokenExplanation],
    version: str | None,
    sign_at: datetime,
    explanation_by_person: bool,
) -> UnexplainedBecause | None:
    """Return why a contract may not be signed at an instant; None if it may.

    A fixed term needs an explanation of the paper's own version, strictly before the signature,
    with who gave it, when and how. An ordinary lease needs none, nor does a workspace whose policy
    does without.
    """
    if kind is not LeaseKind.FIXED_TERM or not explanation_by_person:
        return None
    because = UnexplainedBecause.NOBODY
    for explanation in explanations:
        if not explanation.by or explanation.at is None or explanation.way is None:
            continue
        if explanation.version is None or explanation.version != version:
            because = UnexplainedBecause.OLDER_VERSION
        elif explanation.at >= sign_at:
            because = UnexplainedBecause.NOT_BEFORE
        else:
            return None
    return because


_HOURS: Final = (10, 13, 15, 17)
_DAYS_AHEAD: Final = 7
_LEAST_DAYS: Final = 4
LEAD_TIME: Final = timedelta(hours=2)
"""How long before a time of explanation it can be chosen at the latest."""


def explanation_times(
    now: datetime, closure_of: Callable[[date], BankClosure | None]
) -> tuple[datetime, ...]:
    """Return the times of the coming week at which a reader may ask to be explained a paper.

    Four a day, in Japan time, on days on which banks and so offices work (`closure_of`): no weekend,
    no national holiday and not from 31 December to 3 January. Around holidays at least four such days are offered. The
    office calls back where none suits.
    """
    today, ahead, times = day_of(now), 0, list[datetime]()
    while ahead <= _DAYS_AHEAD or len({at.date() for at in times}) < _LEAST_DAYS:
        day = today + timedelta(days=ahead)
        ahead += 1
        if closure_of(day) is None:
            hours = (datetime.combine(day, time(hour), JAPAN) for hour in _HOURS)
            times.extend(at for at in hours if at >= now + LEAD_TIME)
    return tuple(times)
