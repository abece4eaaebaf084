"""What a workspace demands of its staff at the door, and how long it keeps the record of sign-ins."""

from datetime import date, timedelta
from typing import Final, NamedTuple, TypedDict, Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import SignInPolicy
from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.locked_rows import refuse_other_version
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.workspaces.settings import workspace_to_edit

USUALLY_KEPT_DAYS: Final = 180
IDLE_MINUTES: Final = (5, 24 * 60)
KEPT_DAYS: Final = (30, 730)
LONGEST_AHEAD: Final = timedelta(days=366)
_BOUNDS: Final = {
    "idle_minutes": ("idleMinutes", *IDLE_MINUTES),
    "kept_days": ("keptDays", *KEPT_DAYS),
}


class SignInRules(NamedTuple):
    """The rules as they stand; a second factor is demanded from a day in Japan on, or never."""

    factor_required_on: date | None = None
    idle_minutes: int | None = None
    kept_days: int = USUALLY_KEPT_DAYS
    version: int = 1


class StatedRules(TypedDict, total=False):
    """The rules that are stated; what is left out stays as it is, `None` demands nothing."""

    factor_required_on: date | None
    idle_minutes: int | None
    kept_days: int


def sign_in_policy(session: Session) -> SignInRules:
    """Return the rules of the session's workspace, the usual ones where it set none."""
    row = session.scalars(select(SignInPolicy)).one_or_none()
    if row is None:
        return SignInRules()
    return SignInRules(row.factor_required_on, row.idle_minutes, row.kept_days, row.version)


def set_sign_in_policy(
    work: Work, *, expected_version: int | None = None, **stated: Unpack[StatedRules]
) -> SignInRules:
    """Write rules that count from the next request of everybody on.

    Raises `Refused` for a figure or a day out of its range, and `Collision` when somebody else
    set one since that version was seen.
    """
    row = _row_to_edit(work.session)
    refuse_other_version(row, expected_version)
    before = {name: getattr(row, name) for name in stated}
    for name, value in stated.items():
        if value != before[name]:
            _check(work.clock, name, value)
            setattr(row, name, value)
    if dict(stated) != before:
        row.version += 1
        about = of_workspace(work.session)
        note_difference(
            work, AuditEvent.SIGN_IN_POLICY_SET, about, before=before, after=dict(stated)
        )
        work.session.flush()
    return SignInRules(row.factor_required_on, row.idle_minutes, row.kept_days, row.version)


def _row_to_edit(session: Session) -> SignInPolicy:
    workspace_to_edit(session)  # locked, so that two who set the first rules meet here
    row = session.scalars(
        select(SignInPolicy).with_for_update().execution_options(populate_existing=True)
    ).one_or_none()
    if row is None:
        workspace_id = workspace_of(session)
        row = SignInPolicy(workspace_id=workspace_id, id=workspace_id)
        session.add(row)
        session.flush()
    return row


def _check(clock: Clock, name: str, value: object) -> None:
    if name == "factor_required_on":
        _check_day(clock, value)
        return
    field, least, most = _BOUNDS[name]
    if value is None and name == "idle_minutes":
        return
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=str(value)[:20],
            least=least,
            most=most,
        )


def _check_day(clock: Clock, day: object) -> None:
    first = clock.today()
    last = first + LONGEST_AHEAD
    if day is not None and not (isinstance(day, date) and first <= day <= last):
        raise Refused(
            "factorRequiredOn: '{day}' is not a day from {first} to {last}.",
            day=str(day)[:20],
            first=first,
            last=last,
        )
