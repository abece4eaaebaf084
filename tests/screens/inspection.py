"""What a machine sees of a page: accessibility, widths, sizes of targets and text."""

from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_RULES: Final = (
    "region",
    "landmark-one-main",
    "page-has-heading-one",
    "heading-order",
    "skip-link",
    "label-title-only",
)
_WHOLE: Final = {
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {rule: {"enabled": True} for rule in _RULES},
    "resultTypes": ["violations"],
}

# Measures what is drawn; gives a list of complaints.
_MEASURES: Final = """(limits) => {
  const found = [];
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && e.getBoundingClientRect().width > 1;
  const told = (e) => `<${e.localName} class="${e.className.baseVal ?? e.className}"> `
    + e.textContent.trim().slice(0, 40);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || small.has(element) || !seen(element)) continue;
    if (parseFloat(getComputedStyle(element).fontSize) < 13) small.add(element);
  }
  for (const element of small) found.push(`text below 13 px: ${told(element)}`);
  for (const element of document.querySelectorAll("input:not([type=checkbox],[type=radio]),select,textarea"))
    if (seen(element) && parseFloat(getComputedStyle(element).fontSize) < 16)
      found.push(`input below 16 px: ${told(element)}`);
  for (const element of document.querySelectorAll(".button, [type=submit]:not(.icon-button)")) {
    const box = element.getBoundingClientRect();
    if (seen(element) && box.height < 43.5) found.push(`button ${box.height} px high: ${told(element)}`);
  }
  if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
  if (document.querySelector("[style], style, script:not([src])")) found.push("inline style or script");
  const count = document.querySelectorAll("*").length;
  if (count > limits.elements) found.push(`${count} elements`);
  for (const form of document.querySelectorAll("form[method=post]")) {
    if (!form.querySelector("[name=csrf_token]")) found.push("a form without its token");
    if (!form.noValidate && form.querySelector("[required]")) found.push("a form the browser judges");
  }
  for (const label of document.querySelectorAll("label[for]"))
    if (!document.getElementById(label.htmlFor)) found.push(`a label of nothing: ${told(label)}`);
  return found;
}"""
# A link in the middle of a sentence may be as high as its line; the bars of the chart have a list.
_FINGERS: Final = """() => {
  const found = [];
  for (const e of document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")) {
    const box = (e.closest("label") ?? e).getBoundingClientRect();
    const isHidden = !e.checkVisibility() || box.width < 2 || e.closest(".skip-link, .chart");
    const isOfText = getComputedStyle(e).display === "inline"
      && e.parentElement.textContent.trim() !== e.textContent.trim();
    if (!isHidden && !isOfText && (box.height < 43.5 || box.width < 43.5))
      found.push(`small for a finger: ${e.textContent.trim().slice(0, 30)} ${box.width}x${box.height}`);
  }
  return found.slice(0, 8);
}"""
_SIDEWAYS: Final = "document.documentElement.scrollWidth - innerWidth"
_STICKS_OUT: Final = """() => [...document.querySelectorAll("main *")]
  .filter((e) => e.scrollWidth > e.clientWidth + 0.2 && e.clientWidth > 0)
  .slice(-3).map((e) => `<${e.localName} class="${e.className}"> ${e.textContent.trim().slice(0, 40)}`)
  .join(", ")"""
_DOUBLED: Final = """() => {
  for (const e of document.querySelectorAll("label, legend, th, dt, .button, .tag, .tabs a, h1, h2"))
    for (const node of e.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) node.data += " " + node.data;
}"""


def violations(page: Page, theme: Literal["light", "dark"]) -> list[str]:
    """Return what axe finds in a theme."""
    page.emulate_media(color_scheme=theme)
    # What the bar of a phone covers just now is not covered when one scrolls.
    page.evaluate("document.querySelector('.bottom-bar')?.style.setProperty('position', 'static')")
    found = Axe().run(page, options=_WHOLE).response["violations"]
    return [
        f"axe ({theme}) {rule['id']}: {[node['html'][:140] for node in rule['nodes'][:3]]}"
        for rule in found
    ]


def measures(page: Page, most_elements: int) -> list[str]:
    """Return what is too small or too much."""
    found: list[Any] = page.evaluate(_MEASURES, {"elements": most_elements})
    return [str(each) for each in found]


def small_for_fingers(page: Page) -> list[str]:
    """Return what is smaller than a finger, for those who work with a phone in one hand."""
    found: list[Any] = page.evaluate(_FINGERS)
    return [str(each) for each in found]


def sideways(page: Page, said: str) -> list[str]:
    """Return a complaint when the page is wider than its window."""
    by = int(page.evaluate(_SIDEWAYS))
    if by <= 0:
        return []
    return [f"{by} px wider than the window {said}: {page.evaluate(_STICKS_OUT)}"]


def sideways_when_strained(page: Page) -> list[str]:
    """The same at 320 px, with text at 200 percent, and with labels of double length."""
    page.set_viewport_size({"width": 320, "height": 640})
    found = sideways(page, "of 320 px")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found += sideways(page, "at 200 % text")
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.evaluate(_DOUBLED)
    return found + sideways(page, "with doubled labels")
