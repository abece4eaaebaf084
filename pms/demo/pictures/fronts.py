"""The houses from the street, one function a house."""

from __future__ import annotations

from pms.demo.chance import Chance
from pms.demo.pictures.canvas import WIDTH, Canvas, shade
from pms.demo.pictures.decorations import small_plant
from pms.demo.pictures.outside import cloud, sky, view
from pms.demo.pictures.shells import Look, evening
from pms.demo.pictures.street import (
    bicycle,
    blossom_tree,
    lantern,
    pavement,
    street_lamp,
    tree,
    window_lights,
)

GROUND = 1010


def _scene(look: Look, far: float = 760) -> Canvas:
    """Sky, a distant view and the pavement."""
    sheet = Canvas()
    backdrop = Canvas(WIDTH, far + 260)
    chance = Chance("front", look.seed)
    sky(backdrop, look.hour, chance)
    low = Canvas(WIDTH, 420)
    low.image.paste(
        backdrop.image.crop((0, backdrop.image.height - 840, 3200, backdrop.image.height))
    )
    view(low, look.view, look.hour, chance)
    backdrop.paste(low, 0, far + 260 - 420)
    sheet.paste(backdrop, 0, 0)
    if look.hour in {"noon", "morning"}:
        cloud(sheet, 260, 180, 130, "#ffffff")
        cloud(sheet, 1390, 120, 96, "#ffffff")
    pavement(sheet, GROUND)
    return sheet


def kingfisher_house(look: Look) -> Canvas:
    """A white share house of three floors with a blue band and a kingfisher over its door."""
    sheet = _scene(look)
    tree(sheet, 170, GROUND, 300, look.seed)
    _wall(sheet, 330, 220, 940, "#f7f4ec")
    sheet.box(330, 220, 190, GROUND - 220, look.accent)
    sheet.box(300, 196, 1000, 34, shade(look.accent, -0.25), 4)
    dark = look.hour in {"dusk", "night"}
    for floor in range(3):
        top = 290 + floor * 236
        for column in range(3):
            if floor < 2 or column != 1:
                _balcony_window(sheet, look, 580 + column * 226, top, dark, floor * 3 + column)
        window_lights(sheet, 372, top, 108, 130, dark and floor != 1, "#fbfaf6")
    _door(sheet, 800, look.second, dark)
    kingfisher(sheet, 426, 709)
    bicycle(sheet, 1090, GROUND + 60, look.second)
    tree(sheet, 1430, GROUND, 240, look.seed + 1)
    for x in (560, 740, 1010):
        small_plant(sheet, x, GROUND + 16, "#c8714b")
    evening(sheet, look)
    street_lamp(sheet, 1330, GROUND + 40, dark)
    return sheet


def _wall(sheet: Canvas, x: float, y: float, w: float, colour: str) -> None:
    sheet.glow(x + w / 2, GROUND + 8, w * 0.6, "#2a1c1060", 40)
    sheet.fade(x, y, w, GROUND - y, (shade(colour, 0.1), colour, shade(colour, -0.08)))
    sheet.box(x, GROUND - 26, w, 30, shade(colour, -0.35))


def _balcony_window(sheet: Canvas, look: Look, x: float, y: float, dark: bool, number: int) -> None:
    window_lights(sheet, x, y, 160, 146, dark and number % 3 != 1, "#8a7a68")
    if number % 4 == 2:
        sheet.box(x, y, 44, 146, shade(look.second, 0.3))
    sheet.box(x - 14, y + 96, 188, 66, "#ffffffb0")
    for bar in range(10):
        sheet.box(x - 12 + bar * 20, y + 96, 5, 66, "#5f7a80")
    sheet.box(x - 16, y + 90, 192, 9, "#4d666c", 4)
    if number % 3 == 0:
        small_plant(sheet, x + 130, y + 94, size=0.5)


def _door(sheet: Canvas, x: float, colour: str, dark: bool) -> None:
    sheet.box(x - 30, GROUND - 250, 180, 254, "#e9e2d2")
    sheet.box(x - 60, GROUND - 270, 240, 22, "#6d5a48", 4)
    sheet.box(x, GROUND - 222, 120, 226, colour, 4)
    sheet.box(x + 70, GROUND - 196, 32, 150, "#ffe3a0" if dark else "#d7eef2", 3)
    sheet.box(x + 14, GROUND - 118, 9, 50, "#f6e6c0", 4)
    sheet.box(x - 50, GROUND - 2, 220, 14, "#cfc6b6", 3)


def kingfisher(sheet: Canvas, x: float, y: float) -> None:
    """The sign of the house."""
    sheet.disc(x, y, 50, "#fbfaf6")
    sheet.disc(x + 2, y + 6, 26, "#2f8fa8", 20)
    sheet.disc(x + 14, y - 12, 16, "#2f8fa8")
    sheet.shape([(x + 28, y - 16), (x + 46, y - 6), (x + 26, y - 6)], "#34424a")
    sheet.disc(x + 10, y + 14, 15, "#e08a3c", 11)
    sheet.shape([(x - 20, y + 2), (x - 40, y + 22), (x - 12, y + 16)], "#1f6f86")
    sheet.disc(x + 19, y - 15, 3.5, "#16242a")


def apartment_tower(look: Look) -> Canvas:
    """An apartment house of seven floors with balconies."""
    sheet = _scene(look)
    dark = look.hour in {"dusk", "night"}
    _wall(sheet, 430, 90, 720, "#e9dccb")
    sheet.box(430, 90, 130, GROUND - 90, look.accent)
    sheet.box(412, 72, 756, 26, shade(look.accent, -0.3), 4)
    for floor in range(6):
        top = 130 + floor * 124
        window_lights(sheet, 466, top + 8, 58, 74, dark and floor % 2 == 0, "#fbfaf6")
        for column in range(3):
            x = 592 + column * 186
            window_lights(sheet, x, top, 154, 84, dark and (floor + column) % 3 != 0, "#7b6a58")
            sheet.box(x - 12, top + 52, 178, 52, shade("#e9dccb", 0.45))
            sheet.box(x - 12, top + 48, 178, 8, shade(look.second, -0.1), 3)
            if (floor * 3 + column) % 4 == 1:
                sheet.box(x + 20, top + 56, 70, 40, look.second, 3)
    _lobby(sheet, look, dark)
    tree(sheet, 270, GROUND, 330, look.seed)
    tree(sheet, 1320, GROUND, 280, look.seed + 2)
    bicycle(sheet, 1160, GROUND + 64, look.accent)
    evening(sheet, look)
    street_lamp(sheet, 150, GROUND + 40, dark)
    return sheet


def _lobby(sheet: Canvas, look: Look, dark: bool) -> None:
    sheet.box(560, GROUND - 120, 590, 124, "#5c5348")
    glass = "#ffe0a0" if dark else "#bfdfe6"
    for part in range(4):
        sheet.box(700 + part * 84, GROUND - 104, 76, 108, glass, 2)
    sheet.box(650, GROUND - 134, 440, 20, look.second, 4)
    for x in (620, 1110):
        small_plant(sheet, x, GROUND + 10, "#e8e1d3")


def brick_court(look: Look) -> Canvas:
    """Two brick wings under trees."""
    sheet = _scene(look)
    dark = look.hour in {"dusk", "night"}
    _wall(sheet, 160, 330, 620, look.accent)
    _wall(sheet, 820, 250, 620, shade(look.accent, -0.08))
    for x, top, w in ((160, 330, 620), (820, 250, 620)):
        _bricks(sheet, x, top, w, look.accent)
        sheet.shape([(x - 30, top), (x + w / 2, top - 120), (x + w + 30, top)], "#55606a")
        sheet.shape(
            [(x - 30, top), (x + w + 30, top), (x + w + 30, top + 18), (x - 30, top + 18)],
            "#434c55",
        )
        for floor in range(3 if top < 300 else 2):
            for column in range(3):
                y = top + 60 + floor * 190
                window_lights(sheet, x + 64 + column * 190, y, 112, 128, dark, "#fbfaf6")
                sheet.box(x + 52 + column * 190, y + 136, 136, 14, "#f3ece0", 3)
    for x in (400, 1060):
        _door(sheet, x, look.second, dark)
    tree(sheet, 800, GROUND + 10, 360, look.seed)
    tree(sheet, 80, GROUND, 300, look.seed + 1)
    tree(sheet, 1530, GROUND, 320, look.seed + 2)
    for x in (300, 600, 1260):
        small_plant(sheet, x, GROUND + 14, "#e8e1d3")
    evening(sheet, look)
    return sheet


def _bricks(sheet: Canvas, x: float, y: float, w: float, colour: str) -> None:
    chance = Chance("bricks", round(x))
    for _ in range(90):
        left, top = x + chance.between(6, w - 44), chance.between(y + 24, GROUND - 40)
        sheet.box(left, top - top % 17, 34, 12, shade(colour, chance.one_of((-0.12, 0.1))), 2)


def harbour_loft(look: Look) -> Canvas:
    """A warehouse by the water, made into lofts; its roof is a saw."""
    sheet = _scene(look)
    dark = look.hour in {"dusk", "night"}
    _wall(sheet, 180, 380, 1180, "#9c5a44")
    _bricks(sheet, 180, 380, 1180, "#9c5a44")
    for part in range(4):
        x = 180 + part * 295
        sheet.shape([(x, 384), (x, 220), (x + 295, 384)], shade("#9c5a44", -0.1))
        sheet.shape(
            [(x + 14, 372), (x + 14, 246), (x + 80, 284), (x + 80, 372)],
            "#ffe1a1" if dark else "#cfe8ee",
        )
        sheet.line([(x - 6, 216), (x + 300, 388)], "#3f464b", 16)
    for part in range(4):
        x = 226 + part * 295
        if part != 2:
            _steel_window(sheet, x, 450, dark)
        _steel_window(sheet, x, 720 if part != 2 else 450, dark and part != 1)
    _roller_door(sheet, look, 800, dark)
    sheet.box(530, 404, 480, 30, "#f3ece0", 4)
    sheet.box(540, 412, 460, 14, look.accent, 4)
    bicycle(sheet, 1180, GROUND + 60, look.second)
    for x in (480, 790, 1070):
        small_plant(sheet, x, GROUND + 14, "#5f7a80")
    tree(sheet, 1470, GROUND, 260, look.seed)
    evening(sheet, look)
    street_lamp(sheet, 110, GROUND + 40, dark)
    return sheet


def _steel_window(sheet: Canvas, x: float, y: float, lit: bool) -> None:
    window_lights(sheet, x, y, 200, 190, lit, "#2f363b")
    for bar in range(1, 4):
        sheet.box(x + bar * 50 - 3, y, 6, 190, "#2f363b")
    for bar in range(1, 3):
        sheet.box(x, y + bar * 63 - 3, 200, 6, "#2f363b")


def _roller_door(sheet: Canvas, look: Look, x: float, dark: bool) -> None:
    sheet.box(x - 10, GROUND - 300, 250, 304, "#2f363b", 4)
    sheet.box(x, GROUND - 288, 230, 292, look.accent)
    for slat in range(5):
        sheet.box(x, GROUND - 270 + slat * 30, 230, 5, shade(look.accent, -0.2))
    sheet.box(x + 120, GROUND - 130, 80, 134, "#ffe1a1" if dark else "#cfe8ee")


def blossom_house(look: Look) -> Canvas:
    """A wooden house of two floors under cherry trees."""
    sheet = _scene(look)
    dark = look.hour in {"dusk", "night"}
    _wall(sheet, 360, 400, 900, look.accent)
    for board in range(18):
        sheet.box(360, 424 + board * 33, 900, 3, shade(look.accent, -0.14))
    _tiled_roof(sheet, 290, 400, 1040, 170)
    _tiled_roof(sheet, 330, 716, 960, 56)
    for column in range(4):
        window_lights(sheet, 424 + column * 206, 480, 150, 150, dark and column != 2, "#5d4634")
        sheet.box(412 + column * 206, 636, 174, 12, "#5d4634", 3)
    for column in (0, 3):
        window_lights(sheet, 424 + column * 206, 800, 150, 140, dark, "#5d4634")
    _lattice_door(sheet, 700, look.second, dark)
    blossom_tree(sheet, 190, GROUND + 10, 420, look.seed)
    blossom_tree(sheet, 1420, GROUND + 10, 380, look.seed + 3)
    _petals(sheet, look.seed)
    small_plant(sheet, 640, GROUND + 14, "#6d8f8c")
    small_plant(sheet, 980, GROUND + 14, "#6d8f8c")
    evening(sheet, look)
    return sheet


def _tiled_roof(sheet: Canvas, x: float, base: float, w: float, high: float) -> None:
    inset = high * 0.9
    sheet.shape(
        [(x, base), (x + inset, base - high), (x + w - inset, base - high), (x + w, base)],
        "#4a545c",
    )
    for row in range(1, int(high // 26)):
        y = base - row * 26
        cut = inset * row * 26 / high
        sheet.line([(x + cut, y), (x + w - cut, y)], "#5d6871", 5)
    sheet.box(x - 8, base - 6, w + 16, 20, "#39424a", 6)
    sheet.box(x + inset - 10, base - high - 10, w - inset * 2 + 20, 16, "#39424a", 8)


def _lattice_door(sheet: Canvas, x: float, colour: str, dark: bool) -> None:
    """Sliding doors with a curtain of three strips over them."""
    sheet.box(x - 14, GROUND - 216, 248, 220, "#4a3828")
    sheet.box(x, GROUND - 202, 220, 206, "#ffe1a1" if dark else "#f3ead6")
    for bar in range(12):
        sheet.box(x + 4 + bar * 19, GROUND - 202, 6, 206, "#6d5238")
    sheet.box(x - 24, GROUND - 232, 268, 14, "#6d5238", 5)
    for strip in range(3):
        sheet.box(x + strip * 74, GROUND - 220, 72, 88, colour, 3)
        sheet.disc(x + 36 + strip * 74, GROUND - 174, 16, shade(colour, 0.6))


def _petals(sheet: Canvas, seed: int) -> None:
    chance = Chance("petals", seed)
    for _ in range(70):
        x, y = chance.between(40, 1560), chance.between(240, 1180)
        sheet.disc(x, y, chance.between(4, 8), "#f7c6d2d0", chance.between(3, 5))


def moonlit_row(look: Look) -> Canvas:
    """A row of town houses with lattices and paper lanterns."""
    sheet = _scene(look)
    dark = look.hour in {"dusk", "night"}
    for house in range(3):
        x = 130 + house * 452
        _wall(sheet, x, 430, 436, ("#8d7c74", "#7d6a62", "#9a8a80")[house])
        _tiled_roof(sheet, x - 34, 436, 500, 120)
        _tiled_roof(sheet, x - 20, 730, 476, 48)
        window_lights(sheet, x + 58, 510, 320, 130, dark, "#4a3828")
        for bar in range(16):
            sheet.box(x + 62 + bar * 20, 510, 8, 130, "#4a3828")
        _lattice_door(sheet, x + 40, (look.accent, look.second, "#7a4a58")[house], dark)
        window_lights(sheet, x + 300, 800, 100, 130, dark, "#4a3828")
    sheet.box(0, GROUND, WIDTH, 204, "#151d4490")
    for house in range(3):
        lantern(sheet, 116 + house * 452 + 300, 770, dark)
    for x in (118, 570, 1022, 1480):
        small_plant(sheet, x, GROUND + 14, "#6d8f8c")
    return sheet
