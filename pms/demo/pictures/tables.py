"""Desks, tables, chairs, shelves and wardrobes."""

from __future__ import annotations

from pms.demo.chance import Chance
from pms.demo.pictures.beds import WOOD, shadow
from pms.demo.pictures.canvas import Canvas, shade
from pms.demo.pictures.shells import FLOOR

_SPINES = ("#c8553d", "#3f7d8c", "#e8b04a", "#6a8f5f", "#7a6a9a", "#f1e9da", "#2f4858", "#d98a7b")


def desk(sheet: Canvas, x: float, w: float, colour: str = WOOD, base: float = FLOOR + 60) -> None:
    """A desk with two drawers, and a computer on it."""
    shadow(sheet, x, w, base)
    top = base - 250
    sheet.box(x + 16, top + 20, 18, 230, shade(colour, -0.2))
    sheet.box(x + w - 34, top + 20, 18, 230, shade(colour, -0.2))
    sheet.box(x, top, w, 24, colour, 5)
    sheet.box(x, top + 18, w, 6, shade(colour, -0.2))
    sheet.box(x + w - 190, top + 24, 160, 112, shade(colour, 0.12), 4)
    for drawer in range(2):
        sheet.box(x + w - 182, top + 30 + drawer * 54, 144, 46, shade(colour, 0.22), 4)
        sheet.disc(x + w - 110, top + 53 + drawer * 54, 7, shade(colour, -0.35))
    computer(sheet, x + w * 0.34, top)


def computer(sheet: Canvas, x: float, top: float) -> None:
    sheet.box(x, top - 108, 164, 102, "#3b4252", 8)
    sheet.box(x + 8, top - 100, 148, 86, "#bfe0e6")
    sheet.shape([(x + 8, top - 14), (x + 70, top - 62), (x + 120, top - 14)], "#8fc0b4")
    sheet.disc(x + 122, top - 76, 12, "#ffe9a8")
    sheet.box(x - 14, top - 8, 192, 9, "#566075", 4)


def chair(sheet: Canvas, x: float, colour: str, base: float = FLOOR + 130) -> None:
    """A chair seen from behind, half turned."""
    shadow(sheet, x, 150, base)
    wood = shade(WOOD, -0.2)
    for foot, head in ((x + 8, x + 20), (x + 142, x + 130)):
        sheet.line([(head, base - 250), (foot, base)], wood, 13)
    sheet.box(x + 10, base - 286, 130, 92, colour, 22)
    sheet.box(x + 10, base - 286, 130, 14, shade(colour, 0.2), 7)
    sheet.box(x + 2, base - 146, 146, 30, shade(colour, -0.12), 14)


def low_table(sheet: Canvas, x: float, w: float, base: float = FLOOR + 190) -> None:
    """A low round-cornered table with tea on it."""
    shadow(sheet, x, w, base)
    for leg in (x + 36, x + w - 54):
        sheet.box(leg, base - 84, 18, 86, shade(WOOD, -0.28), 4)
    sheet.box(x, base - 106, w, 26, shade(WOOD, 0.06), 12)
    sheet.box(x + 6, base - 88, w - 12, 10, shade(WOOD, -0.18), 5)
    teapot(sheet, x + w * 0.4, base - 106)
    cup(sheet, x + w * 0.62, base - 106, "#f6efe2")
    cup(sheet, x + w * 0.74, base - 106, "#9db9a5")


def teapot(sheet: Canvas, x: float, base: float) -> None:
    sheet.arc(x, base - 58, 32, 190, 350, "#5a4636", 7)
    sheet.disc(x, base - 28, 42, "#3f6f6b", 30)
    sheet.line([(x + 30, base - 34), (x + 60, base - 54)], "#3f6f6b", 14)
    sheet.box(x - 18, base - 62, 36, 10, "#57908a", 5)


def cup(sheet: Canvas, x: float, base: float, colour: str) -> None:
    sheet.box(x - 17, base - 36, 34, 36, colour, 8)
    sheet.box(x - 17, base - 36, 34, 8, shade(colour, -0.15), 4)


def dining_table(sheet: Canvas, x: float, w: float, base: float = FLOOR + 170) -> None:
    shadow(sheet, x, w, base)
    for leg in (x + 40, x + w - 66):
        sheet.box(leg, base - 260, 26, 262, shade(WOOD, -0.22), 5)
    sheet.box(x, base - 286, w, 34, shade(WOOD, 0.08), 10)
    sheet.box(x, base - 262, w, 12, shade(WOOD, -0.16), 5)


def bookshelf(sheet: Canvas, x: float, w: float, rows: int, seed: int) -> None:
    base, high = FLOOR + 30, 132
    chance = Chance("shelf", seed)
    shadow(sheet, x, w, base)
    sheet.box(x, base - rows * high - 24, w, rows * high + 24, shade(WOOD, 0.12), 5)
    for row in range(rows):
        floor = base - 14 - row * high
        sheet.box(x + 14, floor - high + 16, w - 28, high - 16, shade(WOOD, -0.34))
        books(sheet, x + 20, floor, w - 40, chance)


def books(sheet: Canvas, x: float, base: float, w: float, chance: Chance) -> None:
    """A row of books, with a gap here and there."""
    end = x + w
    while x < end - 24:
        wide, high = chance.whole(14, 26), chance.whole(62, 98)
        if chance.share() < 0.86:
            tone = chance.one_of(_SPINES)
            sheet.box(x, base - high, wide, high, tone, 2)
            sheet.box(x, base - high + 14, wide, 6, shade(tone, 0.4))
        x += wide + 3


def wall_shelf(sheet: Canvas, x: float, y: float, w: float, seed: int) -> None:
    sheet.box(x, y, w, 14, WOOD, 4)
    sheet.box(x, y + 12, w, 10, "#00000012")
    books(sheet, x + 14, y, w * 0.55, Chance("board", seed))


def wardrobe(sheet: Canvas, x: float, w: float, colour: str) -> None:
    base, top = FLOOR + 36, 330
    shadow(sheet, x, w, base)
    sheet.box(x, top, w, base - top, shade(colour, -0.1), 6)
    half = w / 2
    for door in range(2):
        sheet.box(x + 8 + door * half, top + 10, half - 14, base - top - 30, colour, 5)
        sheet.box(
            x + 22 + door * half, top + 28, half - 42, base - top - 70, shade(colour, 0.14), 4
        )
    for knob in (x + half - 16, x + half + 16):
        sheet.box(knob - 4, (base + top) / 2 - 34, 8, 68, "#7b6a58", 4)
