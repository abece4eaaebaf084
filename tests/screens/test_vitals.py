"""On a phone four times slower nothing jumps while a page comes up; how long it takes is told."""

from collections.abc import Callable
from typing import Final

import pytest

from tests.screens.screens import SCREENS, Screen
from tests.screens.visiting import Look, Looker
from tests.screens.vitals import Vitals, vitals

MOST_SHIFT: Final = 0.02
MAIN: Final = (
    "dashboard.today",
    "dashboard.reservations",
    "dashboard.reservation",
    "dashboard.reservation_ledger",
    "dashboard.units",
    "dashboard.arrears",
    "dashboard.deposit_report",
    "dashboard.owner_statements",
    "dashboard.work",
    "dashboard.task",
)
QUICK: Final = ("dashboard.today", "dashboard.reservation_ledger", "dashboard.work")
OTHERS: Final = pytest.mark.thorough("slow on purpose; three pages with the same frame are quick")
PAGES: Final = [
    pytest.param(
        next(screen for screen in SCREENS if screen.endpoint == endpoint),
        id=endpoint,
        marks=() if endpoint in QUICK else OTHERS,
    )
    for endpoint in MAIN
]


@pytest.mark.parametrize("screen", PAGES)
def test_a_page_comes_up_without_a_jump(
    screen: Screen, looker: Looker, record_property: Callable[[str, object], None]
) -> None:
    found = measured(looker, screen)
    # How long a task takes and when the page is painted depends on what else the machine does:
    # both are written down beside the result, and only what jumps is judged.
    record_property("longest_task_ms", round(found.longest_ms))
    record_property("first_contentful_paint_ms", round(found.painted_ms))
    record_property("largest_contentful_paint_ms", round(found.largest_ms))
    assert found.painted_ms > 0, f"{screen.name} was never painted"
    assert found.shift <= MOST_SHIFT, f"{screen.name} jumps by {found.shift:.3f}"


def measured(looker: Looker, screen: Screen) -> Vitals:
    context = looker.new_context(screen, Look("ja", "phone", "light"))
    try:
        return vitals(context, looker.world, screen)
    finally:
        context.close()
