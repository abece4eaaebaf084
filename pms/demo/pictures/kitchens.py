"""Kitchens, the shared lounge, bathrooms, the laundry and the entrance."""

from __future__ import annotations

from pms.demo.pictures.beds import cushion, shadow, sofa
from pms.demo.pictures.canvas import Canvas, shade
from pms.demo.pictures.decorations import (
    clock,
    hanging_plant,
    pendant,
    picture,
    rug,
    small_plant,
    tall_plant,
)
from pms.demo.pictures.rooms import is_dark
from pms.demo.pictures.shells import FLOOR, Look, evening, room, window
from pms.demo.pictures.tables import bookshelf, chair, cup, dining_table, low_table, teapot

_STEEL = "#cfd5d8"
_TOP = "#8d6a4a"


def kitchen(look: Look) -> Canvas:
    """A counter along the wall with hob and sink, open shelves and a refrigerator."""
    sheet = room(look, "tiles")
    splash(sheet, look, 90, 470, 1090, 150)
    window(sheet, look, 560, 130, 360, 250)
    counter(sheet, look, 90, 1090)
    hob(sheet, 200, 620)
    sink(sheet, 640, 620)
    hood(sheet, 300)
    open_shelf(sheet, 990, 210, 190)
    open_shelf(sheet, 990, 350, 190)
    small_plant(sheet, 1110, 620, "#f6efe2")
    refrigerator(sheet, 1240, 270, look.second)
    clock(sheet, 150, 190)
    evening(sheet, look)
    pendant(sheet, 480, 10, look.second, is_dark(look))
    return sheet


def shared_kitchen(look: Look) -> Canvas:
    """A large kitchen with an island, stools and three lamps."""
    sheet = room(look, "planks")
    splash(sheet, look, 60, 430, 1480, 160)
    counter(sheet, look, 60, 1480, 590)
    hob(sheet, 170, 590)
    hob(sheet, 1200, 590)
    hood(sheet, 270)
    hood(sheet, 1300)
    window(sheet, look, 600, 120, 400, 250)
    sink(sheet, 680, 590)
    open_shelf(sheet, 430, 310, 120)
    open_shelf(sheet, 1040, 310, 120)
    island(sheet, look)
    evening(sheet, look)
    for x in (480, 800, 1120):
        pendant(sheet, x, 60, look.second, is_dark(look))
    return sheet


def island(sheet: Canvas, look: Look) -> None:
    base = FLOOR + 200
    shadow(sheet, 300, 1000, base + 8)
    sheet.box(330, base - 290, 940, 290, shade(look.accent, -0.06), 6)
    for board in range(1, 8):
        sheet.box(330 + board * 117, base - 280, 4, 270, shade(look.accent, -0.2))
    sheet.box(290, base - 326, 1020, 44, shade(_TOP, 0.16), 8)
    sheet.box(290, base - 292, 1020, 10, shade(_TOP, -0.1), 4)
    fruit(sheet, 480, base - 326)
    teapot(sheet, 1010, base - 326)
    cup(sheet, 1090, base - 326, "#f6efe2")
    cup(sheet, 1140, base - 326, look.second)
    small_plant(sheet, 780, base - 326, "#f1e7d6")
    for x in (440, 700, 960):
        stool(sheet, x, base + 70, look.second)


def stool(sheet: Canvas, x: float, base: float, colour: str) -> None:
    shadow(sheet, x, 140, base)
    for foot, head in ((x, x + 30), (x + 140, x + 110)):
        sheet.line([(head, base - 220), (foot, base)], "#6f5238", 12)
    sheet.box(x + 16, base - 100, 108, 10, "#6f5238", 5)
    sheet.box(x + 4, base - 246, 132, 34, colour, 17)
    sheet.box(x + 4, base - 246, 132, 14, shade(colour, 0.2), 7)


def fruit(sheet: Canvas, x: float, base: float) -> None:
    for index, tone in enumerate(("#e58f3c", "#d9534a", "#e8b04a")):
        sheet.disc(x - 34 + index * 34, base - 56, 28, tone)
    sheet.pie(x, base - 54, 76, 0, 180, "#f3ece0")
    sheet.box(x - 30, base - 8, 60, 8, "#e0d6c4", 4)


def splash(sheet: Canvas, look: Look, x: float, y: float, w: float, h: float) -> None:
    """Wall tiles behind the counter."""
    sheet.box(x, y, w, h, shade(look.accent, 0.5))
    rows, wide = 3, 74
    for row in range(rows):
        top = y + row * h / rows
        sheet.box(x, top, w, 4, shade(look.accent, 0.74))
        edge = x + (wide / 2 if row % 2 else 0)
        while edge < x + w:
            sheet.box(edge, top, 4, h / rows, shade(look.accent, 0.74))
            edge += wide


def counter(sheet: Canvas, look: Look, x: float, w: float, top: float = 620) -> None:
    """Cupboards under a wooden top."""
    base = FLOOR + 30
    shadow(sheet, x, w, base)
    sheet.box(x, top, w, base - top, shade(look.accent, -0.1))
    doors = round(w / 182)
    wide = w / doors
    for door in range(doors):
        sheet.box(x + door * wide + 6, top + 48, wide - 12, base - top - 80, look.accent, 4)
        sheet.box(x + door * wide + wide / 2 - 34, top + 66, 68, 8, "#e9d9b6", 4)
    sheet.box(x, base - 24, w, 24, "#40444a")
    sheet.box(x - 14, top, w + 28, 32, _TOP, 5)
    sheet.box(x - 14, top, w + 28, 10, shade(_TOP, 0.22), 5)


def hob(sheet: Canvas, x: float, top: float) -> None:
    """Two burners with a pot and a kettle on them."""
    sheet.box(x, top - 10, 220, 14, "#33383d", 5)
    sheet.box(x + 16, top - 76, 88, 66, "#c8553d", 8)
    sheet.box(x + 4, top - 66, 112, 12, "#a9442f", 6)
    sheet.box(x + 48, top - 88, 24, 12, "#6f2b1e", 5)
    sheet.pie(x + 162, top - 10, 44, 180, 360, _STEEL)
    sheet.arc(x + 162, top - 48, 34, 180, 360, "#3f454a", 7)


def sink(sheet: Canvas, x: float, top: float) -> None:
    sheet.box(x, top - 4, 240, 12, _STEEL, 4)
    sheet.line([(x + 120, top - 4), (x + 120, top - 84)], "#aab3b8", 12)
    sheet.arc(x + 92, top - 84, 34, 180, 360, "#aab3b8", 11)
    sheet.box(x + 190, top - 56, 26, 52, "#e8b04a", 6)
    sheet.box(x + 197, top - 70, 12, 16, "#f4efe6", 3)


def hood(sheet: Canvas, x: float) -> None:
    sheet.box(x - 46, 0, 92, 260, _STEEL)
    sheet.box(x + 20, 0, 26, 260, shade(_STEEL, -0.07))
    sheet.shape(
        [(x - 60, 250), (x + 60, 250), (x + 130, 330), (x - 130, 330)], shade(_STEEL, -0.05)
    )
    sheet.box(x - 130, 328, 260, 24, shade(_STEEL, -0.16), 4)


def open_shelf(sheet: Canvas, x: float, y: float, w: float) -> None:
    """Bowls, cups and a jar on a board."""
    sheet.box(x, y, w, 14, _TOP, 4)
    sheet.pie(x + 44, y - 36, 36, 0, 180, "#f6efe2")
    sheet.pie(x + 44, y - 50, 36, 0, 180, "#9db9a5")
    cup(sheet, x + 108, y, "#d9775c")
    if w > 160:
        sheet.box(x + 140, y - 64, 36, 64, "#efe3c4", 8)
        sheet.box(x + 138, y - 74, 40, 14, "#8a6f56", 5)


def refrigerator(sheet: Canvas, x: float, w: float, colour: str) -> None:
    base, top = FLOOR + 40, 260
    shadow(sheet, x, w, base)
    sheet.box(x, top, w, base - top, shade(colour, -0.08), 22)
    sheet.box(x + 8, top + 8, w - 16, 210, colour, 18)
    sheet.box(x + 8, top + 230, w - 16, base - top - 246, colour, 18)
    for handle in (top + 130, top + 260):
        sheet.box(x + 30, handle, 12, 76, "#f7f3ea", 6)
    for note, tone in enumerate(("#f4d77c", "#f6f1e6", "#a8cfc4")):
        sheet.box(x + 90 + note * 56, top + 300 + (note % 2) * 26, 44, 48, tone, 3)
    small_plant(sheet, x + w * 0.5, top)


def lounge(look: Look) -> Canvas:
    """The shared living room: sofa, long table, shelves and plants."""
    sheet = room(look)
    window(sheet, look, 620, 130, 430, 360, 2)
    bookshelf(sheet, 1190, 330, 5, look.seed)
    picture(sheet, 70, 190, 250, 200, look.seed)
    sofa(sheet, 60, 560, look.accent)
    cushion(sheet, 190, FLOOR - 60, 58, look.second)
    tall_plant(sheet, 1110, FLOOR + 40, "#6d8f8c")
    hanging_plant(sheet, 470, 170)
    rug(sheet, 500, 1110, 360, look.second)
    low_table(sheet, 240, 360, FLOOR + 230)
    dining_table(sheet, 840, 560, FLOOR + 210)
    fruit(sheet, 1010, FLOOR - 76)
    cup(sheet, 1190, FLOOR - 76, look.accent)
    chair(sheet, 880, look.second, FLOOR + 260)
    chair(sheet, 1200, look.accent, FLOOR + 260)
    evening(sheet, look)
    pendant(sheet, 1110, 20, look.second, is_dark(look))
    return sheet
