"""A workspace's colour as RGB, for mails, which cannot use a hue."""

from math import cos, radians, sin
from typing import Final

_LIGHTNESS: Final = 0.45
_CHROMA: Final = 0.11


def brand_colour(hue: int) -> str:
    """Return the colour of a hue in degrees, as #1a2b3c, dark enough for white text.

    Lightness and chroma are those of the screens (OKLCH), so every hue has the same contrast.
    """
    a, b = _CHROMA * cos(radians(hue)), _CHROMA * sin(radians(hue))
    long = (_LIGHTNESS + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (_LIGHTNESS - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (_LIGHTNESS - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{_in_bytes(part):02x}" for part in linear)


def contrast_with_white(hue: int) -> float:
    """Return the WCAG 2 contrast of white text on the colour of a hue."""
    colour = brand_colour(hue)
    parts = [_linearise_channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5)]
    light = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return 1.05 / (light + 0.05)


def _linearise_channel(byte: int) -> float:
    part = byte / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _in_bytes(part: float) -> int:
    bound = min(max(part, 0.0), 1.0)
    curved = 12.92 * bound if bound <= 0.0031308 else 1.055 * bound ** (1 / 2.4) - 0.055
    return round(255 * curved)
