"""Hours worked, the cost of a project, and whether an order belongs to one."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Final, NamedTuple

from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.message_words import OrderDoubt
from pms.rules.search_text import fold
from pms.rules.yen import round_half_away

_SPOKEN: Final = re.compile(r"(?:PRJ)?[-\s]?0*([1-9][0-9]{0,8})", re.IGNORECASE)
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def project_number(number: int) -> str:
    """Return a project's number as text; from 10,000 on it has more digits."""
    return f"PRJ-{number:04}"


def read_project_number(text: str) -> int | None:
    """Read a project's number as typed: PRJ-0042, prj42, 42, in any width; else None."""
    typed = unicodedata.normalize("NFKC", text).translate(_DASHES).strip()
    found = _SPOKEN.fullmatch(typed)
    return int(found[1]) if found else None


_HOURS: Final = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\s*(?:h|hours?|時間)?")
_CLOCK: Final = re.compile(r"(\d{1,3}):([0-5]\d)")
_BOTH: Final = re.compile(r"(\d{1,3})\s*(?:h|hours?|時間)\s*(\d{1,3})\s*(?:m|min|minutes?|分)")
_MINUTES: Final = re.compile(r"(\d{1,4})\s*(?:m|min|minutes?|分)")


def read_worked_minutes(text: str) -> int | None:
    """Read a working time in minutes, rounded up to a whole one; None for any other text.

    A number alone is hours; full-width digits and signs are accepted.
    """
    typed = unicodedata.normalize("NFKC", text).strip().lower()
    if found := _HOURS.fullmatch(typed):
        return -int(-(Fraction(found[1]) * 60) // 1)
    if found := _CLOCK.fullmatch(typed) or _BOTH.fullmatch(typed):
        return int(found[1]) * 60 + int(found[2])
    if found := _MINUTES.fullmatch(typed):
        return int(found[1])
    return None


def plain_hours(minutes: int) -> str:
    """Return minutes as typed into a field: 2, or 1:30."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}" if rest else str(hours)


# Whole yen, and every line is rounded once (Money 1 and 2). A line is one log of hours or one
# purchase. Hours cost their minutes at the hourly price, half a yen rounded away from zero, in the
# category of repairs; hours without a price (the operator's own staff) cost nothing. A purchase
# costs what was paid, in its own category. Totals are sums of rounded lines, so that an owner is
# charged exactly what the project shows.
HOURS_CATEGORY: Final = FeeCategory.REPAIR
PURCHASE_CATEGORIES: Final = (
    FeeCategory.REPAIR,
    FeeCategory.CLEANING,
    FeeCategory.UTILITIES,
    FeeCategory.SERVICE,
    FeeCategory.OTHER,
)
"""What a purchase for a project may be; the other categories are income and never a cost."""


class WorkedTime(NamedTuple):
    """One log of hours: minutes, and yen an hour where an hour costs anything."""

    minutes: int
    hourly_yen: int | None


class Bought(NamedTuple):
    """One purchase in whole yen as paid."""

    category: FeeCategory
    yen: int


@dataclass(frozen=True, slots=True)
class CostOfWork:
    """The cost of a project: minutes in all, whole yen of hours and purchases and by category."""

    minutes: int
    hours_yen: int
    purchases_yen: int
    by_category: Mapping[FeeCategory, int]

    @property
    def total_yen(self) -> int:
        """The sum of all lines."""
        return self.hours_yen + self.purchases_yen


def hours_cost(minutes: int, hourly_yen: int | None) -> int:
    """Return whole yen of one log of hours, rounded once (Money 2)."""
    return round_half_away(Fraction(minutes * (hourly_yen or 0), 60))


def cost_of_work(hours: Iterable[WorkedTime], purchases: Iterable[Bought]) -> CostOfWork:
    """Return the cost of a project from its logs of hours and its purchases."""
    worked, bought = tuple(hours), tuple(purchases)
    hours_yen = sum(hours_cost(*log) for log in worked)
    lines = [*bought, Bought(HOURS_CATEGORY, hours_yen)]
    sums = {word: sum(line.yen for line in lines if line.category == word) for word in FeeCategory}
    return CostOfWork(
        minutes=sum(log.minutes for log in worked),
        hours_yen=hours_yen,
        purchases_yen=sum(purchase.yen for purchase in bought),
        by_category={category: yen for category, yen in sums.items() if yen},
    )


def due_through(due_yen: int, due_then_yen: int) -> int:
    """Return how much of a category's cost to charge through a day, in whole yen.

    `due_yen` is its whole cost less everything charged; `due_then_yen` is the same without the cost
    of later days. Negative where more was charged than it costs now.
    """
    # Early charges for later days are not given back.
    return max(due_then_yen, min(due_yen, 0))


_KNOWN_BYTES: Final = 16


class NamedProject(NamedTuple):
    """The project that an order names: its state and its building's id."""

    state: ProjectState
    building_id: str


def doubt_of_order(
    number: int | None, project: NamedProject | None, building_id: str | None, *, is_repeated: bool
) -> OrderDoubt | None:
    """Return why an order needs review, None when its cost surely belongs to the named project.

    A repeated order may only mean that the first answer was lost, so its cost is never counted
    automatically. A building other than the project's contradicts the number.
    """
    if number is None:
        return OrderDoubt.NO_NUMBER
    if project is None:
        return OrderDoubt.UNKNOWN_NUMBER
    if project.state is ProjectState.DONE:
        return OrderDoubt.DONE
    if project.state is ProjectState.CANCELLED:
        return OrderDoubt.CANCELLED
    if building_id is not None and building_id != project.building_id:
        return OrderDoubt.ELSEWHERE
    return OrderDoubt.REPEATED if is_repeated else None


def known_order(supplier: str, order_number: str) -> str:
    """Return the key of a supplier's order, however supplier and number were typed.

    Width, case, blanks and the kind of dash make no difference.
    """
    # Folded texts have no fixed length, so their digest is the key.
    typed = "\n".join("".join(fold(text).split()) for text in (supplier, order_number))
    return blake2b(typed.encode(), digest_size=_KNOWN_BYTES).hexdigest()
