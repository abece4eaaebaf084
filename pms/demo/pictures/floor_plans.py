"""Floor plans seen from above, with furniture and sizes in tatami mats."""

from __future__ import annotations

from pms.demo.pictures.canvas import Canvas, shade

_INK = "#3a4048"
_WOODEN = "#ecd9bd"
_WET = "#cfe3ea"
_STEP = "#e3dfd6"
_OUTSIDE = "#e4ecdc"
_THICK = 18


def _sheet() -> Canvas:
    sheet = Canvas(colour="#fdfcf8")
    for line in range(0, 1600, 50):
        sheet.line([(line, 0), (line, 1200)], "#eef0ea", 1)
        sheet.line([(0, line), (1600, line)], "#eef0ea", 1)
    return sheet


def _room(
    sheet: Canvas,
    x: float,
    y: float,
    w: float,
    h: float,
    floor: str,
    name: str = "",
    size: str = "",
) -> None:
    """A walled rectangle with its name and size in the middle."""
    sheet.box(x - _THICK / 2, y - _THICK / 2, w + _THICK, h + _THICK, _INK)
    sheet.box(x + _THICK / 2, y + _THICK / 2, w - _THICK, h - _THICK, floor)
    if floor == _WOODEN:
        for board in range(1, int(w // 60)):
            sheet.box(x + board * 60, y + _THICK / 2, 2, h - _THICK, shade(floor, -0.06))
    _name(sheet, x + w / 2, y + h / 2, name, size)


def _name(sheet: Canvas, x: float, y: float, name: str, size: str = "") -> None:
    if name:
        sheet.label(x, y - (22 if size else 0), name, _INK, 44)
    if size:
        sheet.label(x, y + 28, size, "#6d747b", 32)


def _door(sheet: Canvas, x: float, y: float, r: float, start: float, floor: str) -> None:
    """A doorway in a wall with the quarter circle its leaf sweeps; x, y is the hinge."""
    ends = {0: (r, 0, 0, r), 90: (0, r, -r, 0), 180: (-r, 0, 0, -r), 270: (0, -r, r, 0)}
    along, down, across, under = ends[round(start) % 360]
    sheet.line([(x, y), (x + along, y + down)], floor, _THICK + 2)
    sheet.pie(x, y, r, start, start + 90, "#ffffff80")
    sheet.arc(x, y, r, start, start + 90, "#7d858c", 3)
    sheet.line([(x, y), (x + across, y + under)], _INK, 7)


def _pane(sheet: Canvas, x: float, y: float, w: float, h: float) -> None:
    """A window in a wall."""
    sheet.box(x, y, w, h, "#ffffff")
    sheet.outline(x, y, w, h, "#5b9fbd", 4)
    if w > h:
        sheet.box(x, y + h / 2 - 2, w, 4, "#5b9fbd")
    else:
        sheet.box(x + w / 2 - 2, y, 4, h, "#5b9fbd")


def _bed(sheet: Canvas, x: float, y: float, colour: str) -> None:
    sheet.box(x, y, 190, 360, "#b98356", 10)
    sheet.box(x + 10, y + 10, 170, 340, "#fbf8f1", 12)
    sheet.box(x + 30, y + 24, 130, 70, "#eee7da", 16)
    sheet.box(x + 10, y + 124, 170, 226, colour, 14)
    sheet.box(x + 10, y + 124, 170, 40, shade(colour, 0.4), 14)


def _desk(sheet: Canvas, x: float, y: float, colour: str) -> None:
    sheet.box(x, y, 230, 116, "#b98356", 8)
    sheet.box(x + 70, y + 20, 92, 60, "#4b5563", 5)
    sheet.disc(x + 115, y + 158, 46, colour)
    sheet.disc(x + 115, y + 158, 34, shade(colour, 0.25))


def _table(sheet: Canvas, x: float, y: float, colour: str) -> None:
    for left, top in ((x + 24, y - 52), (x + 146, y - 52), (x + 24, y + 148), (x + 146, y + 148)):
        sheet.box(left, top, 70, 60, colour, 16)
    sheet.box(x, y, 240, 156, "#c4935f", 16)


def _sofa(sheet: Canvas, x: float, y: float, colour: str) -> None:
    sheet.box(x, y, 130, 330, shade(colour, -0.1), 26)
    sheet.box(x + 40, y + 30, 84, 130, colour, 14)
    sheet.box(x + 40, y + 168, 84, 130, colour, 14)


def _plant(sheet: Canvas, x: float, y: float) -> None:
    for left, top in ((-24, -8), (22, -14), (0, 24), (-6, -30)):
        sheet.disc(x + left, y + top, 28, "#6fa56e")
    sheet.disc(x, y, 20, "#4f8756")


def _kitchen(sheet: Canvas, x: float, y: float, w: float) -> None:
    sheet.box(x, y, w, 96, "#cbd2d5", 4)
    sheet.box(x + 20, y + 18, 120, 60, "#eef2f3", 10)
    for burner in range(2):
        sheet.disc(x + w - 54 - burner * 70, y + 48, 26, "#5b646b")
        sheet.disc(x + w - 54 - burner * 70, y + 48, 14, "#cbd2d5")


def _bath(sheet: Canvas, x: float, y: float, w: float, h: float) -> None:
    sheet.box(x, y, w, h, "#f7fbfc", 26)
    sheet.box(x + 14, y + 14, w - 28, h - 28, "#9fcbdb", 20)


def _toilet(sheet: Canvas, x: float, y: float) -> None:
    sheet.box(x - 44, y, 88, 42, "#f7fbfc", 8)
    sheet.disc(x, y + 84, 40, "#f7fbfc", 54)
    sheet.disc(x, y + 90, 26, "#cfe0e6", 36)


def _basin(sheet: Canvas, x: float, y: float) -> None:
    sheet.box(x, y, 110, 84, "#f7fbfc", 10)
    sheet.disc(x + 55, y + 44, 34, "#cfe0e6", 26)


def _closet(sheet: Canvas, x: float, y: float, w: float, h: float) -> None:
    _room(sheet, x, y, w, h, "#f4eee2")
    sheet.line([(x + 10, y + 10), (x + w - 10, y + h - 10)], "#c9bfae", 3)
    sheet.line([(x + w - 10, y + 10), (x + 10, y + h - 10)], "#c9bfae", 3)


def _north(sheet: Canvas) -> None:
    sheet.disc(1480, 1080, 52, "#f0ede4")
    sheet.shape([(1480, 1034), (1506, 1112), (1480, 1094), (1454, 1112)], "#5f7a80")
    sheet.label(1480, 1152, "N", _INK, 32)


def private_room_plan(colour: str, second: str) -> Canvas:
    """One room of a share house with bed, desk and closet."""
    sheet = _sheet()
    sheet.box(420, 90, 760, 130, _OUTSIDE)
    sheet.outline(420, 90, 760, 130, "#9fb08f", 5)
    _name(sheet, 800, 156, "BALCONY")
    _room(sheet, 420, 220, 760, 760, _WOODEN)
    _closet(sheet, 420, 740, 260, 240)
    _pane(sheet, 560, 211, 480, _THICK)
    _bed(sheet, 450, 260, colour)
    _desk(sheet, 920, 260, second)
    sheet.disc(800, 620, 120, shade(second, 0.5))
    _name(sheet, 800, 620, "ROOM", "6.0 mats")
    _plant(sheet, 1120, 560)
    _name(sheet, 550, 860, "CL")
    _door(sheet, 1100, 980, 150, 180, _WOODEN)
    _north(sheet)
    return sheet


def studio_plan(colour: str, second: str) -> Canvas:
    """1K: a room, a kitchen in the passage, bath and toilet."""
    sheet = _sheet()
    sheet.box(140, 250, 120, 620, _OUTSIDE)
    sheet.outline(140, 250, 120, 620, "#9fb08f", 5)
    _room(sheet, 260, 250, 640, 620, _WOODEN)
    _room(sheet, 900, 250, 500, 200, _WOODEN)
    _room(sheet, 900, 620, 250, 250, _WET)
    _room(sheet, 1150, 620, 250, 250, _WET)
    _room(sheet, 900, 450, 500, 170, _WOODEN)
    sheet.box(909, 430, 482, 40, _WOODEN)
    _kitchen(sheet, 930, 264, 340)
    _pane(sheet, 251, 360, _THICK, 400)
    _bed(sheet, 300, 290, colour)
    _desk(sheet, 620, 290, second)
    _plant(sheet, 330, 800)
    _name(sheet, 640, 660, "ROOM", "7.2 mats")
    _name(sheet, 1110, 530, "K", "2.4")
    _bath(sheet, 930, 650, 90, 190)
    _basin(sheet, 1030, 776)
    _toilet(sheet, 1290, 650)
    _door(sheet, 900, 600, 120, 270, _WOODEN)
    _door(sheet, 1060, 620, 90, 0, _WOODEN)
    _door(sheet, 1180, 620, 90, 0, _WOODEN)
    _door(sheet, 1400, 480, 130, 90, _STEP)
    _north(sheet)
    return sheet


def one_bedroom_plan(colour: str, second: str) -> Canvas:
    """1LDK: living, dining and kitchen beside a bedroom."""
    sheet = _sheet()
    sheet.box(160, 900, 900, 120, _OUTSIDE)
    sheet.outline(160, 900, 900, 120, "#9fb08f", 5)
    _name(sheet, 610, 960, "BALCONY")
    _room(sheet, 160, 180, 520, 720, _WOODEN)
    _room(sheet, 680, 460, 380, 440, _WOODEN)
    _room(sheet, 680, 180, 380, 280, _STEP)
    _room(sheet, 1060, 180, 340, 280, _WET)
    _room(sheet, 1060, 460, 340, 200, _WET)
    _closet(sheet, 1060, 660, 340, 240)
    _kitchen(sheet, 180, 196, 360)
    _table(sheet, 370, 380, second)
    _sofa(sheet, 184, 560, colour)
    _name(sheet, 500, 700, "LDK", "10.4 mats")
    _bed(sheet, 700, 480, colour)
    _name(sheet, 975, 740, "BR", "5.6")
    _bath(sheet, 1290, 204, 90, 230)
    _basin(sheet, 1170, 200)
    _name(sheet, 1200, 360, "BATH")
    _toilet(sheet, 1320, 480)
    _name(sheet, 1215, 585, "WC")
    _name(sheet, 950, 310, "HALL")
    _name(sheet, 1230, 780, "CL")
    _pane(sheet, 240, 891, 360, _THICK)
    _pane(sheet, 730, 891, 280, _THICK)
    _door(sheet, 680, 430, 120, 270, _WOODEN)
    _door(sheet, 920, 460, 110, 0, _WOODEN)
    _door(sheet, 1060, 330, 100, 270, _WET)
    _door(sheet, 710, 180, 120, 0, _STEP)
    _door(sheet, 1076, 460, 90, 0, _WET)
    _plant(sheet, 620, 840)
    _north(sheet)
    return sheet


def twin_plan(colour: str, second: str) -> Canvas:
    """A twin room with two beds and two desks."""
    sheet = _sheet()
    _room(sheet, 260, 230, 1080, 700, _WOODEN)
    _closet(sheet, 260, 700, 280, 230)
    _closet(sheet, 1060, 700, 280, 230)
    _pane(sheet, 560, 221, 480, _THICK)
    _bed(sheet, 290, 270, colour)
    _bed(sheet, 1120, 270, second)
    _desk(sheet, 540, 260, colour)
    _desk(sheet, 830, 260, second)
    _table(sheet, 780, 660, shade(second, 0.2))
    _name(sheet, 800, 530, "TWIN", "9.5 mats")
    _plant(sheet, 600, 780)
    _name(sheet, 400, 815, "CL")
    _name(sheet, 1200, 815, "CL")
    _door(sheet, 730, 930, 140, 180, _WOODEN)
    _north(sheet)
    return sheet
