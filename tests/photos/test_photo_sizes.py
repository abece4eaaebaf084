"""An uploaded picture: its content is checked, its sizes are made, its position is forgotten."""

import io
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import ExifTags, Image, ImageStat

from pms.catalogue import photo_sizes
from pms.catalogue.photo_sizes import WIDTHS, as_jpeg, size_photo
from pms.foundation.errors import Refused, TooMany
from pms.foundation.files import Files
from tests.databases import settings_of_a_test
from tests.sample_uploads import UPLOADS

UPSIDE = 6  # EXIF: turn a quarter to the right


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(settings_of_a_test(tmp_path))


def picture(width: int = 2000, height: int = 1500, mode: str = "RGB") -> Image.Image:
    made = Image.new(mode, (width, height), "white")
    made.paste("red" if mode == "RGB" else (255, 0, 0, 255), (0, 0, width // 2, height // 2))
    return made


def encoded(made: Image.Image, kind: str = "JPEG", **how: object) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer, kind, **how)
    return buffer.getvalue()


def stored(files: Files, key: str) -> Image.Image:
    content = files.get(key)
    assert content is not None
    return Image.open(io.BytesIO(content))


def test_every_width_is_made_as_webp(files: Files) -> None:
    sized = size_photo(encoded(picture())).store(files)
    assert (sized.width, sized.height) == (1600, 1200)
    assert set(sized.files) == {str(width) for width in WIDTHS}
    for width in WIDTHS:
        made = stored(files, sized.files[str(width)])
        assert (made.format, made.size) == ("WEBP", (width, width * 3 // 4))


def test_a_small_picture_is_not_enlarged(files: Files) -> None:
    sized = size_photo(encoded(picture(600, 400))).store(files)
    assert (sized.width, sized.height) == (600, 400)
    assert stored(files, sized.files["1600"]).size == (600, 400)
    assert stored(files, sized.files["400"]).size == (400, 267)


def test_a_picture_taken_sideways_is_turned_upright(files: Files) -> None:
    exif = Image.Exif()
    exif[0x0112] = UPSIDE
    sized = size_photo(encoded(picture(), exif=exif)).store(files)
    assert (sized.width, sized.height) == (1500, 2000)
    corner = stored(files, sized.files["400"]).convert("RGB").crop((380, 0, 400, 20))
    red, green, _ = ImageStat.Stat(corner).mean
    assert red > 200 > green


def test_nothing_tells_where_or_with_what_it_was_taken(files: Files) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Camera of somebody"
    exif.get_ifd(0x8825)[2] = (35.0, 41.0, 22.0)
    sized = size_photo(encoded(picture(), exif=exif)).store(files)
    for key in sized.files.values():
        content = files.get(key)
        assert content is not None
        assert b"Camera" not in content
        assert not dict(Image.open(io.BytesIO(content)).getexif())


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_shines_through_becomes_white(files: Files, kind: str) -> None:
    glass = Image.new("RGBA", (400, 300), (0, 0, 0, 0))
    sized = size_photo(encoded(glass, kind)).store(files)
    made = stored(files, sized.files["400"]).convert("RGB")
    assert made.getpixel((200, 150)) == (255, 255, 255)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<html><script>alert(1)</script></html>",
        b"%PDF-1.7",
        b"\xff\xd8\xff\xe0 torn",
        encoded(picture(300, 300))[:-400],
        encoded(picture(300, 300), "GIF"),
        encoded(picture(199, 400)),
    ],
    ids=["nothing", "svg", "html", "pdf", "magic only", "truncated", "gif", "too small"],
)
def test_what_is_no_whole_picture_is_refused(files: Files, content: bytes) -> None:
    with pytest.raises(Refused):
        size_photo(content).store(files)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unfolded(files: Files) -> None:
    side = 8_000
    bomb = encoded(Image.new("1", (side, side)), "PNG")
    assert len(bomb) < 100_000
    with pytest.raises(Refused, match="pixels"):
        size_photo(bomb).store(files)


def test_a_file_too_heavy_is_refused(files: Files) -> None:
    with pytest.raises(Refused, match="bytes"):
        size_photo(bytes(photo_sizes.LARGEST_BYTES + 1)).store(files)


def test_grey_of_sixteen_bits_keeps_its_shades(files: Files) -> None:
    shades = Image.new("I;16", (800, 600))
    shades.paste(0x8080, (0, 0, 800, 600))
    shades.paste(0x2020, (0, 0, 400, 600))
    sized = size_photo(encoded(shades, "PNG")).store(files)
    left, right = (stored(files, sized.files["800"]).getpixel((x, 300)) for x in (200, 600))
    assert left == pytest.approx((0x20,) * 3, abs=3)
    assert right == pytest.approx((0x80,) * 3, abs=3)


def test_the_same_picture_is_stored_once(files: Files) -> None:
    content = encoded(picture())
    assert size_photo(content).store(files) == size_photo(content).store(files)


def test_a_stored_size_can_be_had_as_jpeg(files: Files) -> None:
    sized = size_photo(encoded(picture())).store(files)
    webp = files.get(sized.files["800"])
    assert webp is not None
    made = Image.open(io.BytesIO(as_jpeg(webp)))
    assert (made.format, made.size) == ("JPEG", (800, 600))


@pytest.mark.parametrize("size", [(8_064, 6_048), (8_160, 6_120), (9_248, 6_936)])
def test_a_picture_of_a_telephone_with_48_to_64_million_pixels_is_taken(
    files: Files, size: tuple[int, int]
) -> None:
    content = encoded(picture(*size)) + bytes(20 * 1024 * 1024)
    sized = size_photo(content).store(files)
    assert (sized.width, sized.height) == (1_600, round(1_600 * size[1] / size[0]))
    shown = stored(files, sized.files["1600"]).convert("RGB")
    assert shown.getpixel((400, 300)) == pytest.approx((255, 0, 0), abs=12)
    assert shown.getpixel((1_200, 900)) == pytest.approx((255, 255, 255), abs=12)


def test_a_large_picture_is_turned_and_loses_its_position(files: Files) -> None:
    turned = picture(8_064, 6_048)
    exif = turned.getexif()
    exif[ExifTags.Base.Orientation] = UPSIDE
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (35.0, 40.0, 0.0)
    sized = size_photo(encoded(turned, exif=exif)).store(files)
    assert (sized.width, sized.height) == (1_600, 2_133)
    shown = stored(files, sized.files["1600"])
    assert not shown.getexif()
    red = shown.convert("RGB").getpixel((1_200, 500))
    assert red == pytest.approx((255, 0, 0), abs=12)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "L", "1", "CMYK"])
def test_strips_of_a_picture_join_without_a_seam(files: Files, mode: str) -> None:
    slope = Image.linear_gradient("L").resize((4_900, 3_701))
    kind = "JPEG" if mode == "CMYK" else "PNG"
    sized = size_photo(encoded(slope.convert("RGB").convert(mode), kind)).store(files)
    shown = stored(files, sized.files["1600"]).convert("L")
    column: list[Any] = [shown.getpixel((800, y)) for y in range(0, shown.height, 4)]
    if mode not in {"1", "P"}:  # both dither
        steps = [below - above for above, below in itertools.pairwise(column)]
        assert min(steps) >= -6 and max(steps) <= 12
    assert column[0] < 20 and column[-1] > 235


@pytest.mark.parametrize(
    ("kind", "how", "most"),
    [
        ("JPEG", {"progressive": True, "subsampling": 0}, 67_108_864),
        ("JPEG", {"progressive": True, "subsampling": 2}, photo_sizes.LARGEST_JPEG_PIXELS),
        ("JPEG", {}, photo_sizes.LARGEST_JPEG_PIXELS),
        ("PNG", {}, photo_sizes.LARGEST_PIXELS),
    ],
)
def test_how_many_pixels_are_taken_follows_from_how_they_are_read(
    files: Files, kind: str, how: dict[str, Any], most: int
) -> None:
    width = 10_000
    above = Image.new("L" if kind == "PNG" else "RGB", (width, most // width + 1))
    with pytest.raises(Refused, match=f"At most {most:,}|At most {most}"):
        size_photo(encoded(above, kind, **how)).store(files)


def test_a_jpeg_of_several_scans_has_the_limit_of_a_progressive_one(files: Files) -> None:
    content = bytearray(encoded(Image.new("RGB", (10_000, 7_000)), subsampling=0))
    scan = content.index(b"\xff\xda")
    content[scan + 4] = 1  # layers of the first scan
    with pytest.raises(Refused, match=r"At most 67,?108,?864"):
        size_photo(bytes(content)).store(files)


LARGE = {
    "phone_48_megapixels.heic": (1_600, 1_200),
    "fifty_megapixels.png": (1_600, 800),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_picture_of_48_or_50_million_pixels_is_taken_in_every_kind(
    files: Files, name: str
) -> None:
    sized = size_photo((UPLOADS / name).read_bytes()).store(files)
    assert (sized.width, sized.height) == LARGE[name]
    if name.endswith(".heic"):
        shown = stored(files, sized.files["400"]).convert("RGB")
        assert shown.getpixel((100, 150)) == pytest.approx((255, 0, 0), abs=12)
        assert shown.getpixel((300, 150)) == pytest.approx((255, 255, 255), abs=12)


@pytest.mark.parametrize("name", LARGE)
def test_a_large_picture_that_is_not_whole_is_damaged(files: Files, name: str) -> None:
    content = (UPLOADS / name).read_bytes()
    with pytest.raises(Refused, match="damaged"):
        size_photo(content[: -len(content) // 3]).store(files)


def test_a_picture_that_needs_more_memory_than_foreseen_is_refused_with_its_size(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_sizes, "_DATA_OF_THE_PROGRAM", -150 * 1024 * 1024)
    with pytest.raises(Refused, match=r"10,?000 × 5,?000 pixels could not be made smaller"):
        size_photo((UPLOADS / "fifty_megapixels.png").read_bytes()).store(files)


def test_a_picture_whose_process_is_killed_is_refused_with_its_size(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(Refused, match=r"8,?064 × 6,?048 pixels could not be made smaller"):
        size_photo((UPLOADS / "phone_48_megapixels.heic").read_bytes()).store(files)


def test_a_large_picture_waits_for_another_one_for_a_while_only(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_sizes._process, "patience_seconds", 0.01)
    content = (UPLOADS / "phone_48_megapixels.heic").read_bytes()
    with photo_sizes._process.lock, pytest.raises(TooMany, match="in a minute"):
        size_photo(content).store(files)


def test_a_second_picture_inside_a_jpeg_is_passed_over(files: Files) -> None:
    content = encoded(picture(), "MPO", save_all=True, append_images=[Image.new("RGB", (400, 300))])
    assert (
        size_photo(content).store(files).files == size_photo(encoded(picture())).store(files).files
    )


def test_a_very_long_picture_becomes_narrower(files: Files) -> None:
    sized = size_photo(encoded(Image.new("RGB", (500, 20_000)), "PNG")).store(files)
    assert (sized.width, sized.height) == (160, 6_400)
    assert stored(files, sized.files["400"]).size == (40, 1_600)


@pytest.mark.thorough("reads the memory of a process of its own")
@pytest.mark.parametrize(
    ("name", "most_mib"),
    [("8160x6120.jpg", 0), ("progressive.jpg", 320), *((name, 320) for name in LARGE)],
)
def test_a_large_picture_takes_less_than_100_mebibytes_here_and_a_bounded_process(
    tmp_path: Path, name: str, most_mib: int
) -> None:
    path = UPLOADS / name
    if name.endswith(".jpg"):
        path = tmp_path / name
        path.write_bytes(encoded(picture(8_160, 6_120), progressive=name.startswith("progressive")))
    program = (
        "import resource, sys; from pathlib import Path; from PIL import Image, ImageOps;"
        "import pillow_heif; from pms.catalogue.photo_sizes import plain_picture;"
        "memory = lambda of: resource.getrusage(of).ru_maxrss // 1024;"
        "content = Path(sys.argv[1]).read_bytes(); before = memory(resource.RUSAGE_SELF);"
        "plain_picture(content);"
        "print(memory(resource.RUSAGE_SELF) - before, memory(resource.RUSAGE_CHILDREN))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    here, in_the_process = map(int, ran.stdout.split())
    assert here < 100
    assert in_the_process <= most_mib
