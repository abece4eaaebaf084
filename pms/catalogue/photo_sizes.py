"""The sizes of a picture that arrives: checked, decoded within bounds, stored as WebP."""

import fcntl
import io
import math
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from pms.foundation.bounded_process import (
    BoundedProcess,
    ProcessBusyError,
    ProcessEndedError,
    limit_this_process,
)
from pms.foundation.errors import Refused, TooMany
from pms.foundation.phrases import join_with_commas

if TYPE_CHECKING:
    from PIL import Image
    from PIL.JpegImagePlugin import JpegImageFile

    from pms.foundation.files import Files

WIDTHS = (400, 800, 1600)
LARGEST_BYTES = 25 * 1024 * 1024
LARGEST_PIXELS = 52_000_000
"""Telephones take pictures of 48 to 50 million pixels as HEIC and PNG too."""
LARGEST_WEBP_PIXELS = 40_000_000
LARGEST_JPEG_PIXELS = 80_000_000
"""A JPEG of one scan is decoded at a fraction of its size."""
SMALLEST_SIDE = 200
_TIMES_AS_HIGH = 4
"""How many times its largest width a size may be high; the width of a longer picture is less."""
_BYTES_A_PIXEL = {"PNG": 5, "WEBP": 16, "HEIF": 6}
"""What a decoder holds at its most, as measured; a WebP is decoded as an animation is."""
_MOST_DECODED_HERE = 100 * 1024 * 1024
"""What a picture may take of this process while it is read, in bytes."""
_MOST_COEFFICIENTS = 384 * 1024 * 1024
"""What the decoder of a JPEG of several scans may keep of it, in bytes."""
_DATA_OF_THE_PROGRAM = 128 * 1024 * 1024
"""What the process that decodes a picture has besides it: Python, the libraries, the file."""
_MOST_CPU_SECONDS = 20
_MOST_SECONDS = 60
_PATIENCE_SECONDS = 30
_STRIP = 64
"""How many rows of the smaller picture are made at once."""
_FIRST_TURNED = 5
"""The first orientation in which the stored height is the upright width."""
_READ = ("JPEG", "PNG", "WEBP", "HEIF")
_log = structlog.get_logger("pms.catalogue.photo_sizes")


@dataclass(frozen=True)
class SizedPhoto:
    """The largest size in pixels, and the key of the stored WebP file of each width."""

    width: int
    height: int
    files: Mapping[str, str]


@dataclass(frozen=True)
class PhotoSizes:
    """The largest size in pixels, and the WebP file of each width, which is not stored yet."""

    width: int
    height: int
    contents: Mapping[str, bytes]

    def store(self, files: "Files") -> SizedPhoto:
        """Store the files, and return their keys with the largest size."""
        stored = {width: files.put(content, "webp") for width, content in self.contents.items()}
        return SizedPhoto(self.width, self.height, stored)


def size_photo(content: bytes) -> PhotoSizes:
    """Return the sizes of an uploaded JPEG, PNG, WebP or HEIC.

    Raises `Refused` for other files, and `TooMany` while other large ones are read.
    """
    return _make_sizes(_open_checked_image(content))


def plain_picture(content: bytes, smallest_side: int = SMALLEST_SIDE) -> bytes:
    """Return an uploaded picture as WebP, checked as `size_photo` does, without storing it."""
    picture = _open_checked_image(content, smallest_side)
    return _encode_picture(picture, "WEBP", quality=82, method=2)


def store_sizes(picture: "Image.Image", files: "Files") -> SizedPhoto:
    """Store the sizes of an upright RGB picture; a small one is never enlarged."""
    return _make_sizes(picture).store(files)


def _make_sizes(picture: "Image.Image") -> PhotoSizes:
    largest = sized = _at_most(picture, max(WIDTHS))
    contents: dict[str, bytes] = {}
    for width in sorted(WIDTHS, reverse=True):
        # Each size is made from the next larger one, which is quicker and looks the same.
        sized = _at_most(sized, width)
        contents[str(width)] = _encode_picture(sized, "WEBP", quality=82, method=2)
    return PhotoSizes(largest.width, largest.height, contents)


def as_jpeg(webp: bytes) -> bytes:
    """Return a stored size as JPEG, for mail programs that do not support WebP."""
    # Imported here and below: a worker that receives no picture never loads the library.
    from PIL import Image

    with Image.open(io.BytesIO(webp), formats=("WEBP",)) as picture:
        return _encode_picture(picture.convert("RGB"), "JPEG", quality=84)


def _open_checked_image(content: bytes, smallest_side: int = SMALLEST_SIDE) -> "Image.Image":
    if not 0 < len(content) <= LARGEST_BYTES:
        raise Refused(
            "The photo is {found_bytes} bytes. Choose one of at most {most_bytes} bytes.",
            found_bytes=len(content),
            most_bytes=LARGEST_BYTES,
        )
    from PIL import Image, UnidentifiedImageError

    _read_telephones()
    try:
        with Image.open(io.BytesIO(content), formats=_READ) as opened:
            width, height = opened.size
            _check_size(opened, content, smallest_side)
            held = _held_bytes(opened, content)
            if held <= _MOST_DECODED_HERE:
                return _shrink_upright(opened, content)
        return _shrink_in_a_process(content, width, height, held)
    except UnidentifiedImageError:
        raise Refused(
            "This is not a picture. Choose {kinds}.", kinds=join_with_commas(_READ)
        ) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise _refusal_of_damage() from None


@cache
def _read_telephones() -> None:
    from pillow_heif import register_heif_opener

    # Embedded pictures are never needed.
    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def _refusal_of_damage() -> Refused:
    return Refused("The photo is damaged and cannot be read to its end.")


def _check_size(picture: "Image.Image", content: bytes, smallest_side: int) -> None:
    # Before decoding: a small file may decompress to gigabytes.
    width, height = picture.size
    most_pixels = _most_pixels(picture, content)
    if width * height > most_pixels:
        raise Refused(
            "The photo has {width} × {height} pixels. At most {most_pixels} in total are possible.",
            width=width,
            height=height,
            most_pixels=most_pixels,
        )
    if min(width, height) < smallest_side:
        raise Refused(
            "The photo has {width} × {height} pixels. Each side needs {least_pixels}.",
            width=width,
            height=height,
            least_pixels=smallest_side,
        )


def _most_pixels(picture: "Image.Image", content: bytes) -> int:
    """Return the most pixels that are decoded within the memory, for the kind of the picture."""
    from PIL.JpegImagePlugin import JpegImageFile

    if not isinstance(picture, JpegImageFile):
        return LARGEST_WEBP_PIXELS if picture.format == "WEBP" else LARGEST_PIXELS
    kept = _coefficients_a_pixel(picture, content)
    return min(LARGEST_JPEG_PIXELS, int(_MOST_COEFFICIENTS / kept)) if kept else LARGEST_JPEG_PIXELS


def _coefficients_a_pixel(picture: "JpegImageFile", content: bytes) -> float:
    """Return how many bytes the decoder of a JPEG keeps for each pixel of the whole picture.

    They are two for each sample if a layer is complete only after several scans.
    """
    layers = [(across, down) for _, across, down, _ in picture.layer]
    if not (picture.info.get("progressive") or _has_several_scans(content, len(layers))):
        return 0
    most = max((across * down for across, down in layers), default=1)
    return 2 * max(sum(across * down for across, down in layers) / most, 1)


def _has_several_scans(content: bytes, layers: int) -> bool:
    """Whether the first scan of a JPEG holds fewer layers than the picture has."""
    at = 2
    while content[at : at + 1] == b"\xff":
        marker = content[at + 1 : at + 2]
        if marker == b"\xda":
            return content[at + 4] < layers
        at += 1 if marker == b"\xff" else 2 + int.from_bytes(content[at + 2 : at + 4])
    # Not built as usual: the worse is assumed.
    return True


def _held_bytes(opened: "Image.Image", content: bytes) -> int:
    """Return what the decoder of a picture holds in memory; a JPEG is set to a fraction first."""
    from PIL.JpegImagePlugin import JpegImageFile

    held = opened.width * opened.height * _BYTES_A_PIXEL.get(str(opened.format), 0)
    if isinstance(opened, JpegImageFile):
        held = int(opened.width * opened.height * _coefficients_a_pixel(opened, content))
        _set_fraction(opened, is_turned=_read_orientation(opened) >= _FIRST_TURNED)
        held += 4 * opened.width * opened.height
    # The smaller picture, of four bytes a pixel, is made beside it, and a copy to turn it. A PNG
    # tells last how it lies.
    by = min(_reduction_factor(*opened.size), _reduction_factor(*reversed(opened.size)))
    return held + 8 * (opened.width // by) * (opened.height // by)


def _read_orientation(opened: "Image.Image") -> int:
    # A PNG is decoded to look for it: it may stand behind the pixels.
    from PIL import ExifTags

    found: int = opened.getexif().get(ExifTags.Base.Orientation, 1)
    return found


def _set_fraction(opened: "Image.Image", *, is_turned: bool) -> None:
    """Have a JPEG decoded at the fraction that leaves its upright width large enough."""
    width, height = reversed(opened.size) if is_turned else opened.size
    wanted = math.ceil(width * _scale_factor(width, height, max(WIDTHS)))
    opened.draft("RGB", (1, wanted) if is_turned else (wanted, 1))


def _reduction_factor(width: int, height: int) -> int:
    """Return by which whole number an upright picture is made smaller before it is resized."""
    return max(1, width // max(WIDTHS), height // (_TIMES_AS_HIGH * max(WIDTHS)))


def _scale_factor(width: int, height: int, most_width: int) -> float:
    """Return what the sides of an upright picture are multiplied with to be of a size."""
    return min(1, most_width / width, _TIMES_AS_HIGH * most_width / height)


def _shrink_upright(opened: "Image.Image", content: bytes) -> "Image.Image":
    from PIL import ExifTags, ImageOps

    orientation = _read_orientation(opened)
    # The plain pixels, made smaller by a whole number strip by strip. So no second copy of a
    # large picture is made; its upright width stays large enough.
    is_turned = orientation >= _FIRST_TURNED
    from PIL import Image

    _set_fraction(opened, is_turned=is_turned)
    strips = _heif_strips(content) if opened.format == "HEIF" else opened.crop
    width, height = opened.size
    by = _reduction_factor(height, width) if is_turned else _reduction_factor(width, height)
    small = Image.new("RGB", (-(-width // by), -(-height // by)))
    for top in range(0, height, _STRIP * by):
        strip = strips((0, top, width, min(top + _STRIP * by, height)))
        strip.info = opened.info
        small.paste(_flatten_picture(strip).reduce(by), (0, top // by))
    small.getexif()[ExifTags.Base.Orientation] = orientation
    ImageOps.exif_transpose(small, in_place=True)
    small.info.clear()
    return _at_most(small, max(WIDTHS))


_process = BoundedProcess(
    "pms.catalogue.photo_sizes", most_seconds=_MOST_SECONDS, patience_seconds=_PATIENCE_SECONDS
)


def _shrink_in_a_process(content: bytes, width: int, height: int, held: int) -> "Image.Image":
    """Do `_shrink_upright` in a process of its own, one at a time; its memory ends with it."""
    from PIL import Image

    try:
        answer = _process.read(content, str(held + _DATA_OF_THE_PROGRAM))
    except ProcessBusyError:
        raise TooMany(
            "Other large photos are being made smaller. Choose this one again in a minute.",
            retry_after_seconds=_MOST_SECONDS,
        ) from None
    except ProcessEndedError as ended:
        _log.error("a photo was not made smaller", why=str(ended))
        raise Refused(
            "The photo of {width} × {height} pixels could not be made smaller on the server. Save"
            " it as a JPEG or with fewer pixels, and choose it again.",
            width=width,
            height=height,
        ) from None
    if answer.is_unreadable:
        raise _refusal_of_damage()
    with Image.open(io.BytesIO(answer.output), formats=("PPM",)) as upright:
        return upright.copy()


def _be_the_process(most_data: int) -> None:
    """Read a picture that was checked from the input and write it small to the output.

    `most_data` is the most memory in bytes. Ends with `EX_DATAERR` for a damaged picture.
    """
    from PIL import Image

    limit_this_process(most_data, _MOST_CPU_SECONDS)
    _read_telephones()
    with Path(__file__).open("rb") as this:
        # One at a time on this machine, whichever process of the program asks. Not every file
        # system has locks.
        with suppress(OSError):
            fcntl.flock(this, fcntl.LOCK_EX)
        content = sys.stdin.buffer.read()
        try:
            with Image.open(io.BytesIO(content), formats=_READ) as opened:
                _shrink_upright(opened, content).save(sys.stdout.buffer, "PPM")
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
            sys.exit(os.EX_DATAERR)


def _heif_strips(content: bytes) -> "Callable[[tuple[int, int, int, int]], Image.Image]":
    """Return what cuts strips from a decoded HEIC, which its plugin for Pillow would copy whole."""
    from PIL import Image
    from pillow_heif import open_heif

    decoded = open_heif(io.BytesIO(content), convert_hdr_to_8bit=True)
    picture = decoded[decoded.primary_index]
    rows = memoryview(picture.data)

    def strip(box: tuple[int, int, int, int]) -> "Image.Image":
        _, top, width, bottom = box
        part = rows[top * picture.stride : bottom * picture.stride]
        return Image.frombytes(
            picture.mode, (width, bottom - top), part, "raw", (picture.mode, picture.stride)
        )

    return strip


def _flatten_picture(picture: "Image.Image") -> "Image.Image":
    """Return the pixels in sRGB on white: no EXIF, position, profile or transparency."""
    from PIL import Image

    profile = picture.info.get("icc_profile")
    if picture.mode in {"RGBA", "LA", "P", "PA"}:
        layered = picture.convert("RGBA")
        flat = Image.new("RGB", layered.size, "white")
        flat.paste(layered, mask=layered.getchannel("A"))
        return flat
    if picture.mode.startswith("I"):
        # 16-bit grey; Pillow would clip values above 255 instead of scaling them.
        picture = picture.convert("I").point(lambda value: value / 256).convert("L")
    if profile and picture.mode == "RGB":
        picture = _in_srgb(picture, profile)
    return picture.convert("RGB")


def _in_srgb(picture: "Image.Image", profile: bytes) -> "Image.Image":
    from PIL import ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError):
        # A broken profile affects only the colours.
        return picture
    return picture if converted is None else converted


def _at_most(picture: "Image.Image", width: int) -> "Image.Image":
    from PIL import Image

    scale = _scale_factor(*picture.size, width)
    if scale == 1:
        return picture
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=1.0)


def _encode_picture(picture: "Image.Image", kind: str, **how: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()


if __name__ == "__main__":
    _be_the_process(int(sys.argv[1]))
