"""One stylesheet, small, kept for a year, with colours that can be read."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

TOKENS = Path(__file__).parents[3] / "static" / "css" / "tokens.css"
TOKEN = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
THEMES = ("light", "dark")
TEXT = [
    *((ink, ground) for ink in ("ink", "ink-2", "brand") for ground in ("bg", "surface", "sunk")),
    ("on-brand", "brand"),
    *((name, f"{name}-bg") for name in ("ok", "info", "warn", "bad", "soft")),
]
BORDERS = [("line-strong", ground) for ground in ("bg", "surface", "sunk")]


def stylesheet_of(reader: FlaskClient) -> str:
    return str(re.findall(r'href="(/assets/[^"]+\.css)"', reader.get("/").text)[0])


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pale(colours: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Each pair of colours that is too much alike, in the light theme and in the dark one."""
    for (one, other), least in [*((p, 4.5) for p in TEXT), *((p, 3.0) for p in BORDERS)]:
        for theme, first, second in zip(THEMES, colours[one], colours[other], strict=True):
            if contrast(first, second) < least:
                yield f"{one} on {other}, {theme}: {contrast(first, second):.2f} below {least}"


def test_colours_have_contrast() -> None:
    colours = {name: (light, dark) for name, light, dark in TOKEN.findall(TOKENS.read_text())}
    assert list(pale(colours)) == []
    colours["ink"] = ("#c0c0c0", colours["ink"][1])
    assert [found.split(":")[0] for found in pale(colours)] == [
        f"ink on {ground}, light" for ground in ("bg", "surface", "sunk")
    ]


def test_the_stylesheet_is_within_its_budget(reader: FlaskClient) -> None:
    assert len(gzip.compress(reader.get(stylesheet_of(reader)).data)) <= 12 * 1024


def test_the_stylesheet_is_kept_for_a_year_under_an_address_of_its_content(
    reader: FlaskClient,
) -> None:
    address = stylesheet_of(reader)
    answer = reader.get(address)
    assert answer.content_type == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["Cache-Control"]
    other = reader.get(re.sub("/[0-9a-f]{16}/", "/0000000000000000/", address))
    assert other.data == answer.data
    assert other.headers["Cache-Control"] == "no-cache"


def test_the_stylesheet_travels_packed_to_whoever_unpacks(reader: FlaskClient) -> None:
    address = stylesheet_of(reader)
    plain = reader.get(address)
    packed = reader.get(address, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in plain.vary
    assert "Accept-Encoding" in packed.vary


def test_the_order_of_the_layers_is_told_first(reader: FlaskClient) -> None:
    css = re.sub(r"/\*.*?\*/", "", reader.get(stylesheet_of(reader)).text, flags=re.S)
    assert css.strip().startswith("@layer tokens,")


@pytest.mark.parametrize("name", ["nothing.css", "..", "layers.css", "css/tokens.css"])
def test_other_files_are_not_given_away(name: str, reader: FlaskClient) -> None:
    assert reader.get(f"/assets/0000000000000000/{name}").status_code == 404


def test_a_page_asks_for_few_files_of_its_own_house(reader: FlaskClient) -> None:
    html = reader.get("/manual/api/properties").text
    loaded = re.findall(r'<(?:link rel="(?:icon|stylesheet)" href|script src)="([^"]+)"', html)
    assert len(loaded) == 3
    assert all(address.startswith("/assets/") for address in loaded)
