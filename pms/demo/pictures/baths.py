"""Bathrooms, the laundry and the entrance."""

from __future__ import annotations

from pms.demo.pictures.beds import WOOD, shadow
from pms.demo.pictures.canvas import Canvas, shade
from pms.demo.pictures.decorations import pendant, picture, small_plant, tall_plant
from pms.demo.pictures.shells import FLOOR, Look, evening, room, window

_WHITE = "#fbfbf8"


def bathroom(look: Look) -> Canvas:
    """A deep tub under a window, a basin and a round mirror."""
    sheet = room(look, "tiles")
    wall_tiles(sheet, look)
    window(sheet, look, 170, 150, 480, 300)
    tub(sheet, 100, 680)
    shower(sheet, 860)
    basin(sheet, look, 1060)
    small_plant(sheet, 250, 486, "#f1e7d6")
    towels(sheet, look, 1440)
    evening(sheet, look)
    return sheet


def wall_tiles(sheet: Canvas, look: Look) -> None:
    sheet.box(0, 470, 1600, FLOOR - 492, shade(look.accent, 0.62))
    for row in range(6):
        top = 470 + row * 66
        sheet.box(0, top, 1600, 3, shade(look.accent, 0.82))
        for column in range(14):
            sheet.box(column * 132 + (66 if row % 2 else 0), top, 3, 66, shade(look.accent, 0.82))
    sheet.box(0, 462, 1600, 12, look.accent)


def tub(sheet: Canvas, x: float, w: float) -> None:
    base = FLOOR + 60
    shadow(sheet, x, w, base)
    sheet.shape(
        [(x + 16, base - 280), (x + w - 16, base - 280), (x + w - 60, base), (x + 60, base)], _WHITE
    )
    sheet.shape(
        [
            (x + w - 130, base - 280),
            (x + w - 16, base - 280),
            (x + w - 60, base),
            (x + w - 130, base),
        ],
        "#e6eaea",
    )
    sheet.box(x, base - 300, w, 34, _WHITE, 17)
    sheet.box(x, base - 274, w, 8, "#dfe4e4", 4)
    sheet.disc(x + w * 0.3, base - 306, 34, "#ffffffc0")
    for step, size in enumerate((30, 22, 38, 26, 34, 20)):
        sheet.disc(x + 150 + step * 74, base - 302, size, "#ffffff")
    sheet.line([(x + w - 90, base - 300), (x + w - 90, base - 372)], "#aab3b8", 13)
    sheet.arc(x + w - 120, base - 372, 34, 180, 360, "#aab3b8", 12)


def shower(sheet: Canvas, x: float) -> None:
    """A glass screen with a shower behind it."""
    sheet.line([(x + 70, 250), (x + 70, 620)], "#aab3b8", 9)
    sheet.line([(x + 70, 254), (x + 10, 254)], "#aab3b8", 9)
    sheet.shape([(x - 50, 300), (x + 50, 300), (x + 26, 262), (x - 26, 262)], "#aab3b8")
    for drop in range(5):
        sheet.line([(x - 40 + drop * 20, 316), (x - 44 + drop * 22, 560)], "#8fc3d880", 3)
    sheet.box(x - 70, 170, 180, FLOOR - 130, "#dff1f530")
    sheet.box(x + 106, 170, 8, FLOOR - 130, "#9fb0b5")


def basin(sheet: Canvas, look: Look, x: float) -> None:
    """A cabinet with a basin, and the mirror over it."""
    base = FLOOR + 40
    shadow(sheet, x, 320, base)
    sheet.disc(x + 166, 316, 138, "#00000014")
    sheet.disc(x + 160, 310, 138, "#c9a878")
    sheet.disc(x + 160, 310, 124, "#dcecef")
    sheet.shape([(x + 90, 250), (x + 150, 200), (x + 190, 212), (x + 84, 326)], "#ffffff80")
    sheet.box(x, base - 290, 320, 290, WOOD, 6)
    for drawer in range(2):
        sheet.box(x + 12, base - 270 + drawer * 134, 296, 118, shade(WOOD, 0.16), 4)
        sheet.box(x + 120, base - 246 + drawer * 134, 80, 10, "#6f5238", 5)
    sheet.box(x - 16, base - 310, 352, 26, "#efe9de", 6)
    sheet.shape(
        [(x + 56, base - 376), (x + 264, base - 376), (x + 226, base - 308), (x + 94, base - 308)],
        _WHITE,
    )
    sheet.line([(x + 160, base - 376), (x + 160, base - 430)], "#aab3b8", 11)
    sheet.arc(x + 184, base - 428, 24, 180, 360, "#aab3b8", 10)
    sheet.box(x + 282, base - 362, 34, 54, look.second, 7)


def towels(sheet: Canvas, look: Look, x: float) -> None:
    sheet.box(x - 20, 520, 150, 10, "#8a6f56", 5)
    sheet.box(x, 524, 56, 190, look.second, 6)
    sheet.box(x, 680, 56, 10, shade(look.second, 0.4))
    sheet.box(x + 64, 524, 50, 150, shade(look.accent, 0.2), 6)


def laundry(look: Look) -> Canvas:
    """Washing machines, a shelf with baskets and a line of clothes."""
    sheet = room(look, "tiles")
    window(sheet, look, 1090, 160, 360, 330)
    for index, x in enumerate((110, 420, 730)):
        washing_machine(sheet, x, (look.accent, _WHITE, look.second)[index])
    sheet.box(80, 440, 960, 18, WOOD, 5)
    for x in (130, 400, 670):
        basket(sheet, x, 440)
    small_plant(sheet, 940, 440, "#f1e7d6")
    clothes_line(sheet, look)
    tall_plant(sheet, 1240, FLOOR + 80)
    evening(sheet, look)
    return sheet


def washing_machine(sheet: Canvas, x: float, colour: str) -> None:
    base = FLOOR + 60
    shadow(sheet, x, 270, base)
    sheet.box(x, base - 380, 270, 380, shade(colour, -0.08), 14)
    sheet.box(x + 8, base - 372, 254, 364, shade(colour, 0.1), 12)
    sheet.box(x + 8, base - 372, 254, 70, colour, 12)
    sheet.disc(x + 52, base - 336, 18, _WHITE)
    sheet.box(x + 150, base - 350, 90, 26, "#2f3a44", 5)
    sheet.disc(x + 135, base - 160, 104, "#d5dadb")
    sheet.disc(x + 135, base - 160, 82, "#3f5d70")
    sheet.pie(x + 135, base - 160, 82, 10, 170, "#8fc3d8")
    sheet.disc(x + 112, base - 140, 26, "#e8b04a")
    sheet.disc(x + 158, base - 128, 24, "#d9775c")
    sheet.arc(x + 135, base - 160, 66, 200, 260, "#ffffffa0", 8)


def basket(sheet: Canvas, x: float, base: float) -> None:
    sheet.shape(
        [(x, base - 110), (x + 190, base - 110), (x + 168, base), (x + 22, base)], "#d1ab75"
    )
    for row in range(3):
        sheet.box(x + 8 + row * 5, base - 88 + row * 28, 174 - row * 10, 7, "#b48b55", 3)
    sheet.disc(x + 70, base - 112, 44, "#f6efe2", 22)
    sheet.disc(x + 120, base - 112, 40, "#9db9a5", 20)


def clothes_line(sheet: Canvas, look: Look) -> None:
    sheet.line([(60, 90), (540, 116), (1020, 90)], "#8a7f72", 4)
    for index, tone in enumerate((look.accent, "#f6efe2", look.second, "#e8b04a", "#7a8f9a")):
        x = 150 + index * 170
        sheet.shape([(x, 112), (x + 84, 112), (x + 80, 236), (x + 4, 236)], tone)
        sheet.box(x + 6, 98, 10, 22, "#c79a62", 3)
        sheet.box(x + 68, 98, 10, 22, "#c79a62", 3)


def entrance(look: Look) -> Canvas:
    """The step up, the shoe cupboard and the door."""
    sheet = room(look)
    sheet.box(0, FLOOR, 1600, 320, "#b9b4aa")
    for row in (950, 1040, 1130):
        sheet.box(0, row, 1600, 4, "#a39e94")
    door(sheet, look, 520)
    sheet.shape([(980, FLOOR - 2), (1600, FLOOR - 2), (1600, 1000), (900, 1000)], look.floor)
    sheet.shape([(900, 1000), (1600, 1000), (1600, 1044), (900, 1044)], shade(look.floor, -0.25))
    shoe_cupboard(sheet, look, 1080)
    picture(sheet, 1180, 210, 240, 190, look.seed)
    umbrella_stand(sheet, look, 330)
    tall_plant(sheet, 160, FLOOR + 110, "#e8e1d3")
    for index, tone in enumerate(("#c8553d", "#2f4858", "#e8b04a")):
        shoes(sheet, 600 + index * 130, 1080, tone)
    evening(sheet, look)
    pendant(sheet, 960, 30, look.second, True)
    return sheet


def door(sheet: Canvas, look: Look, x: float) -> None:
    top = 190
    sheet.box(x - 30, top - 30, 420, FLOOR - top + 30, "#fbfaf6", 4)
    sheet.box(x, top, 360, FLOOR - top, look.accent, 3)
    for panel in range(2):
        sheet.box(x + 40, top + 50 + panel * 330, 180, 280, shade(look.accent, -0.12), 4)
        sheet.box(x + 50, top + 60 + panel * 330, 160, 260, shade(look.accent, 0.08), 4)
    sheet.fade(x + 256, top + 50, 60, 610, ("#cfeaf2", "#f7f1dc"))
    sheet.box(x + 18, top + 330, 14, 96, "#e6d3a4", 7)


def shoe_cupboard(sheet: Canvas, look: Look, x: float) -> None:
    base = 940
    shadow(sheet, x, 440, base)
    sheet.box(x, base - 330, 440, 330, WOOD, 6)
    for part in range(3):
        sheet.box(x + 12 + part * 142, base - 310, 132, 290, shade(WOOD, 0.18), 4)
        sheet.box(x + 112 + part * 142, base - 190, 10, 60, "#6f5238", 5)
    sheet.box(x - 14, base - 348, 468, 24, shade(WOOD, -0.12), 6)
    small_plant(sheet, x + 360, base - 348, "#f1e7d6")
    sheet.disc(x + 90, base - 366, 54, look.second, 18)
    sheet.disc(x + 78, base - 374, 9, "#e6c15c")


def umbrella_stand(sheet: Canvas, look: Look, x: float) -> None:
    base = FLOOR + 100
    shadow(sheet, x, 110, base)
    for index, tone in enumerate((look.second, "#3f7d8c", "#d9775c")):
        sheet.line([(x + 28 + index * 26, base - 40), (x + 14 + index * 40, base - 320)], tone, 16)
        sheet.arc(x + 14 + index * 40 - 14, base - 322, 14, 180, 360, "#5a4636", 7)
    sheet.box(x, base - 170, 110, 170, "#f4efe6", 10)
    sheet.box(x, base - 170, 110, 18, "#d8d0c2", 8)


def shoes(sheet: Canvas, x: float, base: float, colour: str) -> None:
    for side in (0, 54):
        sheet.disc(x + side, base + 6, 26, "#00000018", 12)
        sheet.box(x + side - 20, base - 66, 40, 70, colour, 20)
        sheet.box(x + side - 12, base - 60, 24, 26, shade(colour, -0.35), 12)
