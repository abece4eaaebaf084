"""What is seen through a window or behind a house: the sky of an hour, and a view."""

from __future__ import annotations

from pms.demo.chance import Chance
from pms.demo.pictures.canvas import Canvas, shade

SKIES: dict[str, tuple[str, ...]] = {
    "morning": ("#a9d6ee", "#dff0f3", "#fdf1d8"),
    "noon": ("#6bb9e8", "#a8d9f3", "#e3f4fb"),
    "afternoon": ("#8ec5e6", "#f2ead0", "#fbd9a6"),
    "dusk": ("#4c4a86", "#a96a94", "#f39b7b", "#ffd39b"),
    "night": ("#101a3a", "#22336a", "#40528c"),
    "rain": ("#93a5b3", "#b7c4cc", "#d5dcdf"),
}
_FAR = {
    "morning": "#b9d3c9", "noon": "#9fcbb4", "afternoon": "#c9c3a0",
    "dusk": "#6d5580", "night": "#1a2850", "rain": "#9aa9ac",
}  # fmt: skip
_NEAR = {
    "morning": "#7fb08d", "noon": "#5aa56f", "afternoon": "#8aa765",
    "dusk": "#4a3f63", "night": "#121d3d", "rain": "#71877f",
}  # fmt: skip


def sky(sheet: Canvas, hour: str, chance: Chance) -> None:
    """The whole sheet as sky, with clouds, a sun, a moon or rain."""
    sheet.fade(0, 0, sheet.width, sheet.height, SKIES[hour])
    if hour == "night":
        _stars(sheet, chance)
    elif hour == "rain":
        _rain(sheet, chance)
    else:
        _clouds(sheet, hour, chance)


def _stars(sheet: Canvas, chance: Chance) -> None:
    for _ in range(26):
        at = chance.between(0, sheet.width), chance.between(0, sheet.height * 0.6)
        sheet.disc(*at, chance.one_of((1.5, 2, 3)), "#ffffffb0")
    x, y, r = sheet.width * 0.74, sheet.height * 0.24, min(sheet.width, sheet.height) * 0.09
    sheet.glow(x, y, r * 4, "#fff3c460")
    sheet.disc(x, y, r, "#fff3c4")


def _rain(sheet: Canvas, chance: Chance) -> None:
    for _ in range(60):
        x, y = chance.between(0, sheet.width), chance.between(-20, sheet.height)
        sheet.line([(x, y), (x - 8, y + 34)], "#ffffff70", 2)


def _clouds(sheet: Canvas, hour: str, chance: Chance) -> None:
    colour = "#ffd9c270" if hour == "dusk" else "#ffffffd0"
    for _ in range(max(2, round(sheet.width / 240))):
        x, y = chance.between(0, sheet.width), chance.between(0.06, 0.4) * sheet.height
        cloud(sheet, x, y, chance.between(0.5, 1.0) * min(90, sheet.width / 5), colour)


def cloud(sheet: Canvas, x: float, y: float, size: float, colour: str) -> None:
    opaque = colour[:7]
    sheet.disc(x, y, size * 0.42, opaque)
    sheet.disc(x - size * 0.5, y + size * 0.14, size * 0.28, opaque)
    sheet.disc(x + size * 0.5, y + size * 0.12, size * 0.32, opaque)
    sheet.box(x - size * 0.78, y + size * 0.1, size * 1.6, size * 0.32, opaque, size * 0.16)


def view(sheet: Canvas, kind: str, hour: str, chance: Chance) -> None:
    """Trees, roofs, a town or the harbour along the lower edge."""
    {"trees": trees, "town": town, "hills": hills, "harbour": harbour}[kind](sheet, hour, chance)


def hills(sheet: Canvas, hour: str, chance: Chance) -> None:
    w, h = sheet.width, sheet.height
    sheet.disc(w * 0.25, h * 1.12, w * 0.6, _FAR[hour], h * 0.46)
    sheet.disc(w * 0.85, h * 1.16, w * 0.55, shade(_FAR[hour], -0.1), h * 0.42)
    trees(sheet, hour, chance, 0.2)


def trees(sheet: Canvas, hour: str, chance: Chance, high: float = 0.34) -> None:
    w, h = sheet.width, sheet.height
    x = -20.0
    while x < w + 40:
        r = chance.between(0.5, 1.0) * h * high * 0.7
        tone = shade(_NEAR[hour], chance.one_of((-0.16, -0.06, 0.0, 0.1)))
        sheet.disc(x, h - r * 0.35, r, tone)
        x += r * chance.between(0.7, 1.2)


def town(sheet: Canvas, hour: str, chance: Chance) -> None:
    _row_of_houses(sheet, shade(_FAR[hour], 0.1), hour, chance, (0.34, 0.62))
    _row_of_houses(sheet, shade(_FAR[hour], -0.22), hour, chance, (0.16, 0.4))


def _row_of_houses(
    sheet: Canvas, colour: str, hour: str, chance: Chance, highs: tuple[float, float]
) -> None:
    x = -10.0
    lit = "#ffe6a3" if hour in {"dusk", "night"} else shade(colour, 0.35)
    while x < sheet.width:
        w = chance.between(46, 96)
        top = sheet.height * (1 - chance.between(*highs))
        sheet.box(x, top, w, sheet.height - top, shade(colour, chance.between(-0.1, 0.1)))
        for row in range(int((sheet.height - top) // 26)):
            for column in range(int(w // 22)):
                if chance.share() < 0.55:
                    sheet.box(x + 8 + column * 22, top + 10 + row * 26, 9, 12, lit)
        x += w + chance.between(-6, 14)


def harbour(sheet: Canvas, hour: str, chance: Chance) -> None:
    w, h = sheet.width, sheet.height
    sea = {"dusk": "#7a5f8f", "night": "#1c2d5c", "rain": "#8ba0ab"}.get(hour, "#4f9cc0")
    _row_of_houses(sheet, shade(_FAR[hour], 0.05), hour, chance, (0.4, 0.55))
    sheet.box(0, h * 0.72, w, h * 0.28, sea)
    for _ in range(round(w / 30)):
        x, y = chance.between(0, w), chance.between(h * 0.75, h)
        sheet.box(x, y, chance.between(16, 46), 3, "#ffffff60", 1.5)
    x = w * 0.62
    sheet.shape(
        [(x, h * 0.79), (x + 90, h * 0.79), (x + 72, h * 0.86), (x + 14, h * 0.86)], "#fbf7ef"
    )
    sheet.shape([(x + 44, h * 0.77), (x + 44, h * 0.56), (x + 84, h * 0.77)], "#f4f1ea")
