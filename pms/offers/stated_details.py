"""What an applicant states of themselves on the link: checked, and kept as they typed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pms.rules.days import strict_day
from pms.rules.enumerations import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDetails:
    """The person who moves in, how to reach them, when they arrive, and who comes along."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    arrival_on: date | None = None
    co_occupants: Sequence[str] = ()
    locale: Locale = Locale.JA


def kept_details(details: StatedDetails) -> dict[str, Any]:
    """Return the details as the row keeps them."""
    return {
        "name": details.name,
        "name_kana": details.name_kana,
        "email": details.email,
        "phone": details.phone,
        "arrival_on": details.arrival_on and details.arrival_on.isoformat(),
        "co_occupants": list(details.co_occupants),
        "locale": details.locale.value,
    }


def stated_details(kept: Mapping[str, Any]) -> StatedDetails | None:
    """Return the details of a row, `None` before anything was stated."""
    if not kept.get("name"):
        return None
    return StatedDetails(
        name=kept["name"],
        name_kana=kept["name_kana"],
        email=kept["email"],
        phone=kept["phone"],
        arrival_on=strict_day(kept["arrival_on"] or ""),
        co_occupants=tuple(kept["co_occupants"]),
        locale=Locale(kept["locale"]),
    )
