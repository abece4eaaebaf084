"""Measures how a page comes up on a slow phone: what jumps, what blocks, and when it is painted."""

from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page

from tests.screens.screens import Screen
from tests.screens.visiting import visit
from tests.screens.world import World

SLOWER: Final = 4
QUIET_MS: Final = 600
"""Nothing is waited for after this: a page has come up, and what polls begins later."""

_WATCH: Final = """
window.vitals = {shift: 0, blocked: [], painted: 0, largest: 0};
const watch = (type, note) => new PerformanceObserver(
  list => list.getEntries().forEach(note)
).observe({type, buffered: true});
watch('layout-shift', e => { if (!e.hadRecentInput) vitals.shift += e.value; });
watch('longtask', e => vitals.blocked.push(e.duration));
watch('paint', e => { if (e.name === 'first-contentful-paint') vitals.painted = e.startTime; });
watch('largest-contentful-paint', e => { vitals.largest = e.startTime; });
"""


@dataclass(frozen=True)
class Vitals:
    """The sum of shifts, the longest block, and the first and largest paint in milliseconds."""

    shift: float
    longest_ms: float
    painted_ms: float
    largest_ms: float


def vitals(context: BrowserContext, world: World, screen: Screen) -> Vitals:
    """Return how a screen comes up with the processor slowed down."""
    context.add_init_script(_WATCH)
    context.on("page", _slow_down)
    page = context.new_page()
    visit(page, world, screen, "normal")
    page.wait_for_timeout(QUIET_MS)
    found: dict[str, Any] = page.evaluate("vitals")
    return Vitals(
        found["shift"], max(found["blocked"], default=0), found["painted"], found["largest"]
    )


def _slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
