"""What a machine sees of a page: accessibility, widths, sizes of targets and text."""

from dataclasses import dataclass
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT as _AXE
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
_RUN_AXE: Final = """async ([options, isShort]) => {
  // What the bar of a phone covers just now is not covered when one scrolls.
  document.querySelector(".bottom-bar")?.style.setProperty("position", "static");
  const repeated = isShort ? repeatedLines() : [];
  if (isShort) markRepeatedColours();
  const contrast = { id: "color-contrast", selector: isShort ? ":not([data-repeated])" : "*" };
  axe.configure({ rules: [contrast] });
  for (const each of repeated) each.hidden = true;
  const { violations } = await axe.run(document, options);
  for (const each of repeated) each.hidden = false;
  return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]);
}"""
# To measure contrast takes longest: lines of a table after the first are drawn as these are, and
# texts of one kind and colour on one ground need to be measured once.
_REPEATED: Final = """
window.repeatedLines = () => [...document.querySelectorAll(
  "tbody > tr:nth-child(n+4), main :is(ul, ol) > li:nth-child(n+5), .chart-row:nth-child(n+4)"
)].filter((line) => !line.hidden);
window.markRepeatedColours = () => {
  const kinds = new Set();
  const groundOf = (element) => {
    const ground = getComputedStyle(element).backgroundColor;
    const isClear = /^transparent$|, 0\\)$/.test(ground);
    return isClear && element.parentElement ? groundOf(element.parentElement) : ground;
  };
  for (const element of document.querySelectorAll("body *")) {
    const { color, opacity, fontSize, fontWeight } = getComputedStyle(element);
    const isText = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    const kind = [
      element.localName, element.className, element.parentElement.className, color, opacity,
      fontSize, fontWeight, element.matches(":disabled, [aria-disabled]"), groundOf(element),
    ].join("|");
    if (kinds.has(kind) || !isText && !element.matches("input, select, textarea"))
      element.dataset.repeated = "";
    else kinds.add(kind);
  }
};
"""

# Measures what is drawn: gives a list of complaints, and what is said about the page.
_LOOKS_AT: Final = """({ elements, isForFingers }) => {
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
  if (count > elements) found.push(`${count} elements`);
  for (const form of document.querySelectorAll("form[method=post]")) {
    if (!form.querySelector("[name=csrf_token]")) found.push("a form without its token");
    if (!form.noValidate && form.querySelector("[required]")) found.push("a form the browser judges");
  }
  for (const label of document.querySelectorAll("label[for]"))
    if (!document.getElementById(label.htmlFor)) found.push(`a label of nothing: ${told(label)}`);
  if (isForFingers) found.push(...smallForFingers());
  found.push(...brokenAcrossLines());
  // What a provider calls its events is quoted as code, in its own words.
  const shown = document.querySelector("main").cloneNode(true);
  shown.querySelectorAll("code, pre").forEach((quoted) => quoted.remove());
  return {
    found,
    width: [document.documentElement.scrollWidth - innerWidth, sticksOut()],
    words: shown.innerText,
    title: document.title,
    language: document.documentElement.lang,
    is_at_errors: document.activeElement.matches(".error-summary"),
  };
}"""
# A link in the middle of a sentence may be as high as its line; the bars of the chart have a list.
# A machine without a Japanese font draws narrow boxes, whose width tells nothing.
_FINGERS: Final = """
window.smallForFingers = () => {
  const found = [];
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `16px ${getComputedStyle(document.body).fontFamily}`;
  const areWordsDrawn = pen.measureText("日").width > 15;
  const isWidthKnown = (text) => areWordsDrawn || !/[^\\u0000-\\u02ff]/.test(text);
  for (const e of document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")) {
    const box = (e.closest("label") ?? e).getBoundingClientRect();
    const isHidden = !e.checkVisibility() || box.width < 2 || e.closest(".skip-link, .chart");
    const isOfText = getComputedStyle(e).display === "inline"
      && e.parentElement.textContent.trim() !== e.textContent.trim();
    const isNarrow = box.width < 43.5 && isWidthKnown(e.textContent);
    if (!isHidden && !isOfText && (box.height < 43.5 || isNarrow))
      found.push(`small for a finger: ${e.textContent.trim().slice(0, 30)} ${box.width}x${box.height}`);
  }
  return found.slice(0, 8);
};
"""
# An amount on two lines is read as two (¥1,2 and 34,000), and so is a unit (A- and 02). What people write freely flows.
_BROKEN: Final = """
window.brokenAcrossLines = () => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest(".prose, .contract-text")) continue;
    for (const match of node.data.matchAll(/[−-]?[¥￥]?\\d{1,3}(?:,\\d{3})+(?:円)?|[−-]?[¥￥]\\d+|\\b[A-Z]-\\d{2}\\b/g)) {
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].filter((one) => one.width > 0)
        .map((one) => Math.round(one.top)));
      if (lines.size > 1) {
        const e = node.parentElement;
        found.add(`${match[0]} in <${e.localName} class="${e.className}"> ${e.textContent.trim().slice(0, 40)}`);
      }
    }
  }
  return [...found].slice(0, 8).map((one) => `breaks across lines: ${one}`);
};
"""
_STICKS_OUT: Final = """
window.sticksOut = () => document.documentElement.scrollWidth <= innerWidth ? ""
  : [...document.querySelectorAll("main *")]
    .filter((e) => e.scrollWidth > e.clientWidth + 0.2 && e.clientWidth > 0)
    .slice(-3).map((e) => `<${e.localName} class="${e.className}"> ${e.textContent.trim().slice(0, 40)}`)
    .join(", ");
"""
_WIDTH: Final = "[document.documentElement.scrollWidth - innerWidth, sticksOut()]"
# With text at 200 percent, and then with labels of double length.
_STRAINED: Final = f"""() => {{
  document.documentElement.style.fontSize = "200%";
  const large = {_WIDTH};
  document.documentElement.style.fontSize = "";
  for (const e of document.querySelectorAll("label, legend, th, dt, .button, .tag, .tabs a, h1, h2"))
    for (const node of e.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) node.data += " " + node.data;
  return [large, {_WIDTH}];
}}"""
# A browser gives the focus to what asks for it when it draws; a machine under load may look before.
_WHEN_DRAWN: Final = """() => document.querySelector("[autofocus]")
  && new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"""
INSPECTION_SCRIPT: Final = "\n".join((_AXE, _REPEATED, _FINGERS, _BROKEN, _STICKS_OUT))
"""What a page must have loaded before it is inspected."""


@dataclass(frozen=True)
class Findings:
    """What a page shows at one look."""

    complaints: list[str]
    words: str
    title: str
    language: str
    is_at_errors: bool
    """Whether the focus is on the summary of errors."""


def findings(page: Page, window: str, *, most_elements: int, is_for_fingers: bool) -> Findings:
    """Return what is too small, too much or too wide, and what the page says.

    `is_for_fingers`: it is for those who work with a phone in one hand.
    """
    asked = {"elements": most_elements, "isForFingers": is_for_fingers}
    page.evaluate(_WHEN_DRAWN)
    seen: dict[str, Any] = page.evaluate(_LOOKS_AT, asked)
    complaints = [*seen.pop("found"), *_sideways(seen.pop("width"), f"of a {window}")]
    return Findings(complaints, **seen)


def violations(page: Page, theme: str, *, is_short: bool = False) -> list[str]:
    """Return what axe finds; `theme` is the one the page is seen in.

    `is_short`: what is drawn again and again is read once.
    """
    found: list[tuple[str, list[str]]] = page.evaluate(_RUN_AXE, [_WHOLE, is_short])
    return [f"axe ({theme}) {rule}: {[html[:140] for html in nodes]}" for rule, nodes in found]


def sideways_when_strained(page: Page) -> list[str]:
    """Return when a page of a phone is too wide at 320 px, with large text or long labels."""
    page.set_viewport_size({"width": 320, "height": 640})
    narrow, broken = page.evaluate(_WIDTH), page.evaluate("brokenAcrossLines()")
    page.set_viewport_size({"width": 390, "height": 844})
    large, doubled = page.evaluate(_STRAINED)
    return [
        *_sideways(narrow, "of 320 px"),
        *(f"{each} (320 px)" for each in broken),
        *_sideways(large, "at 200 % text"),
        *_sideways(doubled, "with doubled labels"),
    ]


def _sideways(width: tuple[int, str], window: str) -> list[str]:
    by, what = width
    return [f"{by} px wider than the window {window}: {what}"] if by > 0 else []
