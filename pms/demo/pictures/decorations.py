"""What makes a room lived in: plants, lamps, pictures, rugs, clothes and a cat."""

from __future__ import annotations

from math import cos, radians, sin

from pms.demo.pictures.beds import shadow
from pms.demo.pictures.canvas import Canvas, Point, shade

GREEN = "#5b8f5a"


def leaf(
    sheet: Canvas, root: Point, length: float, angle: float, colour: str, wide: float = 0.24
) -> None:
    """A pointed leaf growing from its root; 90 degrees is straight up."""
    along = cos(radians(angle)), -sin(radians(angle))
    across = -along[1], along[0]

    def at(far: float, side: float) -> Point:
        return (
            root[0] + (along[0] * far + across[0] * side * wide) * length,
            root[1] + (along[1] * far + across[1] * side * wide) * length,
        )

    edge = [(0, 0), (0.2, 0.6), (0.45, 1), (0.75, 0.6), (1, 0)]
    back = [(far, -side) for far, side in reversed(edge[1:-1])]
    sheet.shape([at(far, side) for far, side in [*edge, *back]], colour)
    sheet.line([root, at(0.9, 0)], shade(colour, 0.22), 3)


def pot(sheet: Canvas, x: float, base: float, w: float, colour: str) -> None:
    high = w * 0.86
    sheet.shape(
        [
            (x - w / 2, base - high),
            (x + w / 2, base - high),
            (x + w * 0.36, base),
            (x - w * 0.36, base),
        ],
        colour,
    )
    sheet.box(x - w * 0.55, base - high - 6, w * 1.1, w * 0.2, shade(colour, -0.1), 5)


def tall_plant(sheet: Canvas, x: float, base: float, colour: str = "#e8e1d3") -> None:
    """A rubber plant in a pot on the floor."""
    shadow(sheet, x - 70, 140, base)
    stem_top = base - 430
    sheet.line([(x, base - 90), (x - 6, base - 250), (x + 4, stem_top)], "#6f5a42", 9)
    for step in range(9):
        y = base - 170 - step * 34
        turn = 35 if step % 2 else 145
        tone = shade(GREEN, (-0.2, -0.08, 0.06)[step % 3])
        leaf(sheet, (x, y), 150 - step * 6, turn + (step % 3) * 7 - 4, tone, 0.2)
    leaf(sheet, (x + 4, stem_top + 20), 110, 88, shade(GREEN, 0.14), 0.2)
    pot(sheet, x, base, 130, colour)


def small_plant(
    sheet: Canvas, x: float, base: float, colour: str = "#d98a5f", size: float = 1
) -> None:
    for step, angle in enumerate((150, 122, 96, 70, 44, 24)):
        tone = shade(GREEN, (-0.14, 0.04, 0.14)[step % 3])
        leaf(sheet, (x, base - 40 * size), 92 * size, angle, tone, 0.17)
    pot(sheet, x, base, 62 * size, colour)


def hanging_plant(sheet: Canvas, x: float, y: float) -> None:
    sheet.line([(x, 0), (x - 34, y)], "#a08c72", 3)
    sheet.line([(x, 0), (x + 34, y)], "#a08c72", 3)
    for step, angle in enumerate((200, 228, 250, 272, 292, 314, 340)):
        tone = shade(GREEN, (-0.16, 0.0, 0.14)[step % 3])
        leaf(sheet, (x + (step - 3) * 9, y + 14), 118 - abs(step - 3) * 14, angle, tone, 0.16)
    sheet.box(x - 44, y - 6, 88, 60, "#efe7d8", 24)
    sheet.box(x - 44, y - 6, 88, 12, shade("#efe7d8", -0.12), 6)


def pendant(sheet: Canvas, x: float, y: float, colour: str, lit: bool = False) -> None:
    """A lamp hanging from the ceiling."""
    sheet.line([(x, 0), (x, y)], "#4b4640", 4)
    if lit:
        sheet.glow(x, y + 160, 760, "#ffd58ab0", 760)
    sheet.pie(x, y + 84, 88, 180, 360, colour)
    sheet.box(x - 88, y + 78, 176, 12, shade(colour, -0.15), 6)
    sheet.disc(x, y + 92, 20, "#fff2c4" if lit else "#fbf6e6", 14)


def floor_lamp(sheet: Canvas, x: float, base: float, lit: bool = False) -> None:
    shadow(sheet, x - 50, 100, base)
    sheet.box(x - 5, base - 520, 10, 510, "#5a5148", 4)
    sheet.box(x - 52, base - 14, 104, 14, "#5a5148", 7)
    if lit:
        sheet.glow(x, base - 540, 460, "#ffd28068", 460)
    tone = "#ffe9b8" if lit else "#f2e6cf"
    sheet.shape(
        [(x - 52, base - 640), (x + 52, base - 640), (x + 88, base - 500), (x - 88, base - 500)],
        tone,
    )


def desk_lamp(sheet: Canvas, x: float, base: float, colour: str, lit: bool = False) -> None:
    sheet.box(x - 34, base - 10, 68, 10, colour, 5)
    sheet.line([(x, base - 8), (x - 26, base - 96), (x + 36, base - 158)], shade(colour, -0.2), 7)
    if lit:
        sheet.glow(x + 60, base - 90, 260, "#ffdf9a80", 220)
    sheet.shape(
        [(x + 18, base - 184), (x + 56, base - 160), (x + 92, base - 106), (x + 6, base - 128)],
        colour,
    )


def picture(sheet: Canvas, x: float, y: float, w: float, h: float, kind: int) -> None:
    """A framed picture: hills, a leaf or plain shapes."""
    sheet.box(x + 6, y + 8, w, h, "#00000018", 4)
    sheet.box(x, y, w, h, ("#6e5237", "#2f3640", "#d8c19a")[kind % 3], 4)
    inner = Canvas(w - 24, h - 24, ("#f6efe0", "#eaf1ee", "#fbf4ea")[kind % 3])
    if kind % 3 == 0:
        inner.disc(w * 0.6, h * 0.3, w * 0.14, "#e58f65")
        inner.disc(w * 0.2, h * 1.0, w * 0.5, "#5d8a83", h * 0.42)
        inner.disc(w * 0.8, h * 1.05, w * 0.5, "#35606b", h * 0.36)
    elif kind % 3 == 1:
        for angle in (60, 90, 120):
            leaf(inner, (w * 0.44, h * 0.8), h * 0.52, angle, shade(GREEN, (angle - 90) / 200), 0.2)
    else:
        inner.disc(w * 0.35, h * 0.38, w * 0.2, "#d9775c")
        inner.box(w * 0.34, h * 0.36, w * 0.4, h * 0.3, "#efbf5ad0")
        inner.disc(w * 0.58, h * 0.62, w * 0.12, "#2f4858")
    sheet.paste(inner, x + 12, y + 12)


def rug(sheet: Canvas, x: float, y: float, rx: float, colour: str, ry: float = 74) -> None:
    """A round rug lying on the floor."""
    sheet.disc(x, y + 5, rx, shade(colour, -0.25), ry)
    sheet.disc(x, y, rx, colour, ry)
    sheet.disc(x, y, rx * 0.86, shade(colour, 0.2), ry * 0.84)
    sheet.disc(x, y, rx * 0.8, colour, ry * 0.77)
    sheet.disc(x, y, rx * 0.4, shade(colour, 0.12), ry * 0.38)


def cat(sheet: Canvas, x: float, base: float, colour: str = "#5b4a42") -> None:
    """A cat asleep."""
    sheet.disc(x, base - 30, 78, colour, 38)
    sheet.disc(x - 62, base - 40, 34, colour, 30)
    for ear in (-84, -54):
        sheet.shape(
            [(x + ear - 12, base - 54), (x + ear, base - 84), (x + ear + 14, base - 58)], colour
        )
    sheet.arc(x - 70, base - 40, 8, 20, 160, shade(colour, 0.6), 3)
    sheet.arc(x - 50, base - 40, 8, 20, 160, shade(colour, 0.6), 3)
    sheet.arc(x + 16, base - 22, 56, 10, 120, shade(colour, 0.12), 15)


def air_conditioner(sheet: Canvas, x: float, y: float) -> None:
    sheet.box(x + 4, y + 8, 250, 84, "#00000014", 12)
    sheet.box(x, y, 250, 84, "#fbfbf8", 12)
    sheet.box(x + 14, y + 58, 222, 12, "#d9dcda", 6)
    sheet.disc(x + 228, y + 44, 4, "#72c08a")


def clock(sheet: Canvas, x: float, y: float) -> None:
    sheet.disc(x + 4, y + 6, 46, "#00000018")
    sheet.disc(x, y, 46, "#34444c")
    sheet.disc(x, y, 39, "#fbf7ee")
    sheet.line([(x, y), (x, y - 26)], "#34444c", 5)
    sheet.line([(x, y), (x + 19, y + 9)], "#d9775c", 4)


def clothes_rail(sheet: Canvas, x: float, base: float, w: float) -> None:
    """Coats on a rail."""
    shadow(sheet, x, w, base)
    for leg in (x, x + w):
        sheet.line([(leg, base - 440), (leg, base)], "#4f4a45", 8)
    sheet.line([(x, base - 440), (x + w, base - 440)], "#4f4a45", 8)
    tones = ("#2f4858", "#c9b79c", "#c8553d", "#7a8f7a")
    for index, tone in enumerate(tones):
        left = x + 26 + index * (w - 52) / 4
        sheet.shape(
            [
                (left + 22, base - 418),
                (left + 44, base - 384),
                (left + 50, base - 170),
                (left - 6, base - 170),
                (left, base - 384),
            ],
            tone,
        )
        sheet.arc(left + 22, base - 430, 10, 180, 30, "#4f4a45", 4)
