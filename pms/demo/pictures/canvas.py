"""A sheet to draw on in whole page units, twice as fine inside so that edges come out smooth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageColor, ImageDraw, ImageFont

WIDTH = 1600
HEIGHT = 1200
FINENESS = 2
OPAQUE = 255

Point = tuple[float, float]


@cache
def rgba(colour: str) -> tuple[int, int, int, int]:
    """The four channels of a colour written #rrggbb or #rrggbbaa."""
    red, green, blue, alpha = ImageColor.getcolor(colour, "RGBA")  # type: ignore[misc]
    return red, green, blue, alpha


@cache
def shade(colour: str, by: float) -> str:
    """The colour made lighter (by > 0, towards white) or darker (by < 0, towards black)."""
    target = 255 if by > 0 else 0
    red, green, blue, _ = rgba(colour)
    mixed = [round(part + (target - part) * abs(by)) for part in (red, green, blue)]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


@cache
def _radial() -> Image.Image:
    # Pillow's gradient reaches white in the corners only; ours is to end inside the edges.
    reach = 181
    return Image.radial_gradient("L").point(lambda far: round(255 * max(0, 1 - far / reach) ** 1.6))


class Canvas:
    """Flat shapes, soft shadows and glows; everything is placed by its upper left corner."""

    def __init__(self, width: float = WIDTH, height: float = HEIGHT, colour: str = "#ffffff"):
        self.width, self.height = width, height
        size = (round(width * FINENESS), round(height * FINENESS))
        self.image = Image.new("RGB", size, rgba(colour)[:3])
        # Mixing each pixel with the one below takes several times as long as covering it.
        self._covering = ImageDraw.Draw(self.image)
        self._mixing = ImageDraw.Draw(self.image, "RGBA")

    def _pen(self, colour: str) -> ImageDraw.ImageDraw:
        return self._covering if rgba(colour)[3] == OPAQUE else self._mixing

    def box(self, x: float, y: float, w: float, h: float, colour: str, radius: float = 0) -> None:
        left, top = round(x * FINENESS), round(y * FINENESS)
        right, bottom = round((x + w) * FINENESS) - 1, round((y + h) * FINENESS) - 1
        if right < left or bottom < top:
            return
        if radius:
            rounding = min(radius * FINENESS, (right - left) / 2, (bottom - top) / 2)
            self._pen(colour).rounded_rectangle(
                (left, top, right, bottom), rounding, fill=rgba(colour)
            )
        else:
            self._pen(colour).rectangle((left, top, right, bottom), fill=rgba(colour))

    def shape(self, points: Sequence[Point], colour: str) -> None:
        self._pen(colour).polygon(
            [(x * FINENESS, y * FINENESS) for x, y in points], fill=rgba(colour)
        )

    def disc(self, x: float, y: float, rx: float, colour: str, ry: float | None = None) -> None:
        """An ellipse around its middle."""
        high = rx if ry is None else ry
        corners = (x - rx, y - high, x + rx, y + high)
        self._pen(colour).ellipse([part * FINENESS for part in corners], fill=rgba(colour))

    def pie(self, x: float, y: float, r: float, start: float, end: float, colour: str) -> None:
        corners = [part * FINENESS for part in (x - r, y - r, x + r, y + r)]
        self._pen(colour).pieslice(corners, start, end, fill=rgba(colour))

    def arc(
        self, x: float, y: float, r: float, start: float, end: float, colour: str, width: float = 3
    ) -> None:
        corners = [part * FINENESS for part in (x - r, y - r, x + r, y + r)]
        self._pen(colour).arc(corners, start, end, fill=rgba(colour), width=round(width * FINENESS))

    def line(self, points: Sequence[Point], colour: str, width: float = 3) -> None:
        fine = [(x * FINENESS, y * FINENESS) for x, y in points]
        self._pen(colour).line(
            fine, fill=rgba(colour), width=round(width * FINENESS), joint="curve"
        )

    def outline(
        self, x: float, y: float, w: float, h: float, colour: str, width: float = 4
    ) -> None:
        corners = [part * FINENESS for part in (x, y, x + w, y + h)]
        self._pen(colour).rectangle(corners, outline=rgba(colour), width=round(width * FINENESS))

    def fade(self, x: float, y: float, w: float, h: float, stops: Sequence[str]) -> None:
        """A box whose colour runs from the first stop at the top to the last at the bottom."""
        column = Image.new("RGB", (1, len(stops)))
        for row, stop in enumerate(stops):
            column.putpixel((0, row), rgba(stop)[:3])
        size = (round(w * FINENESS), round(h * FINENESS))
        tall = column.resize((1, size[1]), Image.Resampling.BILINEAR)
        self.image.paste(
            tall.resize(size, Image.Resampling.NEAREST), (round(x * FINENESS), round(y * FINENESS))
        )

    def glow(self, x: float, y: float, rx: float, colour: str, ry: float | None = None) -> None:
        """Light or shadow that fades towards its edge; the alpha of the colour is its strength."""
        high = rx if ry is None else ry
        red, green, blue, alpha = rgba(colour)
        size = (round(rx * 2 * FINENESS), round(high * 2 * FINENESS))
        faded = _radial().point(lambda level: level * alpha // 255)
        mask = faded.resize(size, Image.Resampling.BILINEAR)
        at = (round((x - rx) * FINENESS), round((y - high) * FINENESS))
        self.image.paste((red, green, blue), at, mask)

    def label(self, x: float, y: float, text: str, colour: str, size: float) -> None:
        """Latin letters centred on a point."""
        font = ImageFont.load_default(size * FINENESS)
        self._pen(colour).text(
            (x * FINENESS, y * FINENESS), text, fill=rgba(colour), font=font, anchor="mm"
        )

    def paste(self, other: Canvas, x: float, y: float) -> None:
        """Put a smaller sheet on this one, which cuts what was drawn over its edges."""
        self.image.paste(other.image, (round(x * FINENESS), round(y * FINENESS)))

    def tint(self, colour: str) -> None:
        """Lay the light of an hour over everything, as a filter does (multiplying)."""
        parts = rgba(colour)[:3]
        self.image.paste(
            self.image.point([level * part // 255 for part in parts for level in range(256)])
        )

    def finished(self) -> Image.Image:
        """The drawing at its page size."""
        return self.image.reduce(FINENESS)
