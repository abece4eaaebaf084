"""The public pages in a real browser: accessible, never wider than the screen, usable by keyboard."""

from collections.abc import Iterator
from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pms.surfaces.manual.contents import SLUGS
from tests.surfaces.manual.browser import overflow, served, violations
from tests.surfaces.manual.pages_app import make_pages_app

Look = tuple[str, str, Literal["light", "dark"]]
"""A window, a language and a theme."""
SCREENS = {
    "start": "/",
    "index": "/manual/",
    "concept": "/manual/availability",
    "endpoint": "/manual/api/properties",
    "found": "/manual/search?q=API",
    "nothing found": "/manual/search?q=xylophone",
    "nothing asked": "/manual/search",
    "not there": "/nothing",
}
WINDOWS = {"phone": (390, 844), "desk": (1280, 800)}
LANGUAGES = ("ja", "en")
LOOKS: list[Look] = list(product(WINDOWS, LANGUAGES, ("light", "dark")))
ONE_LOOK_EACH: list[tuple[str, Look]] = [
    ("start", ("phone", "ja", "light")),
    ("endpoint", ("desk", "en", "dark")),
    ("found", ("phone", "en", "dark")),
    ("not there", ("desk", "ja", "light")),
]
SMALLEST = {"width": 320, "height": 640}
EVERY_PATH = [*SCREENS.values(), *(f"/manual/{slug}" for slug in SLUGS)]
# By how many pixels a page is wider than its window, as it is and with large text.
WIDTHS = """() => {
    const page = document.documentElement
    page.style.removeProperty("font-size")
    const plain = page.scrollWidth - innerWidth
    page.style.setProperty("font-size", "200%")
    return [plain, page.scrollWidth - innerWidth]
}"""
# The same of many pages, whose bodies are laid out one after the other with the same stylesheet.
WIDTHS_OF_ALL = f"""async (paths) => {{
    const widths = {{}}
    for (const path of paths) {{
        const text = await (await fetch(path)).text()
        const other = new DOMParser().parseFromString(text, "text/html")
        document.body.replaceWith(document.adoptNode(other.body))
        widths[path] = ({WIDTHS})()
    }}
    return widths
}}"""
each_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(make_pages_app()) as address:
        yield address


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    """An English reader's phone."""
    with_permissions = ["clipboard-read", "clipboard-write"]
    context = new_context(browser, address, "phone", "en", permissions=with_permissions)
    yield context.new_page()
    context.close()


def new_context(
    browser: Browser, address: str, window: str, language: str, **given: object
) -> BrowserContext:
    width, height = WINDOWS[window]
    options: dict[str, object] = {
        "base_url": address,
        "viewport": {"width": width, "height": height},
        "has_touch": window == "phone",
        "locale": language,
        "reduced_motion": "reduce",  # colours are judged once they have settled
    }
    return browser.new_context(**options | given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "views",
    [
        pytest.param(ONE_LOOK_EACH, id="each kind of screen in one look"),
        pytest.param(
            list(product(SCREENS, LOOKS)),
            id="every screen in every look",
            marks=pytest.mark.thorough("64 looks at the templates and colours of the other four"),
        ),
    ],
)
def test_no_page_has_barriers_or_is_wider_than_its_window(
    views: list[tuple[str, Look]], browser: Browser, address: str
) -> None:
    wrong: dict[tuple[str, Look], object] = {}
    refused: list[str] = []
    for window, language in product(WINDOWS, LANGUAGES):
        context = new_context(browser, address, window, language)
        page = context.new_page()
        page.on(
            "console", lambda said: refused.append(said.text) if "Policy" in said.text else None
        )
        for screen, look in views:
            if look[:2] == (window, language):
                page.emulate_media(color_scheme=look[2])
                page.goto(SCREENS[screen])
                assert page.locator("html").get_attribute("lang") == language
                found, wider = violations(page), overflow(page)
                if found or wider > 0:
                    wrong[screen, look] = found or f"{wider} pixels wider than its window"
        context.close()
    assert wrong == {}
    assert refused == []


@each_language
def test_no_page_is_wider_than_the_smallest_phone_even_with_large_text(
    language: str, browser: Browser, address: str
) -> None:
    context = new_context(browser, address, "phone", language, viewport=SMALLEST, bypass_csp=True)
    page = context.new_page()
    page.goto("/manual/")
    widths = page.evaluate(WIDTHS_OF_ALL, EVERY_PATH)
    context.close()
    assert widths.keys() == set(EVERY_PATH)
    assert {path: wider for path, wider in widths.items() if max(wider) > 0} == {}


@pytest.mark.thorough("opens every page; the quick tier lays them out in one document")
@each_language
def test_no_opened_page_is_wider_than_the_smallest_phone(
    language: str, browser: Browser, address: str
) -> None:
    context = new_context(browser, address, "phone", language, viewport=SMALLEST)
    page = context.new_page()
    wide = {}
    for path in EVERY_PATH:
        page.goto(path)
        wider = page.evaluate(WIDTHS)
        if max(wider) > 0:
            wide[path] = wider
    context.close()
    assert wide == {}


def test_a_planted_wide_page_is_found(browser: Browser, address: str) -> None:
    context = new_context(browser, address, "phone", "en", viewport=SMALLEST, bypass_csp=True)
    page = context.new_page()
    page.route("**/planted", lambda route: route.fulfill(body='<p style="width: 15em">x'))
    page.goto("/manual/")
    plain, large = page.evaluate(WIDTHS_OF_ALL, ["/planted"])["/planted"]
    context.close()
    assert plain <= 0 < large


def test_the_first_tab_skips_to_the_content(phone: Page) -> None:
    phone.goto("/manual/limits")
    phone.keyboard.press("Tab")
    assert phone.locator(":focus").inner_text() == "Skip to content"
    phone.keyboard.press("Enter")
    assert phone.locator(":focus").get_attribute("id") == "main"


def test_the_contents_open_over_a_phone_page_and_close_by_escape(phone: Page) -> None:
    phone.goto("/manual/limits")
    contents = phone.get_by_role("navigation", name="Contents of the manual")
    assert not contents.is_visible()
    phone.get_by_role("button", name="Contents").click()
    assert contents.get_by_role("link", name="Limits").is_visible()
    assert violations(phone) == []
    phone.keyboard.press("Escape")
    assert not contents.is_visible()
    assert phone.locator(":focus").inner_text() == "Contents"


def test_a_page_is_copied_as_markdown_and_it_is_said(phone: Page) -> None:
    phone.goto("/manual/limits")
    phone.get_by_role("button", name="Copy as Markdown").click()
    phone.get_by_role("status").get_by_text("Copied.").wait_for()
    copied = phone.evaluate("navigator.clipboard.readText()")
    assert copied == phone.request.get("/manual/limits.md").text()


def test_an_example_is_copied_ready_to_run(phone: Page) -> None:
    phone.goto("/manual/keys")
    phone.get_by_role("button", name="Copy: Request").first.click()
    phone.get_by_role("status").get_by_text("Copied.").wait_for()
    copied = phone.evaluate("navigator.clipboard.readText()")
    assert copied.startswith('curl -H "Authorization: Bearer $PMS_KEY"')
    assert "{base_url}" not in copied


def test_without_scripts_everything_can_still_be_read_and_searched(
    browser: Browser, address: str
) -> None:
    context = new_context(browser, address, "phone", "en", java_script_enabled=False)
    page = context.new_page()
    page.goto("/manual/limits")
    assert page.get_by_role("button", name="Copy").count() == 0
    page.get_by_role("button", name="Contents").click()
    field = page.get_by_role("searchbox", name="Search the manual")
    field.fill("Retry-After")
    field.press("Enter")
    page.get_by_role("link", name="Limits › Headers").click()
    assert page.url.endswith("/manual/limits#headers")
    page.get_by_role("link", name="日本語").click()
    assert page.get_by_role("heading", level=1).inner_text() == "制限"
    context.close()


def test_everything_to_tap_on_a_phone_is_large_enough(phone: Page) -> None:
    phone.goto("/manual/api/properties")
    small = phone.evaluate(
        """[...document.querySelectorAll("header a, footer a, button, summary, .button")]
        .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
        .filter(([, box]) => box.height > 0 && (box.height < 36 || box.width < 24))
        .map(([text]) => text)"""
    )
    assert small == []


def test_paper_gets_the_text_alone_in_light_colours(phone: Page) -> None:
    phone.emulate_media(media="print", color_scheme="dark")
    phone.goto("/manual/limits?theme=dark")
    assert phone.get_by_role("heading", level=1).is_visible()
    assert not phone.get_by_role("button", name="Contents").is_visible()
    assert not phone.get_by_role("banner").is_visible()
    ink = phone.evaluate("getComputedStyle(document.body).color")
    assert ink == "rgb(25, 32, 41)"
