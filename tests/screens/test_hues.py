"""Whatever hue a workspace chooses, its colour can be read on every ground, in both themes."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CSS: Final = Path(__file__).parents[2] / "static" / "css"
SHEET: Final = CSS / "desk" / "hue.css"
TOKEN: Final = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
BRAND: Final = re.compile(r"oklch\((\d+)% ([\d.]+) var\(--hue\)\)")
Linear = tuple[float, float, float]


def linear_of(colour: str) -> Linear:
    red, green, blue = (read(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return red, green, blue


def mixed(one: Linear, other: Linear, share: float) -> Linear:
    """Two colours as `color-mix(in srgb, …)` mixes them."""

    def written(part: float) -> float:
        return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055

    red, green, blue = (
        read(share * written(mark) + (1 - share) * written(under))
        for mark, under in zip(one, other, strict=True)
    )
    return red, green, blue


def read(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def linear_of_hue(lightness: float, chroma: float, hue: int) -> Linear:
    """The colour as a screen shows it: what it cannot show is cut off, channel by channel."""
    a, b = (chroma * turn(math.radians(hue)) for turn in (math.cos, math.sin))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red, green, blue = (
        min(1.0, max(0.0, part))
        for part in (
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        )
    )
    return red, green, blue


def contrast(one: Linear, other: Linear) -> float:
    lights = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def tokens(theme: int) -> dict[str, Linear]:
    text = (CSS / "tokens.css").read_text()
    return {name: linear_of(pair[theme]) for name, *pair in TOKEN.findall(text)}


def test_there_is_a_line_for_every_tenth_degree() -> None:
    lines = re.findall(r'\[data-hue="(\d+)"\] \{ --hue: (\d+); \}', SHEET.read_text())
    assert lines == [(str(hue), str(hue)) for hue in range(0, 360, 10)]


def unreadable(lightnesses: tuple[int, int]) -> Iterator[str]:
    """Each hue whose colour of these lightnesses cannot be read, with its theme and the ground."""
    chromas = [float(chroma) for _, chroma in BRAND.findall(SHEET.read_text())]
    for theme, name in enumerate(("light", "dark")):
        known = tokens(theme)
        for hue in range(0, 360, 10):
            brand = linear_of_hue(lightnesses[theme] / 100, chromas[theme], hue)
            grounds = {ground: known[ground] for ground in ("bg", "surface", "sunk", "on-brand")}
            # The menu's current line lies on a breath of the colour itself.
            grounds["tinted surface"] = mixed(brand, known["surface"], 0.09)
            for ground, colour in grounds.items():
                if contrast(brand, colour) < 4.5:
                    yield f"{hue} {name} on {ground}"


def test_every_hue_can_be_read() -> None:
    light, dark = (int(lightness) for lightness, _ in BRAND.findall(SHEET.read_text()))
    assert list(unreadable((light, dark))) == []


def test_a_colour_that_is_too_light_or_too_dark_is_found() -> None:
    for wrong, theme in (((60, 77), "light"), ((45, 60), "dark")):
        found = list(unreadable(wrong))
        assert found
        assert all(theme in one for one in found)
