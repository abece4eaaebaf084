"""The public pages in a real browser: accessible, never wider than the screen, usable by keyboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from pms.surfaces.manual.contents import SLUGS
from tests.surfaces.manual.browser import opened_browser, overflow, served, violations
from tests.surfaces.manual.pages_app import make_pages_app

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
SMALLEST = {"width": 320, "height": 640}

each_language = pytest.mark.parametrize("language", ["ja", "en"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as browser:
        yield browser


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


@each_language
@pytest.mark.parametrize("window", WINDOWS)
def test_no_page_has_barriers_or_is_wider_than_its_window(
    window: str, language: str, browser: Browser, address: str
) -> None:
    context = new_context(browser, address, window, language)
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if "Policy" in said.text else None)
    wrong = {}
    for screen, path in SCREENS.items():
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == language
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            if violations(page) or overflow(page) > 0:
                wrong[screen, theme] = violations(page)
    context.close()
    assert wrong == {}
    assert refused == []


@each_language
def test_no_page_is_wider_than_the_smallest_phone_even_with_large_text(
    language: str, browser: Browser, address: str
) -> None:
    context = new_context(browser, address, "phone", language, viewport=SMALLEST)
    page = context.new_page()
    wide = []
    for path in (*SCREENS.values(), *(f"/manual/{slug}" for slug in SLUGS)):
        page.goto(path)
        wide += [path] if overflow(page) > 0 else []
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        wide += [f"{path} with large text"] if overflow(page) > 0 else []
    context.close()
    assert wide == []


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
