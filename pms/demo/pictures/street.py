"""What stands in the street before a house."""

from __future__ import annotations

from pms.demo.chance import Chance
from pms.demo.pictures.canvas import HEIGHT, WIDTH, Canvas, shade

_LEAVES = ("#4f8f5c", "#63a56a", "#3f7a55", "#7ab573")
_BLOSSOM = ("#f3b3c4", "#f8cdd8", "#ec9fb5", "#fbe0e6")


def pavement(sheet: Canvas, ground: float) -> None:
    sheet.box(0, ground, WIDTH, 96, "#d6cfc2")
    for seam in range(12):
        sheet.line([(seam * 150, ground), (seam * 150 - 40, ground + 84)], "#c5bdae", 3)
    sheet.box(0, ground + 84, WIDTH, 16, "#b3ab9c")
    sheet.fade(0, ground + 100, WIDTH, HEIGHT - ground - 100, ("#6f7479", "#62676c"))
    for dash in range(7):
        sheet.box(40 + dash * 250, ground + 148, 130, 9, "#e8e4da", 3)


def tree(sheet: Canvas, x: float, ground: float, high: float, seed: int) -> None:
    _crown(sheet, x, ground, high, seed, _LEAVES, "#7b5a3e")


def blossom_tree(sheet: Canvas, x: float, ground: float, high: float, seed: int) -> None:
    _crown(sheet, x, ground, high, seed, _BLOSSOM, "#5a4036")


def _crown(
    sheet: Canvas,
    x: float,
    ground: float,
    high: float,
    seed: int,
    tones: tuple[str, ...],
    trunk: str,
) -> None:
    chance = Chance("tree", seed, round(x))
    sheet.glow(x, ground + 10, high * 0.4, "#2a1c1060", 24)
    sheet.shape(
        [
            (x - 16, ground + 8),
            (x - 9, ground - high),
            (x + 9, ground - high),
            (x + 16, ground + 8),
        ],
        trunk,
    )
    for side in (-1, 1):
        sheet.line([(x, ground - high * 0.6), (x + side * high * 0.24, ground - high)], trunk, 11)
    middle, spread = ground - high * 1.22, high * 0.34
    for ring, reach in enumerate((1.0, 0.8, 0.55)):
        for _ in range(8 - ring):
            left = x + chance.between(-1, 1) * spread * reach * 1.2
            top = middle + chance.between(-1, 0.8) * spread * reach - ring * spread * 0.14
            tone = tones[(ring * 2 + chance.whole(0, 1)) % len(tones)]
            sheet.disc(left, top, spread * chance.between(0.42, 0.62), tone)


def window_lights(
    sheet: Canvas, x: float, y: float, w: float, h: float, lit: bool, frame: str
) -> None:
    """A window seen from outside; at night some are lit."""
    sheet.box(x - 9, y - 9, w + 18, h + 18, frame, 3)
    stops = ("#ffe9b0", "#ffd27c") if lit else ("#bfe0ea", "#8fbccb")
    sheet.fade(x, y, w, h, stops)
    sheet.shape(
        [(x + w * 0.15, y), (x + w * 0.42, y), (x + w * 0.1, y + h), (x, y + h * 0.6)], "#ffffff48"
    )
    sheet.box(x + w / 2 - 3, y, 6, h, frame)


def bicycle(sheet: Canvas, x: float, base: float, colour: str) -> None:
    r = 52
    for wheel in (x, x + 170):
        sheet.arc(wheel, base - r, r, 0, 360, "#33383d", 8)
        sheet.arc(wheel, base - r, r - 12, 0, 360, "#aab3b8", 2)
        sheet.disc(wheel, base - r, 7, "#33383d")
    frame = [
        (x, base - r),
        (x + 66, base - 132),
        (x + 140, base - 138),
        (x + 82, base - r),
        (x, base - r),
    ]
    sheet.line(frame, colour, 9)
    sheet.line([(x + 82, base - r), (x + 60, base - 152)], colour, 9)
    sheet.line([(x + 170, base - r), (x + 136, base - 168), (x + 108, base - 176)], colour, 9)
    sheet.box(x + 34, base - 164, 54, 14, "#4a3b30", 7)
    sheet.box(x + 150, base - 176, 62, 48, "#c79a62", 6)


def street_lamp(sheet: Canvas, x: float, base: float, lit: bool) -> None:
    sheet.box(x - 6, base - 470, 12, 470, "#4c5358", 4)
    sheet.box(x - 22, base - 18, 44, 18, "#4c5358", 5)
    sheet.arc(x + 40, base - 466, 40, 180, 300, "#4c5358", 9)
    if lit:
        sheet.glow(x + 66, base - 470, 280, "#ffdf98a0", 260)
    sheet.pie(x + 66, base - 480, 34, 180, 360, "#4c5358")
    sheet.disc(x + 66, base - 478, 18, "#fff1c6" if lit else "#f4f1e6", 12)


def lantern(sheet: Canvas, x: float, y: float, lit: bool) -> None:
    if lit:
        sheet.glow(x, y + 40, 190, "#ffcf7c90", 180)
    tone = "#ffdf9c" if lit else "#f3e3c2"
    sheet.box(x - 34, y, 68, 88, tone, 30)
    for rib in range(1, 5):
        sheet.box(x - 33, y + rib * 18 - 4, 66, 3, shade(tone, -0.16))
    for cap in (y - 8, y + 82):
        sheet.box(x - 22, cap, 44, 12, "#3b2c20", 4)
