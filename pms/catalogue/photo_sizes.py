"""Makes the sized pictures of a photo: checked, turned upright, freed of where it was taken."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.phrases import listed

if TYPE_CHECKING:
    from PIL import Image

WIDTHS = (400, 800, 1600)
LARGEST_BYTES = 10 * 1024 * 1024
LARGEST_PIXELS = 40_000_000
SMALLEST_SIDE = 200
_READ = ("JPEG", "PNG", "WEBP", "HEIF")


@dataclass(frozen=True)
class SizedPhoto:
    """The largest size in pixels, and the key of the stored WebP file of each width."""

    width: int
    height: int
    files: Mapping[str, str]


def size_photo(content: bytes, files: Files) -> SizedPhoto:
    """Store the sizes of an uploaded picture; whatever is no JPEG, PNG, WebP or HEIC is refused."""
    return store_sizes(_checked(content), files)


def plain_picture(content: bytes, smallest_side: int = SMALLEST_SIDE) -> bytes:
    """Return an uploaded picture as one WebP file, checked as `size_photo` does, stored nowhere."""
    picture = _checked(content, smallest_side)
    return _encoded(_at_most(picture, max(WIDTHS)), "WEBP", quality=82, method=2)


def store_sizes(picture: "Image.Image", files: Files) -> SizedPhoto:
    """Store the sizes of an upright RGB picture; a small one is never enlarged."""
    largest = sized = _at_most(picture, max(WIDTHS))
    stored: dict[str, str] = {}
    for width in sorted(WIDTHS, reverse=True):
        # Each size is made from the next larger one, which is quicker and looks the same.
        sized = _at_most(sized, width)
        stored[str(width)] = files.put(_encoded(sized, "WEBP", quality=82, method=2), "webp")
    return SizedPhoto(largest.width, largest.height, stored)


def as_jpeg(webp: bytes) -> bytes:
    """Return a stored size as JPEG, for mail programs that know no WebP."""
    # Imported here and below: a worker that is sent no picture never loads the library.
    from PIL import Image

    with Image.open(io.BytesIO(webp), formats=("WEBP",)) as picture:
        return _encoded(picture.convert("RGB"), "JPEG", quality=84)


def _checked(content: bytes, smallest_side: int = SMALLEST_SIDE) -> "Image.Image":
    if not 0 < len(content) <= LARGEST_BYTES:
        raise Refused(
            "photo has {found_bytes} bytes; allowed are 1 to {most_bytes}.",
            found_bytes=len(content),
            most_bytes=LARGEST_BYTES,
        )
    return _read(content, smallest_side)


@cache
def _read_telephones() -> None:
    from pillow_heif import register_heif_opener

    # The pictures inside pictures are never asked for.
    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def _read(content: bytes, smallest_side: int) -> "Image.Image":
    from PIL import Image, ImageOps, UnidentifiedImageError

    _read_telephones()
    try:
        with Image.open(io.BytesIO(content), formats=_READ) as opened:
            _check_size(opened, smallest_side)
            opened.draft("RGB", (max(WIDTHS), max(WIDTHS)))
            return _plain(ImageOps.exif_transpose(opened))
    except UnidentifiedImageError:
        raise Refused("photo is no picture; allowed are {kinds}.", kinds=listed(_READ)) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Refused("photo is damaged and cannot be read to its end.") from None


def _check_size(picture: "Image.Image", smallest_side: int) -> None:
    # Before decoding: a small file may unfold to gigabytes.
    width, height = picture.size
    if width * height > LARGEST_PIXELS:
        raise Refused(
            "photo has {width} x {height} pixels; allowed are {most_pixels}.",
            width=width,
            height=height,
            most_pixels=LARGEST_PIXELS,
        )
    if min(width, height) < smallest_side:
        raise Refused(
            "photo is {width} x {height}; each side needs {least_pixels} pixels.",
            width=width,
            height=height,
            least_pixels=smallest_side,
        )


def _plain(picture: "Image.Image") -> "Image.Image":
    """The pixels alone, in sRGB on white: no EXIF, no position, no profile, no transparency."""
    from PIL import Image

    profile = picture.info.get("icc_profile")
    if picture.mode in {"RGBA", "LA", "P", "PA"}:
        layered = picture.convert("RGBA")
        flat = Image.new("RGB", layered.size, "white")
        flat.paste(layered, mask=layered.getchannel("A"))
        return flat
    if picture.mode.startswith("I"):
        # Grey of 16 bits; Pillow would cut what is above 255 instead of scaling it.
        picture = picture.convert("I").point(lambda value: value / 256).convert("L")
    if profile and picture.mode == "RGB":
        picture = _in_srgb(picture, profile)
    flat = picture.convert("RGB")
    flat.info.clear()
    return flat


def _in_srgb(picture: "Image.Image", profile: bytes) -> "Image.Image":
    from PIL import ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError):
        # A broken profile spoils at most the colours.
        return picture
    return picture if converted is None else converted


def _at_most(picture: "Image.Image", width: int) -> "Image.Image":
    from PIL import Image

    if picture.width <= width:
        return picture
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=1.0)


def _encoded(picture: "Image.Image", kind: str, **how: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()
