"""No amount of money breaks inside its number, on the longest money screens and narrow phones."""

from typing import Final

import pytest

from tests.screens.screens import SCREENS, Screen
from tests.screens.visiting import Look, Looker, visit

# Sums of a large house: nine digits, once below nothing.
_LENGTHEN: Final = """() => {
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walk.nextNode()) {
    const long = walk.currentNode.data.replace(/[−-]?¥\\d[\\d,]*/g, () => count++ % 2 ? "¥123,456,789" : "−¥123,456,789");
    if (long !== walk.currentNode.data) walk.currentNode.data = long;
  }
  return count;
}"""
_MONEY: Final = (
    "dashboard.reservation_ledger",
    "dashboard.reservation_deposit",
    "dashboard.reservation_amendment",
    "dashboard.billing",
    "dashboard.arrears",
    "dashboard.deposit_report",
    "dashboard.profit_and_loss",
    "dashboard.owner_statements",
    "dashboard.owner_statement",
    "dashboard.unit",
    "owner.statement",
    "owner.home",
    "resident.invoices",
    "reservation_links.offer",
)


def money_screens() -> list[Screen]:
    first: dict[str, Screen] = {}
    for screen in SCREENS:
        if screen.endpoint in _MONEY:
            first.setdefault(screen.endpoint, screen)
    assert set(first) == set(_MONEY)
    return list(first.values())


@pytest.mark.parametrize(
    "language",
    ["ja", pytest.param("en", marks=pytest.mark.thorough("the same amounts, in another language"))],
)
def test_no_amount_breaks_inside_its_number(looker: Looker, language: str) -> None:
    found = []
    for screen in money_screens():
        page = looker.page(screen, Look("ja" if language == "ja" else "en", "phone", "light"))
        visited = visit(page, looker.world, screen, "normal")
        for is_long in (False, True):
            if is_long and not page.evaluate(_LENGTHEN):
                found.append(f"{screen.name}: no amount is shown")
            for width in (390, 320):
                page.set_viewport_size({"width": width, "height": 844})
                broken = page.evaluate("brokenAcrossLines()")
                found += [f"{screen.name} at {width} px: {each}" for each in broken]
        page.set_viewport_size({"width": 390, "height": 844})
        visited.end()
    assert not found, "\n" + "\n".join(found)


def test_a_broken_amount_is_seen(looker: Looker) -> None:
    screen = money_screens()[0]
    page = looker.page(screen, Look("en", "phone", "light"))
    visit(page, looker.world, screen, "normal").end()
    page.evaluate(
        "() => { const e = document.createElement('p'); e.textContent = '¥1,234,567';"
        " e.style.inlineSize = '2.5rem'; document.querySelector('main').append(e); }"
    )
    assert page.evaluate("brokenAcrossLines()")


def test_debit_stands_beside_credit(looker: Looker) -> None:
    screen = next(one for one in SCREENS if one.endpoint == "dashboard.journals")
    page = looker.page(screen, Look("ja", "phone", "light"))
    visited = visit(page, looker.world, screen, "normal")
    (debit, credit), *_ = page.evaluate(
        "() => [...document.querySelectorAll('.table.ledger tbody tr')].map(row =>"
        " [...row.cells].slice(1).map(cell => cell.getBoundingClientRect()))"
    )
    assert debit["top"] == credit["top"]
    assert debit["right"] <= credit["left"]
    visited.end()
