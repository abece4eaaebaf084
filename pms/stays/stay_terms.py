"""How a workspace takes its guests in, as every question of a stay needs it."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.rules.check_in import arrives_at, codes_released_at
from pms.rules.enumerations import RegisterField
from pms.stays.models import StayTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Times are of the clock in Japan, as `15:00`; the rules of the house are one text each."""

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
        """Whether there are rules of the house to agree to."""
        return bool(self.rules.ja or self.rules.en)

    def arrives_at(self, check_in_on: date | None) -> datetime | None:
        """Return when a guest of that day may come in."""
        return arrives_at(check_in_on, self.check_in_time)

    def released_at(self, check_in_on: date | None) -> datetime | None:
        """Return when a guest of that day is told the codes."""
        return codes_released_at(check_in_on, self.check_in_time, self.release_minutes)

    def are_codes_shown(self, now: datetime, nights: tuple[date | None, date | None]) -> bool:
        """Whether codes are told now: from their release until the check-out, both in Japan."""
        released_at = self.released_at(nights[0])
        leaves_at = arrives_at(nights[1], self.check_out_time)
        return released_at is not None and leaves_at is not None and released_at <= now < leaves_at


def stay_terms(session: Session) -> Terms:
    """Return the terms of the session's workspace; without a row, the usual ones."""
    row = session.scalars(select(StayTerms)).first()
    return Terms() if row is None else terms_of(row)


def terms_of(row: StayTerms) -> Terms:
    """Return a row as terms; a field of the register that nobody knows any more falls away."""
    return Terms(
        check_in_time=row.check_in_time,
        check_out_time=row.check_out_time,
        release_minutes=row.release_minutes,
        codes_need_register=row.codes_need_register,
        wants_passport_copy=row.wants_passport_copy,
        register_fields=tuple(one for one in RegisterField if one.value in row.register_fields),
        register_kept_years=row.register_kept_years,
        rules=Bilingual(row.rules_ja, row.rules_en),
        version=row.version,
    )
