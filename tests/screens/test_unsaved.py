"""What was typed is not lost without a question, and what was done moves nothing on the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.screens.test_behaviour import DESKTOP, PHONE, address, screen
from tests.screens.visiting import Look, Looker

FROM_TOP = "(each) => Math.round(each.getBoundingClientRect().top + scrollY)"


def opened(looker: Looker, name: str, look: Look) -> Page:
    """Open a page in a context of its own: what is left typed in it is nobody else's."""
    page = looker.new_context(screen(name), look).new_page()
    page.goto(address(looker, name))
    return page


@pytest.fixture
def typed(looker: Looker) -> Iterator[Page]:
    """An operator who changes a resident's telephone number, on a large screen."""
    page = opened(looker, "reservation_people", DESKTOP)
    page.get_by_label("Phone").first.click()
    page.keyboard.type("1")
    yield page
    page.context.close()


def test_a_link_of_the_page_asks_before_what_was_typed_is_lost(typed: Page) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    typed.on("dialog", stay)
    here, text = typed.url, typed.get_by_label("Phone").first.input_value()
    typed.locator(".tabs a", has_text="Ledger").click(no_wait_after=True)
    typed.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    assert typed.url == here
    assert typed.get_by_label("Phone").first.input_value() == text


def test_nobody_is_asked_who_typed_nothing_or_took_it_back_or_sends_it(typed: Page) -> None:
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    typed.on("dialog", leave)
    typed.keyboard.press("Backspace")
    typed.locator(".tabs a", has_text="Ledger").click()
    typed.wait_for_url("**/ledger")
    typed.go_back()
    typed.get_by_label("Phone").first.click()
    typed.keyboard.type("1")
    typed.get_by_role("button", name="Save").first.click()
    typed.wait_for_load_state()
    assert asked == []


def test_what_was_typed_in_the_drawer_is_not_closed_away(looker: Looker) -> None:
    page = opened(looker, "chart", DESKTOP)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", stay)
    page.locator(".chart-add").first.click()
    drawer = page.locator("#drawer")
    drawer.locator("[name=name]").fill("Aoki Haru")
    drawer.get_by_role("button", name="Close").click()
    assert asked == ["What you typed is not saved. Discard it?"]
    expect(drawer).to_be_visible()
    page.context.close()


def test_what_was_refused_is_asked_about_at_the_first_press_of_a_link(looker: Looker) -> None:
    page = opened(looker, "reservation_people", DESKTOP)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.get_by_label("Phone").first.fill("03-1234-5678")
    page.get_by_label("Email").first.fill("nobody")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("form [aria-invalid=true]")).to_have_value("nobody")
    page.locator(".tabs a", has_text="Ledger").click(no_wait_after=True)
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    expect(page.get_by_label("Phone").first).to_have_value("03-1234-5678")
    page.context.close()


def test_what_was_refused_in_the_drawer_is_not_closed_away(looker: Looker) -> None:
    page = opened(looker, "chart", DESKTOP)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", stay)
    page.locator(".chart-add").first.click()
    drawer = page.locator("#drawer")
    drawer.get_by_role("button", name="Create reservation").click()
    expect(drawer.locator("[aria-invalid=true]").first).to_be_visible()
    drawer.get_by_role("button", name="Close").click()
    assert asked == ["What you typed is not saved. Discard it?"]
    expect(drawer).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=str)
def test_the_bar_that_takes_back_moves_nothing(looker: Looker, look: Look) -> None:
    page = opened(looker, "reservation_departure", look)
    if look is PHONE:
        page.locator("summary", has_text="Expected departure").click()
    button = page.get_by_role("button", name="Save expected departure")
    above = page.locator("h1").evaluate(FROM_TOP)
    button.click()
    expect(page.locator("main > .undo-bar")).to_be_visible()
    assert page.locator("h1").evaluate(FROM_TOP) == above
    page.context.close()
