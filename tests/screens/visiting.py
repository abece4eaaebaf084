"""How a screen is visited in one of its states."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Request, Response
from playwright.sync_api import Error as PlaywrightError

from tests.screens.inspection import INSPECTION_SCRIPT
from tests.screens.portals import portal_cookie
from tests.screens.records import ON_THE_WAY, address, rule_of
from tests.screens.screens import CSS_BUDGET, MOST_REQUESTS, SCREENS, Screen
from tests.screens.world import EMPTY, LARGE, LIVED_IN, World

PHONE: Final = {"width": 390, "height": 844}
DESKTOP: Final = {"width": 1280, "height": 800}
ASKS_AGAIN: Final = '[hx-trigger~="poll"], [hx-trigger~="minute"], [data-waits], [data-again]'
_WORKSPACES: Final = {"normal": LIVED_IN, "error": LIVED_IN, "empty": EMPTY, "long": LARGE}


@dataclass(frozen=True)
class Look:
    """In which language, on which size of window and in which theme a screen is looked at."""

    language: Literal["ja", "en"]
    size: Literal["phone", "desktop"]
    theme: Literal["light", "dark"]

    def __str__(self) -> str:
        return f"{self.language}-{self.size}-{self.theme}"

    @property
    def window(self) -> dict[str, int]:
        return PHONE if self.size == "phone" else DESKTOP


@dataclass
class Visit:
    """A page as it was answered, and all it asked for."""

    page: Page
    response: Response | None = None
    asked: list[Response] = field(default_factory=list)
    _requests: list[Request] = field(default_factory=list)

    def begin(self) -> None:
        """Remember from now on what the page asks for."""
        self.page.on("request", self._note_request)
        self.page.on("response", self._note_response)

    def forget(self) -> None:
        """Forget what the page asked for on the way."""
        self._requests.clear()
        self.asked.clear()

    def end(self) -> None:
        """Remember no more: the next visit is to the same page."""
        self.page.remove_listener("request", self._note_request)
        self.page.remove_listener("response", self._note_response)

    def _note_request(self, request: Request) -> None:
        self._requests.append(request)

    def _note_response(self, answer: Response) -> None:
        # What the screen before has asked for may still arrive.
        if answer.request in self._requests:
            self.asked.append(answer)


def states_of(world: World, screen: Screen) -> list[str]:
    """Return the states a screen has; a form that is refused begins where "normal" ended."""
    states = ["normal"]
    if screen.error is not None:
        states.append("error")
    if rule_of(world, screen).arguments <= {"workspace"} and screen.is_empty_apart:
        states += ["empty", "long"]
    return states


def addresses(world: World) -> Mapping[str, str]:
    """Return the address of every screen in every state, with all records made that it needs."""
    return {
        f"{screen.name} {state}": address(world, screen, _WORKSPACES[state])
        for screen in SCREENS
        for state in states_of(world, screen)
        if state != "error"
    }


class Looker:
    """A browser at the running program, with one page for each look that is used again.

    A new page costs more than all that is done in it; before it is used again it forgets the
    cookies and everything else that the page before has stored.
    """

    def __init__(self, browser: Browser, base: str, world: World) -> None:
        self.browser, self.base, self.world = browser, base, world
        self._pages: dict[Look, tuple[Page, CDPSession]] = {}
        self._cookies: dict[str, str] = {}

    def page(self, screen: Screen, look: Look) -> Page:
        """Return the page of a look, signed in where the screen asks for it."""
        if look not in self._pages:
            page = self._context(look).new_page()
            self._pages[look] = page, page.context.new_cdp_session(page)
        page, session = self._pages[look]
        if page.query_selector(ASKS_AGAIN):
            # The answer would bring the session of the page before back. Only such pages are left
            # this way: a page that comes after none costs half a second.
            page.goto("about:blank")
        page.set_viewport_size(look.window)  # type: ignore[arg-type]
        forgotten = {"origin": self.base, "storageTypes": "all"}
        session.send("Storage.clearDataForOrigin", forgotten)
        page.context.clear_cookies()
        page.mouse.move(0, 0)
        page.context.add_cookies(self._cookies_of(screen, look.language))  # type: ignore[arg-type]
        return page

    def new_context(self, screen: Screen, look: Look) -> BrowserContext:
        """Return a context of a test's own, with a session of its own."""
        context = self._context(look)
        cookies = self._cookies_of(screen, look.language, session=session_of(self.world, screen))
        context.add_cookies(cookies)  # type: ignore[arg-type]
        return context

    def close(self) -> None:
        """Close every page."""
        for page, _ in self._pages.values():
            page.context.close()
        self._pages.clear()

    def _context(self, look: Look) -> BrowserContext:
        context = self.browser.new_context(
            viewport=look.window,  # type: ignore[arg-type]
            base_url=self.base,
            has_touch=look.size == "phone",
            color_scheme=look.theme,
            reduced_motion="reduce",  # no colour is measured on its way to another
            extra_http_headers={"Accept-Language": look.language},
            # A worker would fetch pages to keep; the journeys without a network do that.
            service_workers="block",
        )
        context.add_init_script(INSPECTION_SCRIPT)
        return context

    def _cookies_of(
        self, screen: Screen, language: str, session: str | None = None
    ) -> list[dict[str, str]]:
        cookies = {}
        if screen.is_for_phones and screen.role is None:
            # A link has a language of its own; the reader has chosen.
            cookies["lang"] = language
        if has_reader(screen):
            cookies["session"] = session or self._kept_session(screen)
        return [{"name": n, "value": value, "url": self.base} for n, value in cookies.items()]

    def _kept_session(self, screen: Screen) -> str:
        who = screen.name if screen.role is None else str(screen.role)
        if who not in self._cookies:
            self._cookies[who] = session_of(self.world, screen)
        return self._cookies[who]


def has_reader(screen: Screen) -> bool:
    """Whether a screen is opened by somebody who has signed in."""
    return screen.role is not None or screen.is_behind_portal


def session_of(world: World, screen: Screen) -> str:
    """Return the cookie of a new session of whoever looks at a screen."""
    return portal_cookie(world, screen) if screen.role is None else world.cookie(screen.role)


def visit(page: Page, world: World, screen: Screen, state: str) -> Visit:
    """Open a screen in a state; `page` shows it already when a form is to be refused."""
    visited = Visit(page)
    visited.begin()
    if state != "error":
        _open(visited, world, screen, world.addresses[f"{screen.name} {state}"])
    elif isinstance(screen.error, str):
        _open(visited, world, screen, world.addresses[f"{screen.name} normal"] + screen.error)
    else:
        if screen.is_told_at_once:
            _open(visited, world, screen, world.addresses[f"{screen.name} normal"])
        _send_what_is_refused(visited, screen, screen.error or {})
    return visited


def _open(visited: Visit, world: World, screen: Screen, where: str) -> None:
    way = ON_THE_WAY.get(screen.endpoint)
    if way:
        way(visited.page)
        visited.forget()
        visited.page.reload()
        return
    visited.response = visited.page.goto(where)
    assert visited.response is not None
    refused = isinstance(screen.error, str) and where.endswith(screen.error)
    assert visited.response.ok or refused, f"{where}: {visited.response.status}"


# Types into the first form that has such a field, and presses the button that sends it.
_TYPE: Final = """([typed, button, isSent]) => {
  const forms = [...document.querySelectorAll("main form[method=post]")];
  const names = Object.keys(typed);
  for (const [name, text] of Object.entries(typed)) {
    const control = forms.flatMap((form) => [...form.querySelectorAll(`[name='${name}']`)])[0];
    if (control.type === "date") control.type = "text";
    if (control.type === "radio" || control.type === "checkbox") throw new Error(name);
    control.focus();
    control.value = text;
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, {bubbles: true}));
  }
  const form = forms.find((one) => one.querySelector(`[name='${names[0]}']`));
  if (isSent) form.querySelector(button).click();
}"""


def _send_what_is_refused(visited: Visit, screen: Screen, typed: Mapping[str, str]) -> None:
    page = visited.page
    button = f"[name='{screen.button}']" if screen.button else "[type=submit]"
    if screen.is_told_at_once:
        page.evaluate(_TYPE, [typed, button, False])
        page.locator("#preview .alert").first.wait_for()
        return
    with page.expect_navigation() as sent:
        page.evaluate(_TYPE, [typed, button, True])
    assert sent.value.status == 422, f"{screen.name} was not refused: {sent.value.status}"


def too_heavy(visited: Visit, screen: Screen, world: World) -> list[str]:
    """Return which budgets of bytes and requests a first visit breaks."""
    found = []
    weights = {"html": 0, "css": 0, "js": 0}
    own = [each for each in visited.asked if "/photos/" not in each.url]
    for answer in own:
        kind = answer.headers.get("content-type", "").partition(";")[0]
        short = {"text/html": "html", "text/css": "css", "text/javascript": "js"}.get(kind)
        if short == "html":
            weights[short] += len(gzip.compress(_body_of(answer)))
        elif short:
            weights[short] += _weight_of_asset(world.app, answer.url)
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


def _body_of(answer: Response) -> bytes:
    """Return what an answer holds; a redirect, or one of a page that was left, holds nothing."""
    try:
        return answer.body()
    except PlaywrightError as lost:
        if "redirect" in lost.message or "No resource with given identifier" in lost.message:
            return b""
        raise


@cache
def _weight_of_asset(app: Any, url: str) -> int:
    # Its address changes with its content.
    return len(gzip.compress(app.test_client().get(url).data))
