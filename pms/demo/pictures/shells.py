"""The empty room: wall, floor, window and the light that falls through it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pms.demo.chance import Chance
from pms.demo.pictures.canvas import HEIGHT, WIDTH, Canvas, shade
from pms.demo.pictures.outside import sky, view

FLOOR = 880


@dataclass(frozen=True)
class Look:
    """The colours and the hour of one picture."""

    wall: str = "#f3ece0"
    floor: str = "#d9b48a"
    accent: str = "#3f7d8c"
    second: str = "#e8a87c"
    hour: str = "noon"
    view: str = "trees"
    seed: int = 1


def room(look: Look, floor: str = "planks") -> Canvas:
    """A wall with skirting and a floor of planks, tatami or tiles."""
    sheet = Canvas(colour=look.wall)
    sheet.fade(0, 0, WIDTH, FLOOR, (shade(look.wall, -0.05), look.wall, shade(look.wall, 0.15)))
    {"planks": _planks, "tatami": _tatami, "tiles": _tiles}[floor](sheet, look)
    sheet.box(0, FLOOR - 22, WIDTH, 22, shade(look.wall, 0.55))
    sheet.box(0, FLOOR - 2, WIDTH, 4, shade(look.floor, -0.3))
    return sheet


def _planks(sheet: Canvas, look: Look) -> None:
    sheet.fade(0, FLOOR, WIDTH, HEIGHT - FLOOR, (shade(look.floor, -0.12), look.floor, look.floor))
    chance = Chance("floor", look.seed)
    vanish = (WIDTH / 2, FLOOR - 900.0)
    ends = [WIDTH / 2 + step * 150 for step in range(-14, 15)]
    for left, right in pairwise(ends):
        tone = shade(look.floor, chance.one_of((-0.05, -0.02, 0.03, 0.06)))
        top = [_towards(vanish, edge, FLOOR) for edge in (left, right)]
        sheet.shape([top[0], top[1], (right, HEIGHT), (left, HEIGHT)], tone)
        sheet.line([top[0], (left, HEIGHT)], shade(look.floor, -0.14), 2)


def _towards(vanish: tuple[float, float], edge: float, y: float) -> tuple[float, float]:
    share = (y - vanish[1]) / (HEIGHT - vanish[1])
    return vanish[0] + (edge - vanish[0]) * share, y


def _tatami(sheet: Canvas, look: Look) -> None:
    straw, border = "#c9c58b", "#4d5b3f"
    sheet.fade(0, FLOOR, WIDTH, HEIGHT - FLOOR, (shade(straw, -0.1), straw, shade(straw, 0.1)))
    vanish = (WIDTH / 2, FLOOR - 900.0)
    for row in range(FLOOR + 14, HEIGHT, 9):
        sheet.line([(0, row), (WIDTH, row)], "#8f8f5722", 1)
    for edge in (-700, 100, 800, 1500, 2300):
        top = _towards(vanish, edge, FLOOR)
        sheet.line([top, (edge, HEIGHT)], border, 12)
    sheet.box(0, 1016, WIDTH, 10, border)


def _tiles(sheet: Canvas, look: Look) -> None:
    sheet.fade(0, FLOOR, WIDTH, HEIGHT - FLOOR, (shade(look.floor, -0.1), look.floor))
    vanish = (WIDTH / 2, FLOOR - 900.0)
    seam = shade(look.floor, 0.25)
    for step in range(-16, 17):
        edge = WIDTH / 2 + step * 140
        sheet.line([_towards(vanish, edge, FLOOR), (edge, HEIGHT)], seam, 4)
    for row in (918, 968, 1034, 1118):
        sheet.line([(0, row), (WIDTH, row)], seam, 4)


def window(
    sheet: Canvas,
    look: Look,
    x: float,
    y: float,
    w: float,
    h: float,
    panes: int = 2,
    sill: bool = True,
) -> None:
    """A framed window with its view; at day its light lies on the floor below."""
    chance = Chance("window", look.seed, round(x))
    pane = Canvas(w, h)
    sky(pane, look.hour, chance)
    view(pane, look.view, look.hour, chance)
    sheet.box(x - 18, y - 18, w + 36, h + 36, shade(look.wall, -0.12), 6)
    sheet.box(x - 14, y - 14, w + 28, h + 28, "#fbfaf6", 4)
    sheet.paste(pane, x, y)
    sheet.shape(
        [(x + w * 0.1, y), (x + w * 0.3, y), (x, y + h * 0.52), (x, y + h * 0.2)], "#ffffff38"
    )
    for bar in range(1, panes):
        sheet.box(x + w * bar / panes - 6, y, 12, h, "#fbfaf6")
    if sill:
        sheet.box(x - 30, y + h + 14, w + 60, 18, "#fbfaf6", 4)
        sheet.box(x - 30, y + h + 32, w + 60, 6, shade(look.wall, -0.14))
    if look.hour in {"morning", "noon", "afternoon"}:
        _sunlight(sheet, look, x, w, panes)


def _sunlight(sheet: Canvas, look: Look, x: float, w: float, panes: int) -> None:
    lean = {"morning": 190, "noon": 70, "afternoon": -210}[look.hour]
    part = w / panes
    for index in range(panes):
        left, right = x + part * index + 8, x + part * (index + 1) - 8
        far = [(left + lean * 0.55, FLOOR + 70), (right + lean * 0.55, FLOOR + 70)]
        near = [(right + lean * 1.5, HEIGHT - 60), (left + lean * 1.5, HEIGHT - 60)]
        sheet.shape([*far, *near], "#fff4c83c")


def curtains(sheet: Canvas, colour: str, x: float, y: float, w: float, h: float) -> None:
    """A rail and one gathered curtain at each side of a window."""
    sheet.box(x - 100, y - 46, w + 200, 10, "#8a6f56", 5)
    for knob in (x - 104, x + w + 104):
        sheet.disc(knob, y - 41, 12, "#8a6f56")
    for left in (x - 88, x + w - 22):
        for fold in range(5):
            tone = shade(colour, (0.12, -0.04, 0.06, -0.08, 0.02)[fold])
            sheet.box(left + fold * 22, y - 38, 23, h + 108, tone)
        sheet.box(left - 2, y + h + 60, 114, 10, shade(colour, -0.14), 4)


def evening(sheet: Canvas, look: Look) -> None:
    """The filter of the hour, laid before the lamps are lit."""
    tints = {"dusk": "#f3d6cf", "night": "#b0aec8", "rain": "#e3e8ea"}
    if look.hour in tints:
        sheet.tint(tints[look.hour])
