"""Things to sleep and to sit on."""

from __future__ import annotations

from pms.demo.pictures.canvas import Canvas, shade
from pms.demo.pictures.shells import FLOOR

WOOD = "#b98356"
LINEN = "#fbf8f1"


def shadow(sheet: Canvas, x: float, w: float, y: float) -> None:
    """The soft dark patch a thing leaves on the floor."""
    sheet.glow(x + w / 2, y, w * 0.58, "#3a240f60", 26)


def bed(sheet: Canvas, x: float, w: float, cover: str, base: float = FLOOR + 90) -> None:
    """A single bed seen from its side, the head at the left."""
    shadow(sheet, x, w, base + 6)
    for leg in (x + 22, x + w - 38):
        sheet.box(leg, base - 56, 16, 56, shade(WOOD, -0.3))
    sheet.box(x, base - 114, w, 62, WOOD, 6)
    sheet.box(x, base - 64, w, 12, shade(WOOD, -0.14), 6)
    sheet.box(x - 12, base - 310, 30, 258, shade(WOOD, -0.1), 10)
    sheet.box(x + w - 14, base - 172, 26, 122, shade(WOOD, -0.1), 10)
    sheet.box(x + 16, base - 182, w - 30, 74, LINEN, 20)
    _cover(sheet, x, w, cover, base)
    pillow(sheet, x + 28, base - 252, w * 0.21, 82, LINEN)
    pillow(sheet, x + w * 0.16, base - 230, w * 0.15, 66, shade(cover, 0.25))


def _cover(sheet: Canvas, x: float, w: float, cover: str, base: float) -> None:
    sheet.box(x + w * 0.27, base - 206, w * 0.72 - 14, 116, cover, 32)
    sheet.box(x + w * 0.27, base - 206, w * 0.12, 116, shade(cover, 0.45), 24)
    for fold in (0.52, 0.66, 0.82):
        sheet.line(
            [(x + w * fold, base - 196), (x + w * (fold + 0.03), base - 98)], shade(cover, -0.1), 5
        )


def pillow(sheet: Canvas, x: float, y: float, w: float, h: float, colour: str) -> None:
    sheet.box(x, y, w, h, shade(colour, -0.07), 24)
    sheet.box(x + 3, y, w - 6, h - 8, colour, 22)


def loft_bed(sheet: Canvas, x: float, w: float, cover: str) -> None:
    """A bed on posts with a ladder; the space under it is left for a desk."""
    base, deck = FLOOR + 60, 430
    shadow(sheet, x, w, base)
    for post in (x, x + w - 26):
        sheet.box(post, deck - 90, 26, base - deck + 90, "#e9e2d6", 4)
        sheet.box(post + 18, deck - 90, 8, base - deck + 90, "#d3cabb")
    sheet.box(x, deck, w, 34, "#f6f1e8", 4)
    sheet.box(x, deck + 28, w, 8, "#d3cabb")
    sheet.box(x + 30, deck - 48, w - 60, 50, LINEN, 16)
    sheet.box(x + w * 0.3, deck - 66, w * 0.66, 66, cover, 24)
    pillow(sheet, x + 40, deck - 96, w * 0.2, 58, LINEN)
    sheet.box(x, deck - 88, w, 12, "#f6f1e8", 4)
    ladder = x + w - 120
    for rail in (ladder, ladder + 74):
        sheet.box(rail, deck - 40, 14, base - deck + 40, shade(WOOD, 0.1), 6)
    for rung in range(6):
        sheet.box(ladder + 6, deck + 40 + rung * 76, 74, 12, shade(WOOD, -0.08), 4)


def futon(sheet: Canvas, x: float, w: float, cover: str) -> None:
    """A futon laid out on tatami."""
    base = FLOOR + 210
    shadow(sheet, x, w, base)
    sheet.shape([(x + 60, base - 96), (x + w - 60, base - 96), (x + w, base), (x, base)], LINEN)
    sheet.box(x, base - 4, w, 22, shade(LINEN, -0.1), 8)
    top = [(x + w * 0.34, base - 112), (x + w - 58, base - 112)]
    sheet.shape([*top, (x + w + 6, base - 6), (x + w * 0.3, base - 6)], cover)
    sheet.shape(
        [top[0], (x + w * 0.42, base - 112), (x + w * 0.39, base - 6), (x + w * 0.3, base - 6)],
        shade(cover, 0.5),
    )
    sheet.box(x + w * 0.3, base - 12, w * 0.7 + 6, 22, shade(cover, -0.12), 10)
    pillow(sheet, x + 76, base - 108, w * 0.2, 56, "#ffffff")


def sofa(sheet: Canvas, x: float, w: float, colour: str) -> None:
    base = FLOOR + 70
    shadow(sheet, x, w, base + 8)
    for leg in (x + 40, x + w - 56):
        sheet.box(leg, base - 30, 16, 38, shade(WOOD, -0.25), 4)
    sheet.box(x + 20, base - 230, w - 40, 150, shade(colour, -0.08), 34)
    half = (w - 120) / 2
    for seat in range(2):
        sheet.box(x + 58 + seat * half, base - 216, half - 4, 110, colour, 26)
        sheet.box(x + 58 + seat * half, base - 122, half - 4, 60, shade(colour, 0.1), 18)
    sheet.box(x + 40, base - 74, w - 80, 48, shade(colour, -0.14), 14)
    for arm in (x, x + w - 72):
        sheet.box(arm, base - 168, 72, 146, shade(colour, -0.04), 30)
        sheet.box(arm + 6, base - 166, 60, 40, shade(colour, 0.08), 20)


def cushion(sheet: Canvas, x: float, y: float, size: float, colour: str) -> None:
    sheet.shape(
        [
            (x, y - size),
            (x + size, y - size * 0.12),
            (x, y + size * 0.4),
            (x - size, y - size * 0.2),
        ],
        colour,
    )
    sheet.line(
        [(x - size * 0.5, y - size * 0.35), (x + size * 0.5, y - size * 0.3)], shade(colour, 0.3), 4
    )


def armchair(sheet: Canvas, x: float, colour: str) -> None:
    base = FLOOR + 130
    shadow(sheet, x, 260, base + 6)
    for leg in (x + 34, x + 212):
        sheet.box(leg, base - 50, 14, 56, shade(WOOD, -0.25), 4)
    sheet.box(x + 26, base - 300, 208, 220, shade(colour, -0.06), 60)
    sheet.box(x + 40, base - 140, 180, 66, shade(colour, 0.1), 24)
    for arm in (x, x + 208):
        sheet.box(arm, base - 180, 52, 140, colour, 24)
