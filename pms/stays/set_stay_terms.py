"""Sets how the workspace takes its guests in."""

from collections.abc import Sequence
from typing import Any, Final, TypedDict, Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import checked_text, shown
from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import listed
from pms.foundation.tenancy import workspace_of
from pms.rules.check_in import is_clock_time
from pms.rules.deeds import Deed
from pms.rules.enumerations import RegisterField
from pms.stays.models import StayTerms
from pms.stays.stay_terms import Terms, terms_of
from pms.workspaces.settings_to_edit import workspace_to_edit

NUMBERS: Final = {
    "release_minutes": ("releaseMinutes", 0, 24 * 60),
    "register_kept_years": ("registerKeptYears", 3, 10),
}
"""The figure, its field, and the range that makes sense: the law keeps a register three years."""
LONGEST_RULES: Final = 4_000
_TIMES: Final = {"check_in_time": "checkInTime", "check_out_time": "checkOutTime"}
_TEXTS: Final = {"rules_ja": "rulesJa", "rules_en": "rulesEn"}


class StatedTerms(TypedDict, total=False):
    """The columns of `StayTerms` that are stated; what is left out stays as it is."""

    check_in_time: str | None
    check_out_time: str | None
    release_minutes: int
    codes_need_register: bool
    wants_passport_copy: bool
    register_fields: Sequence[str]
    register_kept_years: int
    rules_ja: str | None
    rules_en: str | None


def set_stay_terms(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    expected_version: int | None = None,
    **stated: Unpack[StatedTerms],
) -> Terms:
    """Write the terms; they count at once, for the stays that are booked already too.

    Raises `Refused` for what makes no sense, and `Collision` when somebody else set them since
    that version was seen.
    """
    after = {name: _checked(name, value) for name, value in stated.items()}
    row = _row(session)
    if expected_version is not None and row.version != expected_version:
        raise Collision("version: somebody else changed this meanwhile.")
    before = {name: getattr(row, name) for name in after}
    if before != after:
        for name, value in after.items():
            setattr(row, name, value)
        row.version += 1
        about = of_workspace(session)
        note_difference(
            session, clock, actor, Deed.STAY_TERMS_SET, about, before=before, after=after
        )
        session.flush()
    return terms_of(row)


def _row(session: Session) -> StayTerms:
    workspace_to_edit(session)  # so that two who set the first terms come one after the other
    row = session.scalars(
        select(StayTerms).with_for_update().execution_options(populate_existing=True)
    ).first()
    if row is None:
        row = StayTerms(id=workspace_of(session))
        session.add(row)
        session.flush()
    return row


def _checked(name: str, value: Any) -> Any:
    if name in NUMBERS:
        return _whole(*NUMBERS[name], value)
    if name in _TIMES:
        return _time(_TIMES[name], value)
    if name in _TEXTS:
        return checked_text(_TEXTS[name], value, LONGEST_RULES) or ""
    return _fields(value) if name == "register_fields" else bool(value)


def _whole(field: str, least: int, most: int, value: Any) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=str(value)[:20],
            least=least,
            most=most,
        )
    return value


def _time(field: str, value: str | None) -> str:
    if value is None or not is_clock_time(value):
        raise Refused(
            "{field}: '{value}' is no time of the clock such as 15:00.",
            field=field,
            value=shown(value or ""),
        )
    return value


def _fields(value: Sequence[str]) -> list[str]:
    unknown = [one for one in value if one not in list(RegisterField)]
    if unknown:
        raise Refused(
            "registerFields: '{value}' is not one of {allowed}.",
            value=shown(str(unknown[0])),
            allowed=listed(one.value for one in RegisterField),
        )
    return [one.value for one in RegisterField if one in value]
