"""Private rooms and apartments, one function a scene."""

from __future__ import annotations

from pms.demo.pictures.beds import armchair, bed, cushion, futon, loft_bed, sofa
from pms.demo.pictures.canvas import Canvas, shade
from pms.demo.pictures.decorations import (
    air_conditioner,
    cat,
    clock,
    clothes_rail,
    desk_lamp,
    floor_lamp,
    hanging_plant,
    pendant,
    picture,
    rug,
    small_plant,
    tall_plant,
)
from pms.demo.pictures.shells import FLOOR, Look, curtains, evening, room, window
from pms.demo.pictures.tables import (
    bookshelf,
    chair,
    desk,
    dining_table,
    low_table,
    wall_shelf,
    wardrobe,
)


def private_room(look: Look) -> Canvas:
    """Bed at the left, window in the middle, desk at the right."""
    sheet = room(look)
    window(sheet, look, 600, 190, 420, 430)
    curtains(sheet, look.second, 600, 190, 420, 430)
    air_conditioner(sheet, 1240, 90)
    rug(sheet, 800, 1090, 330, look.accent)
    bed(sheet, 60, 560, look.accent)
    wall_shelf(sheet, 1180, 430, 330, look.seed)
    desk(sheet, 1130, 420)
    picture(sheet, 110, 240, 180, 230, look.seed)
    picture(sheet, 330, 330, 120, 150, look.seed + 1)
    small_plant(sheet, 1410, 430, "#f1e7d6")
    chair(sheet, 1200, look.second)
    evening(sheet, look)
    desk_lamp(sheet, 1470, FLOOR - 190, "#e0a33e", is_dark(look))
    return sheet


def desk_by_the_window(look: Look) -> Canvas:
    """A desk under a wide window, the bed at the right."""
    sheet = room(look)
    window(sheet, look, 150, 170, 620, 400, 3)
    desk(sheet, 200, 520)
    small_plant(sheet, 640, FLOOR - 190, "#f6efe2")
    rug(sheet, 720, 1100, 280, look.second)
    chair(sheet, 380, look.accent)
    bed(sheet, 930, 610, look.second)
    picture(sheet, 1060, 190, 240, 180, look.seed)
    picture(sheet, 1330, 240, 130, 170, look.seed + 2)
    hanging_plant(sheet, 910, 250)
    evening(sheet, look)
    desk_lamp(sheet, 268, FLOOR - 190, look.second, is_dark(look))
    return sheet


def loft_room(look: Look) -> Canvas:
    """A loft bed with a place to work below."""
    sheet = room(look)
    window(sheet, look, 1020, 200, 380, 420)
    curtains(sheet, look.second, 1020, 200, 380, 420)
    sheet.box(110, 466, 660, FLOOR - 488, shade(look.wall, -0.12))
    wall_shelf(sheet, 190, 590, 300, look.seed)
    desk(sheet, 170, 420)
    chair(sheet, 300, look.second)
    evening(sheet, look)
    desk_lamp(sheet, 240, FLOOR - 190, look.accent, True)
    loft_bed(sheet, 90, 720, look.accent)
    picture(sheet, 330, 110, 240, 180, look.seed)
    rug(sheet, 1130, 1090, 330, look.accent)
    armchair(sheet, 1190, look.second)
    tall_plant(sheet, 930, FLOOR + 60)
    return sheet


def tatami_room(look: Look) -> Canvas:
    """Six mats, paper screens and a low table."""
    sheet = room(look, "tatami")
    window(sheet, look, 560, 150, 480, 560, 1, sill=False)
    for side in (280, 1040):
        shoji(sheet, side, 150, 280, 560)
    sheet.box(240, 96, 1120, 30, "#8a6848")
    sheet.box(240, 710, 1120, 26, "#8a6848")
    for post in (240, 1330):
        sheet.box(post, 0, 30, FLOOR - 8, "#8a6848")
    scroll(sheet, 70, 190)
    tall_plant(sheet, 1470, FLOOR + 60, "#6d8f8c")
    low_table(sheet, 930, 440)
    for seat in (880, 1290):
        sheet.disc(seat + 60, FLOOR + 226, 92, shade(look.accent, -0.2), 26)
        sheet.disc(seat + 60, FLOOR + 218, 92, look.accent, 26)
    futon(sheet, 120, 640, look.second)
    evening(sheet, look)
    pendant(sheet, 800, 60, "#f7efdc", is_dark(look))
    return sheet


def is_dark(look: Look) -> bool:
    """Whether the lamps are lit."""
    return look.hour in {"dusk", "night", "rain"}


def bedside_drawers(sheet: Canvas, x: float, base: float) -> None:
    sheet.box(x, base - 170, 200, 170, "#c4935f", 6)
    for drawer in range(2):
        sheet.box(x + 14, base - 154 + drawer * 74, 172, 62, "#d3a673", 4)
        sheet.disc(x + 100, base - 123 + drawer * 74, 8, "#7b573a")


def shoji(sheet: Canvas, x: float, y: float, w: float, h: float) -> None:
    """A paper screen in a wooden lattice."""
    sheet.box(x, y, w, h, "#8a6848")
    sheet.fade(x + 14, y + 14, w - 28, h - 28, ("#fffaf0", "#f8efdc"))
    for bar in range(1, 4):
        sheet.box(x + w * bar / 4 - 3, y, 6, h, "#9c7a58")
    for bar in range(1, 7):
        sheet.box(x, y + h * bar / 7 - 3, w, 6, "#9c7a58")


def scroll(sheet: Canvas, x: float, y: float) -> None:
    """A hanging scroll with a hill and the sun."""
    sheet.box(x, y, 120, 420, "#c9b391")
    sheet.box(x + 14, y + 50, 92, 310, "#fbf6e8")
    sheet.box(x - 10, y, 140, 12, "#5a4433", 6)
    sheet.box(x - 10, y + 412, 140, 14, "#5a4433", 7)
    sheet.disc(x + 68, y + 130, 22, "#c8553d")
    sheet.shape([(x + 14, y + 330), (x + 52, y + 210), (x + 106, y + 330)], "#6f8793")
    sheet.shape([(x + 38, y + 254), (x + 52, y + 210), (x + 68, y + 246)], "#ffffff")


def twin_room(look: Look) -> Canvas:
    """Two beds with a window between them."""
    sheet = room(look)
    window(sheet, look, 560, 190, 480, 380)
    curtains(sheet, look.second, 560, 190, 480, 380)
    rug(sheet, 800, 1100, 380, look.accent)
    bed(sheet, 40, 540, look.accent)
    bed(sheet, 1020, 540, look.second)
    bedside_drawers(sheet, 700, FLOOR + 50)
    small_plant(sheet, 850, FLOOR - 120)
    picture(sheet, 170, 280, 210, 170, look.seed)
    picture(sheet, 1210, 280, 210, 170, look.seed + 1)
    evening(sheet, look)
    pendant(sheet, 800, 20, look.second, is_dark(look))
    desk_lamp(sheet, 750, FLOOR - 120, look.accent, is_dark(look))
    return sheet


def living_room(look: Look) -> Canvas:
    """A sofa before a wide window."""
    sheet = room(look)
    window(sheet, look, 420, 140, 760, 480, 3)
    sofa(sheet, 460, 700, look.accent)
    cushion(sheet, 640, FLOOR - 60, 62, look.second)
    cushion(sheet, 1000, FLOOR - 60, 62, "#f2e3c4")
    rug(sheet, 800, 1110, 470, look.second)
    low_table(sheet, 590, 420, FLOOR + 240)
    picture(sheet, 90, 90, 200, 250, look.seed)
    tall_plant(sheet, 230, FLOOR + 60)
    picture(sheet, 1250, 170, 150, 190, look.seed + 1)
    cat(sheet, 1320, FLOOR + 220)
    evening(sheet, look)
    floor_lamp(sheet, 1490, FLOOR + 50, is_dark(look))
    return sheet


def studio(look: Look) -> Canvas:
    """One room for everything: a bed, a table for two and a wardrobe."""
    sheet = room(look)
    window(sheet, look, 660, 170, 380, 470)
    curtains(sheet, look.second, 660, 170, 380, 470)
    clock(sheet, 470, 210)
    wardrobe(sheet, 1200, 330, shade(look.wall, 0.35))
    bed(sheet, 50, 540, look.accent, FLOOR + 60)
    picture(sheet, 130, 250, 200, 230, look.seed + 2)
    dining_table(sheet, 700, 400, FLOOR + 200)
    chair(sheet, 650, look.accent, FLOOR + 240)
    chair(sheet, 1000, look.accent, FLOOR + 240)
    small_plant(sheet, 900, FLOOR - 86, "#f1e7d6")
    evening(sheet, look)
    pendant(sheet, 850, 10, look.second, is_dark(look))
    return sheet


def library_room(look: Look) -> Canvas:
    """Shelves full of books, an armchair and a lamp."""
    sheet = room(look)
    window(sheet, look, 640, 190, 360, 420)
    bookshelf(sheet, 110, 400, 5, look.seed)
    clothes_rail(sheet, 1270, FLOOR + 50, 260)
    hanging_plant(sheet, 1330, 190)
    rug(sheet, 820, 1080, 380, look.accent)
    armchair(sheet, 660, look.second)
    cat(sheet, 1050, FLOOR + 230, "#d79a5b")
    evening(sheet, look)
    floor_lamp(sheet, 1120, FLOOR + 70, is_dark(look))
    return sheet


def balcony(look: Look) -> Canvas:
    """Open glass doors and a balcony behind them."""
    sheet = room(look)
    window(sheet, look, 330, 90, 940, 770, 3, sill=False)
    sheet.box(330, 640, 940, 10, "#5f676b")
    for bar in range(24):
        sheet.box(340 + bar * 40, 640, 6, 220, "#5f676b")
    for x in (420, 640):
        small_plant(sheet, x, 858, "#c8714b")
    for left in (190, 1290):
        for fold in range(5):
            tone = shade(look.second, (0.1, -0.05, 0.05)[fold % 3])
            sheet.box(left + fold * 25, 40, 26, FLOOR - 50, tone)
    sheet.box(150, 26, 1300, 14, "#8a6f56", 7)
    rug(sheet, 740, 1090, 400, look.second)
    armchair(sheet, 1060, look.accent)
    low_table(sheet, 560, 320, FLOOR + 220)
    tall_plant(sheet, 130, FLOOR + 130)
    evening(sheet, look)
    return sheet
