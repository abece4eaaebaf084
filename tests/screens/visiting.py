"""How a screen is visited in one of its states."""

import gzip
from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, Response

from tests.screens.portals import portal_cookie
from tests.screens.records import ON_THE_WAY, address, rule_of
from tests.screens.screens import CSS_BUDGET, MOST_REQUESTS, Screen
from tests.screens.world import EMPTY, LARGE, LIVED_IN, World

PHONE: Final = {"width": 390, "height": 844}
DESKTOP: Final = {"width": 1280, "height": 800}
STATES: Final = ("normal", "empty", "error", "long")
_WORKSPACES: Final = {"normal": LIVED_IN, "error": LIVED_IN, "empty": EMPTY, "long": LARGE}


@dataclass
class Visit:
    """A page as it was answered, and all it asked for."""

    page: Page
    response: Response | None = None
    asked: list[Response] = field(default_factory=list)

    def note(self, answer: Response) -> None:
        """Remember what the page asked for."""
        self.asked.append(answer)


def states_of(world: World, screen: Screen) -> list[str]:
    """Return the states a screen has."""
    states = ["normal"]
    if rule_of(world, screen).arguments <= {"workspace"} and screen.is_empty_apart:
        states += ["empty", "long"]
    if screen.error is not None:
        states.append("error")
    return states


@dataclass(frozen=True)
class Looker:
    """Who looks: a browser at the running program."""

    browser: Browser
    base: str
    world: World


def opened_context(
    looker: Looker, screen: Screen, language: str, size: dict[str, int]
) -> BrowserContext:
    """Return a fresh context, signed in where the screen is behind the door."""
    context = looker.browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        base_url=looker.base,
        has_touch=size is PHONE,
        color_scheme="light",
        reduced_motion="reduce",  # no colour is measured on its way to another
        extra_http_headers={"Accept-Language": language},
    )
    if screen.is_for_phones and screen.role is None:
        # A link has a language of its own; the reader has chosen.
        choice = {"name": "lang", "value": language, "url": looker.base}
        context.add_cookies([choice])  # type: ignore[list-item]
    if screen.role is not None:
        cookie = {"name": "session", "value": looker.world.cookie(screen.role), "url": looker.base}
        context.add_cookies([cookie])  # type: ignore[list-item]
    if screen.is_behind_portal:
        held = portal_cookie(looker.world, screen)
        cookie = {"name": "session", "value": held, "url": looker.base}
        context.add_cookies([cookie])  # type: ignore[list-item]
    return context


def visit(context: BrowserContext, world: World, screen: Screen, state: str) -> Visit:
    """Open a screen in a state."""
    visited = Visit(context.new_page())
    visited.page.on("response", visited.note)
    way = ON_THE_WAY.get(screen.endpoint)
    where = address(world, screen, _WORKSPACES[state])
    if isinstance(screen.error, str) and state == "error":
        where += screen.error
    if way:
        way(visited.page)
        visited.asked.clear()
        visited.page.reload()
    else:
        visited.response = visited.page.goto(where)
        assert visited.response is not None
        assert visited.response.ok or state == "error", f"{where}: {visited.response.status}"
    if state == "error" and not isinstance(screen.error, str):
        _send_what_is_refused(visited, screen)
    return visited


def _send_what_is_refused(visited: Visit, screen: Screen) -> None:
    page, typed = visited.page, dict(screen.error or {})  # type: ignore[arg-type]
    for name, text in typed.items():
        control = page.locator(f"main form[method=post] [name='{name}']").first
        if control.get_attribute("type") == "date":
            control.evaluate("e => e.setAttribute('type', 'text')")
        control.fill(text)
    if screen.is_told_at_once:
        page.locator("#preview .alert").first.wait_for()
        return
    form = page.locator("main form[method=post]", has=page.locator(f"[name='{next(iter(typed))}']"))
    named = f"[name='{screen.button}']" if screen.button else "[type=submit]"
    with page.expect_response(_is_of_the_form) as sent:
        form.locator(named).first.click()
    page.wait_for_load_state()
    assert sent.value.status == 422, f"{screen.name} was not refused: {sent.value.status}"


def _is_of_the_form(answer: Response) -> bool:
    # A preview asks too, while one types.
    return answer.request.method == "POST" and answer.request.is_navigation_request()


def too_heavy(visited: Visit, screen: Screen) -> list[str]:
    """Return which budgets of bytes and requests a first visit breaks."""
    found = []
    weights = {"html": 0, "css": 0, "js": 0}
    own = [each for each in visited.asked if "/photos/" not in each.url]
    for answer in own:
        kind = answer.headers.get("content-type", "").partition(";")[0]
        short = {"text/html": "html", "text/css": "css", "text/javascript": "js"}.get(kind)
        if short:
            weights[short] += len(gzip.compress(answer.body()))
    for kind, most in (
        ("html", screen.budget.html),
        ("css", CSS_BUDGET),
        ("js", screen.budget.js),
    ):
        if weights[kind] > most:
            found.append(f"{kind} weighs {weights[kind]:,} of {most:,} bytes")
    if len(own) > MOST_REQUESTS:
        found.append(f"{len(own)} requests")
    return found
