"""The terms that guests accept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, TypedDict, Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_text, shorten_text
from pms.foundation.audit import of_workspace, set_columns
from pms.foundation.errors import Collision, Refused, whole_number
from pms.foundation.phrases import Bilingual, join_with_commas
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RegisterField
from pms.rules.links import (
    arrives_at,
    codes_released_at,
    is_clock_time,
)
from pms.stays.models import StayTerms
from pms.workspaces.settings import workspace_to_edit


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestTerms:
    """The terms for guests; times are in Japan, as `15:00`; `rules` has one text per language."""

    check_in_time: str = "15:00"
    check_out_time: str = "10:00"
    release_minutes: int = 0
    codes_need_register: bool = True
    wants_passport_copy: bool = True
    register_fields: tuple[RegisterField, ...] = ()
    register_kept_years: int = 3
    rules: Bilingual = Bilingual("", "")  # noqa: RUF009  # a tuple, which nothing changes
    version: int = 1

    @property
    def has_rules(self) -> bool:
        """Whether there are house rules to accept."""
        return bool(self.rules.ja or self.rules.en)

    def arrives_at(self, check_in_on: date | None) -> datetime | None:
        """Return the check-in instant of a day."""
        return arrives_at(check_in_on, self.check_in_time)

    def released_at(self, check_in_on: date | None) -> datetime | None:
        """Return the instant from which guests of a day are shown the codes."""
        return codes_released_at(check_in_on, self.check_in_time, self.release_minutes)

    def are_codes_shown(self, now: datetime, nights: tuple[date | None, date | None]) -> bool:
        """Whether codes are shown now: from their release until the check-out, both in Japan."""
        released_at = self.released_at(nights[0])
        leaves_at = arrives_at(nights[1], self.check_out_time)
        return released_at is not None and leaves_at is not None and released_at <= now < leaves_at


def stay_terms(session: Session) -> GuestTerms:
    """Return the terms of the session's workspace, or the defaults without a row."""
    row = session.scalars(select(StayTerms)).first()
    return GuestTerms() if row is None else terms_of(row)


def terms_of(row: StayTerms) -> GuestTerms:
    """Return a row as terms; unknown fields of the register are left out."""
    return GuestTerms(
        check_in_time=row.check_in_time,
        check_out_time=row.check_out_time,
        release_minutes=row.release_minutes,
        codes_need_register=row.codes_need_register,
        wants_passport_copy=row.wants_passport_copy,
        register_fields=tuple(
            field for field in RegisterField if field.value in row.register_fields
        ),
        register_kept_years=row.register_kept_years,
        rules=Bilingual(row.rules_ja, row.rules_en),
        version=row.version,
    )


NUMBERS: Final = {
    "release_minutes": ("releaseMinutes", 0, 24 * 60),
    "register_kept_years": ("registerKeptYears", 3, 10),
}
"""The column, its field, and the valid range: the law requires a register for three years."""
LONGEST_RULES: Final = 4_000
_TIMES: Final = {"check_in_time": "checkInTime", "check_out_time": "checkOutTime"}
_TEXTS: Final = {"rules_ja": "rulesJa", "rules_en": "rulesEn"}


class StatedTerms(TypedDict, total=False):
    """The columns of `StayTerms` to change; those left out stay as they are."""

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
    work: Work, *, expected_version: int | None = None, **stated: Unpack[StatedTerms]
) -> GuestTerms:
    """Save the terms; they apply at once, also to stays booked before.

    Raises `Refused` for invalid values, and `Collision` if the terms changed since that version.
    """
    after = {name: _check_value(name, value) for name, value in stated.items()}
    session = work.session
    workspace_to_edit(session)  # serialises two first saves of the terms
    row = session.scalars(
        select(StayTerms).with_for_update().execution_options(populate_existing=True)
    ).first()
    if row is None:
        row = StayTerms(id=workspace_of(session))
        session.add(row)
        session.flush()
    if expected_version is not None and row.version != expected_version:
        raise Collision("version: a colleague changed this in the meantime.")
    before = {name: getattr(row, name) for name in after}
    if before != after:
        about = of_workspace(work.session)
        set_columns(work, AuditEvent.STAY_TERMS_SET, row, after, about=about)
    return terms_of(row)


def _check_value(name: str, value: Any) -> Any:
    if name in NUMBERS:
        field, least, most = NUMBERS[name]
        return whole_number(field, value, least, most)
    if name in _TIMES:
        return _check_time(_TIMES[name], value)
    if name in _TEXTS:
        return check_text(_TEXTS[name], value, LONGEST_RULES) or ""
    if name != "register_fields":
        return bool(value)
    unknown = [name for name in value if name not in list(RegisterField)]
    if unknown:
        raise Refused(
            "registerFields: '{value}' is not one of {allowed}.",
            value=shorten_text(str(unknown[0])),
            allowed=join_with_commas(field.value for field in RegisterField),
        )
    return [field.value for field in RegisterField if field in value]


def _check_time(field: str, value: str | None) -> str:
    if value is None or not is_clock_time(value):
        raise Refused(
            "{field}: '{value}' is not a time such as 15:00.",
            field=field,
            value=shorten_text(value or ""),
        )
    return value
