"""What decides about the money of a demo reservation besides its plan."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pms.demo.money.paying import Habit
from pms.demo.tenancies import ToldStay
from pms.rules.policy import Policy


@dataclass(frozen=True)
class CourseFacts:
    """One stay among the others: who follows it, when it was amended, how its resident pays."""

    told: ToldStay
    today: date
    policy: Policy
    successor_start_on: date | None
    amended_on: date | None
    habit: Habit
    number: int
