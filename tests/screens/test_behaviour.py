"""What the scripts add: keys, focus, one sending, days at a press; and that all works without."""

from typing import Final

import pytest
from playwright.sync_api import Page, Request, expect

from tests.screens.screens import DESK_SCREENS, Screen
from tests.screens.visiting import Look, Looker
from tests.screens.world import LIVED_IN

DESKTOP: Final = Look("en", "desktop", "light")
PHONE: Final = Look("en", "phone", "light")
FOCUSED: Final = "document.activeElement.getAttribute('name') ?? document.activeElement.id"


def screen(name: str) -> Screen:
    return next(each for each in DESK_SCREENS if each.endpoint == f"dashboard.{name}")


def address(looker: Looker, name: str) -> str:
    return looker.world.addresses[f"dashboard.{name} normal"]


@pytest.fixture
def desk(looker: Looker) -> Page:
    """An operator at the first page of the desk, on a large screen."""
    page = looker.page(screen("today"), DESKTOP)
    page.goto(address(looker, "today"))
    return page


@pytest.fixture
def phone(looker: Looker) -> Page:
    """An operator at the gallery, on a phone."""
    page = looker.page(screen("gallery"), PHONE)
    page.goto(address(looker, "gallery"))
    return page


def test_the_first_stop_of_the_tab_key_skips_to_the_content(desk: Page) -> None:
    desk.keyboard.press("Tab")
    assert desk.locator(":focus").inner_text() == "Skip to content"
    desk.keyboard.press("Enter")
    assert desk.evaluate("document.activeElement.id") == "main"


def test_keys_open_the_palette_unless_one_types(desk: Page) -> None:
    desk.keyboard.press("/")
    expect(desk.locator(".palette [name=q]")).to_be_focused()
    desk.keyboard.type("a/b?")
    assert desk.locator("[name=q]").input_value() == "a/b?"
    desk.keyboard.press("Escape")
    desk.locator("main").focus()
    desk.keyboard.press("Control+k")
    expect(desk.locator(".palette [name=q]")).to_be_focused()


def test_the_palette_leads_to_a_page_by_keyboard_and_by_romaji(desk: Page) -> None:
    desk.keyboard.press("Control+k")
    field = desk.locator(".palette input")
    field.wait_for()
    field.fill("tainou")
    desk.locator(".found").get_by_role("link", name="Arrears", exact=True).wait_for()
    desk.keyboard.press("ArrowDown")
    assert desk.locator(".found a:focus").count() == 1
    desk.keyboard.press("ArrowUp")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/arrears")


def test_keys_are_listed_and_those_pressed_alone_can_be_switched_off(desk: Page) -> None:
    desk.keyboard.press("?")
    keys = desk.get_by_role("dialog", name="Keyboard shortcuts")
    assert keys.is_visible()
    desk.get_by_label("Turn off single-key shortcuts").check()
    desk.keyboard.press("Escape")
    assert not keys.is_visible()
    desk.reload()
    desk.keyboard.press("/")
    assert desk.evaluate(FOCUSED) != "q"
    desk.keyboard.press("Control+k")
    expect(desk.locator(".palette [name=q]")).to_be_focused()


def test_the_account_menu_closes_by_escape_and_gives_the_focus_back(desk: Page) -> None:
    account = desk.locator("[popovertarget=account]")
    account.focus()
    desk.keyboard.press("Enter")
    assert desk.get_by_role("button", name="Sign out").is_visible()
    desk.keyboard.press("Escape")
    assert not desk.get_by_role("button", name="Sign out").is_visible()
    assert desk.evaluate("document.activeElement.getAttribute('popovertarget')") == "account"


def test_three_fast_clicks_make_one_record(looker: Looker, desk: Page) -> None:
    desk.goto(address(looker, "new_owner"))
    desk.locator("main [name=name]").fill("三度 押す")
    posts: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            posts.append(request.url)

    desk.on("request", note)
    with desk.expect_navigation():
        desk.evaluate(
            """() => {
              const button = document.querySelector("main form[method=post] [type=submit]");
              for (let press = 0; press < 3; press += 1) button.click();
            }"""
        )
    desk.remove_listener("request", note)
    assert "三度 押す" in desk.inner_text("main")
    assert len(posts) == 1


def test_a_day_is_set_at_a_press(phone: Page) -> None:
    preset = phone.get_by_role("button", name="Month end").first
    preset.click()
    assert phone.locator("#moveOutDate").first.input_value() == "2026-11-30"


def test_a_drawer_takes_the_focus_and_gives_it_back(phone: Page) -> None:
    phone.get_by_role("button", name="Open a drawer").click()
    assert phone.get_by_role("dialog", name="A stay").is_visible()
    assert phone.evaluate(FOCUSED) == "gallery-drawer-title"
    phone.keyboard.press("Escape")
    assert not phone.get_by_role("dialog", name="A stay").is_visible()
    assert phone.locator(":focus").inner_text() == "Open a drawer"


def test_the_phone_opens_its_menu_and_its_bar_leads_on(phone: Page) -> None:
    menu = phone.get_by_role("navigation", name="Menu")
    assert not menu.is_visible()
    phone.get_by_role("button", name="More", exact=True).click()
    menu.get_by_role("link", name="Buildings").click()
    assert phone.url.endswith("/buildings")
    phone.get_by_role("navigation", name="Main pages").get_by_role("link", name="Today").click()
    assert phone.url.endswith(f"/dashboard/{LIVED_IN}/")


def test_what_has_the_focus_is_not_hidden_by_the_bar(phone: Page) -> None:
    hidden = []
    for _ in range(60):
        phone.keyboard.press("Tab")
        top = phone.evaluate(
            """() => {
              const focused = document.activeElement, box = focused.getBoundingClientRect();
              const x = box.x + box.width / 2, y = box.y + Math.min(box.height, 800) / 2;
              const top = document.elementFromPoint(x, y);
              return !top || focused.contains(top) || top.contains(focused) ? ""
                : focused.outerHTML.slice(0, 80);
            }"""
        )
        if top:
            hidden.append(top)
    assert hidden == []


def test_without_scripts_the_frame_still_leads_everywhere(looker: Looker) -> None:
    context = looker.browser.new_context(
        base_url=looker.base, java_script_enabled=False, locale="en"
    )
    cookie = looker.world.cookie(screen("today").role)  # type: ignore[arg-type]
    context.add_cookies([{"name": "session", "value": cookie, "url": looker.base}])
    page = context.new_page()
    page.goto(address(looker, "today"))
    page.get_by_role("link", name="Owners & property").click()
    assert page.url.endswith("/buildings")
    page.get_by_role("link", name="Owners", exact=True).click()
    assert page.url.endswith("/owners")
    page.locator("[popovertarget=account]").click()
    page.get_by_role("link", name="日本語").click()
    assert page.locator("html").get_attribute("lang") == "ja"
    page.locator("[popovertarget=account]").click()
    page.get_by_role("button", name="ログアウト").or_(
        page.get_by_role("button", name="Sign out")
    ).click()
    assert "/sign-in" in page.url
    context.close()


def test_one_box_selects_a_page_of_a_list_and_all_of_them_are_acted_on(looker: Looker) -> None:
    page = looker.page(screen("arrears"), DESKTOP)
    page.goto(address(looker, "arrears"))
    every, boxes = page.locator("[data-pick-all]"), page.locator("td [type=checkbox]")
    every.check()
    picked = boxes.locator("visible=true").count()
    expect(page.locator("td [type=checkbox]:checked")).to_have_count(picked)
    boxes.first.uncheck()
    expect(every).not_to_be_checked()
    page.locator("main form [type=submit]:not(.button-plain)").last.click()
    expect(page.locator("main [name=reservation]")).to_have_count(picked - 1)
